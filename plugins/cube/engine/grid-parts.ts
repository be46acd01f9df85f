/** A grid in parts that are small enough to pass from one thread to another without holding either for long. */
import type { Grid, GridMember, GridTuples, GridValue } from './grid.ts';

type Axis = 'rows' | 'columns';

export type GridPart =
  | { readonly kind: 'members'; readonly axis: Axis; readonly members: readonly GridMember[] }
  | {
      readonly kind: 'tuples';
      readonly axis: Axis;
      readonly width: number;
      readonly count: number;
      readonly numbers: Int32Array;
    }
  | {
      readonly kind: 'cells';
      readonly values: readonly GridValue[];
      readonly formatted: readonly string[];
      readonly errors: readonly (readonly [index: number, error: string])[];
    };

/** Cells, members, tuples or rows of one part of an answer. */
export const MAX_ITEMS_OF_A_PART = 2_048;

/** Splits a grid into its parts. */
export function* gridParts({ rows, columns, cells }: Omit<Grid, 'bytes'>): Generator<GridPart> {
  yield* axisParts('columns', columns);
  yield* axisParts('rows', rows);
  const { values, formatted, errors } = cells;
  for (let from = 0; from < values.length; from += MAX_ITEMS_OF_A_PART) {
    const to = Math.min(from + MAX_ITEMS_OF_A_PART, values.length);
    const failed: [number, string][] = [];
    for (let index = from; index < to && errors.size > 0; index++) {
      const error = errors.get(index);
      if (error !== undefined) failed.push([index, error]);
    }
    yield { kind: 'cells', values: values.slice(from, to), formatted: formatted.slice(from, to), errors: failed };
  }
}

function* axisParts(axis: Axis, { length, width, members, numbers }: GridTuples): Generator<GridPart> {
  for (let from = 0; from < members.length; from += MAX_ITEMS_OF_A_PART)
    yield { kind: 'members', axis, members: members.slice(from, from + MAX_ITEMS_OF_A_PART) };
  for (let from = 0; from < length; from += MAX_ITEMS_OF_A_PART) {
    const count = Math.min(length - from, MAX_ITEMS_OF_A_PART);
    yield { kind: 'tuples', axis, width, count, numbers: numbers.slice(from * width, (from + count) * width) };
  }
}

/** Puts the parts of a grid together. */
export class GridBuilder {
  readonly #axes: Readonly<Record<Axis, TuplesBuilder>> = { rows: new TuplesBuilder(), columns: new TuplesBuilder() };
  readonly #values: GridValue[] = [];
  readonly #formatted: string[] = [];
  readonly #errors = new Map<number, string>();

  add(part: GridPart): void {
    switch (part.kind) {
      case 'members':
        this.#axes[part.axis].addMembers(part.members);
        return;
      case 'tuples':
        this.#axes[part.axis].addTuples(part);
        return;
      case 'cells':
        for (const value of part.values) this.#values.push(value);
        for (const text of part.formatted) this.#formatted.push(text);
        for (const [index, error] of part.errors) this.#errors.set(index, error);
    }
  }

  grid(bytes: number): Grid {
    const { rows, columns } = this.#axes;
    const cells = { values: this.#values, formatted: this.#formatted, errors: this.#errors };
    return { rows: rows.build(), columns: columns.build(), cells, bytes };
  }
}

class TuplesBuilder {
  readonly #members: GridMember[] = [];
  readonly #numbers: Int32Array[] = [];
  #length = 0;
  #width = 0;

  addMembers(members: readonly GridMember[]): void {
    for (const member of members) this.#members.push(member);
  }

  addTuples({
    width,
    count,
    numbers,
  }: {
    readonly width: number;
    readonly count: number;
    readonly numbers: Int32Array;
  }) {
    this.#width = width;
    this.#length += count;
    this.#numbers.push(numbers);
  }

  build(): GridTuples {
    const numbers = new Int32Array(this.#length * this.#width);
    let at = 0;
    for (const part of this.#numbers) {
      numbers.set(part, at);
      at += part.length;
    }
    return { length: this.#length, width: this.#width, members: this.#members, numbers };
  }
}
