/** A grid in parts that are small enough to pass from one thread to another without holding either for long. */
import { InternalError } from '../../../router/errors.ts';
import type { Grid, GridCell, GridMember, GridTuple } from './grid.ts';

export type GridPart =
  | { readonly kind: 'members'; readonly members: readonly GridMember[] }
  /** Tuples, as the numbers of their members in the order of the parts before. */
  | { readonly kind: 'tuples'; readonly axis: 'rows' | 'columns'; readonly count: number; readonly members: Int32Array }
  | { readonly kind: 'cells'; readonly cells: CellColumns };

/** Cells as a list for each of their properties. */
interface CellColumns {
  readonly values: readonly GridCell['value'][];
  readonly formatted: readonly string[];
  readonly errors: readonly (readonly [index: number, error: string])[];
}

/** Cells, members, tuples or rows of one part of an answer. */
export const MAX_ITEMS_OF_A_PART = 2_048;

/** Splits a grid into its parts: tuples before cells, and members before the tuples that have them. */
export function* gridParts({ rows, columns, cells }: Omit<Grid, 'bytes'>): Generator<GridPart> {
  const numbers = new Map<GridMember, number>();
  for (const [axis, tuples] of [
    ['columns', columns],
    ['rows', rows],
  ] as const) {
    for (let from = 0; from < tuples.length; from += MAX_ITEMS_OF_A_PART) {
      const count = Math.min(tuples.length - from, MAX_ITEMS_OF_A_PART);
      const members = new Int32Array(count * (tuples[0]?.length ?? 0));
      const fresh: GridMember[] = [];
      let at = 0;
      for (let index = from; index < from + count; index++) {
        for (const member of tuples[index] ?? []) {
          let number = numbers.get(member);
          if (number === undefined) {
            number = numbers.size;
            numbers.set(member, number);
            fresh.push(member);
          }
          members[at++] = number;
        }
      }
      if (fresh.length > 0) yield { kind: 'members', members: fresh };
      yield { kind: 'tuples', axis, count, members };
    }
  }
  let waiting: GridCell[] = [];
  for (const row of cells) {
    for (const cell of row) {
      waiting.push(cell);
      if (waiting.length < MAX_ITEMS_OF_A_PART) continue;
      yield { kind: 'cells', cells: cellColumns(waiting) };
      waiting = [];
    }
  }
  if (waiting.length > 0) yield { kind: 'cells', cells: cellColumns(waiting) };
}

function cellColumns(cells: readonly GridCell[]): CellColumns {
  return {
    values: cells.map(({ value }) => value),
    formatted: cells.map(({ formatted }) => formatted),
    errors: cells.flatMap(({ error }, index) => (error === undefined ? [] : [[index, error] as const])),
  };
}

/** Puts the parts of a grid together. */
export class GridBuilder {
  readonly #measures: number;
  readonly #members: GridMember[] = [];
  readonly #tuples: Readonly<Record<'rows' | 'columns', GridTuple[]>> = { rows: [], columns: [] };
  readonly #cells: GridCell[][] = [];
  #row: GridCell[] = [];
  /** The place of the next cell in its row. */
  #next = 0;

  /** @param measures the number of measures of the query: a row has a cell for each of them in each column */
  constructor(measures: number) {
    this.#measures = measures;
  }

  add(part: GridPart): void {
    switch (part.kind) {
      case 'members':
        for (const member of part.members) this.#members.push(member);
        return;
      case 'tuples':
        this.#addTuples(part.axis, part.count, part.members);
        return;
      case 'cells':
        this.#addCells(part.cells);
    }
  }

  grid(bytes: number): Grid {
    const { rows, columns } = this.#tuples;
    // A query without cells has rows, too.
    while (this.#cells.length < rows.length) this.#cells.push([]);
    return { rows, columns, cells: this.#cells, bytes };
  }

  #addTuples(axis: 'rows' | 'columns', count: number, members: Int32Array): void {
    const width = members.length / count;
    for (let number = 0; number < count; number++) {
      const tuple = new Array<GridMember>(width);
      for (let at = 0; at < width; at++) tuple[at] = this.#memberAt(members[number * width + at]);
      this.#tuples[axis].push(tuple);
    }
  }

  #memberAt(number: number | undefined): GridMember {
    const member = this.#members[number ?? -1];
    if (member === undefined) throw new InternalError('A tuple of a grid has no member.');
    return member;
  }

  #addCells({ values, formatted, errors }: CellColumns): void {
    const width = this.#tuples.columns.length * this.#measures;
    const failed = new Map(errors);
    for (const [index, value] of values.entries()) {
      if (this.#cells.length === 0 || this.#next === width) {
        // An array that grows by one would first take room for sixteen.
        this.#row = new Array<GridCell>(width);
        this.#cells.push(this.#row);
        this.#next = 0;
      }
      const error = failed.get(index);
      const text = formatted[index] ?? '';
      this.#row[this.#next++] = error === undefined ? { value, formatted: text } : { value, formatted: text, error };
    }
  }
}
