/** Compares a table with figures that were aggregated before with the rows that it aggregates. */
import type { Dialect } from '../../router/capabilities/dialect.ts';
import type { TableInfo, TableName } from '../../router/capabilities/warehouse.ts';
import { joinSql, type Sql, type SqlPart, sql } from './sql.ts';

/** The time limit of a check. A longer check costs more than it saves. */
export const MAX_CHECK_MS = 30_000;

/**
 * Returns whether rows of a table change only with the version of the data. Rows of a view may also change with the time.
 */
export function isStoredTable({ catalog, schema, name }: TableName, tables: readonly TableInfo[]): boolean {
  if (catalog !== undefined) return false;
  const same = (left: string, right: string | undefined) => left.toLowerCase() === right?.toLowerCase();
  const meant = tables.filter(
    (table) => same(name, table.name) && (schema === undefined || same(schema, table.schema)),
  );
  return meant.length > 0 && meant.every(({ kind }) => kind === 'TABLE');
}

/** Writes the query that has a row if one of two queries has a row that the other one has not. */
export function rowsThatDiffer(facts: SqlPart, stored: SqlPart, dialect: Dialect): Sql {
  const only = (left: string, right: string) =>
    `SELECT * FROM (SELECT * FROM ${left} EXCEPT SELECT * FROM ${right}) AS only_${left}`;
  return joinSql(
    [
      sql`WITH facts AS (\n${facts}\n), stored AS (\n${stored}\n)`,
      `SELECT 1 AS differs FROM (${only('facts', 'stored')} UNION ALL ${only('stored', 'facts')}) AS differences`,
      dialect.limit(1),
    ],
    '\n',
  );
}
