import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import type {
  Parameter,
  Scalar,
  Statement,
  Warehouse,
  WarehouseAddress,
} from '../../../router/capabilities/warehouse.ts';
import { silentLog } from '../../../router/testing/silent-log.ts';
import type { EngineName as ProductEngineName } from '../../../router/warehouse-engines.ts';
import { sqliteLibrary } from '../../sqlite/library.ts';
import { startPostgres } from '../../state/testing/postgres.ts';
import { type OpenWarehouses, openWarehouses } from '../open-warehouses.ts';
import { clickhouseMissing, startClickhouse } from './clickhouse.ts';
import { mysqlMissing, startMysql } from './mysql.ts';
import { RememberedAnswers } from './remembered-answers.ts';
import { startTrino, trinoMissing } from './trino.ts';
import { trinoSetUp } from './trino-set-up.ts';

const Database = sqliteLibrary();

export { silentLog as quietLog };

/** A real database of one kind, filled by `setUp`, with the warehouse that the product opens on it. */
export interface TestWarehouse {
  readonly warehouse: Warehouse;
  readonly warehouses: OpenWarehouses;
  readonly address: WarehouseAddress;
  /** Runs statements that may write, without the warehouse; in DuckDB only before the warehouse has opened the file. */
  administer(statements: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  stop(): Promise<void>;
}

export interface TestWarehouseOptions {
  readonly poolSize?: number;
  readonly statementTimeoutMs?: number;
  /** True where a statement that was answered before is sent again, for the tests of a driver. By default, Trino's answers are remembered. */
  readonly isSentAgain?: boolean;
}

/** The engines that accept the same set-up statements, and that every machine can run. */
export const ENGINES = ['duckdb', 'postgresql'] as const;
export type EngineName = (typeof ENGINES)[number];

/** The engines of suites; `engineMissing` explains why one cannot run here. */
export const ALL_ENGINES = [
  ...ENGINES,
  'sqlite',
  'mariadb',
  'clickhouse',
  'trino',
] as const satisfies readonly ProductEngineName[];
export type AnyEngineName = (typeof ALL_ENGINES)[number];

/** The engines that no test starts, each with the tests that run instead. */
export const UNSTARTED_ENGINES: Readonly<Record<Exclude<ProductEngineName, AnyEngineName>, string>> = {
  mysql: 'MariaDB, whose dialect is the same but for its name',
};

const START: Readonly<Record<AnyEngineName, typeof startDuckdb>> = {
  duckdb: startDuckdb,
  postgresql: startPostgresql,
  sqlite: startSqlite,
  mariadb: startMariadb,
  clickhouse: startClickhouseWarehouse,
  trino: startTrinoWarehouse,
};

const isHere = (): undefined => undefined;
const MISSING: Readonly<Record<AnyEngineName, () => string | undefined>> = {
  duckdb: isHere,
  postgresql: isHere,
  sqlite: isHere,
  mariadb: mysqlMissing,
  clickhouse: clickhouseMissing,
  trino: trinoMissing,
};

/** Explains in one line why the engine cannot be tested here; `undefined` where it can. */
export function engineMissing(engine: AnyEngineName): string | undefined {
  return MISSING[engine]();
}

export function startWarehouse(
  engine: AnyEngineName,
  setUp: readonly string[],
  options: TestWarehouseOptions = {},
): Promise<TestWarehouse> {
  return START[engine](setUp, options);
}

async function startDuckdb(setUp: readonly string[], options: TestWarehouseOptions): Promise<TestWarehouse> {
  const home = await mkdtemp(join(tmpdir(), 'service-warehouse-'));
  const file = join(home, 'shop.duckdb');
  await writeDuckdb(file, setUp);
  const address = { jdbcUrl: `jdbc:duckdb:${file}` };
  const warehouses = open(options, home);
  return {
    warehouses,
    address,
    warehouse: await warehouses.open(address),
    administer: (statements) => writeDuckdb(file, statements),
    async stop() {
      await warehouses.close();
      await rm(home, { recursive: true });
    },
  };
}

/** Writes a DuckDB file with a separate connection. Returns the rows of the last statement. */
export async function writeDuckdb(
  file: string,
  statements: readonly string[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  try {
    for (const statement of statements.slice(0, -1)) await connection.run(statement);
    const last = statements.at(-1);
    return last === undefined ? [] : (await connection.runAndReadAll(last)).getRowObjects();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function startPostgresql(setUp: readonly string[], options: TestWarehouseOptions): Promise<TestWarehouse> {
  const database = await startPostgres();
  const administer = async (statements: readonly string[]) => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      let rows: readonly Readonly<Record<string, unknown>>[] = [];
      for (const statement of statements) rows = (await client.query<Record<string, unknown>>(statement)).rows;
      return rows;
    } finally {
      await client.end();
    }
  };
  await administer(setUp);
  const address = jdbcAddress(database.url);
  const warehouses = open(options, tmpdir());
  return {
    warehouses,
    address,
    warehouse: await warehouses.open(address),
    administer,
    async stop() {
      await warehouses.close();
      await database.stop();
    },
  };
}

async function startSqlite(setUp: readonly string[], options: TestWarehouseOptions): Promise<TestWarehouse> {
  const home = await mkdtemp(join(tmpdir(), 'service-warehouse-'));
  const file = join(home, 'shop.sqlite');
  const administer = async (statements: readonly string[]) => {
    const database = new Database(file);
    try {
      for (const statement of statements.slice(0, -1)) database.exec(statement);
      const last = database.prepare<[], Record<string, unknown>>(statements.at(-1) ?? 'SELECT 1');
      if (last.reader) return last.all();
      last.run();
      return [];
    } finally {
      database.close();
    }
  };
  await administer(setUp);
  const address = { jdbcUrl: `jdbc:sqlite:${file}` };
  const warehouses = open(options, home);
  return {
    warehouses,
    address,
    warehouse: await warehouses.open(address),
    administer,
    async stop() {
      await warehouses.close();
      await rm(home, { recursive: true });
    },
  };
}

async function startMariadb(setUp: readonly string[], options: TestWarehouseOptions): Promise<TestWarehouse> {
  const schemas = setUp.flatMap((statement) => /^CREATE SCHEMA (\w+)$/.exec(statement)?.[1] ?? []);
  const server = await startMysql(setUp, schemas);
  const address = { jdbcUrl: `jdbc:mariadb://${server.place}`, ...server.reader };
  const warehouses = open(options, tmpdir());
  return {
    warehouses,
    address,
    warehouse: await warehouses.open(address),
    administer: server.administer,
    async stop() {
      await warehouses.close();
      await server.stop();
    },
  };
}

async function startClickhouseWarehouse(
  setUp: readonly string[],
  options: TestWarehouseOptions,
): Promise<TestWarehouse> {
  const server = await startClickhouse(setUp);
  const warehouses = open(options, tmpdir());
  return {
    warehouses,
    address: server.address,
    warehouse: await warehouses.open(server.address),
    administer: server.administer,
    async stop() {
      await warehouses.close();
      await server.stop();
    },
  };
}

async function startTrinoWarehouse(setUp: readonly string[], options: TestWarehouseOptions): Promise<TestWarehouse> {
  const server = await startTrino(trinoSetUp(setUp));
  const address = { jdbcUrl: `jdbc:trino://${server.place}`, username: 'reader' };
  const answers = new RememberedAnswers();
  const opened = open(options, tmpdir());
  const warehouses = options.isSentAgain === true ? opened : answers.ofAll(opened);
  return {
    warehouses,
    address,
    warehouse: await warehouses.open(address),
    async administer(statements) {
      answers.forget();
      const rows = await server.administer(statements);
      answers.forget();
      return rows;
    },
    async stop() {
      await warehouses.close();
      await server.stop();
    },
  };
}

function jdbcAddress(url: string): Required<WarehouseAddress> {
  const { host, pathname, username, password } = new URL(url);
  return {
    jdbcUrl: `jdbc:postgresql://${host}${pathname}`,
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
}

function open({ poolSize = 4, statementTimeoutMs = 60_000 }: TestWarehouseOptions, home: string): OpenWarehouses {
  return openWarehouses({ poolSize, statementTimeoutMs, home, log: silentLog });
}

export function sql(text: string, parameters: readonly Parameter[] = []): Statement {
  return { sql: text, parameters };
}

/** Returns the only row of an answer. */
export async function oneRow(warehouse: Warehouse, statement: Statement): Promise<readonly Scalar[]> {
  const { values, rowCount } = await warehouse.query(statement, { maxRows: 2 });
  if (rowCount !== 1) throw new Error(`Expected one row, got ${rowCount}.`);
  return values.map((column) => column[0] ?? null);
}

/** Resolves when `condition` is true; rejects after `withinMs`. Returns the elapsed milliseconds. */
export async function eventually(condition: () => Promise<boolean>, withinMs: number): Promise<number> {
  const start = performance.now();
  while (!(await condition())) {
    if (performance.now() - start > withinMs) throw new Error(`Did not happen within ${withinMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return performance.now() - start;
}
