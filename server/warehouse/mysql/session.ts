import type mysql from 'mysql2';
import type { Connector } from './connect.ts';
import { run } from './connect.ts';

/** Set explicitly, so that answers do not depend on the server's configuration. */
const SQL_MODE = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

/** Time by which the server's own limit exceeds the product's, because the product's error is better. */
const SERVER_LIMIT_AFTER_MS = 1_000;

/** A connection that can only read, and the properties of its server. */
export interface Session {
  readonly connection: mysql.Connection;
  readonly isMariaDb: boolean;
}

/**
 * Opens a session in which every statement is its own transaction (`autocommit`) that cannot write to tables with or
 * without transactions, by DDL, or by a sequence: the server answers 1792 (executed on MariaDB 10.11).
 */
export async function openSession(connector: Connector): Promise<Session> {
  const connection = await connector.connect();
  try {
    const rows = await run(connection, 'SELECT VERSION()');
    await run(connection, `SET SESSION sql_mode = '${SQL_MODE}', time_zone = '+00:00', autocommit = 1`);
    await run(connection, 'SET SESSION TRANSACTION READ ONLY');
    return { connection, isMariaDb: JSON.stringify(rows).includes('MariaDB') };
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

/**
 * Sets the limits of the next statement. `sql_select_limit` truncates only the whole answer, and a LIMIT of the statement overrides it (MySQL's JDBC
 * driver limits rows in this way).
 */
export async function limitStatement(
  { connection, isMariaDb }: Session,
  rows: number,
  timeoutMs: number,
): Promise<void> {
  const limitMs = Math.ceil(timeoutMs + SERVER_LIMIT_AFTER_MS);
  const clock = isMariaDb ? `max_statement_time = ${limitMs / 1000}` : `max_execution_time = ${limitMs}`;
  await run(connection, `SET SESSION sql_select_limit = ${rows}, ${clock}`);
}
