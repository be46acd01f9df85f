/** The keys of a table: single columns, or the fewest columns that together are never the same twice. */

import { measureTrait } from '../detect/column-traits.ts';
import { type ColumnView, viewTables } from '../detect/column-views.ts';
import type { Table } from '../schemas.ts';
import type { CountDistinct } from './distinct.ts';
import type { Effort } from './effort.ts';

/** Columns that are tried together, and combinations of them in one statement. */
const MAX_TRIED_COLUMNS = 8;
const MAX_COMBINATIONS = 30;
const MAX_COLUMNS_OF_A_KEY = 4;
/** Approximate counts may be this far off: a tenth has been seen. */
const APPROXIMATE = 0.75;

/**
 * Returns the verified keys of a table: single columns before combinations; amounts that never repeat by chance come
 * last.
 */
export async function findKeys(distinct: CountDistinct, table: Table, effort: Effort): Promise<string[][]> {
  const [view] = viewTables({ tables: [table] });
  if (view === undefined || table.rowCount < 2) return [];
  const usable = view.columns.filter(
    ({ family, column }) =>
      !['decimal', 'other', 'boolean'].includes(family) && (column.nulls ?? 0) === 0 && column.distinctApprox > 1,
  );
  const single = usable
    .filter(({ column }) => column.distinctApprox >= APPROXIMATE * table.rowCount)
    .toSorted((left, right) => Number(right.isKeyName) - Number(left.isKeyName))
    .slice(0, effort.verifiedKeys)
    .sort((left, right) => left.position - right.position);
  if (table.sampledRows !== undefined && table.rowCount > effort.verifiedRows) {
    // Too large to verify: a column that never repeats in the sample counts as unique.
    return single.filter(({ column }) => column.distinctApprox >= table.rowCount).map((column) => [column.name]);
  }
  const verified = await keepUnique(
    distinct,
    single.map((column) => [column]),
  );
  const amounts = new Set(usable.filter((column) => measureTrait(column) !== undefined).map(({ name }) => name));
  const isAmount = ([name = '']: readonly string[]): boolean => amounts.has(name);
  const identifying = verified.filter((key) => !isAmount(key));
  if (identifying.length > 0 || table.rowCount > effort.compositeRows)
    return [...identifying, ...verified.filter(isAmount)];
  const together = usable.filter(({ name }) => !amounts.has(name));
  return [...(await composite(distinct, table.rowCount, together)), ...verified];
}

async function composite(distinct: CountDistinct, rows: number, usable: readonly ColumnView[]): Promise<string[][]> {
  const columns = usable
    .toSorted((left, right) => rank(left) - rank(right))
    .slice(0, MAX_TRIED_COLUMNS)
    .sort((left, right) => left.position - right.position);
  for (let size = 2; size <= Math.min(MAX_COLUMNS_OF_A_KEY, columns.length); size++) {
    const combinations = combinationsOf(columns, size)
      .filter(
        (columns) => columns.reduce((product, { column }) => product * column.distinctApprox, 1) >= APPROXIMATE * rows,
      )
      .sort((left, right) => total(left) - total(right))
      .slice(0, MAX_COMBINATIONS);
    const keys = await keepUnique(distinct, combinations);
    if (keys.length > 0) return keys.slice(0, 3);
  }
  return [];
}

/** Ranks columns that are named like keys first, then dates, then the rest by position. */
function rank({ isKeyName, family, position }: ColumnView): number {
  return (isKeyName ? 0 : family === 'date' || family === 'timestamp' ? 100 : 200) + position;
}

const total = (columns: readonly ColumnView[]): number => columns.reduce((sum, column) => sum + rank(column), 0);

function combinationsOf<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  if (size === 0) return [[]];
  return list.flatMap((first, index) =>
    combinationsOf(list.slice(index + 1), size - 1).map((rest) => [first, ...rest]),
  );
}

/** Returns the combinations that are there as often as there are rows. */
async function keepUnique(
  distinct: CountDistinct,
  combinations: readonly (readonly ColumnView[])[],
): Promise<string[][]> {
  if (combinations.length === 0) return [];
  const lists = combinations.map((columns) => columns.map(({ name }) => name));
  const { rows, counts } = await distinct(lists);
  return lists.filter((_, index) => counts[index] === rows);
}
