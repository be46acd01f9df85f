/** The reads of the embedded element: a saved query's answer, a dashboard's layout, a tile's answer. */
import { z } from 'zod';
import type { Caller, Scope } from '../../router/capabilities/identity.ts';
import { keptBytes } from '../../router/kept-bytes.ts';
import { documented, type OperationContext, operation } from '../../router/operation.ts';
import type { Repeat, RepeatedAnswer } from '../../router/repeated-answer.ts';
import { run, type Steps, settled } from '../../router/steps.ts';
import type { SavedQuery, Tile } from '../repository/index.ts';
import { DrillText } from './drill.ts';
import {
  dashboardFile,
  FILE_QUERY,
  FILE_TYPES,
  FileQuery,
  type FileRequest,
  parseByTile,
  parseTileSorts,
  SortText,
  TileDrillsText,
  TileFiltersText,
  TileSortsText,
} from './file-answers.ts';
import { FilterText } from './filter.ts';
import { type CheckedAnswer, type KeptAnswers, viewKeyOf } from './kept-answers.ts';
import type { OpenedEmbed } from './match-token.ts';
import { OthersText } from './others.ts';
import { dashboardOf, identityOf, savedQueryOf } from './parsed-documents.ts';
import { addressOf, type DoorCaller } from './read-access.ts';
import { type ReadDependencies, readDocument } from './read-document.ts';
import { answerOf, type ReadOptions } from './saved-answer.ts';
import { EmbedDashboardAnswer, EmbedQueryAnswer, type Resource } from './schemas.ts';
import { layoutOf } from './shown-answer.ts';
import { chosenFields, queryOfTile, shownIn, type TileQuery, tileQueryReader } from './tile-queries.ts';
import { WithoutText } from './without.ts';
import { captionsOf, inPlaceOf, type Narrowing, narrowingInWords, writtenAnswer } from './written-answers.ts';

const CHOICE = 'Address and shape of the embed reads, and of the reads of our own pages.';

export function readOperations(dependencies: ReadDependencies) {
  const { door, files } = dependencies;
  const { access, base, readers, tools } = door;
  const address = { method: 'GET', ...addressOf(door) } as const;
  return {
    readQuery: operation({
      summary: `The answer of a saved query, ${readers}`,
      access,
      ...(tools.query === undefined ? {} : { tool: tools.query }),
      rest: {
        ...address,
        path: `${base}/query/{path+}`,
        query: ['filter', 'others', 'without', 'drill', 'sort', ...FILE_QUERY],
        fileTypes: FILE_TYPES,
      },
      implementationChoice: CHOICE,
    })
      .input(
        z.strictObject({
          path: z.string(),
          filter: FilterText,
          others: OthersText,
          without: WithoutText,
          drill: DrillText,
          sort: SortText,
          ...FileQuery,
        }),
      )
      .output(documented(EmbedQueryAnswer))
      .query(({ ctx, input, signal }) =>
        readAnswer(dependencies, (caller) => findQuery(dependencies, caller, input), input, { ctx, signal }),
      ),

    readDashboard: operation({
      summary: `The layout of a dashboard, ${readers}`,
      access,
      rest: {
        ...address,
        path: `${base}/dashboard/{path+}`,
        query: ['filter', 'tileFilters', 'tileDrills', 'tileSorts', ...FILE_QUERY],
        fileTypes: FILE_TYPES,
      },
      implementationChoice: CHOICE,
    })
      .input(
        z.strictObject({
          path: z.string(),
          filter: FilterText.describe('For a file: narrows its tiles, as in the read of a tile.'),
          tileFilters: TileFiltersText,
          tileDrills: TileDrillsText,
          tileSorts: TileSortsText,
          ...FileQuery,
        }),
      )
      .output(documented(EmbedDashboardAnswer))
      .query(
        async ({
          ctx,
          input: { path, filter: ofAll, tileFilters, tileDrills, tileSorts, format, ...notation },
          signal,
        }) => {
          const { owner, resource } = await run(door.open(ctx, { kind: 'dashboard', path }));
          const dashboard = await run(readDocument(dependencies, owner, resource, dashboardOf));
          const readQuery = tileQueryReader(dependencies, owner);
          const layout = await layoutOf(dashboard, readQuery);
          if (format === undefined) return layout;
          const filters = parseByTile('tileFilters', tileFilters);
          const drills = parseByTile('tileDrills', tileDrills);
          const sorts = parseTileSorts(tileSorts);
          const captions = captionsOf(dashboard);
          const tiles = dashboard.tiles.flatMap((tile) => {
            const { id, title = id, query } = tile;
            if (query === undefined || tile.kind === 'filter') return [];
            const filter = filters.get(id) ?? ofAll;
            const drill = drills.get(id);
            const read = async (others?: string) => {
              const tileQuery = await run(queryOfTile(dependencies, owner, query));
              const chosen = await chosenFields(dependencies, owner, dashboard, tile, filter, readQuery);
              const allowed = [...(dashboard.filterable ?? []), ...chosen];
              const opened = { owner, resource };
              const narrowing = { filter, drill, others, signal };
              const { answer } = await tileAnswer(dependencies, opened, allowed, tile, tileQuery, narrowing);
              if (others !== undefined) return answer;
              const asked = { sources: dependencies.sources, question: tileQuery, owner, captions, signal };
              return { ...answer, filters: await narrowingInWords(answer, asked, narrowing, notation) };
            };
            return [{ id, title, read, sort: sorts.get(id) }];
          });
          return inPlaceOf(await dashboardFile(files, { layout, tiles }, { ...notation, format }, signal));
        },
      ),

    readTile: operation({
      summary: `The answer of one tile of a dashboard, ${readers}`,
      access,
      ...(tools.tile === undefined ? {} : { tool: tools.tile }),
      rest: {
        ...address,
        path: `${base}/dashboard/{path+}/tiles/{tileId}`,
        query: ['filter', 'others', 'without', 'drill', 'sort', ...FILE_QUERY],
        fileTypes: FILE_TYPES,
      },
      implementationChoice: CHOICE,
    })
      .input(
        z.strictObject({
          path: z.string(),
          tileId: z.string(),
          filter: FilterText,
          others: OthersText,
          without: WithoutText,
          drill: DrillText,
          sort: SortText,
          ...FileQuery,
        }),
      )
      .output(documented(EmbedQueryAnswer))
      .query(({ ctx, input, signal }) =>
        readAnswer(dependencies, (caller) => findTile(dependencies, caller, input), input, { ctx, signal }),
      ),
  };
}

