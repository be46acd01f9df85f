import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ColumnarResult, Scalar } from '../../../../router/capabilities/warehouse.ts';
import type * as model from '../../schema/model.ts';
import { RESULT_ROWS_BATCH } from '../limits.ts';
import { keyText, pathKey } from '../sql/key-text.ts';

/** One place of some combinations: each cell key once, and for each combination the index of its key. */
export interface CombinationColumn {
  readonly keys: readonly string[];
  readonly indices: Int32Array;
}

/** Approximate bytes of a key without its characters. */
const KEY_BYTES = 40;
/** Approximate bytes of a combination as a tuple, and of each of its members there. */
const TUPLE_BYTES = 44;
const MEMBER_BYTES = 8;

/** Combinations of members by their cell keys, in columns: a key is a text once, and a number in each combination. */
export class Combinations {
  readonly length: number;
  readonly columns: readonly CombinationColumn[];
  #rows: RowIndex | undefined;

  constructor(length: number, columns: readonly CombinationColumn[]) {
    this.length = length;
    this.columns = columns;
  }

  /** Approximate bytes in memory, with the set that is made of them. */
  get bytes(): number {
    const ofColumn = ({ keys, indices }: CombinationColumn) =>
      keys.reduce((sum, key) => sum + KEY_BYTES + 2 * key.length, indices.byteLength);
    return this.columns.reduce(
      (sum, column) => sum + ofColumn(column),
      100 + this.length * (TUPLE_BYTES + MEMBER_BYTES * this.columns.length),
    );
  }

  /** Returns the cell keys of one combination. */
  keysAt(row: number): readonly string[] {
    return this.columns.map(({ keys, indices }) => keys[indices[row] ?? -1] ?? '');
  }

  /** Returns the row of a combination, given the key of each place; `undefined` where there is none. The first call indexes all rows. */
  rowOf(keyAt: (place: number) => string): number | undefined {
    this.#rows ??= indexOf(this);
    const { places, rowAt } = this.#rows;
    let code = 0;
    for (let place = 0; place < places.length; place++) {
      const index = places[place]?.get(keyAt(place));
      if (index === undefined) return undefined;
      code = code * (places[place]?.size ?? 0) + index;
    }
    return rowAt(code);
  }

  /** Returns the cell keys of each combination. */
  rows(): readonly (readonly string[])[] {
    return Array.from({ length: this.length }, (_, row) => this.keysAt(row));
  }
}

/** Rows by the indices of their keys, as one number: the code of the combination. */
interface RowIndex {
  readonly places: readonly ReadonlyMap<string, number>[];
  rowAt(code: number): number | undefined;
}

/** Possible combinations for each one that exists, up to which an array with a place for each takes less time and room than a map. */
const MAX_PLACES_OF_A_ROW = 8;

function indexOf(combinations: Combinations): RowIndex {
  const { length, columns } = combinations;
  const places = columns.map(({ keys }) => new Map(keys.map((key, index) => [key, index])));
  const codeOf = (row: number): number => {
    let code = 0;
    for (const { keys, indices } of columns) code = code * keys.length + (indices[row] ?? 0);
    return code;
  };
  const possible = possibleOf(combinations);
  if (possible > length * MAX_PLACES_OF_A_ROW) {
    const rows = new Map<number, number>();
    for (let row = 0; row < length; row++) rows.set(codeOf(row), row);
    return { places, rowAt: (code) => rows.get(code) };
  }
  const rows = new Int32Array(possible).fill(-1);
  for (let row = 0; row < length; row++) rows[codeOf(row)] = row;
  return { places, rowAt: (code) => (rows[code] === -1 ? undefined : rows[code]) };
}

/** Returns the number of combinations that all keys could make. */
function possibleOf({ columns }: Combinations): number {
  return columns.reduce((product, { keys }) => product * keys.length, 1);
}

/** Says whether each combination of keys has a number of its own, so that rows can be indexed. */
export function canIndex(combinations: Combinations): boolean {
  return possibleOf(combinations) <= Number.MAX_SAFE_INTEGER;
}

/** Builds combinations row by row. */
class CombinationsBuilder {
  readonly #columns: readonly {
    readonly keys: string[];
    readonly indices: number[];
    readonly byKey: Map<string, number>;
  }[];
  #length = 0;

  constructor(places: number) {
    this.#columns = Array.from({ length: places }, () => ({ keys: [], indices: [], byKey: new Map() }));
  }

  /** Adds a combination by its cell keys. */
  add(combination: readonly string[]): void {
    for (const [place, { keys, indices, byKey }] of this.#columns.entries()) {
      const key = combination[place] ?? '';
      let index = byKey.get(key);
      if (index === undefined) {
        index = keys.length;
        byKey.set(key, index);
        keys.push(key);
      }
      indices.push(index);
    }
    this.#length++;
  }

  build(): Combinations {
    const columns = this.#columns.map(({ keys, indices }) => ({ keys, indices: Int32Array.from(indices) }));
    return new Combinations(this.#length, columns);
  }
}

/**
 * Reads the combinations of cell keys at the begin of each row of a result, place by place and in turns. A key of several columns is their
 * path.
 *
 * @param widths the number of columns of each place
 */
export async function readCombinations(result: ColumnarResult, widths: readonly number[]): Promise<Combinations> {
  const columns: CombinationColumn[] = [];
  let start = 0;
  for (const width of widths) {
    columns.push(await readColumn(result, start, width));
    start += width;
  }
  return new Combinations(result.rowCount, columns);
}

/** Returns the values of measures, which follow the combinations in each row of a result. */
export function measureColumns(
  result: ColumnarResult,
  widths: readonly number[],
  measures: readonly model.Measure[],
): ReadonlyMap<model.Measure, readonly Scalar[]> {
  const first = widths.reduce((sum, width) => sum + width, 0);
  return new Map(measures.map((measure, index) => [measure, result.values[first + index] ?? []]));
}

async function readColumn(result: ColumnarResult, start: number, width: number): Promise<CombinationColumn> {
  const keys: string[] = [];
  const indices = new Int32Array(result.rowCount);
  const indexOfText = new Map<string, number>();
  const indexOfKey = new Map<Scalar, number>();
  const values = result.values[start] ?? [];
  for (let row = 0; row < result.rowCount; row++) {
    if (row > 0 && row % RESULT_ROWS_BATCH === 0) await nextTurn();
    const key = width === 1 ? (values[row] ?? null) : pathAt(result, start, width, row);
    let index = indexOfKey.get(key);
    if (index === undefined) {
      const text = width === 1 ? keyText(key) : String(key);
      index = indexOfText.get(text);
      if (index === undefined) {
        index = keys.push(text) - 1;
        indexOfText.set(text, index);
      }
      indexOfKey.set(key, index);
    }
    indices[row] = index;
  }
  return { keys, indices };
}

/** Returns the path of a key of several columns. */
function pathAt({ values }: ColumnarResult, start: number, width: number, row: number): string {
  return pathKey(Array.from({ length: width }, (_, part) => keyText(values[start + part]?.[row] ?? null)));
}

/** Returns the combinations of several lists, each once, in the order of their first appearance. */
export function unionOf(lists: readonly Combinations[]): Combinations {
  const builder = new CombinationsBuilder(lists[0]?.columns.length ?? 0);
  const seen = new Set<string>();
  for (const list of lists)
    for (const keys of list.rows()) {
      const text = JSON.stringify(keys);
      if (seen.has(text)) continue;
      seen.add(text);
      builder.add(keys);
    }
  return builder.build();
}
