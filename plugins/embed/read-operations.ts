/** The reads of the embedded element: a saved query's answer, a dashboard's layout, a tile's answer. */
import { z } from 'zod';
import { type AnswerCheck, checkOf } from '../../router/answer-checks.ts';
import type { AnswerFiles } from '../../router/capabilities/answer-files.ts';
import type { Drilling } from '../../router/capabilities/drilling.ts';
import type { Caller, Scope } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { QuerySource, TabularAnswer } from '../../router/capabilities/query-source.ts';
import type { ReadDocument, Repository } from '../../router/capabilities/repository.ts';
import {
  BodyTooLargeError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  ServiceError,
  ValidationError,
} from '../../router/errors.ts';
import { keptBytes } from '../../router/kept-bytes.ts';
import { documented, type OperationContext, operation } from '../../router/operation.ts';
import type { Repeat, RepeatedAnswer } from '../../router/repeated-answer.ts';
import { run, type Steps, settled } from '../../router/steps.ts';
import { isAnomalySummary, isForecasts } from '../analytics/index.ts';
import type { Dashboard, DrillChoice, SavedQuery, Tile } from '../repository/index.ts';
import { DrillText, parseDrill } from './drill.ts';
import { filterFieldsOf, type ReadTileQuery, type TileQuestion, tilesDrivenBy } from './driven-tiles.ts';
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
import { FilterText, parseRuntimeFilters } from './filter.ts';
import { type CheckedAnswer, type KeptAnswers, viewKeyOf } from './kept-answers.ts';
import type { OpenedEmbed } from './match-token.ts';
import { OthersText, parseOthers } from './others.ts';
import { dashboardOf, identityOf, savedQueryOf } from './parsed-documents.ts';
import { addressOf, type Door, type DoorCaller } from './read-access.ts';
import { EmbedDashboardAnswer, EmbedQueryAnswer, type Resource } from './schemas.ts';
import { parseWithout, WithoutText } from './without.ts';
import { captionsOf, inPlaceOf, type Narrowing, narrowingInWords, writtenAnswer } from './written-answers.ts';

const CHOICE = 'Address and shape of the embed reads, and of the reads of our own pages.';

export interface ReadDependencies {
  readonly door: Door;
  readonly log: Log;
  readonly repository: Repository;
  readonly sources: readonly QuerySource[];
  readonly answers: KeptAnswers;
  readonly files: AnswerFiles;
}

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
  readonly captions?: ReadonlyMap<string, string>;
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
    captions: captionsOf(dashboard),
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
    return writtenAnswer(files, answer, { sources, question, owner, captions, signal }, request);
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

