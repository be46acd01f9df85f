import { z } from 'zod';
import type {
  CatalogStatistics,
  ColumnarResult,
  ColumnInfo,
  DeclaredKey,
  MissingPlace,
  QueryOptions,
  ResultChunk,
  ResultStream,
  RowEstimate,
  Scalar,
  Statement,
  TableInfo,
  TableName,
  Warehouse,
} from '../../router/capabilities/warehouse.ts';
import { InternalError, ServiceError, WarehouseError } from '../../router/errors.ts';
import type { Awaitable } from '../../router/steps.ts';
import type { Engine, Reader } from './driver.ts';
import { type Deadline, startDeadline } from './limits.ts';
import { ReaderStream, transposeToRows } from './reader-stream.ts';
import type { RunningStatement } from './statement-watch.ts';

/** Exceeds the number of tables or columns of any warehouse, so that introspection is never truncated. */
const CATALOG_ROWS = 10_000_000;
/** Number of tables whose columns one statement reads. */
const TABLES_OF_A_STATEMENT = 250;

/** Observes a statement. */
export type Watch = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A `Warehouse` over an engine: limits, row caps, streams and introspection, alike for every engine. */
export class LimitedWarehouse implements Warehouse {
  readonly #engine: Engine;
  readonly #timeoutMs: number;
  readonly #watch: Watch;

  readonly #comment: () => string | undefined;
  readonly #begin: (statement: Statement) => RunningStatement | undefined;

  /**
   * @param comment returns a comment to add to a statement of the present request
   * @param begin lists a statement as a running one
   */
  constructor(
    engine: Engine,
    timeoutMs: number,
    watch: Watch = (work) => work(),
    comment: () => string | undefined = () => undefined,
    begin: (statement: Statement) => RunningStatement | undefined = () => undefined,
  ) {
    this.#comment = comment;
    this.#begin = begin;
    this.#engine = engine;
    this.#timeoutMs = timeoutMs;
    this.#watch = watch;
  }

  get dialect() {
    return this.#engine.dialect;
  }

  query(statement: Statement, options: QueryOptions): Promise<ColumnarResult> {
    return this.#watch(() => this.#query(this.#commented(statement), options));
  }

  stream(statement: Statement, options: QueryOptions): Promise<ResultStream> {
    return this.#watch(() => this.#stream(this.#commented(statement), options));
  }