/** A read whose caller was let in, and whose documents were read. */
interface FoundRead {
  readonly owner: Scope;
  /** The key of its answer among the kept ones. */
  readonly key: string;
  /** The query of the answer, and captions of fields that the answer may not show. */
  readonly question: SavedQuery | TileQuery;
  readonly captions?: () => ReadonlyMap<string, string>;
  compute(signal: AbortSignal | undefined): Promise<CheckedAnswer>;
}

/** Finds a read for a caller: every check of a read is one of these steps, for its first answer and for each repeated one. */
type FindRead = (caller: DoorCaller) => Steps<FoundRead>;

function* findQuery(
  dependencies: ReadDependencies,
  caller: DoorCaller,
  { path, ...narrowing }: Narrowing & { readonly path: string },
): Steps<FoundRead> {
  const { owner, resource } = yield* dependencies.door.open(caller, { kind: 'query', path });
  const query = yield* readDocument(dependencies, owner, resource, savedQueryOf);
  return {
    owner,
    key: keyOf(owner, resource, narrowing, identityOf(query)),
    question: query,
    compute: (signal) => answerOf(dependencies, query, owner, resource, { ...narrowing, signal }),
  };
}

function* findTile(
  dependencies: ReadDependencies,
  caller: DoorCaller,
  { path, tileId, ...narrowing }: Narrowing & { readonly path: string; readonly tileId: string },
): Steps<FoundRead> {
  const { door } = dependencies;
  const { owner, resource } = yield* door.open(caller, { kind: 'dashboard', path });
  const dashboard = yield* readDocument(dependencies, owner, resource, dashboardOf);
  const tile = dashboard.tiles.find((each) => each.id === tileId);
  if (tile?.query === undefined) throw door.refusal(resource, 'no such tile with a query');
  const query = yield* queryOfTile(dependencies, owner, tile.query);
  const { filter } = narrowing;
  // Which filter tiles drive the tile decides only what a filter may name.
  const chosen = filter === undefined ? [] : yield* settled(chosenFields(dependencies, owner, dashboard, tile, filter));
  const allowed = [...(dashboard.filterable ?? []), ...chosen];
  return {
    owner,
    key: keyOf(owner, resource, narrowing, identityOf(dashboard), tileId, identityOf(query), ...chosen),
    question: query,
    captions: () => captionsOf(dashboard),
    compute: (signal) => tileAnswer(dependencies, { owner, resource }, allowed, tile, query, { ...narrowing, signal }),
  };
}

/** Answers a read: as a file where the request names a format, else with the kept answer, if there is one. */
async function readAnswer(
  { files, sources, answers }: ReadDependencies,
  find: FindRead,
  request: FileRequest & Narrowing & { readonly sort?: string | undefined },
  { ctx, signal }: { readonly ctx: OperationContext; readonly signal: AbortSignal | undefined },
): Promise<z.infer<typeof EmbedQueryAnswer>> {
  const { owner, key, question, captions, compute } = await run(find(ctx));
  if (request.format !== undefined) {
    const { answer } = await compute(signal);
    return writtenAnswer(files, answer, { sources, question, owner, captions: captions?.(), signal }, request);
  }
  const answer = await answers.through(key, () => compute(signal));
  if (keptBytes(answer) !== undefined) ctx.repeats?.(repeatOf(answers, find, ctx.caller));
  return answer;
}

/** Makes the way to a kept answer for further requests. */
function repeatOf(answers: KeptAnswers, find: FindRead, caller: Caller): Repeat {
  function* again(embedToken: string | undefined): Steps<RepeatedAnswer | undefined> {
    const { owner, key } = yield* find({ caller, embedToken });
    const answer = yield* answers.current(key);
    return answer === undefined ? undefined : { answer, owner };
  }
  return (embedToken) => run(again(embedToken));
}

/** Answers one tile of a dashboard, which may be narrowed by the fields of its query and by `filterable`. */
function tileAnswer(
  dependencies: ReadDependencies,
  { owner, resource }: OpenedEmbed,
  filterable: readonly string[],
  tile: Tile,
  query: SavedQuery | TileQuery,
  options: ReadOptions,
): Promise<CheckedAnswer> {
  return answerOf(dependencies, shownIn(tile, query, filterable), owner, resource, options);
}

/** Returns the key of an answer among the kept ones, by all that decides it besides the served data. */
function keyOf(
  owner: Scope,
  { kind }: Resource,
  { filter, others, without, drill }: Narrowing,
  ...parts: readonly (string | number)[]
): string {
  return JSON.stringify([viewKeyOf(owner), kind, filter, others, without, drill, ...parts]);
}
