import { statSync } from 'node:fs';
import type { ResultChunk, ResultColumn, Statement } from '../../../router/capabilities/warehouse.ts';
import { InternalError, type ServiceError, WarehouseUnreachableError } from '../../../router/errors.ts';
import type { DriverSettings, Engine, Reader, Run } from '../driver.ts';
import { refuseOwnFile } from '../jdbc-url.ts';
import { type Lease, Pool } from '../pool.ts';
import { sqliteCatalog } from './catalog.ts';
import { ReaderConnection } from './connection.ts';
import { sqliteDialect } from './dialect.ts';
import { translateError, unreachable } from './errors.ts';
import type { ReaderRequest, Rows } from './protocol.ts';
import { columnType } from './types.ts';
import { boundValue, scalarOf } from './values.ts';

const IDLE_MS = 60_000;

/** The processes of one file. A file that replaces it by renaming gets new processes. */
interface Opened {
  readonly inode: string;
  readonly pool: Pool<ReaderConnection>;
}

/** A SQLite file, read by a few processes. The next statement sees what other programs write to it. */
export class SqliteEngine implements Engine {
  readonly dialect = sqliteDialect;
  readonly catalog = sqliteCatalog;
  readonly #file: string;
  readonly #settings: DriverSettings;
  #opened: Opened | undefined;
  #closing: Promise<void> | undefined;

  constructor(file: string, settings: DriverSettings) {
    this.#file = file;
    this.#settings = settings;
  }

  async open(statement: Statement, run: Run): Promise<Reader> {
    run.signal.throwIfAborted();
    const values = statement.parameters.map(boundValue);
    const lease = await this.#current().acquire(run.signal);
    const session = new Session(lease, run.signal);
    try {
      const reply = await session.ask({ kind: 'start', sql: statement.sql, values });
      if (reply.kind !== 'started') throw new InternalError('A SQLite reader gave no answer to a statement.');
      const columns = reply.columns.map((column, i) => ({ name: column.name, ...columnType(column, reply.rows, i) }));
      return new SqliteReader(session, columns, reply.rows);
    } catch (error) {
      session.release();
      throw error;
    }
  }

  translateError(error: unknown): ServiceError {
    return translateError(error);
  }

  /** A version that changes when the file, or a writer's log beside it, is replaced or written. */
  dataVersion(): string {
    const file = this.#stat();
    const log = statSync(`${this.#file}-wal`, { throwIfNoEntry: false });
    return [file.ino, file.mtimeMs, file.size, log?.mtimeMs ?? 0, log?.size ?? 0].join('-');
  }

  close(): Promise<void> {
    this.#closing ??= this.#opened?.pool.close() ?? Promise.resolve();
    return this.#closing;
  }

  #current(): Pool<ReaderConnection> {
    if (this.#closing !== undefined)
      throw new WarehouseUnreachableError('The connection to this warehouse was closed. Send the query again.');
    const { dev, ino } = this.#stat();
    const inode = `${dev}-${ino}`;
    if (this.#opened?.inode === inode) return this.#opened.pool;
    // A link may have another target by now.
    refuseOwnFile(this.#file, this.#settings.refusesFile);
    // Its statements finish in the background.
    void this.#opened?.pool.close();
    const pool: Pool<ReaderConnection> = new Pool<ReaderConnection>({
      size: this.#settings.poolSize,
      perSharer: this.#settings.perSharer,
      onOpen: this.#settings.onPool,
      idleMs: IDLE_MS,
      open: async () => {
        try {
          return await ReaderConnection.open(this.#file, (connection) => pool.discard(connection));
        } catch (error) {
          throw unreachable(error);
        }
      },
      close: (connection) => connection.kill(),
    });
    this.#opened = { inode, pool };
    return pool;
  }

  #stat() {
    const file = statSync(this.#file, { throwIfNoEntry: false });
    if (file?.isFile() === true) return file;
    throw new WarehouseUnreachableError('The database file of this warehouse does not exist. Check its address.', {
      part: 'file',
    });
  }
}

/** A leased process during one statement: an abort of the signal kills it while it works. */
class Session {
  readonly #lease: Lease<ReaderConnection>;
  readonly #signal: AbortSignal;

  constructor(lease: Lease<ReaderConnection>, signal: AbortSignal) {
    this.#lease = lease;
    this.#signal = signal;
  }

  async ask(request: ReaderRequest) {
    this.#signal.throwIfAborted();
    const stop = (): void => this.#lease.release('broken');
    this.#signal.addEventListener('abort', stop, { once: true });
    try {
      return await this.#lease.connection.ask(request);
    } finally {
      this.#signal.removeEventListener('abort', stop);
    }
  }

  /** Ends the statement. The process is called even after an abort: it is then idle, and will be used again. */
  async end(): Promise<void> {
    try {
      await this.#lease.connection.ask({ kind: 'end' });
      this.release();
    } catch {
      this.#lease.release('broken'); // It ended by itself; another process replaces it.
    }
  }

  release(): void {
    this.#lease.release(this.#lease.connection.isAlive ? undefined : 'broken');
  }
}

class SqliteReader implements Reader {
  readonly columns: readonly ResultColumn[];
  readonly #session: Session;
  #next: Rows | undefined;
  #ended = false;

  constructor(session: Session, columns: readonly ResultColumn[], first: Rows) {
    this.#session = session;
    this.columns = columns;
    this.#next = first;
    this.#ended = first.last;
  }

  async read(): Promise<ResultChunk | undefined> {
    const rows = this.#next ?? (this.#ended ? undefined : await this.#fetch());
    this.#next = undefined;
    if (rows === undefined || rows.rowCount === 0) return undefined;
    const values = this.columns.map(({ type }, i) => (rows.values[i] ?? []).map((value) => scalarOf(value, type)));
    return { rowCount: rows.rowCount, values };
  }

  async close(): Promise<void> {
    if (this.#ended) return this.#session.release();
    this.#ended = true;
    await this.#session.end();
  }

  async #fetch(): Promise<Rows> {
    try {
      const reply = await this.#session.ask({ kind: 'next' });
      if (reply.kind !== 'rows') throw new InternalError('A SQLite reader gave no rows.');
      this.#ended = reply.rows.last;
      return reply.rows;
    } catch (error) {
      // The process has ended the statement, or was killed; the lease knows which.
      this.#ended = true;
      throw error;
    }
  }
}