  #commented(statement: Statement): Statement {
    const comment = this.#comment();
    return comment === undefined ? statement : { ...statement, sql: `${statement.sql}\n${comment}` };
  }

  async #query(statement: Statement, options: QueryOptions): Promise<ColumnarResult> {
    const maxRows = checkedMaxRows(options);
    const timeoutMs = options.timeoutMs ?? this.#timeoutMs;
    const running = this.#begin(statement);
    const limits = startDeadline(options.signal, timeoutMs, running?.signal);
    try {
      const result = await limits.within(this.#collect(statement, maxRows, timeoutMs, limits));
      running?.end();
      return result;
    } catch (error) {
      const translated = this.#translateError(error, limits);
      running?.end(translated);
      throw translated;
    } finally {
      limits.dispose();
    }
  }

  async #stream(statement: Statement, options: QueryOptions): Promise<ResultStream> {
    const rowLimit = checkedMaxRows(options);
    const timeoutMs = options.timeoutMs ?? this.#timeoutMs;
    const running = this.#begin(statement);
    const limits = startDeadline(options.signal, timeoutMs, running?.signal);
    const opening = this.#engine.open(statement, { signal: limits.signal, rowLimit, fetch: 'chunks', timeoutMs });
    try {
      const reader = await limits.within(opening);
      const chunks = new ReaderStream(
        reader,
        limits,
        rowLimit,
        (error) => this.#translateError(error, limits),
        (error) => running?.end(error),
      );
      return { columns: reader.columns, chunks };
    } catch (error) {
      limits.dispose();
      running?.end(this.#translateError(error, limits));
      // The caller has left; a reader that arrives later must return its connection. Otherwise, the caller got the error.
      opening.then(
        (reader) => reader.close(),
        () => undefined,
      );
      throw this.#translateError(error, limits);
    }
  }

  async ping(signal?: AbortSignal): Promise<{ readonly product: string; readonly version: string }> {
    const [row] = await this.#rows(this.#engine.catalog.product, signal);
    const [product, version] = row ?? [];
    return { product: String(product), version: String(version) };
  }

  async missingPlace(schema: string | undefined, signal?: AbortSignal): Promise<MissingPlace | undefined> {
    for (const { names, ...place } of this.#engine.catalog.places(schema)) {
      const available = (await this.#rowsIfAllowed(names, signal))?.map(([name]) => String(name));
      if (available !== undefined && !available.includes(place.name)) return { ...place, available };
    }
    return undefined;
  }

  async tables(
    options: { readonly schema?: string; readonly signal?: AbortSignal } = {},
  ): Promise<readonly TableInfo[]> {
    const rows = await this.#rows(this.#engine.catalog.tables(options.schema), options.signal);
    return rows.map(([schema, name, kind]) => ({ schema: String(schema), name: String(name), kind: tableKind(kind) }));
  }

  async rowEstimates({
    schema,
    signal,
  }: {
    readonly schema?: string | undefined;
    readonly signal?: AbortSignal | undefined;
  } = {}): Promise<readonly RowEstimate[]> {
    const statement = this.#engine.catalog.rowEstimates(schema);
    if (statement === undefined) return [];
    const rows = await this.#rows(statement, signal);
    return rows.map(([inSchema, name, count]) => ({
      schema: String(inSchema),
      name: String(name),
      rows: Math.round(Number(count)),
    }));
  }

  async columns(table: TableName, signal?: AbortSignal): Promise<readonly ColumnInfo[] | undefined> {
    const { columns } = this.#engine.catalog;
    if (typeof columns !== 'function') return (await this.columnsByName([table], signal))[0];
    const rows = await this.#rows(columns(table), signal);
    if (rows.length === 0) return undefined;
    return rows.filter(([name]) => name !== null).map((row) => this.#column(row));
  }

  async columnsByName(
    tables: readonly TableName[],
    signal?: AbortSignal,
  ): Promise<readonly (readonly ColumnInfo[] | undefined)[]> {
    const { columns: statements } = this.#engine.catalog;
    const columns: (readonly ColumnInfo[] | undefined)[] = [];
    if (typeof statements === 'function') {
      for (const table of tables) columns.push(await this.columns(table, signal));
      return columns;
    }
    for (const { statement, places } of statements.together(tables)) {
      const rowsByTable = new Map<string, (readonly Scalar[])[]>();
      for (const [schema, table, ...row] of await this.#rowsIfAny(statement, signal)) {
        const key = JSON.stringify([schema, table]);
        const rows = rowsByTable.get(key);
        if (rows === undefined) rowsByTable.set(key, [row]);
        else rows.push(row);
      }
      for (const { schema, name, place } of places)
        columns[place] = rowsByTable.get(JSON.stringify([schema, name]))?.map((row) => this.#column(row));
    }
    return tables.map((_, place) => columns[place]);
  }

  async columnsOf(
    tables: readonly TableInfo[],
    signal?: AbortSignal,
  ): Promise<readonly (readonly ColumnInfo[] | undefined)[]> {
    const { catalog } = this.#engine;
    const columnsByTable = await this.#ofTables(tables, (schema, names) => catalog.columnsOf(schema, names), signal);
    return columnsByTable.map((rows) => rows?.map((row) => this.#column(row)));
  }

  async catalogStatistics(
    tables: readonly TableInfo[],
    signal?: AbortSignal,
  ): Promise<readonly (readonly CatalogStatistics[])[]> {
    const { catalog } = this.#engine;
    const statisticsByTable = await this.#ofTables(
      tables,
      (schema, names) => catalog.columnStatistics(schema, names),
      signal,
    );
    return statisticsByTable.map((rows = []) =>
      rows.map(([column, nullFraction, distinct, ends]) => ({
        column: String(column),
        nullFraction: Number(nullFraction),
        distinct: Number(distinct),
        ends: z
          .array(z.string().nullable())
          .parse(JSON.parse(String(ends ?? '[]')))
          .filter((end) => end !== null),
      })),
    );
  }

  async declaredKeys(tables: readonly TableInfo[], signal?: AbortSignal): Promise<readonly (readonly DeclaredKey[])[]> {
    const { catalog } = this.#engine;
    const keysByTable = await this.#ofTables(tables, (schema, names) => catalog.foreignKeys(schema, names), signal);
    return keysByTable.map((rows = []) => declaredKeysOf(rows));
  }

  /** Returns the rows for each table from a statement for many tables; its rows begin with a table's name. */
  async #ofTables(
    tables: readonly TableInfo[],
    statementOf: (schema: string, names: readonly string[]) => Statement | undefined,
    signal: AbortSignal | undefined,
  ): Promise<readonly (readonly (readonly Scalar[])[] | undefined)[]> {
    const bySchema = new Map<string, string[]>();
    for (const { schema = '', name } of tables) {
      const names = bySchema.get(schema);
      if (names === undefined) bySchema.set(schema, [name]);
      else names.push(name);
    }
    const rowsByTable = new Map<string, (readonly Scalar[])[]>();
    for (const [schema, names] of bySchema) {
      for (let start = 0; start < names.length; start += TABLES_OF_A_STATEMENT) {
        const statement = statementOf(schema, names.slice(start, start + TABLES_OF_A_STATEMENT));
        for (const [table, ...row] of statement === undefined ? [] : await this.#rows(statement, signal)) {
          const key = JSON.stringify([schema, table]);
          const rows = rowsByTable.get(key) ?? [];
          rowsByTable.set(key, rows);
          rows.push(row);
        }
      }
    }
    return tables.map(({ schema = '', name }) => rowsByTable.get(JSON.stringify([schema, name])));
  }

  #column([name, nativeType, baseType, nullable]: readonly Scalar[]): ColumnInfo {
    return {
      name: String(name),
      type: this.#engine.catalog.typeOf(String(baseType)),
      nativeType: String(nativeType),
      nullable: nullable === true || nullable === 1, // Some engines have no booleans.
    };
  }

  dataVersion(): Awaitable<string | undefined> {
    return this.#engine.dataVersion();
  }

  async close(): Promise<void> {
    await this.#engine.close();
  }

  async #collect(statement: Statement, maxRows: number, timeoutMs: number, limits: Deadline): Promise<ColumnarResult> {
    const { signal } = limits;
    const reader = await this.#engine.open(statement, { signal, rowLimit: maxRows + 1, fetch: 'all', timeoutMs });
    try {
      return await collect(reader, maxRows, signal);
    } finally {
      await reader.close();
    }
  }

  async #rows(statement: Statement, signal: AbortSignal | undefined): Promise<readonly (readonly Scalar[])[]> {
    return transposeToRows(await this.query(statement, { maxRows: CATALOG_ROWS, signal }));
  }

  /** Returns `undefined` where the warehouse refuses the statement. */
  async #rowsIfAllowed(
    statement: Statement,
    signal: AbortSignal | undefined,
  ): Promise<readonly (readonly Scalar[])[] | undefined> {
    try {
      return await this.#rows(statement, signal);
    } catch (error) {
      if (error instanceof WarehouseError) return undefined;
      throw error;
    }
  }

  /** Returns no rows of a catalog that does not exist. */
  async #rowsIfAny(statement: Statement, signal: AbortSignal | undefined): Promise<readonly (readonly Scalar[])[]> {
    try {
      return await this.#rows(statement, signal);
    } catch (error) {
      if (this.#engine.catalog.isWithoutTables?.(error) !== true) throw error;
      return [];
    }
  }

  #translateError(error: unknown, limits: Deadline): ServiceError {
    if (limits.reason !== undefined) {
      // The pool adds what the statement waited for.
      return error instanceof ServiceError && error.cause === limits.reason ? error : limits.reason;
    }
    return error instanceof ServiceError ? error : this.#engine.translateError(error);
  }
}

