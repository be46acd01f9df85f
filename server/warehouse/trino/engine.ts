import type { ResultChunk, ResultColumn, Statement } from '../../../router/capabilities/warehouse.ts';
import type { ServiceError } from '../../../router/errors.ts';
import type { Catalog, DriverSettings, Engine, Reader, Run } from '../driver.ts';
import { type Lease, Pool } from '../pool.ts';
import { inSingleQuotes } from '../quoting.ts';
import { jsonElements } from '../raw-json.ts';
import type { TrinoAddress } from './address.ts';
import { trinoCatalog } from './catalog.ts';
import { type Page, TrinoClient } from './client.ts';
import { trinoDialect } from './dialect.ts';
import { translateError } from './errors.ts';
import { literalOf } from './literals.ts';
import { checkStatement } from './statement-check.ts';
import { scalarTypeOf } from './types.ts';
import { scalarOf } from './values.ts';

/** Time by which the server's own limit exceeds the product's, because the product's error is better. */
const SERVER_LIMIT_AFTER_MS = 1_000;

/** One slot for a running statement; the HTTP agent manages connections. */
type Permit = object;

/** One Trino catalog. The coordinator computes a statement while its pages are requested. */
export class TrinoEngine implements Engine {
  readonly dialect = trinoDialect;
  readonly catalog: Catalog;
  readonly #client: TrinoClient;
  readonly #turns: Pool<Permit>;

  constructor(address: TrinoAddress, settings: DriverSettings) {
    this.catalog = trinoCatalog(address);
    this.#client = new TrinoClient(address, settings.log, settings.network);
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
    const text = boundStatement(statement);
    const lease = await this.#turns.acquire(run.signal);
    const reader = new TrinoReader(this.#client, lease, run.signal);
    try {
      await reader.begin(text, Math.ceil((run.timeoutMs + SERVER_LIMIT_AFTER_MS) / 1000));
      return reader;
    } catch (error) {
      await reader.close();
      throw error;
    }
  }

  translateError(error: unknown): ServiceError {
    return translateError(error);
  }

  dataVersion(): undefined {
    return undefined;
  }

  async close(): Promise<void> {
    await this.#turns.close();
    this.#client.close();
  }
}

/** Binds the parameters to the text, without a trailing semicolon, which the server does not accept. */
function boundStatement({ sql, parameters }: Statement): string {
  const text = sql.replace(/[\s;]+$/, '');
  if (parameters.length === 0) return text;
  return `EXECUTE IMMEDIATE ${inSingleQuotes(text)} USING ${parameters.map(literalOf).join(', ')}`;
}

class TrinoReader implements Reader {
  columns: readonly ResultColumn[] = [];
  readonly #client: TrinoClient;
  readonly #lease: Lease<Permit>;
  readonly #signal: AbortSignal;
  #rows: readonly string[] = [];
  #nextUri: string | undefined;

  constructor(client: TrinoClient, lease: Lease<Permit>, signal: AbortSignal) {
    this.#client = client;
    this.#lease = lease;
    this.#signal = signal;
  }

  /** Resolves when the columns are known, before the first row. */
  async begin(sql: string, limitSeconds: number): Promise<void> {
    this.#take(await this.#client.start(sql, { query_max_run_time: `${limitSeconds}s` }, this.#signal));
    this.#signal.throwIfAborted();
    while (this.columns.length === 0 && this.#nextUri !== undefined) await this.#turnPage();
  }

  async read(): Promise<ResultChunk | undefined> {
    while (this.#rows.length === 0 && this.#nextUri !== undefined) await this.#turnPage();
    const rows = this.#rows;
    this.#rows = [];
    if (rows.length === 0) return undefined;
    const values = this.columns.map((): ReturnType<typeof scalarOf>[] => []);
    for (const row of rows) {
      const cells = jsonElements(row);
      for (const [i, { nativeType }] of this.columns.entries())
        values[i]?.push(scalarOf(cells[i] ?? 'null', nativeType));
    }
    return { rowCount: rows.length, values };
  }

  /** Stops the statement: the server continues a statement with an unread page until it is cancelled. */
  async close(): Promise<void> {
    const uri = this.#nextUri;
    this.#nextUri = undefined;
    // The confirmation is not awaited; the connection is free because the server has received the request.
    if (uri !== undefined) void this.#client.cancel(uri);
    this.#lease.release();
  }

  async #turnPage(): Promise<void> {
    const uri = this.#nextUri;
    if (uri !== undefined) this.#take(await this.#client.next(uri, this.#signal));
  }

  #take(page: Page): void {
    this.#nextUri = page.nextUri;
    this.#rows = page.rows;
    if (this.columns.length > 0 || page.columns === undefined) return;
    this.columns = page.columns.map(({ name, type }) => ({ name, type: scalarTypeOf(type), nativeType: type }));
  }
}
