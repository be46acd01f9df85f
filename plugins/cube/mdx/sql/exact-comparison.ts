import type { Dialect } from '../../../../router/capabilities/dialect.ts';

/**
 * Keeps apart what a column's collation takes for equal: `ABC` and `abc` are two members, and the facts of the one are not the
 * other's. On engines whose texts compare exactly nothing is added.
 */

/** Returns what rows are grouped by so that values which are written differently stay apart. */
export function groupedExactly({ exactText }: Dialect, columns: readonly string[]): readonly string[] {
  const different = [...new Set(columns)];
  return exactText === undefined ? different : [...different, ...different.map((column) => exactText.key(column))];
}

/** Returns the items of SELECT DISTINCT with those by which values that are written differently stay apart, at the end. */
export function selectedExactly({ exactText }: Dialect, columns: readonly string[], items: readonly string[]): string {
  const keys = exactText === undefined ? [] : columns.map((column, index) => `${exactText.key(column)} AS e${index}`);
  return [...items, ...keys].join(', ');
}

/** Returns the condition that a column equals another one and, both being texts, is written alike. */
export function equalsExactly({ exactText }: Dialect, left: string, right: string): string {
  const equal = `${left} = ${right}`;
  return exactText === undefined ? equal : `${equal} AND ${exactText.written(left, right)}`;
}