/** Returns the fields by which other tiles narrow a tile, where a page filters it. */
export async function chosenFields(
  dependencies: ReadDependencies,
  owner: Scope,
  dashboard: Dashboard,
  tile: Tile,
  filter: string | undefined,
  readQuery = tileQueryReader(dependencies, owner),
): Promise<readonly string[]> {
  if (filter === undefined) return [];
  return filterFieldsOf(tile, dashboard, readQuery, fieldsIn(dependencies, owner));
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

/** Returns the query of a tile as its reader asks it: the tile names it, and says what a reader may do. */
export function shownIn(tile: Tile, query: SavedQuery | TileQuery, filterable: readonly string[]): SavedQuery {
  const own = 'filterable' in query ? (query.filterable ?? []) : [];
  return { ...query, ...titleOf(tile, query), filterable: [...own, ...filterable], drill: tile.drill };
}

/** Reads a document as its owner does. One that is gone, or that the owner may not read any more, opens nothing. */
export function* readDocument<Document>(
  { repository, door, log }: ReadDependencies,
  owner: Scope,
  resource: Resource,
  parse: (read: ReadDocument) => Document,
): Steps<Document> {
  try {
    const document = yield* settled(repository.read(owner, resource.path));
    if (document === undefined) throw door.refusal(resource, 'no document that its owner may read');
    return parse(document);
  } catch (error) {
    if (!(error instanceof ValidationError || error instanceof BodyTooLargeError)) throw error;
    log.warn({ ...resource, field: error.field, why: error.message }, 'embedded document is broken');
    throw new ConflictError('This embedded document is broken. Its owner can repair it.', {
      code: 'DOCUMENT_BROKEN',
      cause: error,
    });
  }
}

export type TileQuery = Extract<NonNullable<Tile['query']>, { readonly source: unknown }>;

/** Returns the query of a tile: the saved query it names, or the one written into it. */
export function* queryOfTile(
  dependencies: ReadDependencies,
  owner: Scope,
  query: NonNullable<Tile['query']>,
): Steps<SavedQuery | TileQuery> {
  if ('source' in query) return query;
  return yield* readDocument(dependencies, owner, { kind: 'query', path: query.path }, savedQueryOf);
}

/** Returns the title of a tile's answer: the tile's own, or the one of the saved query. */
function titleOf({ id, title }: Tile, query: SavedQuery | TileQuery): { readonly version: 1; readonly title: string } {
  return { version: 1, title: title ?? ('title' in query ? query.title : id) };
}

/** Returns the key of an answer among the kept ones, by all that decides it besides the served data. */
function keyOf(
  owner: Scope,
  { kind }: Resource,
  { filter, others, without, drill }: Narrowing,
  ...parts: readonly (string | number)[]
): string {
  const asked = [filter, others, without, drill].map((each) => each ?? null);
  return JSON.stringify([viewKeyOf(owner), kind, ...asked, ...parts]);
}

/**
 * Makes the reader of the dimensions that tiles show, also after steps down. A query that its surface does not understand
 * has none.
 */
function fieldsIn({ sources }: ReadDependencies, owner: Scope) {
  return async ({ source: { surface, request } }: TileQuestion, { drill }: Tile): Promise<readonly string[]> => {
    try {
      const prepared = sources.find((each) => each.surface === surface)?.prepare(request);
      const { down = [] } = drill ?? {};
      if (prepared === undefined || down.length === 0) return prepared?.dimensions ?? [];
      return [...prepared.dimensions, ...(await prepared.keysBelow(owner, down))];
    } catch (error) {
      if (error instanceof ValidationError || error instanceof NotFoundError) return [];
      throw error;
    }
  };
}

/** Makes the reader of the queries of tiles. It reads each once; one that cannot be read is no query. */
export function tileQueryReader(dependencies: ReadDependencies, owner: Scope): ReadTileQuery {
  const known = new Map<Tile, ReturnType<ReadTileQuery>>();
  return (tile) => {
    const read = known.get(tile) ?? readQuery(tile);
    known.set(tile, read);
    return read;
  };

  async function readQuery({ query }: Tile): ReturnType<ReadTileQuery> {
    if (query === undefined) return undefined;
    try {
      return await run(queryOfTile(dependencies, owner, query));
    } catch (error) {
      if (error instanceof ServiceError && error.kind !== 'INTERNAL') return undefined;
      throw error;
    }
  }
}

interface ReadOptions extends Narrowing {
  readonly signal: AbortSignal | undefined;
}

async function answerOf(
  { sources, log }: ReadDependencies,
  { title, description, source: { surface, request }, filterable = [], drill: choice, analytics, chart }: SavedQuery,
  owner: Scope,
  resource: Resource,
  { filter, others, without, drill: steps, signal }: ReadOptions,
): Promise<CheckedAnswer> {
  return onSurface({ sources, log }, resource, surface, ['filter', 'others', 'without', 'drill'], async (source) => {
    const prepared = source.prepare(request);
    const runtimeFilters = parseRuntimeFilters(filter, [...prepared.dimensions, ...filterable]);
    const drill = parseDrill(steps, choice);
    // After a step the surface knows which dimensions the answer shows.
    const dimensions = (drill?.steps.length ?? 0) > 0 ? undefined : prepared.dimensions;
    if (others !== undefined) {
      const rest = parseOthers(others, dimensions);
      return checked(title, description, await prepared.run(owner, { signal, runtimeFilters, drill, others: rest }));
    }
    if (without !== undefined) {
      const keys = parseWithout(without, dimensions);
      const whole = await prepared.run(owner, { signal, runtimeFilters, drill });
      // A subtotal less its visible parts would be the hidden one.
      if (whole.meta.suppressed !== undefined)
        throw ValidationError.at(['without'], 'The answer hides small groups, so it has no subtotals.');
      const subtotals = await prepared.run(owner, { signal, runtimeFilters, drill, without: keys });
      // Both runs decide this answer: the whole one may be masked some day.
      return { ...checked(title, description, subtotals), isCurrent: bothCurrent(whole, subtotals) };
    }
    const answer = await prepared.run(owner, { signal, runtimeFilters, analytics, drill });
    const { answer: shown, isCurrent } = checked(title, description, answer);
    const { drilling } = answer;
    return {
      answer: {
        ...shown,
        ...(chart === undefined ? {} : { chart }),
        ...(drilling === undefined ? {} : { drill: shownDrilling(drilling, choice) }),
      },
      isCurrent,
    };
  });
}

function shownDrilling({ down, trail, rows }: Drilling, choice: DrillChoice | undefined) {
  return {
    down: down.map(({ field, label, by, leaves }) => ({
      field,
      label,
      by: [...by],
      ...(leaves === undefined ? {} : { leaves: [...leaves] }),
    })),
    trail: trail.map(({ label, text }) => ({ label, text })),
    rows: rows && (choice?.rows ?? false) !== false,
  };
}

function checked(title: string, description: string | undefined, answer: TabularAnswer): CheckedAnswer {
  return { answer: shownAnswer(title, description, answer), isCurrent: checkOf(answer) };
}

function bothCurrent(one: TabularAnswer, other: TabularAnswer): AnswerCheck | undefined {
  const [first, second] = [checkOf(one), checkOf(other)];
  if (first === undefined || second === undefined) return undefined;
  return async () => (await first()) && (await second());
}

/**
 * Works with the surface of a document's query. Mistakes at `places` of the request reach the page that wrote them; any other is one of the
 * document.
 */
export async function onSurface<Result>(
  { sources, log }: Pick<ReadDependencies, 'sources' | 'log'>,
  resource: Resource,
  surface: string,
  places: readonly string[],
  work: (source: QuerySource) => Promise<Result>,
): Promise<Result> {
  const source = sources.find((each) => each.surface === surface);
  if (source === undefined)
    throw toQueryInvalid(log, resource, surface, new NotFoundError(`There is no query surface "${surface}".`));
  try {
    return await work(source);
  } catch (error) {
    if (error instanceof ValidationError && places.includes(String(error.path?.[0]))) throw error;
    if (error instanceof ValidationError || error instanceof NotFoundError || error instanceof ForbiddenError)
      throw toQueryInvalid(log, resource, surface, error);
    throw error;
  }
}

/**
 * Makes the error of a saved request that does not fit the model (any more). Its causes name fields and candidates of
 * the model, which are for the owner and not for readers of the page.
 */
export function toQueryInvalid(log: Log, resource: Resource, surface: string, error: ServiceError): ConflictError {
  log.warn({ ...resource, surface, field: error.field, why: error.message }, 'embedded query does not fit its model');
  return new ConflictError('The embedded query no longer fits its data. Its owner can repair it.', {
    code: 'QUERY_INVALID',
    cause: error,
  });
}

/** Picks exactly the members that an embed shows, whatever else a surface's answer carries. */
export function shownAnswer(
  title: string,
  description: string | undefined,
  { columns, records, meta, freshness, anomaly, forecast }: TabularAnswer,
) {
  return {
    title,
    ...(description === undefined ? {} : { description }),
    columns: columns.map(({ key, label, type, dataType, aggregationKind, grain, labels, axis, change }) => ({
      key,
      label,
      type,
      dataType,
      ...(aggregationKind === undefined ? {} : { aggregationKind }),
      ...(grain === undefined ? {} : { grain }),
      ...(labels === undefined ? {} : { labels: { ...labels } }),
      ...(axis === undefined ? {} : { axis }),
      ...(change === undefined ? {} : { change }),
    })),
    records: [...records],
    meta: {
      rowCount: meta.rowCount,
      truncated: meta.truncated,
      ...(meta.suppressed === undefined ? {} : { suppressed: meta.suppressed }),
    },
    freshness: { computedAtMillis: freshness.computedAtMillis, cached: freshness.cached },
    ...(isAnomalySummary(anomaly) ? { anomaly } : {}),
    ...(isForecasts(forecast) ? { forecast } : {}),
  };
}

/** Picks the members of a tile that a page may see. Unknown members are left out: they may contain a query. */
export async function layoutOf(dashboard: Dashboard, readQuery: ReadTileQuery): Promise<EmbedDashboardAnswer> {
  const { title, description, layout, tiles } = dashboard;
  const laid: EmbedDashboardAnswer['tiles'] = [];
  for (const tile of tiles) {
    const { id, kind, title: tileTitle, text, format, chartType, chart, measure, x, y, w, h } = tile;
    laid.push({
      id,
      kind,
      ...(tileTitle === undefined ? {} : { title: tileTitle }),
      ...(text === undefined ? {} : { text }),
      ...(format === undefined ? {} : { format }),
      ...(chartType === undefined ? {} : { chartType }),
      ...(chart === undefined ? {} : { chart }),
      ...(measure === undefined ? {} : { measure }),
      ...(kind === 'filter' && tile.field !== undefined ? { field: tile.field } : {}),
      ...((kind === 'filter' ? tile.field : tile.drives) === undefined
        ? {}
        : { drives: (await tilesDrivenBy(tile, dashboard, readQuery)).map((each) => each.id) }),
      x,
      y,
      w,
      h,
    });
  }
  return { title, ...(description === undefined ? {} : { description }), layout, tiles: laid };
}
