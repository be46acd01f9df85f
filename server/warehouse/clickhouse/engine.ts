import type { IncomingMessage } from 'node:http';
import type { ResultChunk, ResultColumn, Statement } from '../../../router/capabilities/warehouse.ts';
import type { ServiceError } from '../../../router/errors.ts';
import type { DriverSettings, Engine, Reader, Run } from '../driver.ts';
import { type Lease, Pool } from '../pool.ts';
import { jsonElements } from '../raw-json.ts';
import { toWarehouseError } from '../warehouse-errors.ts';
import type { ClickhouseAddress } from './address.ts';
import { clickhouseCatalog } from './catalog.ts';
import { ClickhouseClient } from './client.ts';
import { clickhouseDialect } from './dialect.ts';
import { ClickhouseException, READONLY, translateError } from './errors.ts';
import { FORMAT, settingsOf } from './settings.ts';
import { checkStatement } from './statement-check.ts';
import { scalarTypeOf } from './types.ts';
import { boundText, scalarOf } from './values.ts';

/** One slot for a running statement; the HTTP agent manages connections. */
type Permit = object;

/** One ClickHouse server. A statement is one HTTP request; its answer is read while it arrives. */
export class ClickhouseEngine implements Engine {
  readonly dialect = clickhouseDialect;
  readonly catalog = clickhouseCatalog;
  readonly #client: ClickhouseClient;
  readonly #turns: Pool<Permit>;
  readonly #settings: DriverSettings;
  readonly #database: string;
  /** False once the server has reported that its user, with a profile of `readonly=2`, may not set `readonly`. */
  #isConfined = true;

  constructor(address: ClickhouseAddress, settings: DriverSettings) {
    this.#settings = settings;
    this.#database = address.database;
    this.#client = new ClickhouseClient(address, settings.log, settings.network);
    this.#turns = new Pool<Permit>({
      size: settings.poolSize,
      perSharer: settings.perSharer,
      onOpen: settings.onPool,
      open: async () => ({}),
      close: () => undefined,
    });
  }

  async open(statement: Statement, run: Run): Promise<Reader> {
    checkStatement(statement.sql);
    const values = statement.parameters.map(boundText);
    const lease = await this.#turns.acquire(run.signal);
    try {
      const reader = new ClickhouseReader(await this.#send(statement.sql, run, values), lease);
      await reader.begin();
      return reader;
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  translateError(error: unknown): ServiceError {
    return translateError(error, this.#database);
  }

  dataVersion(): undefined {
    return undefined;
  }

  async close(): Promise<void> {
    await this.#turns.close();
    this.#client.close();
  }

  async #send(sql: string, run: Run, values: readonly string[]): Promise<IncomingMessage> {
    try {
      return await this.#client.send(sql, settingsOf(run, this.#isConfined), values, run.signal);
    } catch (error) {
      const mayNotSet =
        error instanceof ClickhouseException && error.number === READONLY && /'?readonly'? setting/.test(error.message);
      if (!this.#isConfined || !mayNotSet) throw error;
      this.#isConfined = false;
      this.#settings.log.warn(
        {},
        'A ClickHouse warehouse is used with a profile of readonly = 2: its user must have no right to table functions that read files or addresses (REVOKE READ ON FILE, URL, REMOTE, S3 …).',
      );
      return await this.#client.send(sql, settingsOf(run, false), values, run.signal);
    }
  }
}

class ClickhouseReader implements Reader {
  columns: readonly ResultColumn[] = [];
  readonly #response: IncomingMessage;
  readonly #lease: Lease<Permit>;
  readonly #parts: AsyncIterator<unknown>;
  /** The beginning of a line whose end has not arrived yet. */
  #rest = '';
  #lines: readonly string[] = [];
  #ended = false;

  constructor(response: IncomingMessage, lease: Lease<Permit>) {
    this.#response = response;
    this.#lease = lease;
    response.setEncoding('utf8');
    this.#parts = response[Symbol.asyncIterator]();
  }

  /** Reads the lines of names and types. */
  async begin(): Promise<void> {
    const format = this.#response.headers['x-clickhouse-format'];
    if (format !== undefined && format !== FORMAT) {
      this.#response.destroy();
      throw toWarehouseError('not-a-query', new Error(`The statement asks for the format ${String(format)}.`));
    }
    let lines: readonly string[] = [];
    while (lines.length < 2 && !this.#ended) lines = [...lines, ...(await this.#more())];
    const [names = '', types = ''] = lines;
    if (types === '') throw new ClickhouseException(names);
    const nativeTypes = cells(types).map((text) => String(JSON.parse(text)));
    this.columns = cells(names).map((text, i) => {
      const nativeType = nativeTypes[i] ?? '';
      return { name: String(JSON.parse(text)), type: scalarTypeOf(nativeType), nativeType };
    });
    this.#lines = lines.slice(2);
  }

  async read(): Promise<ResultChunk | undefined> {
    let lines = this.#lines;
    this.#lines = [];
    while (lines.length === 0 && !this.#ended) lines = await this.#more();
    if (lines.length === 0) return undefined;
    const values = this.columns.map((): ReturnType<typeof scalarOf>[] => []);
    for (const line of lines) {
      const row = cells(line);
      for (const [i, column] of this.columns.entries()) values[i]?.push(scalarOf(row[i] ?? 'null', column));
    }
    return { rowCount: lines.length, values };
  }

  async close(): Promise<void> {
    // Closing the connection stops the rest of the statement.
    if (!this.#ended) this.#response.destroy();
    this.#ended = true;
    this.#lease.release();
  }

  /** Returns the complete lines of the next part of the answer. */
  async #more(): Promise<readonly string[]> {
    const next = await this.#parts.next();
    if (next.done === true) {
      this.#ended = true;
      const last = this.#rest;
      this.#rest = '';
      return last === '' ? [] : [last];
    }
    const lines = `${this.#rest}${String(next.value)}`.split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.filter((line) => line !== '');
  }
}

/**
 * Splits a line into its cells. A started answer cannot change its status: an exception appears among its lines, where
 * every row begins with a bracket.
 */
function cells(line: string): readonly string[] {
  if (!line.startsWith('[')) throw new ClickhouseException(line);
  return jsonElements(line);
}
