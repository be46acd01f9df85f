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
      const part = tuples.slice(from, from + MAX_ITEMS_OF_A_PART);
      const fresh: GridMember[] = [];
      const members = part.flatMap((tuple) =>
        tuple.map((member) => {
          const present = numbers.get(member);
          if (present !== undefined) return present;
          numbers.set(member, numbers.size);
          fresh.push(member);
          return numbers.size - 1;
        }),
      );
      if (fresh.length > 0) yield { kind: 'members', members: fresh };
      yield { kind: 'tuples', axis, count: part.length, members: Int32Array.from(members) };
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
    return { rows, columns, cells: rows.map((_, row) => this.#cells[row] ?? []), bytes };
  }

  #addTuples(axis: 'rows' | 'columns', count: number, members: Int32Array): void {
    const width = members.length / count;
    for (let number = 0; number < count; number++) {
      const tuple: GridMember[] = [];
      for (let at = number * width; at < (number + 1) * width; at++) tuple.push(this.#memberAt(members[at]));
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
      let row = this.#cells.at(-1);
      if (row === undefined || row.length === width) {
        row = [];
        this.#cells.push(row);
      }
      const error = failed.get(index);
      const text = formatted[index] ?? '';
      row.push(error === undefined ? { value, formatted: text } : { value, formatted: text, error });
    }
  }
}
