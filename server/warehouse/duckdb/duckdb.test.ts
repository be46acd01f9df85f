import { mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Warehouse } from '../../../router/capabilities/warehouse.ts';
import { CancelledError, WarehouseError, WarehouseUnreachableError } from '../../../router/errors.ts';
import { leastMillis } from '../../../router/testing/least-millis.ts';
import { openWarehouses } from '../open-warehouses.ts';
import type { PoolGauge } from '../pool.ts';
import {
  eventually,
  oneRow,
  quietLog,
  sql,
  startWarehouse,
  type TestWarehouse,
  writeDuckdb,
} from '../testing/engines.ts';
import { isInvalidated, translateError } from './errors.ts';

const HEAVY = 'SELECT count(*) FROM range(1000000) a (x), range(1000000) b (y) WHERE (a.x * b.y) % 7 = 3';

describe('types of DuckDB', () => {
  let on: TestWarehouse;
  beforeAll(async () => {
    on = await startWarehouse('duckdb', ["CREATE TYPE mood AS ENUM ('it''s fine', 'bad')"]);
  });
  afterAll(() => on?.stop());

  it.each([
    ['127::TINYINT', 'integer', 'TINYINT', 127],
    ['255::UTINYINT', 'integer', 'UTINYINT', 255],
    ['18446744073709551615::UBIGINT', 'integer', 'UBIGINT', 18446744073709551615n],
    ['5::HUGEINT', 'integer', 'HUGEINT', 5],
    ["'-170141183460469231731687303715884105728'::HUGEINT", 'integer', 'HUGEINT', -(2n ** 127n)],
    ['340282366920938463463374607431768211455::UHUGEINT', 'integer', 'UHUGEINT', 2n ** 128n - 1n],
    ["'123456789012345678901234567890'::BIGNUM", 'integer', 'BIGNUM', 123456789012345678901234567890n],
    ['sum(x)', 'integer', 'HUGEINT', 6],
    ['1.10::DECIMAL(4,2)', 'decimal', 'DECIMAL(4,2)', 1.1],
    [
      "'99999999999999999999999999999999999999'::DECIMAL(38,0)",
      'decimal',
      'DECIMAL(38,0)',
      '99999999999999999999999999999999999999',
    ],
    ['0.1::FLOAT', 'float', 'FLOAT', Math.fround(0.1)],
    ["'it''s fine'::mood", 'text', "ENUM('it''s fine', 'bad')", "it's fine"],
    ["'2024-01-02 03:04:05'::TIMESTAMP_S", 'timestamp', 'TIMESTAMP_S', '2024-01-02T03:04:05'],
    ["'2024-01-02 03:04:05.678'::TIMESTAMP_MS", 'timestamp', 'TIMESTAMP_MS', '2024-01-02T03:04:05.678000'],
    ["'2024-01-02 03:04:05.000000001'::TIMESTAMP_NS", 'timestamp', 'TIMESTAMP_NS', '2024-01-02T03:04:05.000000001'],
    ["'infinity'::DATE", 'date', 'DATE', 'infinity'],
    ["'-infinity'::TIMESTAMP", 'timestamp', 'TIMESTAMP', '-infinity'],
    ["'01:02:03+02'::TIMETZ", 'other', 'TIME WITH TIME ZONE', '01:02:03+02'],
    ['INTERVAL 25 HOUR', 'other', 'INTERVAL', '25:00:00'],
    ["'101'::BIT", 'other', 'BIT', '101'],
    ['NULL', 'integer', 'INTEGER', null],
    ["{'a': 1, 'b c': ['x', NULL]}", 'json', 'STRUCT("a" INTEGER, "b c" VARCHAR[])', '{"a":1,"b c":["x",null]}'],
    ["MAP {'k': 1.50::DECIMAL(30,20)}", 'json', 'MAP(VARCHAR, DECIMAL(30,20))', '{"k":1.5}'],
    ['[1, 2]::INTEGER[2]', 'json', 'INTEGER[2]', '[1,2]'],
    ["['NaN'::DOUBLE, 0.5]", 'json', 'DOUBLE[]', '["NaN",0.5]'],
    ["[TIMESTAMPTZ '2024-01-01 00:00:00+00']", 'json', 'TIMESTAMP WITH TIME ZONE[]', '["2024-01-01T00:00:00Z"]'],
    ['[\'{"a": 1}\'::JSON]', 'json', 'VARCHAR[]', '[{"a": 1}]'],
  ])('%s has the type %s (%s)', async (expression, type, nativeType, value) => {
    const { columns, values } = await on.warehouse.query(
      sql(`SELECT ${expression} AS v FROM (VALUES (1), (2), (3)) AS t (x) LIMIT 1`),
      {
        maxRows: 1,
      },
    );
    expect(columns).toEqual([{ name: 'v', type, nativeType }]);
    expect(values).toEqual([[value]]);
  });

  it('folds the letter case of every script in searches', async () => {
    const { dialect } = on.warehouse;
    expect(
      await oneRow(on.warehouse, sql(`SELECT ${dialect.containsIgnoringCase("'ГРУППА Ä'", "'группа ä'")}`)),
    ).toEqual([true]);
  });

  it('binds integers beyond 64 bits, and refuses larger ones', async () => {
    const bind = (type: 'integer' | 'decimal', value: string) =>
      oneRow(on.warehouse, sql(`SELECT ${on.warehouse.dialect.placeholder(0, type)}`, [{ type, value }]));
    expect(await bind('integer', '100000000000000000000000000000000000000')).toEqual([10n ** 38n]);
    expect(await bind('decimal', '-.5')).toEqual([-0.5]);
    expect(await bind('decimal', '1e3')).toEqual([1000]);
    expect(await bind('decimal', 'Infinity')).toEqual([Number.POSITIVE_INFINITY]);
    for (const value of ['1e50', '', 'x', '1e-40'])
      await expect(bind('decimal', value)).rejects.toThrow(WarehouseError);
    await expect(bind('integer', `1${'0'.repeat(40)}`)).rejects.toThrow(WarehouseError);
    await expect(bind('integer', '1.5')).rejects.toThrow(WarehouseError);
  });
});

