/** A cell set as plain data, which the cache keeps. It does not depend on the layout of a request. */

import type { Scalar } from '../../../router/capabilities/scalar.ts';
import { cooperativeMap, cooperativeYield, itemCounter } from '../../../router/cooperative-yield.ts';
import { InternalError } from '../../../router/errors.ts';
import type { Cell, CellSet, Member, Tuple } from '../mdx/index.ts';
import { ExactDecimal } from '../mdx/index.ts';

export interface GridMember {
  readonly caption: string;
  readonly uniqueName: string;
  /** The captions of the member and its ancestors, by the depth of their levels. A ragged branch has gaps. */
  readonly path: readonly (string | undefined)[];
}

/** One member of each hierarchy of an axis, in the order of the hierarchies. */
export type GridTuple = readonly GridMember[];

/** The tuples of an axis, in columns: each member is there once, and in each tuple as a number. */
export interface GridTuples {
  readonly length: number;
  /** Number of members of a tuple. */
  readonly width: number;
  readonly members: readonly GridMember[];
  /** The place of each member in `members`: `numbers[tuple * width + place]`. */
  readonly numbers: Int32Array;
}

export type GridValue = Exclude<Scalar, bigint>;

/** The cells as a list for each of their properties: an object for each would be most of what a large answer takes. */
export interface GridCells {
  readonly values: readonly GridValue[];
  readonly formatted: readonly string[];
  /** The errors of cells, by the index of the cell. */
  readonly errors: ReadonlyMap<number, string>;
}

export interface Grid {
  /** The rows. A query without rows has one row without members. */
  readonly rows: GridTuples;
  /** The columns without the measures. */
  readonly columns: GridTuples;
  /** The cells: measures are innermost, rows outermost. The index of a cell is `(row * columns + column) * measures + measure`. */
  readonly cells: GridCells;
  /** Estimated bytes in memory. An estimate is enough to limit the cache. */
  readonly bytes: number;
}

/** Returns the members of a tuple. */
export function tupleAt({ width, members, numbers }: GridTuples, index: number): GridTuple {
  const tuple: GridMember[] = [];
  for (let place = 0; place < width; place++) {
    const member = members[numbers[index * width + place] ?? -1];
    if (member === undefined) throw new InternalError('A tuple of a grid has no member.');
    tuple.push(member);
  }
  return tuple;
}

/**
 * Returns the cell set as a grid. Yields the event loop in between.
 *
 * @param measures unique names of the innermost measures on the column axis, in the order of the query
 */
export async function gridOf(cellSet: CellSet, measures: readonly string[]): Promise<Grid> {
  const { axes } = cellSet;
  const cellAt = cellReader(cellSet);
  const across = axes[0]?.tuples ?? [];
  const down = axes[1]?.tuples ?? [[]];
  const width = across.length;
  const yieldTurn = cooperativeYield();
  const place = new Map(measures.map((uniqueName, index) => [uniqueName, index]));
  // NON EMPTY may leave out some measures of a column tuple, so the tuples are grouped again.
  const columns = new Map<string, { readonly tuple: Tuple; readonly at: (number | undefined)[] }>();
  await cooperativeMap(across, yieldTurn, (tuple, position) => {
    const members = tuple.slice(0, -1);
    const key = members.map(({ identity }) => identity).join(' ');
    const column = columns.get(key) ?? { tuple: members, at: measures.map(() => undefined) };
    columns.set(key, column);
    const index = place.get(tuple.at(-1)?.uniqueName ?? '');
    if (index !== undefined) column.at[index] = position;
  });
  const positions = [...columns.values()].flatMap(({ at }) => at);
  const values: GridValue[] = [];
  const formatted: string[] = [];
  const errors = new Map<number, string>();
  let bytes = BYTES.grid;
  const isDue = itemCounter();
  for (let row = 0; row < down.length; row++) {
    for (const at of positions) {
      if (isDue(1)) await yieldTurn();
      const { value, text, error } = at === undefined ? NO_CELL : cellAt(row * width + at);
      if (error !== undefined) errors.set(values.length, error);
      values.push(plain(value));
      formatted.push(text);
      bytes += BYTES.cell + textBytes(text);
    }
  }
  const axesOfGrid = {
    rows: await gridTuples(down, yieldTurn),
    columns: await gridTuples(
      [...columns.values()].map(({ tuple }) => tuple),
      yieldTurn,
    ),
  };
  for (const { members, numbers } of Object.values(axesOfGrid)) bytes += numbers.byteLength + memberBytes(members);
  return { ...axesOfGrid, cells: { values, formatted, errors }, bytes };
}

type ReadCell = { readonly value: Cell['value']; readonly text: string; readonly error?: string | undefined };

const NO_CELL: ReadCell = { value: null, text: '' };

/** Returns the function that reads a cell, from columns where there are. */
function cellReader(cellSet: CellSet): (index: number) => ReadCell {
  const { columns } = cellSet;
  if (columns !== undefined)
    return (index) => ({ value: columns.values[index] ?? null, text: columns.formatted[index] ?? '' });
  const { cells } = cellSet;
  return (index) => {
    const cell = cells[index];
    return cell === undefined ? NO_CELL : { value: cell.value, text: cell.formatted, error: cell.error };
  };
}

/** About how many bytes each part of a grid takes, without its texts. */
const BYTES = { grid: 256, member: 96, value: 8, cell: 40 };

function textBytes(text: string): number {
  return 2 * text.length;
}

function memberBytes(members: readonly GridMember[]): number {
  return members.reduce(
    (sum, { path, caption, uniqueName }) =>
      sum + BYTES.member + BYTES.value * path.length + textBytes(caption) + textBytes(uniqueName),
    0,
  );
}

async function gridTuples(tuples: readonly Tuple[], yieldTurn: () => Promise<void>): Promise<GridTuples> {
  const width = tuples[0]?.length ?? 0;
  const numbers = new Int32Array(tuples.length * width);
  const members: GridMember[] = [];
  const known = new Map<Member, number>();
  let next = 0;
  const isDue = itemCounter();
  for (const tuple of tuples) {
    if (isDue(width)) await yieldTurn();
    for (const member of tuple) {
      let number = known.get(member);
      if (number === undefined) {
        number = members.push(gridMember(member)) - 1;
        known.set(member, number);
      }
      numbers[next++] = number;
    }
  }
  return { length: tuples.length, width, members, numbers };
}

function gridMember(member: Member): GridMember {
  const { caption, uniqueName } = member;
  return { caption, uniqueName, path: captionPath(member) };
}

function captionPath(member: Member): readonly (string | undefined)[] {
  const path: (string | undefined)[] = new Array(member.level.depth + 1).fill(undefined);
  for (let at: Member | undefined = member.visualTotalOf ?? member; at !== undefined; at = at.treeParent) {
    path[at.level.depth] ??= at.caption;
  }
  return path;
}

/** Returns whether a text is a number beyond the precision of a double, as `plain` writes it. */
export function isExactText(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) && String(Number(value)) !== value;
}

function plain(value: Cell['value']): GridValue {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ExactDecimal) return value.decimal;
  // JSON has no NaN and no infinities. `formatted` still shows them.
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'bigint') return value;
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : String(value);
}
