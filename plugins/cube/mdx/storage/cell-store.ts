import { LRUCache } from 'lru-cache';
import { SingleFlight } from '../../../../router/single-flight.ts';
import type * as model from '../../schema/model.ts';
import type { FactGroup } from '../metadata/fact-group.ts';
import type { Grain, TupleSet } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import type { CellRows } from './cell-rows.ts';
import type { Combinations } from './combinations.ts';

/** Approximate bytes of a value with its place in a map, without the characters of its key. */
const VALUE_BYTES = 72;
/** Approximate bytes of a branch with its maps, without the characters of its key. */
const BRANCH_BYTES = 300;

/** Lists of cells in columns that a segment keeps. A look-up asks each. */
const MAX_ROWS_OF_A_SEGMENT = 4;

/** The cells below a member: values by the key of their last member, branches by the keys before it. */
class Branch {
  readonly values = new Map<string, Value>();
  branches: Map<string, Branch> | undefined;
}

/**
 * Cells of one grain (levels of some hierarchies) under the same restrictions. A segment only grows: its cells never
 * change. A cell's path is the cell keys of its members, in the order of the grains. Maps by one key each need no text of a
 * whole path, which would have to be joined and hashed at each read.
 */
export class Segment {
  readonly key: string;
  readonly group: FactGroup;
  readonly grains: readonly Grain[];
  readonly predicates: readonly TupleSet[];
  readonly flights = new SingleFlight();
  readonly #cells = new Map<model.Measure, Branch>();
  readonly #rows: CellRows[] = [];
  bytes: number;

  constructor(key: string, group: FactGroup, grains: readonly Grain[], predicates: readonly TupleSet[]) {
    this.key = key;
    this.group = group;
    this.grains = grains;
    this.predicates = predicates;
    this.bytes = 500 + 2 * key.length;
  }

  /** Returns a cell's value, or `undefined` if it has not been read. */
  get(path: readonly string[], measure: model.Measure): Value | undefined {
    let branch = this.#cells.get(measure);
    const last = path.length - 1;
    for (let place = 0; place < last && branch !== undefined; place++) branch = branch.branches?.get(path[place] ?? '');
    let value = branch?.values.get(path[last] ?? '');
    for (let at = 0; at < this.#rows.length && value === undefined; at++) value = this.#rows[at]?.get(path, measure);
    return value;
  }

  /** Returns the cells of a measure for each of some combinations, where a statement returned them together. */
  column(path: readonly string[], measure: model.Measure, combinations: Combinations): readonly Value[] | undefined {
    for (const rows of this.#rows) {
      const column = rows.combinations === combinations ? rows.column(path, measure) : undefined;
      if (column !== undefined) return column;
    }
    return undefined;
  }

  get hasRoomForRows(): boolean {
    return this.#rows.length < MAX_ROWS_OF_A_SEGMENT;
  }

  /** Stores the cells of many combinations. */
  addRows(rows: CellRows): void {
    this.#rows.push(rows);
    this.bytes += rows.bytes;
  }

  /** Stores a cell. `null` is an empty cell. */
  set(path: readonly string[], measure: model.Measure, value: Value): void {
    let branch = this.#cells.get(measure);
    if (branch === undefined) {
      branch = new Branch();
      this.#cells.set(measure, branch);
    }
    const last = path.length - 1;
    for (let place = 0; place < last; place++) branch = this.#below(branch, path[place] ?? '');
    const key = path[last] ?? '';
    const { size } = branch.values;
    branch.values.set(key, value);
    if (branch.values.size > size) this.bytes += VALUE_BYTES + 2 * key.length;
  }

  #below(branch: Branch, key: string): Branch {
    branch.branches ??= new Map();
    const existing = branch.branches.get(key);
    if (existing !== undefined) return existing;
    const made = new Branch();
    branch.branches.set(key, made);
    this.bytes += BRANCH_BYTES + 2 * key.length;
    return made;
  }
}

/**
 * Data that the queries of a catalog share while the warehouse's data stays the same: cells, and combinations of
 * members that have facts.
 */
export class CellStore {
  readonly #segments: LRUCache<string, Segment>;
  readonly #combinations: LRUCache<string, Combinations>;
  readonly flights = new SingleFlight();
  /** The number of statements for cells and combinations so far. */
  statements = 0;

  /** Opens a store. A fifth of its bytes is reserved for combinations. */
  constructor(maxBytes: number) {
    const share = Math.max(1, Math.floor(maxBytes / 5));
    this.#segments = new LRUCache({ maxSize: Math.max(1, maxBytes - share) });
    this.#combinations = new LRUCache({ maxSize: share });
  }

  get bytes(): number {
    return this.#segments.calculatedSize + this.#combinations.calculatedSize;
  }

  /** Returns the segment of a key, and creates it with `make` if there is none. */
  segment(key: string, make: () => Segment): Segment {
    const kept = this.#segments.get(key);
    if (kept !== undefined) return kept;
    const made = make();
    this.keep(made);
    return made;
  }

  /**
   * Updates the size of a segment. If the store is then too big, the least recently used segments are dropped. A
   * segment that alone exceeds the limit is dropped as well.
   */
  keep(segment: Segment): void {
    const current = this.#segments.peek(segment.key);
    if (current !== undefined && current !== segment) return;
    this.#segments.delete(segment.key);
    this.#segments.set(segment.key, segment, { size: segment.bytes });
  }

  /** Returns the combinations kept under a key. */
  nonEmptyTuples(key: string): Combinations | undefined {
    return this.#combinations.get(key);
  }

  /** Keeps combinations under a key while there is room. */
  keepNonEmptyTuples(key: string, combinations: Combinations): void {
    this.#combinations.set(key, combinations, { size: combinations.bytes });
  }

  /** Drops all kept data. */
  clear(): void {
    this.#segments.clear();
    this.#combinations.clear();
  }
}
