import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ColumnarResult, Scalar, Warehouse } from '../../../../router/capabilities/warehouse.ts';
import { cooperativeYield } from '../../../../router/cooperative-yield.ts';
import { InternalError } from '../../../../router/errors.ts';
import type * as model from '../../schema/model.ts';
import { CELL_ROWS_BATCH } from '../limits.ts';
import { exactFromText } from '../metadata/exact-numbers.ts';
import type { FactGroup } from '../metadata/fact-group.ts';
import type { Member, TupleSet } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import { cellStatement } from '../sql/cell-statement.ts';
import type { Grain } from '../sql/fact-from-clause.ts';
import { keyText, pathKey } from '../sql/key-text.ts';
import { MdxLimitError } from '../syntax/errors.ts';
import { type CellStore, Segment } from './cell-store.ts';

/** Cells that are read between two checks of the clock. */
const CELLS_BETWEEN_CHECKS = 1_000;

const COORDINATES = '\u0002';

/**
 * Cells that one query has of a segment, and cells that it lacks. A segment that is dropped from the store stays with its
 * queries.
 */
interface SegmentRequest {
  readonly segment: Segment;
  /** Asked for and not in memory, by key. */
  readonly wanted: Map<string, readonly Member[]>;
  readonly wantedMeasures: Set<model.Measure>;
}

/** Takes cells of one grain, by the cell keys of the members that differ. */
export interface CellPrefetch {
  /** Takes a value at the cell keys of the members that differ, in the order of the grains. */
  set(members: readonly string[], measure: model.Measure, value: Scalar): void;
  /** Counts what was taken into the store. */
  keep(): void;
}

export interface CellReaderOptions {
  readonly warehouse: Warehouse;
  readonly groups: ReadonlyMap<string, FactGroup>;
  readonly store: CellStore;
  /** Tells the cubes and roles that share the store apart. */
  readonly scope: string;
  /** Cells that one query may load. */
  readonly maxCells: number;
}

/**
 * The stored cells of a cube, as one query reads them. Reading never waits: what is not here is noted, and `load` reads
 * all that was noted with one statement for each grain. What is read is shared through the store.
 */
export class CellReader {
  readonly store: CellStore;
  readonly #options: CellReaderOptions;
  readonly #uses = new Map<string, SegmentRequest>();
  readonly #incomplete = new Set<SegmentRequest>();
  readonly #predicateKeys = new WeakMap<TupleSet, string>();
  readonly #combinations = new Map<string, readonly string[]>();
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

  /** Reads the cell's value: `null` when it is empty, `undefined` when it has to be loaded. */
  read(context: readonly Member[], predicates: readonly TupleSet[]): Value | undefined {
    const [measure, group] = this.#measureOf(context);
    const place = this.#place(group, context, predicates);
    if (place === undefined) return null;
    const use = this.#use(place.grain, group, context, predicates);
    const value = use.segment.get(place.key, measure);
    if (value !== undefined) return value;
    use.wanted.set(place.key, coordinateOf(group, context));
    use.wantedMeasures.add(measure);
    this.#incomplete.add(use);
    return undefined;
  }

  /** Takes cells that a statement for something else has brought: those at `context`, save in the hierarchies of `grains`. */
  prefetch(group: FactGroup, context: readonly Member[], grains: readonly Grain[]): CellPrefetch {
    const places = new Map(grains.map(({ level }, place) => [level.hierarchy.ordinal, place]));
    const keys: (number | string)[] = [];
    const at: Grain[] = [];
    let grain = group.name;
    for (let ordinal = 1; ordinal < context.length; ordinal++) {
      const place = places.get(ordinal);
      const member = context[ordinal];
      const own = place === undefined ? undefined : grains[place];
      if (own !== undefined && place !== undefined) {
        grain += `;${ordinal}.${own.level.depth}`;
        keys.push(place);
        at.push(own);
      } else if (member?.kind === 'stored' && group.links[ordinal] !== undefined) {
        grain += `;${ordinal}.${member.level.depth}`;
        keys.push(COORDINATES + member.cellKey);
        at.push({ level: member.level, data: false });
      }
    }
    const { segment } = this.#useOf(grain, group, () => at, []);
    return {
      set: (members, measure, value) => {
        let key = '';
        for (const part of keys) key += typeof part === 'string' ? part : COORDINATES + (members[part] ?? '');
        segment.set(key, measure, cellValue(value, measure));
      },
      keep: () => this.store.keep(segment),
    };
  }

  /** Returns which combinations of members there are, by what was asked; this query keeps them whatever the store does. */
  nonEmptyTuples(key: string): readonly string[] | undefined {
    const keptTuples = this.#combinations.get(key) ?? this.store.nonEmptyTuples(key);
    if (keptTuples !== undefined) this.#combinations.set(key, keptTuples);
    return keptTuples;
  }

  /** Keeps which combinations of members there are, for this query and later ones. */
  keepNonEmptyTuples(key: string, rows: readonly string[]): void {
    this.#combinations.set(key, rows);
    this.store.keepNonEmptyTuples(key, rows);
  }

  /** Returns a key of the tuples, made once for a set. */
  predicateKey(tuples: TupleSet): string {
    let key = this.#predicateKeys.get(tuples);
    if (key === undefined) {
      key = tuples.map((tuple) => tuple.map(({ id }) => id).join()).join(' ');
      this.#predicateKeys.set(tuples, key);
    }
    return key;
  }

