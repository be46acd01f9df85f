/** Counts how often the values of some columns differ: of rows that were read, or by the engine. */
import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type { Scalar } from '../../../router/capabilities/warehouse.ts';
import { type Ask, singleCell } from './ask.ts';

/**
 * Returns the number of rows, and for each list of columns the number of its different combinations. Rows with a null
 * in the first column of a list are left out.
 */
export type CountDistinct = (
  lists: readonly (readonly string[])[],
) => Promise<{ readonly rows: number; readonly counts: readonly number[] }>;

export function distinctByEngine(ask: Ask, dialect: Dialect, name: string): CountDistinct {
  return async (lists) => {
    const counts = lists.map((columns, index) => {
      const quoted = columns.map((column) => dialect.identifier(column));
      return `(SELECT COUNT(*) FROM (SELECT DISTINCT ${quoted.join(', ')} FROM ${name} WHERE ${quoted[0]} IS NOT NULL) t${index}) AS c${index}`;
    });
    const answer = await ask(`SELECT (SELECT COUNT(*) FROM ${name}) AS n, ${counts.join(', ')}`);
    return {
      rows: Number(singleCell(answer, 'n')),
      counts: lists.map((_, index) => Number(singleCell(answer, `c${index}`))),
    };
  };
}

export function distinctOfRows(
  columns: readonly { readonly name: string }[],
  rows: number,
  values: readonly (readonly Scalar[])[],
): CountDistinct {
  const byName = new Map(columns.map(({ name }, index) => [name, values[index] ?? []] as const));
  return (lists) => {
    const counts = lists.map((names) => {
      const cells = names.map((name) => byName.get(name) ?? []);
      const seen = new Set<Scalar>();
      for (let row = 0; row < rows; row++) {
        const [first = null] = [cells[0]?.[row]];
        if (first === null) continue;
        seen.add(cells.length === 1 ? first : JSON.stringify(cells.map((column) => String(column[row] ?? '\0'))));
      }
      return seen.size;
    });
    return Promise.resolve({ rows, counts });
  };
}
