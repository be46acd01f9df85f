/**
 * What plugins do with a warehouse: run a statement, list tables, read the dialect. `server/warehouse` implements these interfaces; a plugin never
 * sees a driver.
 */
import type { Awaitable } from '../steps.ts';
import type { Dialect } from './dialect.ts';
import type { Scalar, ScalarType } from './scalar.ts';

export type { Scalar, ScalarType } from './scalar.ts';

/** A value bound to a statement. A driver sends it by its type; text is never interpreted as a number. */
export interface Parameter {
  readonly type: ScalarType;
  readonly value: Scalar;
  /** True for the text of a list, as `Dialect.list` writes it. */
  readonly isList?: true;
}

/** One SQL statement with its bound values, in the placeholder style of the warehouse's dialect. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
}

export interface ResultColumn {
  readonly name: string;
  readonly type: ScalarType;
  /** The warehouse's own type name, such as `DECIMAL(18,2)`. */
  readonly nativeType: string;
}

/** Some rows of a result, column by column: `columns[i][row]`. */
export interface ResultChunk {
  readonly rowCount: number;
  readonly values: readonly (readonly Scalar[])[];
}

/** A whole result, column by column: `values[i]` are the cells of `columns[i]`, all of length `rowCount`. */
export interface ColumnarResult extends ResultChunk {
  readonly columns: readonly ResultColumn[];
  /** True when the warehouse had more rows than `maxRows`. */
  readonly truncated: boolean;
}

/** A result that arrives in chunks. Leaving the loop early releases the warehouse's resources. */
export interface ResultStream {
  readonly columns: readonly ResultColumn[];
  readonly chunks: AsyncIterable<ResultChunk>;
}

export interface QueryOptions {
  /** Aborting stops the statement in the warehouse's engine, not only the wait for it. Rejects with `CancelledError`. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum rows to read; `truncated` reports whether there were more. */
  readonly maxRows: number;
  /** Statement time limit in milliseconds; `TimeoutError` after it. Without it the configured limit of the server applies. */
  readonly timeoutMs?: number | undefined;
}

export interface TableName {
  /** Database or catalog; absent where the engine has none, or for the connection's own. */
  readonly catalog?: string | undefined;
  readonly schema?: string | undefined;
  readonly name: string;
}

export interface TableInfo extends TableName {
  readonly kind: 'TABLE' | 'VIEW' | 'MATERIALIZED VIEW';
}

export interface RowEstimate {
  readonly schema: string;
  readonly name: string;
  readonly rows: number;
}

/** The engine's own statistics of a column; they may be out of date. */
export interface CatalogStatistics {
  readonly column: string;
  /** Share of the rows that have no value, from 0 to 1. */
  readonly nullFraction: number;
  /** Number of values; below zero, the share of rows with different values. */
  readonly distinct: number;
  /** Example values that include the least and the greatest known value, as the engine writes them. */
  readonly ends: readonly string[];
}

export interface ColumnInfo {
  readonly name: string;
  readonly type: ScalarType;
  readonly nativeType: string;
  readonly nullable: boolean;
}

/** A foreign key that a table declares. */
export interface DeclaredKey {
  readonly columns: readonly string[];
  readonly refSchema: string;
  readonly refTable: string;
  /** As many as `columns`, in the same order. */
  readonly refColumns: readonly string[];
}

/** A catalog or a schema that a connection names and the warehouse does not have. */
export interface MissingPlace {
  readonly kind: 'catalog' | 'schema';
  readonly name: string;
  /** True where the address of the connection names it. */
  readonly isInAddress: boolean;
  /** The names that exist. */
  readonly available: readonly string[];
}

/**
 * A connected, read-only warehouse. The engine refuses a statement that writes, or that reads a file outside of the connection's database
 * (`WarehouseError`).
 */
export interface Warehouse {
  readonly dialect: Dialect;
  /**
   * Returns the product name and version that the engine reports.
   * @throws WarehouseUnreachableError when the engine cannot be reached
   */
  ping(signal?: AbortSignal): Promise<{ readonly product: string; readonly version: string }>;
  /**
   * Returns the catalog or the schema of the address, or the given schema, that does not exist; `undefined` where all exist
   * or the warehouse does not list them for this user.
   */
  missingPlace(schema: string | undefined, signal?: AbortSignal): Promise<MissingPlace | undefined>;
  query(statement: Statement, options: QueryOptions): Promise<ColumnarResult>;
  stream(statement: Statement, options: QueryOptions): Promise<ResultStream>;
  tables(options?: { readonly schema?: string; readonly signal?: AbortSignal }): Promise<readonly TableInfo[]>;
  /** Lists the columns of one table in their order; `undefined` when there is no such table. */
  columns(table: TableName, signal?: AbortSignal): Promise<readonly ColumnInfo[] | undefined>;
  /**
   * Lists the columns of tables as `columns` does, each in its place; in one statement for each catalog where a statement
   * takes long.
   */
  columnsByName(
    tables: readonly TableName[],
    signal?: AbortSignal,
  ): Promise<readonly (readonly ColumnInfo[] | undefined)[]>;
  /** Lists the columns of the given tables, with few statements; `undefined` for a table that no longer exists. */
  columnsOf(
    tables: readonly TableInfo[],
    signal?: AbortSignal,
  ): Promise<readonly (readonly ColumnInfo[] | undefined)[]>;
  /** Returns the engine's statistics of tables' columns; an empty list where it has none. */
  catalogStatistics(
    tables: readonly TableInfo[],
    signal?: AbortSignal,
  ): Promise<readonly (readonly CatalogStatistics[])[]>;
  /** Returns the declared foreign keys of each table; empty where the engine has no such keys. */
  declaredKeys(tables: readonly TableInfo[], signal?: AbortSignal): Promise<readonly (readonly DeclaredKey[])[]>;
  /** Returns row counts from the engine's statistics, without reading tables; tables without a count are left out. The counts may be out of date. */
  rowEstimates(options?: {
    readonly schema?: string | undefined;
    readonly signal?: AbortSignal | undefined;
  }): Promise<readonly RowEstimate[]>;
  /**
   * Returns a version that changes when the data may have changed; `undefined` where the engine has none. Part of
   * cache keys. It is returned at once where it is read from a file.
   */
  dataVersion(): Awaitable<string | undefined>;
  close(): Promise<void>;
}

/** The answer to every failed connection. */
export const CANNOT_BE_REACHED =
  'The warehouse cannot be reached, or refuses the connection. Check its host, port, user, password and TLS.';

/** The address of a warehouse: the JDBC URL selects the driver. */
export interface WarehouseAddress {
  readonly jdbcUrl: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

/** Opens warehouses by address; the same address gives the same shared, pooled warehouse. */
export interface Warehouses {
  /**
   * Opens the warehouse of an address. Does not connect yet.
   *
   * @throws InvalidAddressError naming the supported URL prefixes when no driver knows the URL
   */
  open(address: WarehouseAddress): Promise<Warehouse>;
  /** URL prefixes that have a driver, such as `jdbc:duckdb:`. */
  readonly supported: readonly string[];
  /**
   * Checks whether connections to the host of an address are allowed; connecting checks it again. An address that no driver can read has no host.
   *
   * @throws InvalidAddressError where they are not
   */
  check(address: WarehouseAddress): Promise<void>;
  /** Returns whether two addresses lead to the same database, for any spelling and any user. */
  isSame(one: WarehouseAddress, other: WarehouseAddress): Promise<boolean>;
  /** Closes the warehouse of an address that is no longer used (after running statements have ended). */
  release(address: WarehouseAddress): Promise<void>;
}