  /** Reads what was noted. */
  async load(signal: AbortSignal | undefined): Promise<void> {
    const uses = [...this.#incomplete];
    this.#incomplete.clear();
    await Promise.all(uses.map((use) => this.#loadUse(use, signal)));
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

  /** Returns where a cell is kept; `undefined` for one that is outside the facts. */
  #place(
    group: FactGroup,
    context: readonly Member[],
    predicates: readonly TupleSet[],
  ): { readonly grain: string; readonly key: string } | undefined {
    let grain = group.name;
    let key = '';
    for (let ordinal = 1; ordinal < context.length; ordinal++) {
      const member = context[ordinal];
      if (member === undefined || member.kind === 'all') continue;
      if (group.links[ordinal] === undefined) {
        if (group.model.ignoreUnrelatedDimensions || member === member.hierarchy.defaultMember) continue;
        return undefined;
      }
      if (!group.reachesLevel(member.level)) return undefined;
      grain += `;${ordinal}.${member.level.depth}${member.kind === 'data' ? 'd' : ''}`;
      key += COORDINATES + member.cellKey;
    }
    for (const tuples of predicates) grain += `|${this.predicateKey(tuples)}`;
    return { grain, key };
  }

  #use(grain: string, group: FactGroup, context: readonly Member[], predicates: readonly TupleSet[]): SegmentRequest {
    const uses = this.#uses.get(grain);
    if (uses !== undefined) return uses;
    const grains = () =>
      coordinateOf(group, context).map(({ level, kind }): Grain => ({ level, data: kind === 'data' }));
    return this.#useOf(grain, group, grains, predicates);
  }

  #useOf(
    grain: string,
    group: FactGroup,
    grains: () => readonly Grain[],
    predicates: readonly TupleSet[],
  ): SegmentRequest {
    const uses = this.#uses.get(grain);
    if (uses !== undefined) return uses;
    const key = `${this.#options.scope}${COORDINATES}${grain}`;
    const segment = this.store.segment(key, () => new Segment(key, group, grains(), [...predicates]));
    const use: SegmentRequest = { segment, wanted: new Map(), wantedMeasures: new Set() };
    this.#uses.set(grain, use);
    return use;
  }

  async #loadUse({ segment, wanted, wantedMeasures }: SegmentRequest, signal: AbortSignal | undefined): Promise<void> {
    const measures = [...wantedMeasures];
    const names = measures.map(({ name }) => name).sort();
    const coordinates = [...wanted];
    wanted.clear();
    wantedMeasures.clear();
    // In the order of the query, which the same query has again: sorting half a million would hold the event loop.
    const keys = coordinates.map(([key]) => key);
    await segment.flights.run([...names, ...keys].join('\u0003'), signal, async (inner) => {
      // Another query may have brought them since they were found missing.
      const missing = new Map<string, readonly Member[]>();
      const yieldTurn = cooperativeYield();
      for (const [index, [key, members]] of coordinates.entries()) {
        if (index % CELLS_BETWEEN_CHECKS === 0) await yieldTurn();
        if (measures.some((measure) => segment.get(key, measure) === undefined)) missing.set(key, members);
      }
      if (missing.size > 0) await this.#loadCells(segment, missing, measures, inner);
    });
  }

  async #loadCells(
    segment: Segment,
    wanted: ReadonlyMap<string, readonly Member[]>,
    measures: readonly model.Measure[],
    signal: AbortSignal,
  ): Promise<void> {
    const { warehouse, maxCells } = this.#options;
    const { group, grains, predicates } = segment;
    const { statement, keyColumns } = cellStatement(warehouse.dialect, {
      group,
      grains,
      measures,
      predicates,
      coordinates: [...wanted.values()],
    });
    this.store.statements++;
    const result = await warehouse.query(statement, { signal, maxRows: maxCells });
    if (result.truncated) throw new MdxLimitError(`The query needs more than ${maxCells} stored cells.`);
    await takeOver(result, keyColumns, segment, measures);
    this.#loaded += result.rowCount;
    const yieldTurn = cooperativeYield();
    let looked = 0;
    for (const key of wanted.keys()) {
      if (looked++ % CELLS_BETWEEN_CHECKS === 0) await yieldTurn();
      for (const measure of measures) if (segment.get(key, measure) === undefined) segment.set(key, measure, null);
    }
    this.store.keep(segment);
  }
}

async function takeOver(
  result: ColumnarResult,
  keyColumns: readonly number[],
  segment: Segment,
  measures: readonly model.Measure[],
): Promise<void> {
  const keys = keyColumns.reduce((sum, count) => sum + count, 0);
  for (let row = 0; row < result.rowCount; row++) {
    if (row > 0 && row % CELL_ROWS_BATCH === 0) await nextTurn();
    let key = '';
    let column = 0;
    for (const count of keyColumns) {
      const parts: string[] = [];
      for (let part = 0; part < count; part++) parts.push(keyText(result.values[column++]?.[row] ?? null));
      key += COORDINATES + pathKey(parts);
    }
    for (const [index, measure] of measures.entries()) {
      segment.set(key, measure, cellValue(result.values[keys + index]?.[row] ?? null, measure));
    }
  }
}

/** Returns the members of a context that say which cell of the group's facts is meant. */
function coordinateOf(group: FactGroup, context: readonly Member[]): readonly Member[] {
  return context.filter(
    (member, ordinal) => (member.kind === 'stored' || member.kind === 'data') && group.links[ordinal] !== undefined,
  );
}

/** Returns a cell's value as the engine computes with it. Exact decimals arrive as text where no double holds them. */
function cellValue(value: Scalar, { type }: model.Measure): Value {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return exactFromText(String(value)) ?? Number(value);
  if (type === 'String') return value;
  const number = Number(value);
  return exactFromText(value) ?? (Number.isNaN(number) ? value : number);
}
