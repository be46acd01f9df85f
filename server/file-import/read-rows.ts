/** Reads the rows of a statement by the names of its columns. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';

/** Returns the rows of a statement, checked against the columns that `row` names. */
export async function readRows<Row>(
  connection: DuckDBConnection,
  sql: string,
  row: z.ZodType<Row>,
): Promise<readonly Row[]> {
  return z.array(row).parse((await connection.runAndReadAll(sql)).getRowObjectsJS());
}

/** A count, which DuckDB returns as a BIGINT. */
export const RowCount = z.union([z.bigint(), z.number()]).transform(Number);

/** Counts the rows of a FROM item, which may have a condition: `sales WHERE price > 0`. */
export async function countRows(connection: DuckDBConnection, from: string): Promise<number> {
  const [row] = await readRows(connection, `SELECT count(*) AS count FROM ${from}`, z.object({ count: RowCount }));
  return row?.count ?? 0;
}
