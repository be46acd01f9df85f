import { statSync } from 'node:fs';
import {
  type DuckDBConnection,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  StatementType,
} from '@duckdb/node-api';
import type { ResultChunk, ResultColumn, Statement } from '../../../router/capabilities/warehouse.ts';
import { type ServiceError, WarehouseUnreachableError } from '../../../router/errors.ts';
import type { DriverSettings, Engine, Reader, Run } from '../driver.ts';
import { refuseOwnFile } from '../jdbc-url.ts';
import type { Lease } from '../pool.ts';
import { toWarehouseError } from '../warehouse-errors.ts';
import { duckdbCatalog } from './catalog.ts';
import { columnReader, type ReadColumn } from './columns.ts';
import { type Database, openDatabase } from './database.ts';
import { duckdbDialect } from './dialect.ts';
import { isInvalidated, translateError } from './errors.ts';
import { interruptible } from './interruptible.ts';
import { bindParameter } from './parameters.ts';
import type { Session } from './session.ts';
import { nativeTypeOf, scalarTypeOf } from './types.ts';

/** Time without statements after which a file is closed. */
const IDLE_MS = 600_000;

/**
 * A DuckDB file, opened for reading at the first statement. DuckDB locks an open file, so a new version replaces it by renaming. The next statement
 * opens it, and running statements finish on the old version. DuckDB does not notice when the file is overwritten in place. A file without
 * statements for a while is closed, which frees its memory and its threads.
 */
