import { joinSql, type Sql, type SqlPart, sql } from '../../../query-surface/index.ts';

/** A condition that no row meets. */
export const NO_ROW = sql`1 = 0`;

/** Joins alternatives with OR. */
export function anyOf(alternatives: readonly SqlPart[]): Sql {
  const parts = alternatives.map((alternative) => sql`(${alternative})`);
  return sql`(${joinSql(parts, ' OR ')})`;
}

/** Returns the WHERE clause of the conditions, or no clause if there are none. */
export function whereClause(conditions: readonly SqlPart[]): readonly Sql[] {
  return conditions.length === 0 ? [] : [sql`WHERE ${joinSql(conditions, ' AND ')}`];
}