describe('a DuckDB file is only read', () => {
  let home: string;
  let other: string;
  let warehouse: Warehouse;
  const warehouses = () => openWarehouses({ statementTimeoutMs: 10_000, poolSize: 2, home, log: quietLog });
  let open: ReturnType<typeof warehouses>;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'service-duckdb-'));
    other = join(home, 'other.duckdb');
    await writeDuckdb(join(home, 'shop.duckdb'), [
      'CREATE TABLE t AS SELECT x FROM range(3) AS r (x)',
      'CREATE MACRO of_owner(n) AS TABLE SELECT x + n AS x FROM t',
      'CREATE SEQUENCE s',
      'CREATE TEMP TABLE gone (x INTEGER)',
    ]);
    await writeDuckdb(other, ['CREATE TABLE secret AS SELECT 42 AS x']);
    await writeFile(join(home, 'secret.csv'), 'a,b\n1,2\n');
    open = warehouses();
    warehouse = await open.open({ jdbcUrl: 'jdbc:duckdb:shop.duckdb' });
  });
  afterAll(async () => {
    await open?.close();
    await rm(home, { recursive: true });
  });

  it.each([
    'INSERT INTO t VALUES (9)',
    'UPDATE t SET x = 9',
    'DELETE FROM t',
    'DROP TABLE t',
    'CREATE TABLE u (x INTEGER)',
    'CREATE TEMP TABLE u (x INTEGER)',
    'CREATE OR REPLACE MACRO of_owner(n) AS TABLE SELECT 1',
    "ATTACH '{home}/other.duckdb'",
    "ATTACH ':memory:' AS m",
    'USE memory',
    'DETACH shop',
    "COPY t TO '{home}/out.csv'",
    "COPY (SELECT 1) TO '{home}/shop.duckdb.tmp/out.csv'",
    "EXPORT DATABASE '{home}/out'",
    'INSTALL httpfs',
    'LOAD httpfs',
    'SET enable_external_access = true',
    'SET threads = 1',
    'SET VARIABLE v = 1',
    'RESET ALL',
    'PRAGMA enable_profiling',
    'PRAGMA database_list',
    'PRAGMA threads = 1',
    'CHECKPOINT',
    'VACUUM',
    'BEGIN',
    'CALL pragma_version()',
    'PREPARE p AS SELECT 1',
    'EXPLAIN ANALYZE SELECT 1',
    'CREATE SECRET (TYPE s3)',
    'SELECT 1; SELECT 2',
    'SELECT 1; DROP TABLE t',
    '',
    ';',
    '-- nothing',
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_csv('{home}/secret.csv')",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_blob('{home}/secret.csv')",
    "SELECT * FROM read_duckdb('{home}/other.duckdb')",
    "SELECT * FROM read_json_auto('{home}/secret.csv')",
    "SELECT * FROM parquet_scan('{home}/secret.csv')",
    "SELECT * FROM '{home}/secret.csv'",
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM sniff_csv('{home}/secret.csv')",
    "SELECT * FROM query('SELECT 1')",
    "SELECT * FROM QUERY('SELECT 1')",
    `SELECT (SELECT 1 FROM "query"('SELECT 1'))`,
    "WITH a AS (SELECT * FROM query/**/('SELECT 1')) SELECT * FROM a",
    "SELECT * FROM query_table('{home}/secret.csv')",
    "SELECT * FROM enable_logging(storage = 'file', storage_path = '{home}/log')",
    'SELECT * FROM enable_profiling()',
    'SELECT * FROM checkpoint()',
    'SELECT * FROM duckdb_settings()',
    'SELECT * FROM duckdb_secrets()',
    'SELECT * FROM arrow_scan(1::UBIGINT, 1::UBIGINT, 1::UBIGINT)',
    "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
    "SELECT nextval('s')",
  ])('%s is refused and leaves no trace', async (template) => {
    const text = template.replaceAll('{home}', home);
    await oneRow(warehouse, sql('SELECT 1'));
    const before = await contents(home);
    await expect(warehouse.query(sql(text), { maxRows: 1 })).rejects.toThrow(WarehouseError);
    expect(await contents(home)).toEqual(before);
    expect(await oneRow(warehouse, sql('SELECT sum(x) FROM t'))).toEqual([3]);
  });

  it.each([
    ['SELECT sum(x) FROM t', 3],
    ['FROM t SELECT max(x)', 2],
    ['VALUES (5)', 5],
    ['WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 4) SELECT max(n) FROM r', 4],
    ['SELECT sum(x) FROM OF_owner(10)', 33],
    ['SELECT count(*) FROM unnest([1, 2]), range(3), generate_series(1, 2)', 12],
    ["SELECT count(*) FROM json_each('[1, 2]')", 2],
  ])('%s is answered', async (text, value) => {
    expect(await oneRow(warehouse, sql(text))).toEqual([value]);
  });

  it('also after two different statements have alternated on every connection', async () => {
    for (let i = 0; i < 5; i++) {
      await expect(warehouse.query(sql("SELECT * FROM query('SELECT 1')"), { maxRows: 1 })).rejects.toThrow(
        WarehouseError,
      );
    }
  });
});

