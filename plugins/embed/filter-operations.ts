/** The values that a reader of an embed may filter by: of fields that the document offers, under the reader's rows. */
import { z } from 'zod';
import type { Scope } from '../../router/capabilities/identity.ts';
import type { OfferedValues } from '../../router/capabilities/query-source.ts';
import { documented, operation } from '../../router/operation.ts';
import { run } from '../../router/steps.ts';
import type { FilterControl } from '../../router/tile-kinds.ts';
import { type TileQuestion, tilesDrivenBy } from './driven-tiles.ts';
import { FilterText, parseRuntimeFilters, requireOffered } from './filter.ts';
import { dashboardOf, savedQueryOf } from './parsed-documents.ts';
import { addressOf } from './read-access.ts';
import { type ReadDependencies, readDocument } from './read-document.ts';
import { onSurface } from './saved-answer.ts';
import { EmbedFilterValues, type Resource } from './schemas.ts';
import { tileQueryReader } from './tile-queries.ts';

/** Values that one answer offers. */
const MAX_OFFERED = 50;

const SearchText = z
  .string()
  .max(200)
  .optional()
  .describe('Offers only the values whose text contains this one, in any letter case.');

export function filterOperations(dependencies: ReadDependencies) {
  const { door } = dependencies;
  const { access, base, readers } = door;
  const address = { method: 'GET', ...addressOf(door) } as const;
  return {
    readQueryValues: operation({
      summary: `The values of a field that a saved query can be filtered by, ${readers}`,
      access,
      rest: { ...address, path: `${base}/query/{path+}/values`, query: ['field', 'q', 'filter'] },
      implementationChoice: 'The whole operation.',
    })
      .input(z.strictObject({ path: z.string(), field: z.string().max(1_000), q: SearchText, filter: FilterText }))
      .output(documented(EmbedFilterValues))
      .query(async ({ ctx, input: { path, field, q, filter }, signal }) => {
        const { owner, resource } = await run(door.open(ctx, { kind: 'query', path }));
        const query = await run(readDocument(dependencies, owner, resource, savedQueryOf));
        const asked = { field, text: q, filter, control: undefined, signal };
        return offered(dependencies, query, owner, resource, asked);
      }),

    readTileValues: operation({
      summary: `The values of a filter tile of a dashboard, ${readers}`,
      access,
      rest: { ...address, path: `${base}/dashboard/{path+}/tiles/{tileId}/values`, query: ['q', 'filter'] },
      implementationChoice: 'The whole operation. The values are those of the first tile that the filter narrows.',
    })
      .input(z.strictObject({ path: z.string(), tileId: z.string(), q: SearchText, filter: FilterText }))
      .output(documented(EmbedFilterValues))
      .query(async ({ ctx, input: { path, tileId, q, filter }, signal }) => {
        const { owner, resource } = await run(door.open(ctx, { kind: 'dashboard', path }));
        const dashboard = await run(readDocument(dependencies, owner, resource, dashboardOf));
        const tile = dashboard.tiles.find(({ id, kind }) => id === tileId && kind === 'filter');
        const [first] =
          tile === undefined ? [] : await tilesDrivenBy(tile, dashboard, tileQueryReader(dependencies, owner));
        if (tile?.field === undefined || first === undefined)
          throw door.refusal(resource, 'no such filter tile with a field');
        const filterable = [...(first.query.filterable ?? []), ...(dashboard.filterable ?? []), tile.field];
        const query = { ...first.query, filterable };
        const asked = { field: tile.field, text: q, filter, control: tile.control, signal };
        return offered(dependencies, query, owner, resource, asked);
      }),
  };
}

interface Asked {
  readonly field: string;
  readonly text: string | undefined;
  readonly filter: string | undefined;
  readonly control: FilterControl | undefined;
  readonly signal: AbortSignal | undefined;
}

async function offered(
  dependencies: ReadDependencies,
  { source: { surface, request }, filterable = [] }: TileQuestion,
  owner: Scope,
  resource: Resource,
  { field, text, filter, control, signal }: Asked,
): Promise<z.infer<typeof EmbedFilterValues>> {
  return onSurface(dependencies, resource, surface, ['field', 'filter'], async (source) => {
    const prepared = source.prepare(request);
    const allowed = [...prepared.dimensions, ...filterable];
    requireOffered('field', field, allowed);
    const runtimeFilters = parseRuntimeFilters(filter, allowed);
    const { label, dataType, grain, values, truncated, range } = await prepared.offer(owner, {
      field,
      text,
      limit: MAX_OFFERED,
      runtimeFilters,
      signal,
    });
    return {
      field,
      label,
      dataType,
      control: controlOf({ dataType, grain }, control),
      ...(grain === undefined ? {} : { grain }),
      values: values.map((each) => ({ ...each })),
      truncated,
      ...(range === undefined ? {} : { range }),
    };
  });
}

/** Returns the way to choose: the one that the document names where the type allows it, else the one of the type. */
function controlOf(
  { dataType, grain }: Pick<OfferedValues, 'dataType' | 'grain'>,
  wanted: FilterControl | undefined,
): FilterControl {
  if (wanted === 'list' || grain !== undefined) return 'list';
  switch (dataType) {
    case 'boolean':
      return 'switch';
    case 'date':
    case 'timestamp':
    case 'timestamptz':
      return 'date';
    case 'integer':
    case 'decimal':
    case 'float':
      return 'range';
    case 'text':
    case 'time':
    case 'json':
    case 'binary':
    case 'other':
      return 'list';
  }
}
