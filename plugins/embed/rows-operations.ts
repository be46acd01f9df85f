/** The rows behind one row of an embed's answer: of documents that show them, under the reader's rows. */
import { z } from 'zod';
import type { Scope } from '../../router/capabilities/identity.ts';
import { documented, operation } from '../../router/operation.ts';
import { run } from '../../router/steps.ts';
import type { SavedQuery } from '../repository/index.ts';
import { AtText, DrillText, parseAt, parseDrill } from './drill.ts';
import { FilterText, parseRuntimeFilters } from './filter.ts';
import { dashboardOf, savedQueryOf } from './parsed-documents.ts';
import { addressOf } from './read-access.ts';
import { type ReadDependencies, readDocument } from './read-document.ts';
import { onSurface } from './saved-answer.ts';
import { EmbedQueryAnswer, type Resource } from './schemas.ts';
import { shownAnswer } from './shown-answer.ts';
import { chosenFields, queryOfTile, shownIn } from './tile-queries.ts';

/** Rows that one answer shows. */
const MAX_ROWS = 500;

const PARAMETERS = ['at', 'drill', 'filter'] as const;
const asked = { at: AtText, drill: DrillText, filter: FilterText } as const;
const CHOICE = `The whole operation. At most ${MAX_ROWS} rows. Rows behind a masked figure stay hidden: the answer has no rows, and \`meta.suppressed\`.`;

export function rowsOperations(dependencies: ReadDependencies) {
  const { door } = dependencies;
  const { access, base, readers } = door;
  const address = { method: 'GET', ...addressOf(door) } as const;
  return {
    readQueryRows: operation({
      summary: `The rows behind one row of a saved query, ${readers}`,
      access,
      rest: { ...address, path: `${base}/query/{path+}/rows`, query: [...PARAMETERS] },
      implementationChoice: CHOICE,
    })
      .input(z.strictObject({ path: z.string(), ...asked }))
      .output(documented(EmbedQueryAnswer))
      .query(async ({ ctx, input: { path, ...row }, signal }) => {
        const { owner, resource } = await run(door.open(ctx, { kind: 'query', path }));
        const query = await run(readDocument(dependencies, owner, resource, savedQueryOf));
        return rowsOf(dependencies, query, owner, resource, { ...row, signal });
      }),

    readTileRows: operation({
      summary: `The rows behind one row of a tile of a dashboard, ${readers}`,
      access,
      rest: { ...address, path: `${base}/dashboard/{path+}/tiles/{tileId}/rows`, query: [...PARAMETERS] },
      implementationChoice: CHOICE,
    })
      .input(z.strictObject({ path: z.string(), tileId: z.string(), ...asked }))
      .output(documented(EmbedQueryAnswer))
      .query(async ({ ctx, input: { path, tileId, ...row }, signal }) => {
        const { owner, resource } = await run(door.open(ctx, { kind: 'dashboard', path }));
        const dashboard = await run(readDocument(dependencies, owner, resource, dashboardOf));
        const tile = dashboard.tiles.find((each) => each.id === tileId);
        if (tile?.query === undefined) throw door.refusal(resource, 'no such tile with a query');
        const query = await run(queryOfTile(dependencies, owner, tile.query));
        const chosen = await chosenFields(dependencies, owner, dashboard, tile, row.filter);
        const shown = shownIn(tile, query, [...(dashboard.filterable ?? []), ...chosen]);
        return rowsOf(dependencies, shown, owner, resource, { ...row, signal });
      }),
  };
}

interface Asked {
  readonly at?: string | undefined;
  readonly drill?: string | undefined;
  readonly filter?: string | undefined;
  readonly signal: AbortSignal | undefined;
}

async function rowsOf(
  dependencies: ReadDependencies,
  { title, source: { surface, request }, filterable = [], drill: choice }: SavedQuery,
  owner: Scope,
  resource: Resource,
  { at, drill, filter, signal }: Asked,
): Promise<z.infer<typeof EmbedQueryAnswer>> {
  const fields = choice?.rows ?? false;
  if (fields === false) throw dependencies.door.refusal(resource, 'its document shows no rows');
  return onSurface(dependencies, resource, surface, PARAMETERS, async (source) => {
    const prepared = source.prepare(request);
    const answer = await prepared.rows(owner, {
      drill: parseDrill(drill, choice),
      at: parseAt(at),
      fields: fields === true ? undefined : fields,
      limit: MAX_ROWS,
      runtimeFilters: parseRuntimeFilters(filter, [...prepared.dimensions, ...filterable]),
      signal,
    });
    return shownAnswer(title, undefined, answer);
  });
}