/** Combines the rows of a table's foreign keys, with one row per column. */
function declaredKeysOf(rows: readonly (readonly Scalar[])[]): readonly DeclaredKey[] {
  const keys = new Map<string, { columns: string[]; refSchema: string; refTable: string; refColumns: string[] }>();
  for (const [key, column, refSchema, refTable, refColumn] of rows) {
    // A SQLite key may refer to a table without a primary key.
    if (column === null || refColumn === null) continue;
    const existing = keys.get(String(key));
    const foreignKey = existing ?? {
      columns: [],
      refSchema: String(refSchema),
      refTable: String(refTable),
      refColumns: [],
    };
    if (existing === undefined) keys.set(String(key), foreignKey);
    foreignKey.columns.push(String(column));
    foreignKey.refColumns.push(String(refColumn));
  }
  return [...keys.values()];
}

async function collect(reader: Reader, maxRows: number, signal: AbortSignal): Promise<ColumnarResult> {
  const { columns } = reader;
  const chunks: ResultChunk[] = [];
  let rowCount = 0;
  while (rowCount <= maxRows) {
    const chunk = await reader.read();
    signal.throwIfAborted();
    if (chunk === undefined) break;
    chunks.push(chunk);
    rowCount += chunk.rowCount;
  }
  const rows = Math.min(rowCount, maxRows);
  const values = columns.map((_, i) =>
    firstOf(
      rows,
      chunks.map((chunk) => chunk.values[i] ?? []),
    ),
  );
  return { columns, values, rowCount: rows, truncated: rowCount > maxRows };
}

/** Arrays that are joined at a time: each is an argument of a call. */
const MAX_JOINED = 1_000;

/** Joins the values of a column, and returns the first `rows`. */
function firstOf(rows: number, parts: readonly (readonly Scalar[])[]): readonly Scalar[] {
  let all: readonly Scalar[] = parts[0] ?? [];
  // `concat` copies whole arrays; a loop over 335,000 values takes four times as long.
  for (let from = 1; from < parts.length; from += MAX_JOINED) all = all.concat(...parts.slice(from, from + MAX_JOINED));
  return all.length > rows ? all.slice(0, rows) : all;
}

function checkedMaxRows({ maxRows }: QueryOptions): number {
  if (!Number.isSafeInteger(maxRows) || maxRows < 0)
    throw new InternalError(`maxRows must be a whole number, not ${maxRows}.`);
  return maxRows;
}

function tableKind(kind: Scalar | undefined): TableInfo['kind'] {
  if (kind === 'TABLE' || kind === 'VIEW' || kind === 'MATERIALIZED VIEW') return kind;
  throw new InternalError(`A catalog statement returned a table of kind ${String(kind)}.`);
}
