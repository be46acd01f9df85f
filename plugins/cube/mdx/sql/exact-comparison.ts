import type { Dialect } from '../../../../router/capabilities/dialect.ts';

/**
 * Compares texts exactly where a column's collation does not: `ABC` and `abc` are two members with separate facts.
 * Engines that always compare texts exactly need no extra SQL.
 */

/** Returns the GROUP BY items that keep values apart if they are written differently. */
export function groupedExactly({ exactText }: Dialect, columns: readonly string[]): readonly string[] {
  const different = [...new Set(columns)];
  return exactText === undefined ? different : [...different, ...different.map((column) => exactText.key(column))];
}

/** Returns the items of SELECT DISTINCT, followed by items that keep values apart if they are written differently. */
export function selectedExactly({ exactText }: Dialect, columns: readonly string[], items: readonly string[]): string {
  const keys = exactText === undefined ? [] : columns.map((column, index) => `${exactText.key(column)} AS e${index}`);
  return [...items, ...keys].join(', ');
}

/** Returns the condition that two columns are equal. Texts must also be written the same. */
export function equalsExactly({ exactText }: Dialect, left: string, right: string): string {
  const equal = `${left} = ${right}`;
  return exactText === undefined ? equal : `${equal} AND ${exactText.written(left, right)}`;
}
