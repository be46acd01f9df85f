import { type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Log } from '../../router/capabilities/log.ts';
import { guarded } from './guard.ts';
import { StateUnusableError } from './state-unusable-error.ts';

const { builtins } = pg.types;

/**
 * Connects to PostgreSQL through a pool of at most `poolSize` connections. `bigint` arrives as number: instants and
 * counts fit a double.
 */
export function postgresqlDialect(url: string, poolSize: number, log: Log): Dialect {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'service',
    max: poolSize,
    connectionTimeoutMillis: 10_000,
    types: {
      getTypeParser: (type, format) =>
        type === builtins.INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(type, format),
    },
  });
  // A connection that the server ends is replaced at the next use. Without a listener the event would end the process. The pool listens to idle
  // connections; a connection in use may end between two statements.
  const note = (error: Error): void => log.warn({ error: error.message }, 'a connection to the state database ended');
  pool.on('error', () => undefined).on('connect', (client) => void client.on('error', note));
  return guarded(new PostgresDialect({ pool }), isOutage);
}

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/**
 * SQLSTATE: connection exception, insufficient resources, operator intervention, system error; and a database that
 * accepts no connections at the moment (55000, which no statement of this product raises).
 */
const OUTAGE_CLASSES = /^(08|53|57P|58|55000)/;

/** Returns whether the server is unavailable or stopping, whatever the statement. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isOutage);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code !== undefined) return NETWORK.has(code) || OUTAGE_CLASSES.test(code);
  // The driver reports these without a code.
  return /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/i.test(
    error.message,
  );
}

/** Checks the address and returns its public part: host, port and database, without user and password. */
export function shownAddress(url: string): string {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch (cause) {
    throw new StateUnusableError(EXPECTED, { cause });
  }
  if (!['postgres:', 'postgresql:'].includes(parsed.protocol)) throw new StateUnusableError(EXPECTED);
  return `${parsed.host}${parsed.pathname}`;
}

const EXPECTED =
  'service.state.url must look like postgres://user:password@host:5432/database; leave it out to use SQLite in the home folder.';
