import type { Evaluation } from '../evaluate/evaluation.ts';
import { YIELD } from '../loading/data-not-loaded.ts';
import type { Member, TupleSet } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import { valueFormatter } from '../metadata/value-format.ts';
import { combinationsOf, isOfStoredMembers } from '../storage/ordered-combinations.ts';
import { CellColumns } from './cell-set.ts';
import type { CompiledQuery } from './compiled-query.ts';

/** Positions between two looks at the clock. */
const POSITIONS_BETWEEN_LOOKS = 256;
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
    axes.every(
      (tuples) =>
        tuples.length > 0 &&
        (isOfStoredMembers(tuples) || tuples.every((tuple) => tuple.every(({ isOfFacts }) => isOfFacts))),
    );
  return isStored ? new StoredCells(evaluator, axes, locale) : undefined;
}

class StoredCells {
  readonly #evaluator: Evaluation;
  readonly #axes: readonly TupleSet[];
  readonly #locale: string;
  readonly #restrictions: readonly TupleSet[];
  readonly #count: number;
  /** The members at the next cell. */
  readonly #context: Member[];
  /** The position of the next cell on each axis. */
  readonly #places: number[];
  #missed = false;
  #columns: Columns | undefined;
  #values: Value[] = [];
  #formatted: string[] = [];
  /** The measure of the last cell, and its format. */
  #formatOf: Member | undefined;
  #format: (value: Value) => string = String;

  constructor(evaluator: Evaluation, axes: readonly TupleSet[], locale: string) {
    this.#evaluator = evaluator;
    this.#axes = axes;
    this.#locale = locale;
    this.#restrictions = evaluator.restrictions();
    this.#count = axes.reduce((count, { length }) => count * length, 1);
    this.#context = [...evaluator.context];
    this.#places = axes.map(() => 0);
  }

  /**
   * Reads the cells. The first axis changes fastest. Missing ones are noted for loading, and then all are read again.
   *
   * @throws YIELD when its turn is over; the next call goes on
   */
  read(): CellColumns {
    if (this.#values.length === 0) this.#begin();
    const started = performance.now();
    if (this.#columns !== undefined) this.#readColumns(this.#columns, started);
    else this.#readEach(started);
    const cells = new CellColumns(this.#values, this.#formatted);
    if (!this.#missed) return cells;
    this.#evaluator.missCount++;
    this.#values = [];
    this.#formatted = [];
    return cells;
  }

  #begin(): void {
    this.#missed = false;
    this.#places.fill(0);
    for (const tuples of this.#axes) place(tuples, 0, this.#context);
    this.#columns = columnsOf(this.#evaluator, this.#axes, this.#context, this.#restrictions, this.#locale);
  }

  #readColumns({ columns, rows }: Columns, started: number): void {
    const [values, formatted] = [this.#values, this.#formatted];
    for (let index = values.length / columns.length; index < rows.length; index++) {
      const row = rows[index] ?? -1;
      for (const column of columns) {
        const value = column.values[row] ?? null;
        values.push(value);
        formatted.push(column.write(value));
      }
      if (index % POSITIONS_BETWEEN_LOOKS === 0 && this.#evaluator.isTurnOver(started)) throw YIELD;
    }
  }

  #readEach(started: number): void {
    const [values, formatted] = [this.#values, this.#formatted];
    while (values.length < this.#count) {
      const value = this.#evaluator.cells.read(this.#context, this.#restrictions);
      if (value === undefined) this.#missed = true;
      values.push(value ?? null);
      formatted.push(this.#write(value ?? null));
      this.#step();
      if (values.length % POSITIONS_BETWEEN_LOOKS === 0 && this.#evaluator.isTurnOver(started)) throw YIELD;
    }
  }

  #write(value: Value): string {
    const [measure] = this.#context;
    if (measure !== this.#formatOf) this.#format = valueFormatter(measure?.measure?.formatString ?? '', this.#locale);
    this.#formatOf = measure;
    return this.#format(value);
  }

  /** Moves on to the next cell. */
  #step(): void {
    for (let axis = 0; axis < this.#axes.length; axis++) {
      const tuples = this.#axes[axis] ?? [];
      const next = ((this.#places[axis] ?? 0) + 1) % tuples.length;
      this.#places[axis] = next;
      place(tuples, next, this.#context);
      if (next > 0) return;
    }
  }
}

/** Cells of a large set on the last axis, in columns: one column for each position of the other axes, and the row of each tuple. */
interface Columns {
  readonly columns: readonly { readonly values: readonly Value[]; readonly write: (value: Value) => string }[];
  readonly rows: Int32Array;
}

/** Returns the columns of all cells; `undefined` where some are not kept in columns. */
function columnsOf(
  { cells }: Evaluation,
  axes: readonly TupleSet[],
  context: readonly Member[],
  restrictions: readonly TupleSet[],
  locale: string,
): Columns | undefined {
  const last = axes.at(-1);
  const others = axes.slice(0, -1);
  const count = others.reduce((product, { length }) => product * length, 1);
  const ordered = last && combinationsOf(last);
  if (ordered === undefined || count > MAX_COLUMNS) return undefined;
  const at = [...context];
  const columns: Columns['columns'][number][] = [];
  for (let index = 0; index < count; index++) {
    let rest = index;
    for (const tuples of others) {
      place(tuples, rest % tuples.length, at);
      rest = Math.floor(rest / tuples.length);
    }
    const values = cells.column(at, restrictions, ordered.combinations);
    if (values === undefined) return undefined;
    columns.push({ values, write: valueFormatter(at[0]?.measure?.formatString ?? '', locale) });
  }
  return { columns, rows: ordered.rows };
}

function place(tuples: TupleSet, index: number, context: Member[]): void {
  const tuple = tuples[index] ?? [];
  for (let at = 0; at < tuple.length; at++) {
    const member = tuple[at];
    if (member !== undefined) context[member.hierarchy.ordinal] = member;
  }
}
