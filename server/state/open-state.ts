import { Kysely, sql } from 'kysely';
import type { Log } from '../../router/capabilities/log.ts';
import type { Migrations, State } from '../../router/capabilities/state.ts';
import { UnavailableError } from '../../router/errors.ts';
import { type CommittedReader, committedReader } from './committed.ts';
import { type MigrateOptions, migrate } from './migrate.ts';
import { IN_MEMORY, sqliteDialect } from './sqlite.ts';
import { StateUnusableError } from './state-unusable-error.ts';

/** The state store for the process; plugins see only `State`. */
export interface StateStore extends State {
  /**
   * Updates the tables of these owners. Safe at every start, on several nodes at once, and for some owners before others.
   *
   * @throws StateUnusableError when a newer version of the product has already migrated further.
   */
  migrate(migrationsByOwner: Readonly<Record<string, Migrations>>, options?: MigrateOptions): Promise<void>;
  /** Resolves when the database answers; rejects when it does not. Cheap enough for a probe every second. */
  ready(): Promise<void>;
  /** Waits for running statements and closes the database. */
  close(): Promise<void>;
}

export interface StateOptions {
  /** `postgres://…`; without it the state is in `sqliteFile`. */
  readonly url: string | undefined;
  /** The file of the SQLite store; created with its folder where it does not exist. */
  readonly sqliteFile: string;
  /** Maximum number of connections to PostgreSQL. */
  readonly poolSize?: number;
  /** Time that a statement of SQLite waits for another writing process, in milliseconds. */
  readonly waitForWriterMs?: number;
  readonly log: Log;
}

/**
 * Opens the state store and checks that it answers.
 *
 * @throws StateUnusableError when the URL is wrong or the database cannot be opened; its message contains no password.
 */
export async function openState(options: StateOptions): Promise<StateStore> {
  const { url, sqliteFile, log, poolSize = DEFAULT_POOL_SIZE } = options;
  if (url !== undefined) return storeOn('postgresql', await reachable(url, poolSize, log), log);
  const database = new Kysely<unknown>({ dialect: sqliteDialect(sqliteFile, options.waitForWriterMs) });
  // A database in memory belongs to its one connection.
  const committed = sqliteFile === IN_MEMORY ? undefined : committedReader(sqliteFile);
  const store = storeOn('sqlite', database, log, committed);
  await store.ready();
  return store;
}

const DEFAULT_POOL_SIZE = 10;

async function reachable(url: string, poolSize: number, log: Log): Promise<Kysely<unknown>> {
  // A state in SQLite needs no library of PostgreSQL.
  const { postgresqlDialect, shownAddress } = await import('./postgresql.ts');
  const address = shownAddress(url);
  const database = new Kysely<unknown>({ dialect: postgresqlDialect(url, poolSize, log) });
  try {
    await sql`select 1`.execute(database);
    return database;
  } catch (cause) {
    await database.destroy();
    throw new StateUnusableError(`The state database at ${address} does not answer: ${reason(nativeOf(cause))}.`, {
      cause,
    });
  }
}

function storeOn(
  engine: State['engine'],
  database: Kysely<unknown>,
  log: Log,
  committed?: CommittedReader,
): StateStore {
  const state: State = {
    engine,
    committed,
    // The owner's migrations define its tables, and only the owner queries them, so the type is asserted here.
    tables: <Tables>() => database as unknown as Kysely<Tables>,
  };
  return {
    ...state,
    migrate: (migrationsByOwner, options) => migrate(state, migrationsByOwner, Date.now, log, options),
    async ready() {
      await sql`select 1`.execute(database);
    },
    async close() {
      committed?.close();
      await database.destroy();
    },
  };
}

/** Returns the driver's own error. */
function nativeOf(error: unknown): unknown {
  return error instanceof UnavailableError ? error.cause : error;
}

/**
 * Returns the driver's message, or its code where the message is empty (an `AggregateError` of several addresses has
 * none).
 */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