export class DuckdbEngine implements Engine {
  readonly dialect = duckdbDialect;
  readonly catalog = duckdbCatalog;
  readonly #file: string | undefined;
  readonly #settings: DriverSettings;
  #database: { readonly version: string; readonly opening: Promise<Database> } | undefined;
  #closed = false;
  #usedAtMillis = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(file: string | undefined, settings: DriverSettings) {
    this.#file = file;
    this.#settings = settings;
  }

  async open(statement: Statement, run: Run): Promise<Reader> {
    run.signal.throwIfAborted();
    const database = await this.#current();
    const lease = await database.pool.acquire(run.signal);
    try {
      return await start(database, lease, statement, run.signal);
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  translateError(error: unknown): ServiceError {
    if (isInvalidated(error)) this.#retire();
    return translateError(error);
  }

  dataVersion(): string | undefined {
    return this.#versionOnDisk();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    await (await this.#database?.opening)?.close();
  }

  async #current(): Promise<Database> {
    if (this.#closed)
      throw new WarehouseUnreachableError('The connection to this warehouse was closed. Send the query again.');
    const version = this.#versionOnDisk();
    if (this.#database?.version !== version) {
      // A link may have another target by now.
      if (this.#file !== undefined) refuseOwnFile(this.#file, this.#settings.refusesFile);
      this.#retire();
      const opening = openDatabase(this.#file, version, this.#settings).catch((error: unknown) => {
        this.#database = undefined;
        throw new WarehouseUnreachableError(
          'The database file of this warehouse cannot be opened. The log has the reason.',
          { cause: error, part: 'file' },
        );
      });
      this.#database = { version, opening };
    }
    this.#noteUse();
    return this.#database.opening;
  }

  /** Closes the file once it had no statement for `idleMs`. A database in memory stays: nothing could open it again. */
  #noteUse(): void {
    const { idleMs = IDLE_MS } = this.#settings;
    if (this.#file === undefined) return;
    this.#usedAtMillis = performance.now();
    this.#idle ??= setTimeout(() => void this.#retireIdle(idleMs), idleMs).unref();
  }

  async #retireIdle(idleMs: number): Promise<void> {
    const database = await this.#database?.opening.catch(() => undefined);
    const isBusy = (database?.pool.use?.leased ?? 0) > 0;
    const leftMs = isBusy ? idleMs : this.#usedAtMillis + idleMs - performance.now();
    this.#idle = undefined;
    if (leftMs <= 0) this.#retire();
    else if (!this.#closed) this.#idle = setTimeout(() => void this.#retireIdle(idleMs), leftMs).unref();
  }

  /** Releases the opened version: its statements finish, and the next one opens the file again. */
  #retire(): void {
    const old = this.#database;
    if (old === undefined) return;
    this.#database = undefined;
    old.opening
      .then((database) => database.close())
      .catch((error: unknown) => {
        this.#settings.log.warn({ err: error }, 'An old version of a DuckDB file could not be closed');
      });
  }

  /**
   * A version that changes when the file, or a writer's log beside it, is replaced or written. Read before each statement, synchronously, because
   * that takes microseconds and Node's thread pool may be full of statements.
   */
  #versionOnDisk(): string {
    if (this.#file === undefined) return 'memory';
    const file = statSync(this.#file, { throwIfNoEntry: false });
    if (file === undefined || !file.isFile()) {
      throw new WarehouseUnreachableError('The database file of this warehouse does not exist. Check its address.', {
        part: 'file',
      });
    }
    const log = statSync(`${this.#file}.wal`, { throwIfNoEntry: false });
    return [file.ino, file.mtimeMs, file.size, log?.mtimeMs ?? 0, log?.size ?? 0].join('-');
  }
}

const EXPLAIN = 'EXPLAIN ';

async function start(
  database: Database,
  lease: Lease<Session>,
  { sql, parameters }: Statement,
  signal: AbortSignal,
): Promise<Reader> {
  const session = lease.connection;
  return interruptible(session.connection, signal, () =>
    session.prepared(
      sql,
      () => prepareQuery(database, session, sql),
      async (prepared) => {
        for (const [index, parameter] of parameters.entries()) bindParameter(prepared, index, parameter);
        signal.throwIfAborted();
        return new DuckdbReader(lease, await prepared.stream(), signal);
      },
    ),
  );
}

/** @throws WarehouseError where the statement is not one SELECT, or the plan of one, with harmless table functions only */
async function prepareQuery(
  { check }: Database,
  { connection }: Session,
  sql: string,
): Promise<DuckDBPreparedStatement> {
  // A plan of a SELECT that may run is harmless; `EXPLAIN ANALYZE`, which runs it, is no SELECT without its first word.
  const isPlan = sql.startsWith(EXPLAIN);
  await check.pass(connection, isPlan ? sql.slice(EXPLAIN.length) : sql);
  const prepared = await connection.prepare(sql);
  if (prepared.statementType === (isPlan ? StatementType.EXPLAIN : StatementType.SELECT)) return prepared;
  prepared.destroySync();
  throw toWarehouseError('not-a-query');
}

class DuckdbReader implements Reader {
  readonly columns: readonly ResultColumn[];
  readonly #lease: Lease<Session>;
  readonly #connection: DuckDBConnection;
  readonly #result: DuckDBResult;
  readonly #signal: AbortSignal;
  readonly #readers: readonly ReadColumn[];
  #exhausted = false;

  constructor(lease: Lease<Session>, result: DuckDBResult, signal: AbortSignal) {
    this.#lease = lease;
    this.#connection = lease.connection.connection;
    this.#result = result;
    this.#signal = signal;
    this.columns = Array.from({ length: result.columnCount }, (_, i) => {
      const nativeType = nativeTypeOf(result.columnType(i));
      return { name: result.columnName(i), type: scalarTypeOf(nativeType), nativeType };
    });
    this.#readers = this.columns.map((_, i) => columnReader(result.columnType(i)));
  }

  async read(): Promise<ResultChunk | undefined> {
    if (this.#exhausted) return undefined;
    const chunk = await interruptible(this.#connection, this.#signal, () => this.#result.fetchChunk());
    if (chunk === null || chunk.rowCount === 0) {
      this.#exhausted = true;
      return undefined;
    }
    const { rowCount } = chunk;
    return { rowCount, values: this.#readers.map((read, column) => read(chunk, column)) };
  }

  async close(): Promise<void> {
    if (this.#exhausted) return this.#lease.release();
    // The rest of a result uses memory and work until its connection is used again or closed.
    this.#connection.interrupt();
    this.#lease.release('broken');
  }
}
