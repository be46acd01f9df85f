import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ColumnarResult, Scalar } from '../../../../router/capabilities/warehouse.ts';
import { cooperativeYield } from '../../../../router/cooperative-yield.ts';
import { InternalError } from '../../../../router/errors.ts';
import type * as model from '../../schema/model.ts';
import { RESULT_ROWS_BATCH } from '../limits.ts';
import type { EngineWarehouse } from '../loading/engine-warehouse.ts';
import { exactFromText } from '../metadata/exact-numbers.ts';
import type { FactGroup } from '../metadata/fact-group.ts';
import type { Grain, Member, TupleSet } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import { cellStatement } from '../sql/cell-statement.ts';
import { MdxLimitError } from '../syntax/errors.ts';
import { CellRows } from './cell-rows.ts';
import { type CellStore, Segment } from './cell-store.ts';
import { type Combinations, canIndex, measureColumns, readCombinations } from './combinations.ts';
import type { FactTables } from './fact-tables.ts';

/** The number of cells that are processed between two checks of the clock. */
const CELLS_BETWEEN_CHECKS = 1_000;

/** The number of combinations from which their cells are kept in columns. */
const MIN_ROWS = RESULT_ROWS_BATCH;

const COORDINATES = '\u0002';

/**
 * A query's use of a segment, with the cells that the segment lacks. If the store drops the segment, its queries keep
 * it.
 */
interface SegmentRequest {
  readonly segment: Segment;
  /** The requested cells that are not in memory, by cell key. */
  readonly missing: Map<string, readonly Member[]>;
  readonly missingMeasures: Set<model.Measure>;
}

/** The request of the cell that was read last. Other cells of the same levels and kinds of members use it, too. */
interface LastRequest {
  readonly group: FactGroup;
  /** The members of the cell, by the ordinals of their hierarchies. */
  readonly members: Member[];
  /** The place in the path of each of these members; `undefined` for one that has none. */
  readonly places: readonly (number | undefined)[];
  readonly predicates: readonly TupleSet[];
  readonly request: SegmentRequest;
}

/** Stores cells that a statement for something else returned. */
export interface CellPrefetch {
  /**
   * Stores the cells of combinations of the members that differ, in the order of the grains, in turns.
   *
   * @param columns the values of each measure, one for each combination
   */
  store(combinations: Combinations, columns: ReadonlyMap<model.Measure, readonly Scalar[]>): Promise<void>;
}

export interface CellReaderOptions {
  readonly warehouse: EngineWarehouse;
  readonly groups: ReadonlyMap<string, FactGroup>;
  readonly store: CellStore;
  /** Separates cubes and roles that share a store. */
  readonly scope: string;
  /** The maximum number of cells that a query may load. */
  readonly maxCells: number;
  /** Chooses the tables that statements read. */
  readonly facts: FactTables;
}

/**
 * Reads the stored cells of a cube for one query. `read` never waits: it notes a missing cell. `load` then reads all
 * noted cells, with one statement for each grain. The store shares loaded cells with other queries.
 */
export class CellReader {
  readonly store: CellStore;
  readonly #options: CellReaderOptions;
  readonly #requests = new Map<string, SegmentRequest>();
  readonly #incomplete = new Set<SegmentRequest>();
  readonly #predicateKeys = new WeakMap<TupleSet, string>();
  readonly #combinations = new Map<string, Combinations>();
  /** The cell keys of the cell that is read. Each read changes it. */
  readonly #path: string[] = [];
  #last: LastRequest | undefined;
  #loaded = 0;

  constructor(options: CellReaderOptions) {
    this.#options = options;
    this.store = options.store;
  }

  get scope(): string {
    return this.#options.scope;
  }

  get hasMissing(): boolean {
    return this.#incomplete.size > 0;
  }

