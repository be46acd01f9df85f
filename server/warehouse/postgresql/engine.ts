import type { Statement } from '../../../router/capabilities/warehouse.ts';
import type { ServiceError } from '../../../router/errors.ts';
import type { DriverSettings, Engine, Reader, Run } from '../driver.ts';
import { Pool } from '../pool.ts';
import type { PostgresAddress } from './address.ts';
import { postgresqlCatalog } from './catalog.ts';
import { ColumnTypes } from './columns.ts';
import { Connector } from './connect.ts';
import { postgresqlDialect } from './dialect.ts';
import { translateError } from './errors.ts';
import { readAll, readInChunks } from './read.ts';
import { openSession, type Session } from './session.ts';
import { readingStatement } from './statement-check.ts';
import { beginStatement } from './transaction.ts';
import { parameterText } from './values.ts';

const IDLE_MS = 60_000;

/** One PostgreSQL database. Each statement runs in a read-only transaction that is rolled back. */
export class PostgresEngine implements Engine {
  readonly dialect = postgresqlDialect;
  readonly catalog = postgresqlCatalog;
  readonly #address: PostgresAddress;
  readonly #connector: Connector;
  readonly #pool: Pool<Session>;
  readonly #types = new ColumnTypes();
  readonly #settings: DriverSettings;

  constructor(address: PostgresAddress, settings: DriverSettings) {
    this.#address = address;
    this.#settings = settings;
    this.#connector = new Connector(address, settings.network);
    this.#pool = new Pool<Session>({
      size: settings.poolSize,
      perSharer: settings.perSharer,
      onOpen: settings.onPool,
      idleMs: IDLE_MS,
      open: () => this.#openSession(),
      close: ({ client }) => {
        client
          .end()
          .catch((error: unknown) => settings.log.debug({ err: error }, 'A PostgreSQL connection did not end well'));
      },
    });
  }

  async open(statement: Statement, run: Run): Promise<Reader> {
    const sql = readingStatement(statement.sql, run.rowLimit);
    const values = statement.parameters.map(parameterText);
    const lease = await this.#pool.acquire(run.signal);
    const transaction = await beginStatement(lease, this.#connector, this.#address.searchPath, run, this.#settings.log);
    try {
      const read = run.fetch === 'all' ? readAll : readInChunks;
      return await read(transaction, sql, values, this.#types);
    } catch (error) {
      await transaction.end();
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
    const session = await openSession(this.#connector, this.#settings.log);
    const discard = (): void => this.#pool.discard(session);
    session.client.on('error', discard).on('end', discard);
    return session;
  }
}
