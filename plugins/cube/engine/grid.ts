/** A cell set as plain data, which the cache keeps. It does not depend on the layout of a request. */

import type { Scalar } from '../../../router/capabilities/scalar.ts';
import { cooperativeMap, cooperativeYield } from '../../../router/cooperative-yield.ts';
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

export interface GridCell {
  readonly value: Exclude<Scalar, bigint>;
  readonly formatted: string;
  readonly error?: string;
}

export interface Grid {
  /** The rows. A query without rows has one row without members. */
  readonly rows: readonly GridTuple[];
  /** The columns without the measures, which are innermost: `cells[row][column * measures + measure]`. */
  readonly columns: readonly GridTuple[];
  readonly cells: readonly (readonly GridCell[])[];
  /** Estimated bytes in memory. An estimate is enough to limit the cache. */
  readonly bytes: number;
}

/** Number of cells of narrow rows between two checks of the clock. */
const CELLS_AT_ONCE = 256;

/**
 * Returns the cell set as a grid. Yields the event loop in between.
 *
 * @param measures unique names of the innermost measures on the column axis, in the order of the query
 */
export async function gridOf({ axes, cells }: CellSet, measures: readonly string[]): Promise<Grid> {
  const across = axes[0]?.tuples ?? [];
  const down = axes[1]?.tuples ?? [[]];
  const width = across.length;
  let bytes = BYTES.grid + BYTES.tuple * (across.length + down.length);
  const tupleOf = gridTuples((member) => {
    bytes += BYTES.member + BYTES.value * member.path.length + textBytes(member.caption) + textBytes(member.uniqueName);
  });
  const yieldTurn = cooperativeYield();
  const place = new Map(measures.map((uniqueName, index) => [uniqueName, index]));
  // NON EMPTY may leave out some measures of a column tuple, so the tuples are grouped again.
  const columns = new Map<string, { readonly tuple: GridTuple; readonly at: (number | undefined)[] }>();
  await cooperativeMap(across, yieldTurn, (tuple, position) => {
    const members = tuple.slice(0, -1);
    const key = members.map(({ identity }) => identity).join(' ');
    const column = columns.get(key) ?? { tuple: tupleOf(members), at: measures.map(() => undefined) };
    columns.set(key, column);
    const index = place.get(tuple.at(-1)?.uniqueName ?? '');
    if (index !== undefined) column.at[index] = position;
  });
  const positions = [...columns.values()].flatMap(({ at }) => at);
  const cellAt = (row: number, at: number | undefined): GridCell => {
    const cell = cellOf(at === undefined ? undefined : cells[row * width + at]);
    bytes += BYTES.cell + textBytes(cell.formatted);
    return cell;
  };
  // A promise for each row would cost more than the cells of a narrow row.
  const rowsAtOnce = Math.floor(CELLS_AT_ONCE / Math.max(positions.length, 1));
  const rows: (readonly GridCell[])[] = [];
  for (let row = 0; row < down.length; row++) {
    if (rowsAtOnce === 0) rows.push(await cooperativeMap(positions, yieldTurn, (at) => cellAt(row, at)));
    else rows.push(positions.map((at) => cellAt(row, at)));
    if (rowsAtOnce === 0 || row % rowsAtOnce === 0) await yieldTurn();
  }
  const writtenDown = await cooperativeMap(down, yieldTurn, tupleOf);
  return { rows: writtenDown, columns: [...columns.values()].map(({ tuple }) => tuple), cells: rows, bytes };
}

/** About how many bytes each part of a grid takes, without its texts. */
const BYTES = { grid: 256, tuple: 32, member: 96, value: 8, cell: 48 };

function textBytes(text: string): number {
  return 2 * text.length;
}

/** Returns a writer of tuples that writes each member once, and passes it to `note`. */
function gridTuples(note: (member: GridMember) => void): (tuple: Tuple) => GridTuple {
  const written = new Map<Member, GridMember>();
  const write = (member: Member): GridMember => {
    const { caption, uniqueName } = member;
    const fresh = { caption, uniqueName, path: captionPath(member) };
    written.set(member, fresh);
    note(fresh);
    return fresh;
  };
  return (tuple) => tuple.map((member) => written.get(member) ?? write(member));
}

function captionPath(member: Member): readonly (string | undefined)[] {
  const path: (string | undefined)[] = new Array(member.level.depth + 1).fill(undefined);
  for (let at: Member | undefined = member.visualTotalOf ?? member; at !== undefined; at = at.treeParent) {
    path[at.level.depth] ??= at.caption;
  }
  return path;
}

function cellOf(cell: Cell | undefined): GridCell {
  if (cell === undefined) return { value: null, formatted: '' };
  const { value, formatted, error } = cell;
  return error === undefined ? { value: plain(value), formatted } : { value: plain(value), formatted, error };
}

/** Returns whether a text is a number beyond the precision of a double, as `plain` writes it. */
export function isExactText(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) && String(Number(value)) !== value;
}

function plain(value: Cell['value']): Exclude<Scalar, bigint> {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ExactDecimal) return value.decimal;
  // JSON has no NaN and no infinities. `formatted` still shows them.
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'bigint') return value;
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : String(value);
}
