/**
 * The uses of a warehouse that plugins have: run one statement, list its tables, read its dialect. `server/warehouse`
 * implements these; a plugin never sees a driver.
 */
import type { Dialect } from './dialect.ts';
import type { Scalar, ScalarType } from './scalar.ts';

export type { Scalar, ScalarType } from './scalar.ts';

/** A value bound to a statement. Its type decides how a driver sends it; text is never guessed to be a number. */
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
  /** Rows to read at most; `truncated` reports whether there were more. */
  readonly maxRows: number;
  /** Statement time limit in milliseconds; `TimeoutError` after it. Without it the configured limit of the server applies. */
  readonly timeoutMs?: number | undefined;
}

export interface TableName {
  /** Database or catalog; absent where the engine has none or the connection's own is meant. */
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
  /** Values among which the least and the greatest known are, as the engine writes them. */
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

/**
 * A connected warehouse. Read-only: a statement can neither write nor read a file outside the database that the
 * connection names; the engine refuses it (`WarehouseError`).
 */
export interface Warehouse {
  readonly dialect: Dialect;
  /**
   * Returns the product name and version that the engine reports.
   * @throws WarehouseUnreachableError when the engine cannot be reached
   */
  ping(signal?: AbortSignal): Promise<{ readonly product: string; readonly version: string }>;
  query(statement: Statement, options: QueryOptions): Promise<ColumnarResult>;
  stream(statement: Statement, options: QueryOptions): Promise<ResultStream>;
  tables(options?: { readonly schema?: string; readonly signal?: AbortSignal }): Promise<readonly TableInfo[]>;
  /** Lists the columns of one table in their order; `undefined` when there is no such table. */
  columns(table: TableName, signal?: AbortSignal): Promise<readonly ColumnInfo[] | undefined>;
  /**
   * Lists the columns of the given tables, in few statements for all of them; `undefined` in the place of a table
   * that is gone.
   */
  columnsOf(
    tables: readonly TableInfo[],
    signal?: AbortSignal,
  ): Promise<readonly (readonly ColumnInfo[] | undefined)[]>;
  /** Returns the engine's statistics of the columns of tables; an empty list where it keeps none. */
  catalogStatistics(
    tables: readonly TableInfo[],
    signal?: AbortSignal,
  ): Promise<readonly (readonly CatalogStatistics[])[]>;
  /** Returns the foreign keys that tables declare, for each of them; nothing where the engine has no such keys. */
  declaredKeys(tables: readonly TableInfo[], signal?: AbortSignal): Promise<readonly (readonly DeclaredKey[])[]>;
  /**
   * Returns row counts that the engine keeps itself, so that no table is read; tables without one are left out. They
   * may be out of date.
   */
  rowEstimates(options?: {
    readonly schema?: string | undefined;
    readonly signal?: AbortSignal | undefined;
  }): Promise<readonly RowEstimate[]>;
  /**
   * Returns a version that changes when the data may have changed; `undefined` where the engine has none. Part of
   * cache keys.
   */
  dataVersion(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** The answer to a failed connection, for any failure. */
export const CANNOT_BE_REACHED =
  'The warehouse cannot be reached, or refuses the connection. Check its host, port, user, password and TLS.';

/** The address of a warehouse: the JDBC URL picks the driver. */
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
   * Checks whether the host of an address may be connected to, which connecting checks again. An address that no driver
   * can read names no host.
   *
   * @throws InvalidAddressError where it may not
   */
  check(address: WarehouseAddress): Promise<void>;
  /** Returns whether two addresses lead to the same database, for any spelling and any user. */
  isSame(one: WarehouseAddress, other: WarehouseAddress): Promise<boolean>;
  /** Closes the warehouse of an address that is no longer used (after running statements have ended). */
  release(address: WarehouseAddress): Promise<void>;
}
