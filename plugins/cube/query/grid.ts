/** A cell set as plain data: what is kept of an answer, and what all its forms are made of. */
import type { Scalar } from '../../../router/capabilities/scalar.ts';
import type { Member, Tuple } from '../mdx/catalog/member.ts';
import type { Cell, CellSet } from '../mdx/index.ts';
import type { AxisSelection, ResolvedQuery } from './resolved.ts';

export interface GridTuple {
  /** Captions of the shown levels of all selections, in their order. */
  readonly captions: readonly string[];
  /** The member of each selection. */
  readonly members: readonly { readonly caption: string; readonly uniqueName: string }[];
}

export interface GridCell {
  readonly value: Exclude<Scalar, bigint>;
  readonly formatted: string;
  readonly error?: string;
}

export interface Grid {
  readonly rows: readonly GridTuple[];
  /** Without the measures, which are innermost: `cells[row][column * measures + measure]`. */
  readonly columns: readonly GridTuple[];
  readonly cells: readonly (readonly GridCell[])[];
}

/** @param measures unique names of the measures that stand innermost on the column axis, in the order of the query */
export function gridOf({ axes, cells }: CellSet, query: ResolvedQuery, measures: readonly string[]): Grid {
  const across = axes[0]?.tuples ?? [];
  const down = axes[1]?.tuples;
  const width = across.length;
  const rows = down === undefined ? [{ captions: [], members: [] }] : down.map((tuple) => tupleOf(tuple, query.rows));
  // NON EMPTY leaves single measures of a column tuple out: the tuples are put together again.
  const columns = new Map<string, { readonly tuple: GridTuple; readonly at: (number | undefined)[] }>();
  for (const [position, tuple] of across.entries()) {
    const own = tuple.slice(0, -1);
    const key = own.map(({ uniqueName }) => uniqueName).join(' ');
    const column = columns.get(key) ?? { tuple: tupleOf(own, query.columns), at: measures.map(() => undefined) };
    columns.set(key, column);
    const measure = tuple.at(-1);
    const index = measures.indexOf(measure?.uniqueName ?? '');
    if (index >= 0) column.at[index] = position;
  }
  const positions = [...columns.values()].flatMap(({ at }) => at);
  return {
    rows,
    columns: [...columns.values()].map(({ tuple }) => tuple),
    cells: rows.map((_, row) => positions.map((at) => cellOf(at === undefined ? undefined : cells[row * width + at]))),
  };
}

function tupleOf(tuple: Tuple, selections: readonly AxisSelection[]): GridTuple {
  return {
    captions: selections.flatMap((selection, index) => {
      const member = tuple[index];
      return member === undefined ? [] : captionsOf(member, selection);
    }),
    members: tuple.map(({ caption, uniqueName }) => ({ caption, uniqueName })),
  };
}

function captionsOf(member: Member, { shown, mixed }: AxisSelection): readonly string[] {
  if (mixed !== undefined || shown.length === 1) return [member.caption];
  const stored = member.standsFor ?? member;
  return shown.map(({ level }) => {
    for (let at: Member | undefined = stored; at !== undefined; at = at.treeParent) {
      if (at.level.uniqueName === level.uniqueName) return at.caption;
    }
    return ''; // A ragged branch has no member there.
  });
}

function cellOf(cell: Cell | undefined): GridCell {
  if (cell === undefined) return { value: null, formatted: '' };
  const { value, formatted, error } = cell;
  return { value: plain(value), formatted, ...(error === undefined ? {} : { error }) };
}

function plain(value: Cell['value']): Exclude<Scalar, bigint> {
  if (value instanceof Date) return value.toISOString();
  // JSON has neither NaN nor infinities; `formatted` still tells.
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'bigint') return value;
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : String(value);
}
