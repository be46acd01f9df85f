import type { Evaluation } from '../evaluate/evaluation.ts';
import { YIELD } from '../loading/data-not-loaded.ts';
import type { Member, TupleSet } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import { formatValue } from '../metadata/value-format.ts';
import { combinationsOf, type OrderedCombinations } from '../storage/ordered-combinations.ts';
import { type Cell, NO_PROPERTIES } from './cell-set.ts';
import type { CompiledQuery } from './compiled-query.ts';

/** Cells between two looks at the clock. */
const CELLS_BETWEEN_LOOKS = 256;
/** Maximum of positions beside a large set at which its cells are looked for in columns. */
const MAX_COLUMNS = 100;

/**
 * Returns the cells of a query in which each is a stored one: no calculated member, and nothing that computes totals. They are the same as the
 * evaluation of each cell, in loops over the axes. `undefined` for any other query.
 */
export function storedCells(
  evaluator: Evaluation,
  { hasCellFormatters }: CompiledQuery,
  axes: readonly TupleSet[],
  locale: string,
): StoredCells | undefined {
  const isStored =
    evaluator.cube.pushdown &&
    !hasCellFormatters &&
    evaluator.readsAsStored &&
    axes.every((tuples) => tuples.length > 0 && tuples.every((tuple) => tuple.every(isStoredMember)));
  return isStored ? new StoredCells(evaluator, axes, locale) : undefined;
}

function isStoredMember({ isNull, calculation }: Member): boolean {
  return !isNull && calculation === undefined;
}

class StoredCells {
  readonly #evaluator: Evaluation;
  readonly #axes: readonly TupleSet[];
  readonly #locale: string;
  readonly #rows: readonly TupleSet[];
  readonly #count: number;
  /** The members at the next cell. */
  readonly #context: Member[];
  /** The position of the next cell on each axis. */
  readonly #places: number[];
  #cells: Cell[] = [];
  #missed = false;
  #columns: Columns | undefined;

  constructor(evaluator: Evaluation, axes: readonly TupleSet[], locale: string) {
    this.#evaluator = evaluator;
    this.#axes = axes;
    this.#locale = locale;
    this.#rows = evaluator.rows();
    this.#count = axes.reduce((count, { length }) => count * length, 1);
    this.#context = [...evaluator.context];
    this.#places = axes.map(() => 0);
  }

  /**
   * Reads the cells. The first axis changes fastest. Missing ones are noted for loading, and then all are read again.
   *
   * @throws YIELD when its turn is over; the next call goes on
   */
  read(): readonly Cell[] {
    if (this.#cells.length === 0) this.#begin();
    const started = performance.now();
    while (this.#cells.length < this.#count) {
      this.#cells.push(this.#cell());
      this.#step();
      if (this.#cells.length % CELLS_BETWEEN_LOOKS === 0 && this.#evaluator.isTurnOver(started)) throw YIELD;
    }
    if (!this.#missed) return this.#cells;
    this.#evaluator.missCount++;
    this.#cells = [];
    return [];
  }

  #begin(): void {
    this.#missed = false;
    this.#places.fill(0);
    for (const tuples of this.#axes) place(tuples, 0, this.#context);
    this.#columns = columnsOf(this.#evaluator, this.#axes, this.#context, this.#rows);
  }

  #cell(): Cell {
    const value = this.#value();
    const pattern = this.#context[0]?.measure?.formatString ?? '';
    return { value, formatted: formatValue(value, pattern, this.#locale), properties: NO_PROPERTIES };
  }

  #value(): Value {
    if (this.#columns !== undefined) {
      const { values, rows } = this.#columns;
      const column = values[this.#cells.length % values.length];
      if (column !== undefined) return column[rows[this.#places.at(-1) ?? 0] ?? -1] ?? null;
    }
    const value = this.#evaluator.cells.read(this.#context, this.#rows);
    if (value !== undefined) return value;
    this.#missed = true;
    return null;
  }

  /** Moves on to the next cell. */
  #step(): void {
    for (const [axis, tuples] of this.#axes.entries()) {
      const next = ((this.#places[axis] ?? 0) + 1) % tuples.length;
      this.#places[axis] = next;
      place(tuples, next, this.#context);
      if (next > 0) return;
    }
  }
}

/** Cells of a large set on the last axis, in columns: one column for each position of the other axes, and the row of each tuple. */
interface Columns {
  readonly values: readonly (readonly Value[] | undefined)[];
  readonly rows: Int32Array;
}

function columnsOf(
  { cells }: Evaluation,
  axes: readonly TupleSet[],
  context: readonly Member[],
  restrictions: readonly TupleSet[],
): Columns | undefined {
  const last = axes.at(-1);
  const others = axes.slice(0, -1);
  const count = others.reduce((product, { length }) => product * length, 1);
  const ordered: OrderedCombinations | undefined = last && combinationsOf(last);
  if (ordered === undefined || count > MAX_COLUMNS) return undefined;
  const at = [...context];
  const values = Array.from({ length: count }, (_, index) => {
    let rest = index;
    for (const tuples of others) {
      place(tuples, rest % tuples.length, at);
      rest = Math.floor(rest / tuples.length);
    }
    return cells.column(at, restrictions, ordered.combinations);
  });
  return { values, rows: ordered.rows };
}

function place(tuples: TupleSet, index: number, context: Member[]): void {
  for (const member of tuples[index] ?? []) context[member.hierarchy.ordinal] = member;
}
