import { LRUCache } from 'lru-cache';
import { SingleFlight } from '../../../../router/single-flight.ts';
import type * as model from '../../schema/model.ts';
import type { FactGroup } from '../metadata/fact-group.ts';
import type { TupleSet } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import type { Grain } from '../sql/fact-from-clause.ts';

/** Approximate bytes of a cell without the characters of its key: the map entry, the map of its measures, the value. */
const CELL_BYTES = 160;
const VALUE_BYTES = 48;

/**
 * Cells of one grain (levels of some hierarchies) under the same restrictions. A segment only grows: its cells never
 * change.
 */
export class Segment {
  readonly key: string;
  readonly group: FactGroup;
  readonly grains: readonly Grain[];
  readonly predicates: readonly TupleSet[];
  readonly flights = new SingleFlight();
  readonly #cells = new Map<string, Map<model.Measure, Value>>();
  bytes: number;

  constructor(key: string, group: FactGroup, grains: readonly Grain[], predicates: readonly TupleSet[]) {
    this.key = key;
    this.group = group;
    this.grains = grains;
    this.predicates = predicates;
    this.bytes = 500 + 2 * key.length;
  }

  /** Returns a cell's value, or `undefined` if it has not been read. */
  get(key: string, measure: model.Measure): Value | undefined {
    return this.#cells.get(key)?.get(measure);
  }

  /** Stores a cell. `null` is an empty cell. */
  set(key: string, measure: model.Measure, value: Value): void {
    const cell = this.#cells.get(key);
    if (cell === undefined) {
      this.#cells.set(key, new Map([[measure, value]]));
      this.bytes += CELL_BYTES + 2 * key.length;
    } else {
      if (!cell.has(measure)) this.bytes += VALUE_BYTES;
      cell.set(measure, value);
    }
  }
}

/**
 * Data that the queries of a catalog share while the warehouse's data stays the same: cells, and combinations of
 * members that have facts.
 */
export class CellStore {
  readonly #segments: LRUCache<string, Segment>;
  readonly #combinations: LRUCache<string, readonly string[]>;
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
  nonEmptyTuples(key: string): readonly string[] | undefined {
    return this.#combinations.get(key);
  }

  /** Keeps combinations under a key while there is room. */
  keepNonEmptyTuples(key: string, rows: readonly string[]): void {
    this.#combinations.set(key, rows, { size: 100 + rows.reduce((sum, row) => sum + 40 + 2 * row.length, 0) });
  }

  /** Drops all kept data. */
  clear(): void {
    this.#segments.clear();
    this.#combinations.clear();
  }
}
