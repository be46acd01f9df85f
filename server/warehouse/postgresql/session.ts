import pg from 'pg';
import type { Log } from '../../../router/capabilities/log.ts';
import { WarehouseUnreachableError } from '../../../router/errors.ts';
import { inDoubleQuotes } from '../quoting.ts';
import type { Connector } from './connect.ts';

/** The predefined role that may read every table and nothing else: no files, no functions for administrators. */
const READ_ALL_ROLE = 'pg_read_all_data';
const READ_ALL_ROLE_SINCE = 140_000;

/** A connection that runs statements, and the properties of its user. */
export interface Session {
  readonly client: pg.Client;
  readonly isSuperuser: boolean;
}

export async function openSession(connector: Connector, log: Log): Promise<Session> {
  const client = await connector.connect();
  const { rows } = await client.query<{ readonly superuser: string; readonly version: string }>(
    "SELECT current_setting('is_superuser') AS superuser, current_setting('server_version_num') AS version",
  );
  const isSuperuser = rows[0]?.superuser === 'on';
  if (isSuperuser && Number(rows[0]?.version) < READ_ALL_ROLE_SINCE) {
    await client.end();
    throw new WarehouseUnreachableError(
      'The warehouse cannot be used: its user is a superuser of PostgreSQL, who may write files. Give it a user who may only read.',
    );
  }
  if (isSuperuser) {
    log.warn(
      {},
      `A PostgreSQL warehouse is used as superuser: its statements run in the role ${READ_ALL_ROLE} instead. Better give it a user who may only read.`,
    );
  }
  return { client, isSuperuser };
}

/**
 * Begins a transaction that cannot write and is never committed, so that every setting ends with it. Returns the server process, read each time
 * because behind a connection pooler it differs each time.
 */
export async function beginReading(
  { client, isSuperuser }: Session,
  searchPath: readonly string[],
  timeoutMs: number,
): Promise<number> {
  const settings = [
    `statement_timeout = ${Math.ceil(timeoutMs)}`,
    "TimeZone = 'UTC'",
    "DateStyle = 'ISO, YMD'",
    "IntervalStyle = 'postgres'",
    "bytea_output = 'hex'",
    'extra_float_digits = 1',
    'cursor_tuple_fraction = 1', // A stream is read to its end.
  ];
  if (searchPath.length > 0) settings.push(`search_path = ${searchPath.map(inDoubleQuotes).join(', ')}`);
  // Row security would silently hide rows from the other role; off, it is an error instead.
  if (isSuperuser) settings.push('row_security = off', `ROLE ${READ_ALL_ROLE}`);
  const batch = [
    'BEGIN TRANSACTION READ ONLY',
    ...settings.map((setting) => `SET LOCAL ${setting}`),
    'SELECT pg_backend_pid()',
  ];
  const results: unknown = await client.query(batch.join('; '));
  const last = Array.isArray(results) ? results.at(-1) : undefined;
  return last instanceof pg.Result ? Number(last.rows[0]?.pg_backend_pid) : Number.NaN;
}

/** Ends the transaction, and the advisory locks, which are all that would outlive it. */
export async function endReading({ client }: Session): Promise<void> {
  await client.query('ROLLBACK; SELECT pg_advisory_unlock_all()');
}
