import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { sqliteLibrary } from '../sqlite/library.ts';
import { guarded } from './guard.ts';
import { StateUnusableError } from './state-unusable-error.ts';

/** Time that a statement waits for another writing process, in milliseconds. */
const WAIT_FOR_WRITER_MS = 10_000;
/** The part of it that SQLite waits itself and blocks the event loop; the rest is waited outside of SQLite. */
const BLOCKING_WAIT_MS = 10;

/** Opens SQLite in `file`, which is created (readable by its owner only) where it does not exist. */
export function sqliteDialect(file: string, waitForWriterMs = WAIT_FOR_WRITER_MS): Dialect {
  return guarded(
    {
      createDriver: () => new PatientSqliteDriver(() => openFile(file), waitForWriterMs),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (db) => new SqliteIntrospector(db),
    },
    isOutage,
  );
}

/** SQLite's name for a database without a file. */
export const IN_MEMORY = ':memory:';

function openFile(file: string): SqliteDatabase {
  try {
    if (file !== IN_MEMORY) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      // It contains password hashes. SQLite gives its -wal and -shm files the mode of the main file.
      closeSync(openSync(file, 'a', 0o600));
    }
    const Library = sqliteLibrary();
    const database = new Library(file, { timeout: WAIT_FOR_WRITER_MS });
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    database.pragma('foreign_keys = ON');
    database.pragma(`busy_timeout = ${BLOCKING_WAIT_MS}`);
    return keepStatements(database);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new StateUnusableError(`The state database ${file} cannot be opened: ${why}.`, { cause });
  }
}

/** Prepared statements that are kept; the process has fewer, besides statements with lists of any length. */
const MAX_STATEMENTS = 500;

const READS_OR_WRITES_ROWS = /^(?:select|insert|update|delete)\b/i;

/** Keeps prepared statements by their text: preparing takes longer than reading a row. */
function keepStatements(database: Database): SqliteDatabase {
  const statements = new LRUCache<string, SqliteStatement>({ max: MAX_STATEMENTS });
  return {
    close: () => database.close(),
    prepare(sql) {
      const kept = statements.get(sql);
      if (kept !== undefined) return kept;
      const statement: SqliteStatement = database.prepare<unknown[]>(sql);
      if (READS_OR_WRITES_ROWS.test(sql)) statements.set(sql, statement);
      return statement;
    },
  };
}

/**
 * Kysely's driver, with two differences that matter when a second process (a CLI command) uses the same file.
 * Transactions begin `immediate`: a deferred one that first reads and then writes fails at once when somebody else
 * wrote in between, whatever the busy timeout is. And a busy database is waited for without blocking the event loop.
 */
class PatientSqliteDriver implements Driver {
  readonly #driver: SqliteDriver;
  readonly #waitForWriterMs: number;

  constructor(open: () => SqliteDatabase, waitForWriterMs: number) {
    this.#driver = new SqliteDriver({ database: async () => open() });
    this.#waitForWriterMs = waitForWriterMs;
  }

  init(): Promise<void> {
    return this.#driver.init();
  }
  async acquireConnection(): Promise<DatabaseConnection> {
    return new PatientConnection(await this.#driver.acquireConnection(), this.#waitForWriterMs);
  }
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#driver.commitTransaction(connection);
  }
  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#driver.rollbackTransaction(connection);
  }
  releaseConnection(): Promise<void> {
    return this.#driver.releaseConnection();
  }
  destroy(): Promise<void> {
    return this.#driver.destroy();
  }
}

class PatientConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection;
  readonly #waitForWriterMs: number;

  constructor(connection: DatabaseConnection, waitForWriterMs: number) {
    this.#connection = connection;
    this.#waitForWriterMs = waitForWriterMs;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const giveUpAt = performance.now() + this.#waitForWriterMs;
    for (;;) {
      try {
        return await this.#connection.executeQuery<Row>(query);
      } catch (error) {
        // A busy database has executed nothing, so the statement may be repeated.
        if (!isBusy(error) || performance.now() > giveUpAt) throw error;
        await sleep(2 + Math.random() * 8);
      }
    }
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.#connection.streamQuery<Row>(query, chunkSize);
  }
}

const OUTAGES = /^SQLITE_(BUSY|LOCKED|PROTOCOL|IOERR|FULL|CANTOPEN|READONLY|CORRUPT|NOTADB)/;

/** Returns whether the file cannot be read or written now, whatever the statement. */
function isOutage(error: unknown): boolean {
  return error instanceof sqliteLibrary().SqliteError && OUTAGES.test(error.code);
}

function isBusy(error: unknown): boolean {
  return error instanceof sqliteLibrary().SqliteError && error.code.startsWith('SQLITE_BUSY');
}
