import type { Dialect } from '../../router/capabilities/dialect.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type {
  MissingPlace,
  ResultChunk,
  ResultColumn,
  ScalarType,
  Statement,
  TableName,
  WarehouseAddress,
} from '../../router/capabilities/warehouse.ts';
import type { ServiceError } from '../../router/errors.ts';
import type { Awaitable } from '../../router/steps.ts';
import type { JdbcUrl } from './jdbc-url.ts';
import type { NetworkGuard } from './network-guard.ts';
import type { PoolGauge } from './pool.ts';

/**
 * Opens databases of one engine. An engine consists of a driver (a small file that loads no library), a dialect and an
 * `Engine`; `engine-warehouse.ts` adds limits, row caps, streams and introspection once for all engines.
 */
export interface Driver {
  readonly dialect: Dialect;
  /**
   * Returns where the database of an address is; `undefined` for one in memory.
   *
   * @throws InvalidAddressError
   */
  place(address: WarehouseAddress, url: JdbcUrl, home: string): Place | undefined;
  /**
   * Loads the engine's library and checks the address. Does not connect.
   *
   * @throws InvalidAddressError
   */
  open(address: WarehouseAddress, url: JdbcUrl, settings: DriverSettings): Promise<Engine>;
}

/** The place of a database. */
export type Place =
  | { readonly kind: 'file'; readonly file: string }
  | {
      readonly kind: 'server';
      /** The protocol at the port: dialects of one protocol reach the same data. */
      readonly protocol: 'postgresql' | 'mysql' | 'clickhouse' | 'trino';
      readonly host: string;
      readonly port: number;
      /** The part of the server that a connection cannot leave; `undefined` where it reaches all of it. */
      readonly database: string | undefined;
    };

/** Limits of one DuckDB database on this machine. */
export interface DuckdbLimits {
  readonly threads: number;
  readonly memoryBytes: number;
}

export interface DriverSettings {
  /** Maximum number of connections to one warehouse. */
  readonly poolSize: number;
  /** Maximum number of one user's running statements in one warehouse; 0 or undefined for no limit. */
  readonly perSharer?: number | undefined;
  readonly duckdb?: DuckdbLimits | undefined;
  /** Time without statements after which a file of DuckDB is closed, in milliseconds; default: ten minutes. */
  readonly idleMs?: number | undefined;
  /** Receives each pool of connections. */
  readonly onPool?: ((pool: PoolGauge) => void) | undefined;
  /** Returns whether a file is the product's own and no warehouse. */
  readonly refusesFile?: ((file: string) => boolean) | undefined;
  /** The folder of relative file names in addresses. */
  readonly home: string;
  /** Decides which hosts are allowed; without it, all are. */
  readonly network?: NetworkGuard | undefined;
  readonly log: Log;
}

/** One database with a pool of connections, as the driver sees it. It knows its native errors and how to stop a statement. */
export interface Engine {
  readonly dialect: Dialect;
  readonly catalog: Catalog;
  /**
   * Starts a statement that only reads; refuses any other with `WarehouseError`. When `run.signal` aborts, the engine
   * is stopped, whether the statement waits for a connection or runs. The promise (or the read in flight) then rejects
   * with the engine's error.
   */
  open(statement: Statement, run: Run): Promise<Reader>;
  /** Translates a native error for the caller. The native error becomes its `cause`. */
  translateError(error: unknown): ServiceError;
  dataVersion(): Awaitable<string | undefined>;
  /** Ends when the running and waiting statements have ended. Later statements are refused. */
  close(): Promise<void>;
}

export interface Run {
  readonly signal: AbortSignal;
  /** Maximum number of rows that will be read: the engine need not compute more. */
  readonly rowLimit: number;
  /** `all`: the reader wants every row at once; `chunks`: it reads slowly, and the rows must not accumulate in memory. */
  readonly fetch: 'all' | 'chunks';
  /** Time limit for engines with their own timer; the signal is aborted after this time, too. */
  readonly timeoutMs: number;
}

/** A statement whose answer has begun. Only one caller uses it; `close` is not called during a read. */
export interface Reader {
  readonly columns: readonly ResultColumn[];
  /** Reads the next rows; `undefined` after the last ones. */
  read(): Promise<ResultChunk | undefined>;
  /** Stops the rest of the statement and returns the connection in a clean state. May be called again. Never rejects. */
  close(): Promise<void>;
}

/** A catalog or a schema that a connection names. */
export interface NamedPlace extends Omit<MissingPlace, 'available'> {
  /** Selects the names that exist and that the user may use, one column. */
  readonly names: Statement;
}

/** Selects rows of schema, table, name, native type, base type and nullable, in the order of each table's columns. */
export interface ColumnsStatement {
  readonly statement: Statement;
  /** The places of the tables in their list, by schema and name as the rows have them. */
  readonly places: readonly { readonly schema: string; readonly name: string; readonly place: number }[];
}

/** The statements on the engine's own catalog. */
export interface Catalog {
  /** Lists the catalogs and schemas that the address names, and the given schema, in the order in which one contains the next. */
  places(schema: string | undefined): readonly NamedPlace[];
  /** One row, two text columns: the product's name and its version. */
  readonly product: Statement;
  /**
   * Selects rows of schema, name and kind (`TABLE`, `VIEW`, `MATERIALIZED VIEW`) of the readable tables, without
   * system tables, by schema and name.
   */
  tables(schema: string | undefined): Statement;
  /**
   * Selects rows of schema, name and row count, for tables with a count in the engine; `undefined` where the engine
   * keeps none.
   */
  rowEstimates(schema: string | undefined): Statement | undefined;
  /**
   * Selects rows of name, native type, base type (what `typeOf` takes) and nullable, in column order; no row when
   * there is no such table, a row with a null name when it has no columns. Engines where a statement takes long read several
   * tables in one.
   */
  readonly columns:
    | ((table: TableName) => Statement)
    | { readonly together: (tables: readonly TableName[]) => readonly ColumnsStatement[] };
  /** Returns whether a statement about tables failed because the catalog or the schema of a table does not exist. */
  readonly isWithoutTables?: (error: unknown) => boolean;
  /**
   * Selects rows of table, name, native type, base type and nullable, by table and in column order, of tables as
   * `tables` names them.
   */
  columnsOf(schema: string, names: readonly string[]): Statement;
  /**
   * Selects rows of table, column, share of nulls, number of distinct values (below zero: share of the rows), and a
   * JSON array of texts, the ends among them; `undefined` where the engine keeps no such statistics.
   */
  columnStatistics(schema: string, names: readonly string[]): Statement | undefined;
  /**
   * Selects the declared foreign keys: rows of table, key (unique in its table), column, and the schema, table and
   * column that it refers to, in the order of the key's columns; `undefined` where the engine has none.
   */
  foreignKeys(schema: string, names: readonly string[]): Statement | undefined;
  typeOf(baseType: string): ScalarType;
}