describe('a DuckDB file that is not used', () => {
  it('is closed, unless a statement runs, and the next statement opens it again', async () => {
    const home = await mkdtemp(join(tmpdir(), 'service-duckdb-'));
    await writeDuckdb(join(home, 'shop.duckdb'), ['CREATE TABLE t AS SELECT x FROM range(3) AS r (x)']);
    const pools: PoolGauge[] = [];
    const open = openWarehouses({
      statementTimeoutMs: 10_000,
      poolSize: 2,
      home,
      log: quietLog,
      idleMs: 100,
      onPool: (_warehouse, pool) => pools.push(pool),
    });
    try {
      const warehouse = await open.open({ jdbcUrl: 'jdbc:duckdb:shop.duckdb' });
      const stop = new AbortController();
      const running = warehouse.query(sql(HEAVY), { maxRows: 1, signal: stop.signal }).catch((error: unknown) => error);
      await delay(400);
      expect(pools.map(({ use }) => use?.leased)).toEqual([1]);
      stop.abort();
      expect(await running).toBeInstanceOf(CancelledError);

      await eventually(async () => pools[0]?.use === undefined, 5_000);
      expect(await oneRow(warehouse, sql('SELECT sum(x) FROM t'))).toEqual([3]);
      expect(pools).toHaveLength(2);
      expect(pools[1]?.use?.leased).toBe(0);
    } finally {
      await open.close();
      await rm(home, { recursive: true });
    }
  });
});

