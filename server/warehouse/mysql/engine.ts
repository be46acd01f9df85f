import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type mysql from 'mysql2';
import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type { ResultChunk, ResultColumn, Statement } from '../../../router/capabilities/warehouse.ts';
import type { ServiceError } from '../../../router/errors.ts';
import type { DriverSettings, Engine, Reader, Run } from '../driver.ts';
import { type Lease, Pool } from '../pool.ts';
import { toWarehouseError } from '../warehouse-errors.ts';
import type { MysqlAddress } from './address.ts';
import { mysqlCatalog } from './catalog.ts';
import { Connector, run as runStatement } from './connect.ts';
import { translateError } from './errors.ts';
import { limitStatement, openSession, type Session } from './session.ts';
import { checkStatement } from './statement-check.ts';
import { nativeTypeOf, scalarTypeOf } from './types.ts';
import { boundValue, scalarOf } from './values.ts';

const IDLE_MS = 60_000;
const ROWS_IN_CHUNK = 2_000;
const REPEAT_KILL_MS = 100;
const MAX_KILLS = 50;

/** One MySQL or MariaDB server. The server prepares every statement, which allows one statement only, and runs it in a session that cannot write. */
export class MysqlEngine implements Engine {
  readonly dialect: Dialect;
  readonly catalog = mysqlCatalog;
  readonly #connector: Connector;
  readonly #pool: Pool<Session>;
  readonly #settings: DriverSettings;

  constructor(address: MysqlAddress, dialect: Dialect, settings: DriverSettings) {
    this.dialect = dialect;
    this.#settings = settings;
    this.#connector = new Connector(address, settings.network);
    this.#pool = new Pool<Session>({
      size: settings.poolSize,
      perSharer: settings.perSharer,
      onOpen: settings.onPool,
      idleMs: IDLE_MS,
      open: () => this.#openSession(),
      close: ({ connection }) => connection.destroy(),
    });
  }

  async open(statement: Statement, run: Run): Promise<Reader> {
    checkStatement(statement.sql);
    const values = statement.parameters.map(boundValue);
    const lease = await this.#pool.acquire(run.signal);
    let execution: Execution | undefined;
    try {
      await limitStatement(lease.connection, run.rowLimit, run.timeoutMs);
      run.signal.throwIfAborted();
      execution = new Execution(lease, statement.sql, values, (sessionId) => this.#kill(sessionId));
      return await execution.start(run.signal);
    } catch (error) {
      // A refused statement leaves the connection clean; any other failure does not.
      if (execution === undefined || run.signal.aborted) lease.release('broken');
      await execution?.close();
      throw error;
    }
  }

  translateError(error: unknown): ServiceError {
    return translateError(error);
  }

  dataVersion(): undefined {
    return undefined;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #openSession(): Promise<Session> {
    const session = await openSession(this.#connector);
    const discard = (): void => this.#pool.discard(session);
    session.connection.on('error', discard).on('end', discard);
    return session;
  }

  /** Stops the statement of a session, from another connection. Where that fails, closes the session. */
  async #kill(sessionId: number): Promise<void> {
    try {
      const connection = await this.#connector.connect();
      try {
        await runStatement(connection, `KILL QUERY ${sessionId}`);
      } finally {
        connection.destroy();
      }
    } catch (error) {
      this.#settings.log.debug({ err: error }, 'A MySQL statement could not be killed; its connection is closed');
    }
  }
}

/** One statement on a leased connection, from its start to its last row. */
class Execution implements Reader {
  columns: readonly ResultColumn[] = [];
  readonly #lease: Lease<Session>;
  readonly #rows: Readable;
  readonly #fields: Promise<readonly mysql.FieldPacket[] | undefined>;
  readonly #kill: (sessionId: number) => Promise<void>;
  #iterator: AsyncIterator<unknown> | undefined;
  #ended = false;
  #connectionBroke = false;
  #stopping: Promise<void> | undefined;

  constructor(
    lease: Lease<Session>,
    sql: string,
    values: mysql.ExecuteValues[],
    kill: (sessionId: number) => Promise<void>,
  ) {
    this.#lease = lease;
    this.#kill = kill;
    const query = lease.connection.connection.execute({ sql, values, rowsAsArray: true });
    this.#rows = query.stream({ highWaterMark: ROWS_IN_CHUNK });
    this.#fields = new Promise((resolve, reject) => {
      this.#rows.once('fields', resolve);
      this.#rows.once('end', () => {
        this.#ended = true;
        resolve(undefined);
      });
      this.#rows.once('error', (error: unknown) => {
        this.#connectionBroke = isFatal(error);
        this.#ended = true;
        reject(error);
      });
    });
    this.#fields.catch(() => undefined); // Reported by `start` or by the rows.
  }

  /** Starts the statement: from here on an abort of the signal kills it in the server until it has ended. */
  async start(signal: AbortSignal): Promise<Reader> {
    const stop = (): void => {
      this.#stopping ??= this.#stop();
    };
    signal.addEventListener('abort', stop, { once: true });
    this.#rows.once('close', () => signal.removeEventListener('abort', stop));
    if (signal.aborted) stop();
    // The answer flows from the first read on; the fields come before the rows in any case.
    this.#iterator = this.#rows[Symbol.asyncIterator]();
    const fields = await this.#fields;
    if (fields === undefined) throw toWarehouseError('not-a-query');
    this.columns = fields.map((field) => {
      const nativeType = nativeTypeOf(field);
      return { name: field.name, type: scalarTypeOf(nativeType), nativeType };
    });
    return this;
  }

  async read(): Promise<ResultChunk | undefined> {
    const values = this.columns.map((): ReturnType<typeof scalarOf>[] => []);
    let rowCount = 0;
    while (rowCount < ROWS_IN_CHUNK) {
      const next = await this.#iterator?.next();
      if (next === undefined || next.done === true) break;
      if (!Array.isArray(next.value)) continue;
      const row: readonly unknown[] = next.value;
      for (const [i, column] of this.columns.entries()) values[i]?.push(scalarOf(row[i], column.type));
      rowCount++;
    }
    return rowCount === 0 ? undefined : { rowCount, values };
  }

  async close(): Promise<void> {
    if (!this.#ended) this.#stopping ??= this.#stop();
    if (this.#stopping !== undefined) {
      // The caller does not wait for the server: the connection is not used again, and the kill continues in the background.
      this.#rows.destroy();
      this.#lease.release('broken');
      return;
    }
    this.#lease.release(this.#connectionBroke ? 'broken' : undefined);
  }

  /**
   * Kills the statement, repeatedly, because a kill that comes before the statement has reached the server is lost.
   */
  async #stop(): Promise<void> {
    const { threadId } = this.#lease.connection.connection;
    for (let i = 0; i < MAX_KILLS && !this.#ended; i++) {
      await this.#kill(threadId);
      if (!this.#ended) await delay(REPEAT_KILL_MS);
    }
    this.#lease.release('broken');
  }
}

/** Returns whether the library marks the error as one after which a connection cannot be used. */
function isFatal(error: unknown): boolean {
  return error instanceof Error && 'fatal' in error && error.fatal === true;
}