  /** Returns a cell's value: `null` if the cell is empty, `undefined` if it has to be loaded. */
  read(context: readonly Member[], predicates: readonly TupleSet[]): Value | undefined {
    const [measure, group] = this.#measureOf(context);
    const request = this.#requestAt(group, context, predicates);
    if (request === undefined) return null;
    const value = request.segment.get(this.#path, measure);
    if (value !== undefined) return value;
    request.missing.set(this.#path.join(COORDINATES), coordinateOf(group, context));
    request.missingMeasures.add(measure);
    this.#incomplete.add(request);
    return undefined;
  }

  /**
   * Prepares to store cells that a statement for something else returned: the cells at `context`, with other members in
   * the hierarchies of `grains`.
   */
  prefetch(group: FactGroup, context: readonly Member[], grains: readonly Grain[]): CellPrefetch {
    const placeByOrdinal = new Map(grains.map(({ level }, place) => [level.hierarchy.ordinal, place]));
    /** For each place of a path, the key of the current member, or the place of the key in the members that differ. */
    const places: (string | number)[] = [];
    const grainsInOrder: Grain[] = [];
    let grain = group.name;
    for (let ordinal = 1; ordinal < context.length; ordinal++) {
      const place = placeByOrdinal.get(ordinal);
      const member = context[ordinal];
      const levelGrain = place === undefined ? undefined : grains[place];
      if (levelGrain !== undefined && place !== undefined) {
        grain += `;${ordinal}.${levelGrain.level.depth}`;
        places.push(place);
        grainsInOrder.push(levelGrain);
      } else if (member?.kind === 'stored' && group.links[ordinal] !== undefined) {
        grain += `;${ordinal}.${member.level.depth}`;
        places.push(member.cellKey);
        grainsInOrder.push({ level: member.level, data: false });
      }
    }
    const { segment } = this.#requestOf(grain, group, () => grainsInOrder, []);
    return {
      store: async (combinations, columns) => {
        const cells = await cellsOf(columns);
        if (combinations.length >= MIN_ROWS && canIndex(combinations) && segment.hasRoomForRows)
          segment.addRows(new CellRows(combinations, places, cells));
        else await setEach(segment, combinations, places, cells);
        this.store.keep(segment);
      },
    };
  }

  /**
   * Returns the cells at `context` for each of some combinations, which replace the members of their hierarchies; `undefined` where no statement
   * returned them together.
   *
   * @param context with any of the combinations
   */
  column(
    context: readonly Member[],
    predicates: readonly TupleSet[],
    combinations: Combinations,
  ): readonly Value[] | undefined {
    const [measure, group] = this.#measureOf(context);
    const request = this.#requestAt(group, context, predicates);
    return request?.segment.column(this.#path, measure, combinations);
  }

  /** Returns the kept combinations of members for a key. The query keeps them even if the store drops them. */
  nonEmptyTuples(key: string): Combinations | undefined {
    const keptTuples = this.#combinations.get(key) ?? this.store.nonEmptyTuples(key);
    if (keptTuples !== undefined) this.#combinations.set(key, keptTuples);
    return keptTuples;
  }

  /** Keeps combinations of members under a key, for this query and later ones. */
  keepNonEmptyTuples(key: string, combinations: Combinations): void {
    this.#combinations.set(key, combinations);
    this.store.keepNonEmptyTuples(key, combinations);
  }

  /** Returns a key of a set of tuples. The key of each set is computed once. */
  predicateKey(tuples: TupleSet): string {
    let key = this.#predicateKeys.get(tuples);
    if (key === undefined) {
      key = tuples.map((tuple) => tuple.map(({ id }) => id).join()).join(' ');
      this.#predicateKeys.set(tuples, key);
    }
    return key;
  }

  /** Loads all noted cells. */
  async load(signal: AbortSignal | undefined): Promise<void> {
    const requests = [...this.#incomplete];
    this.#incomplete.clear();
    await Promise.all(requests.map((use) => this.#loadRequest(use, signal)));
    if (this.#loaded > this.#options.maxCells)
      throw new MdxLimitError(`The query needs more than ${this.#options.maxCells} stored cells.`);
  }

  #measureOf(context: readonly Member[]): readonly [model.Measure, FactGroup] {
    const measure = context[0]?.measure;
    if (measure === undefined) throw new InternalError('The current measure is not stored.');
    return [measure, this.#groupOf(measure)];
  }

  #groupOf(measure: model.Measure): FactGroup {
    const group = this.#options.groups.get(measure.group);
    if (group === undefined) throw new InternalError(`There is no measure group ${measure.group}.`);
    return group;
  }

  /** Returns the request of a cell and sets `#path`; `undefined` for a cell outside the facts. */
  #requestAt(
    group: FactGroup,
    context: readonly Member[],
    predicates: readonly TupleSet[],
  ): SegmentRequest | undefined {
    const last = this.#last;
    if (last !== undefined && last.group === group && this.#movesTo(last, context, predicates)) return last.request;
    this.#last = undefined;
    const path = this.#path;
    path.length = 0;
    const places: (number | undefined)[] = context.map(() => undefined);
    for (let ordinal = 1; ordinal < context.length; ordinal++) {
      const member = context[ordinal];
      if (member === undefined || member.kind === 'all') continue;
      if (group.links[ordinal] === undefined) {
        if (group.model.ignoreUnrelatedDimensions || member === member.hierarchy.defaultMember) continue;
        return undefined;
      }
      if (!group.reachesLevel(member.level)) return undefined;
      places[ordinal] = path.push(member.cellKey) - 1;
    }
    const request = this.#requestFor(this.#grainOf(group, context, predicates), group, context, predicates);
    this.#last = { group, members: [...context], places, predicates: [...predicates], request };
    return request;
  }

  /**
   * Moves `#path` from the last cell to another one and returns true, where both have the same levels and kinds of members. A cell mostly
   * differs from the last one in a few hierarchies.
   */
  #movesTo(
    { members, places, predicates }: LastRequest,
    context: readonly Member[],
    others: readonly TupleSet[],
  ): boolean {
    if (predicates.length !== others.length) return false;
    for (let at = 0; at < others.length; at++) if (others[at] !== predicates[at]) return false;
    for (let ordinal = 1; ordinal < context.length; ordinal++) {
      const [member, before] = [context[ordinal], members[ordinal]];
      if (member === before) continue;
      const place = places[ordinal];
      const isSame = member?.level === before?.level && member?.kind === before?.kind;
      if (!isSame || place === undefined || member === undefined) return false;
      this.#path[place] = member.cellKey;
      members[ordinal] = member;
    }
    return true;
  }

  /** Returns the grain of a cell of the facts as text. */
  #grainOf(group: FactGroup, context: readonly Member[], predicates: readonly TupleSet[]): string {
    let grain = group.name;
    for (let ordinal = 1; ordinal < context.length; ordinal++) {
      const member = context[ordinal];
      if (member === undefined || member.kind === 'all' || group.links[ordinal] === undefined) continue;
      grain += `;${ordinal}.${member.level.depth}${member.kind === 'data' ? 'd' : ''}`;
    }
    for (const tuples of predicates) grain += `|${this.predicateKey(tuples)}`;
    return grain;
  }

  #requestFor(
    grain: string,
    group: FactGroup,
    context: readonly Member[],
    predicates: readonly TupleSet[],
  ): SegmentRequest {
    const existing = this.#requests.get(grain);
    if (existing !== undefined) return existing;
    const grains = () =>
      coordinateOf(group, context).map(({ level, kind }): Grain => ({ level, data: kind === 'data' }));
    return this.#requestOf(grain, group, grains, predicates);
  }

  #requestOf(
    grain: string,
    group: FactGroup,
    grains: () => readonly Grain[],
    predicates: readonly TupleSet[],
  ): SegmentRequest {
    const existing = this.#requests.get(grain);
    if (existing !== undefined) return existing;
    const key = `${this.#options.scope}${COORDINATES}${grain}`;
    const segment = this.store.segment(key, () => new Segment(key, group, grains(), [...predicates]));
    const request: SegmentRequest = { segment, missing: new Map(), missingMeasures: new Set() };
    this.#requests.set(grain, request);
    return request;
  }

  async #loadRequest(
    { segment, missing, missingMeasures }: SegmentRequest,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const measures = [...missingMeasures];
    const names = measures.map(({ name }) => name).sort();
    const coordinates = [...missing];
    missing.clear();
    missingMeasures.clear();
    // Uses the order of the query, which is the same when the query runs again. Sorting half a million keys would hold
    // the event loop.
    const keys = coordinates.map(([key]) => key);
    await segment.flights.run([...names, ...keys].join('\u0003'), signal, async (inner) => {
      // Another query may have loaded some of them meanwhile.
      const stillMissing: (readonly Member[])[] = [];
      const yieldTurn = cooperativeYield();
      for (const [index, [, members]] of coordinates.entries()) {
        if (index % CELLS_BETWEEN_CHECKS === 0) await yieldTurn();
        const path = pathOf(members);
        if (measures.some((measure) => segment.get(path, measure) === undefined)) stillMissing.push(members);
      }
      if (stillMissing.length > 0) await this.#loadCells(segment, stillMissing, measures, inner);
    });
  }

  async #loadCells(
    segment: Segment,
    coordinates: readonly (readonly Member[])[],
    measures: readonly model.Measure[],
    signal: AbortSignal,
  ): Promise<void> {
    const { warehouse, maxCells } = this.#options;
    const { group, grains, predicates } = segment;
    const batch = { group, grains, measures, predicates, coordinates };
    const { statement, keyColumns } = cellStatement(warehouse.dialect, batch, this.#options.facts.read(group, batch));
    this.store.statements++;
    const result = await warehouse.query(statement, { signal, maxRows: maxCells });
    if (result.truncated) throw new MdxLimitError(`The query needs more than ${maxCells} stored cells.`);
    await storeCells(result, keyColumns, segment, measures);
    this.#loaded += result.rowCount;
    const yieldTurn = cooperativeYield();
    for (const [index, members] of coordinates.entries()) {
      if (index % CELLS_BETWEEN_CHECKS === 0) await yieldTurn();
      const path = pathOf(members);
      for (const measure of measures) if (segment.get(path, measure) === undefined) segment.set(path, measure, null);
    }
    this.store.keep(segment);
  }
}

/**
 * Stores the cells of combinations one by one.
 *
 * @param places for each place of a path, a key, or the place of the key in the combinations
 */
async function setEach(
  segment: Segment,
  { length, columns }: Combinations,
  places: readonly (string | number)[],
  cells: Cells,
): Promise<void> {
  const path = places.map(String);
  for (let row = 0; row < length; row++) {
    if (row > 0 && row % RESULT_ROWS_BATCH === 0) await nextTurn();
    for (const [at, place] of places.entries()) {
      if (typeof place === 'string') continue;
      const { keys, indices } = columns[place] ?? {};
      path[at] = keys?.[indices?.[row] ?? -1] ?? '';
    }
    for (const [measure, values] of cells) segment.set(path, measure, values[row] ?? null);
  }
}

/** Values of measures, one for each combination. */
type Cells = ReadonlyMap<model.Measure, readonly Value[]>;

async function cellsOf(columns: ReadonlyMap<model.Measure, readonly Scalar[]>): Promise<Cells> {
  const cells = new Map<model.Measure, readonly Value[]>();
  for (const [measure, values] of columns) cells.set(measure, await cellValues(values, measure));
  return cells;
}

async function cellValues(values: readonly Scalar[], measure: model.Measure): Promise<readonly Value[]> {
  const cells: Value[] = [];
  for (const value of values) {
    cells.push(cellValue(value, measure));
    if (cells.length % RESULT_ROWS_BATCH === 0) await nextTurn();
  }
  return cells;
}

async function storeCells(
  result: ColumnarResult,
  keyColumns: readonly number[],
  segment: Segment,
  measures: readonly model.Measure[],
): Promise<void> {
  const combinations = await readCombinations(result, keyColumns);
  const columns = measureColumns(result, keyColumns, measures);
  await setEach(segment, combinations, [...keyColumns.keys()], await cellsOf(columns));
}

/** Returns the path of a cell in its segment. */
function pathOf(coordinate: readonly Member[]): readonly string[] {
  return coordinate.map(({ cellKey }) => cellKey);
}

/** Returns the members of a context that identify a cell of the measure group. */
function coordinateOf(group: FactGroup, context: readonly Member[]): readonly Member[] {
  return context.filter(
    (member, ordinal) => (member.kind === 'stored' || member.kind === 'data') && group.links[ordinal] !== undefined,
  );
}

/**
 * Returns a cell's value as the engine computes with it. Exact decimals arrive as text if no double represents them.
 */
function cellValue(value: Scalar, { type }: model.Measure): Value {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return exactFromText(String(value)) ?? Number(value);
  if (type === 'String') return value;
  const number = Number(value);
  return exactFromText(value) ?? (Number.isNaN(number) ? value : number);
}