describe('a DuckDB file', () => {
  let home: string;
  let open: ReturnType<typeof openWarehouses>;
  const at = (name: string) => open.open({ jdbcUrl: `jdbc:duckdb:${name}` });

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'service-duckdb-'));
    open = openWarehouses({ statementTimeoutMs: 10_000, poolSize: 16, home, log: quietLog });
  });
  afterAll(async () => {
    await open?.close();
    await rm(home, { recursive: true });
  });

  it('that does not exist is not created, and the error does not contain its path', async () => {
    const warehouse = await at('missing.duckdb');
    for (const attempt of [
      () => warehouse.ping(),
      () => warehouse.dataVersion(),
      () => oneRow(warehouse, sql('SELECT 1')),
    ]) {
      const error: unknown = await (async () => attempt())().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(WarehouseUnreachableError);
      expect(String(error)).not.toContain('missing');
    }
    expect(await readdir(home)).not.toContain('missing.duckdb');
    await writeDuckdb(join(home, 'missing.duckdb'), ['CREATE TABLE t AS SELECT 1 AS x']);
    expect(await oneRow(warehouse, sql('SELECT x FROM t'))).toEqual([1]);
  });

  it('that is no database is unreachable, and the error does not contain its path', async () => {
    await writeFile(join(home, 'text.duckdb'), 'no database '.repeat(1000));
    const warehouse = await at('text.duckdb');
    const error: unknown = await warehouse.ping().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WarehouseUnreachableError);
    expect(String(error)).not.toContain(home);
    expect(error).toMatchObject({ cause: expect.any(Error) });
  });

  it('that is replaced is read again, while a stream continues to read the old one', async () => {
    const file = join(home, 'replaced.duckdb');
    await writeDuckdb(file, ['CREATE TABLE t AS SELECT 1 AS x, range AS n FROM range(100000)']);
    const warehouse = await at('replaced.duckdb');
    expect(await oneRow(warehouse, sql('SELECT max(x) FROM t'))).toEqual([1]);
    const before = await warehouse.dataVersion();
    expect(await warehouse.dataVersion()).toBe(before);
    const { chunks } = await warehouse.stream(sql('SELECT x FROM t'), { maxRows: 100_000 });
    const reading = chunks[Symbol.asyncIterator]();
    await reading.next();

    await writeDuckdb(`${file}.new`, ['CREATE TABLE t AS SELECT 2 AS x']);
    await rename(`${file}.new`, file);
    expect(await warehouse.dataVersion()).not.toBe(before);
    expect(await oneRow(warehouse, sql('SELECT x FROM t'))).toEqual([2]);

    let rows = 0;
    for (let next = await reading.next(); !next.done; next = await reading.next()) {
      rows += next.value.rowCount;
      expect(next.value.values[0]?.[0]).toBe(1);
    }
    expect(rows).toBeGreaterThan(90_000);
    expect(await oneRow(warehouse, sql('SELECT x FROM t'))).toEqual([2]);
  });

  it('a cancelled statement stops computing, not only waiting', async () => {
    const warehouse = await at(':memory:');
    const cancel = new AbortController();
    const running = warehouse.query(sql(HEAVY), { maxRows: 1, signal: cancel.signal });
    const end = expect(running).rejects.toThrow(CancelledError);
    const start = process.cpuUsage();
    await eventually(async () => process.cpuUsage(start).user > 300_000, 10_000);
    cancel.abort();
    await end;
    expect(await leastMillis(100, () => cpuDuring(300))).toBeLessThan(100);
  });

  it('an abandoned stream uses no processor time', async () => {
    const warehouse = await at(':memory:');
    const { chunks } = await warehouse.stream(sql('SELECT x, y FROM range(1000000) a (x), range(1000000) b (y)'), {
      maxRows: 1e12,
    });
    for await (const chunk of chunks) {
      expect(chunk.rowCount).toBeGreaterThan(0);
      break;
    }
    expect(await leastMillis(100, () => cpuDuring(300))).toBeLessThan(100);
  });

  it('statements leave a thread of Node free, however many connections are requested', async () => {
    const warehouse = await at(':memory:');
    const cancel = new AbortController();
    const heavy = Array.from({ length: 20 }, () => warehouse.query(sql(HEAVY), { maxRows: 1, signal: cancel.signal }));
    const ends = Promise.allSettled(heavy);
    const before = process.cpuUsage();
    await eventually(async () => process.cpuUsage(before).user > 300_000, 10_000);
    const took = await leastMillis(200, async () => {
      const start = performance.now();
      await stat(home);
      return performance.now() - start;
    });
    expect(took).toBeLessThan(200);
    cancel.abort();
    expect(new Set((await ends).map(({ status }) => status))).toEqual(new Set(['rejected']));
  });
});

describe('an error of DuckDB', () => {
  it('that invalidates the database is distinguished from an error of one statement', () => {
    expect(isInvalidated(new Error('FATAL Error: Failed: database has been invalidated'))).toBe(true);
    expect(isInvalidated(new Error('INTERNAL Error: Attempted to access index 1'))).toBe(true);
    expect(isInvalidated(new Error('Binder Error: FATAL Error'))).toBe(false);
  });

  it("never shows the engine's text", () => {
    for (const kind of [
      'Catalog Error',
      'Conversion Error',
      'Out of Memory Error',
      'IO Error',
      'Something New Error',
    ]) {
      const error = translateError(new Error(`${kind}: /data/secret.duckdb`));
      expect(error).toBeInstanceOf(WarehouseError);
      expect(error.message).not.toContain('secret');
    }
    expect(translateError(new Error('Out of Memory Error: x')).message).toContain('no memory');
  });
});

/** Measures the CPU time of this process, DuckDB's threads included, in milliseconds. */
async function cpuDuring(ms: number): Promise<number> {
  const start = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, ms));
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

async function contents(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => {
      const { mtimeMs, size } = await stat(join(folder, name));
      return `${name} ${mtimeMs} ${size}`;
    }),
  );
}
