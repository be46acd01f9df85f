import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Warehouse } from '../../../router/capabilities/warehouse.ts';
import { CancelledError, WarehouseError, WarehouseUnreachableError } from '../../../router/errors.ts';
import { isHeld, longestHold } from '../../../router/testing/loop-delay.ts';
import { sqliteLibrary } from '../../sqlite/library.ts';
import { InvalidAddressError } from '../jdbc-url.ts';
import { openWarehouses } from '../open-warehouses.ts';
import { eventually, oneRow, quietLog, sql, startWarehouse, type TestWarehouse } from '../testing/engines.ts';
import { ReaderConnection } from './connection.ts';

const Database = sqliteLibrary();

const ENDLESS = 'WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s) SELECT sum(n) FROM s';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-sqlite-'));
});
afterAll(() => rm(folder, { recursive: true }));

function write(file: string, ...statements: readonly string[]): void {
  const database = new Database(file);
  for (const statement of statements) database.exec(statement);
  database.close();
}

const open = (jdbcUrl: string) =>
  openWarehouses({ statementTimeoutMs: 10_000, poolSize: 2, home: folder, log: quietLog }).open({ jdbcUrl });

describe('a SQLite file', () => {
  let on: TestWarehouse;
  let secret: string;
  beforeAll(async () => {
    secret = join(folder, 'secret.sqlite');
    write(secret, 'CREATE TABLE secret (x)', "INSERT INTO secret VALUES ('hidden')");
    on = await startWarehouse('sqlite', ['CREATE TABLE t (x INTEGER)', 'INSERT INTO t VALUES (1)'], { poolSize: 1 });
  });
  afterAll(() => on?.stop());

  it.each([
    'INSERT INTO t VALUES (2)',
    'INSERT INTO t VALUES (2) RETURNING x',
    'WITH a AS (SELECT 2) INSERT INTO t SELECT * FROM a',
    'WITH a AS (SELECT 2) INSERT INTO t SELECT * FROM a RETURNING x',
    'WITH a AS (SELECT 2) DELETE FROM t RETURNING x',
    'CREATE TABLE u (x)',
    'CREATE TEMP TABLE u (x)',
    'DROP TABLE t',
    'PRAGMA query_only = OFF',
    'PRAGMA journal_mode = DELETE',
    'PRAGMA user_version',
    'BEGIN IMMEDIATE',
    'EXPLAIN SELECT 1',
    'REINDEX',
    'ANALYZE',
    '',
    '-- nothing',
    'SELECT 1; SELECT 2',
    'SELECT 1; DROP TABLE t',
  ])('refuses %j, which is not a single reading statement', async (text) => {
    await expect(on.warehouse.query(sql(text), { maxRows: 1 })).rejects.toThrow('send one SELECT statement');
    expect(await on.administer(['SELECT count(*) AS n, sum(x) AS s FROM t'])).toEqual([{ n: 1, s: 1 }]);
  });

  it('never opens another file: ATTACH is refused in every spelling, and attaches nothing', async () => {
    const other = join(folder, 'made-by-attach.sqlite');
    const vacuumed = join(folder, 'made-by-vacuum.sqlite');
    for (const text of [
      `ATTACH '${secret}' AS s`,
      `attach database '${secret}' as s`,
      `/* SELECT */ ATTACH '${secret}' AS s`,
      `-- SELECT\nATTACH '${secret}' AS s`,
      `\uFEFFATTACH '${secret}' AS s`,
      `;ATTACH '${secret}' AS s`,
      `; ; ATTACH '${secret}' AS s`,
      `SELECT 1; ATTACH '${secret}' AS s`,
      `/* SELECT */;ATTACH '${secret}' AS s`,
      `/*/ SELECT */ ATTACH '${secret}' AS s /* */`,
      `SELECT/* ; */1;ATTACH '${secret}' AS s; SELECT 2`,
      `EXPLAIN ATTACH '${secret}' AS s`,
      `WITH a AS (SELECT 1) ATTACH '${secret}' AS s`,
      `ATTACH '${other}' AS s`,
      `VACUUM INTO '${vacuumed}'`,
      `DETACH main`,
    ]) {
      await expect(on.warehouse.query(sql(text), { maxRows: 1 })).rejects.toThrow(WarehouseError);
    }
    expect(
      await oneRow(on.warehouse, sql("SELECT group_concat(name) FROM pragma_database_list WHERE name <> 'temp'")),
    ).toEqual(['main']);
    await expect(on.warehouse.query(sql('SELECT * FROM s.secret'), { maxRows: 1 })).rejects.toThrow(WarehouseError);
    expect([other, vacuumed].filter(existsSync)).toEqual([]);
  });

  it.each([
    "load_extension('x')",
    "readfile('/etc/passwd')",
    "writefile('/tmp/x', 'y')",
    "edit('x')",
    "fts3_tokenizer('x', x'00')",
  ])('has no function %s', async (call) => {
    await expect(on.warehouse.query(sql(`SELECT ${call}`), { maxRows: 1 })).rejects.toThrow(WarehouseError);
  });

  it('accepts comments before the first word, brackets inside, and VALUES', async () => {
    expect(await oneRow(on.warehouse, sql('/* a */ -- b\n SELECT (1)'))).toEqual([1]);
    expect(await oneRow(on.warehouse, sql('VALUES (3, 4)'))).toEqual([3, 4]);
  });

  it('shows the writes of another program, with a new data version', async () => {
    const before = await on.warehouse.dataVersion();
    expect(await on.warehouse.dataVersion()).toBe(before);
    await on.administer(['INSERT INTO t VALUES (41)']);
    expect(await oneRow(on.warehouse, sql('SELECT sum(x) FROM t'))).toEqual([42]);
    expect(await on.warehouse.dataVersion()).not.toBe(before);
  });
});

describe('values in SQLite', () => {
  let on: TestWarehouse;
  beforeAll(async () => {
    on = await startWarehouse('sqlite', [
      'CREATE TABLE v (i INTEGER, d DECIMAL(18,2), r REAL, t TEXT, day DATE, at TIMESTAMP, any)',
      "INSERT INTO v VALUES (9223372036854775807, '12.50', 1, 2, '2024-02-29', '2024-02-29 10:00', 1)",
      "INSERT INTO v VALUES ('many', 3, 0.5, 'x', '29.2.2024', 1709200000, 'a')",
    ]);
  });
  afterAll(() => on?.stop());

  it('are typed by the declaration of their column, and unchanged where they do not fit it', async () => {
    const { columns, values } = await on.warehouse.query(sql('SELECT * FROM v'), { maxRows: 5 });
    expect(columns.map(({ type }) => type)).toEqual([
      'integer',
      'decimal',
      'float',
      'text',
      'date',
      'timestamp',
      'other',
    ]);
    expect(values).toEqual([
      [9223372036854775807n, 'many'],
      [12.5, 3],
      [1, 0.5],
      ['2', 'x'],
      ['2024-02-29', '29.2.2024'],
      ['2024-02-29T10:00:00', '1709200000'],
      ['1', 'a'],
    ]);
  });

  it('that are computed are typed by the first rows', async () => {
    const { columns } = await on.warehouse.query(
      sql(
        "SELECT count(*), sum(r), max(t), x'00', NULL, 1 AS mixed FROM v UNION ALL SELECT 1, 2, 'x', x'01', NULL, 'b'",
      ),
      { maxRows: 5 },
    );
    expect(columns.map(({ type }) => type)).toEqual(['integer', 'float', 'text', 'binary', 'other', 'other']);
  });

  it('are found in any letter case in every script', async () => {
    const row = await oneRow(
      on.warehouse,
      sql(`SELECT ${on.warehouse.dialect.containsIgnoringCase("'ГРУППА Ä'", "'уппа ä'")}`),
    );
    expect(row).toEqual([1]);
  });

  it('keep integers and doubles distinct when they are bound', async () => {
    const types = await oneRow(
      on.warehouse,
      sql('SELECT typeof(?), typeof(?), typeof(?), typeof(?)', [
        { type: 'integer', value: 2 },
        { type: 'decimal', value: '2.0' },
        { type: 'text', value: '2' },
        { type: 'binary', value: 'AP9h' },
      ]),
    );
    expect(types).toEqual(['integer', 'real', 'text', 'blob']);
    await expect(oneRow(on.warehouse, sql('SELECT ?', [{ type: 'integer', value: 2n ** 63n }]))).rejects.toThrow(
      '64 bits',
    );
  });
});

describe('the process that reads a SQLite file', () => {
  it('leaves the event loop of this one free', async () => {
    const file = join(folder, 'free.sqlite');
    write(file, 'CREATE TABLE t (x)');
    const warehouse = await open(`jdbc:sqlite:${file}`);
    await warehouse.ping();
    const hold = await longestHold(async () => {
      const cancel = new AbortController();
      const heavy = warehouse.query(sql(ENDLESS), { maxRows: 1, signal: cancel.signal });
      setTimeout(() => cancel.abort(), 400);
      await expect(heavy).rejects.toThrow(CancelledError);
    });
    expect(hold).not.toSatisfy(isHeld);
    await warehouse.close();
  });

  it('is killed in the middle of a statement', async () => {
    const file = join(folder, 'killed.sqlite');
    write(file, 'CREATE TABLE t (x)');
    let hasEnded = false;
    const reader = await ReaderConnection.open(file, () => {
      hasEnded = true;
    });
    const answer = reader.ask({ kind: 'start', sql: ENDLESS, values: [] });
    setTimeout(() => reader.kill(), 100);
    await expect(answer).rejects.toThrow('was stopped');
    await eventually(async () => hasEnded, 10_000);
    await expect(reader.ask({ kind: 'next' })).rejects.toThrow('was stopped');
  });

  it('creates no file beside the database', async () => {
    const on = await startWarehouse('sqlite', ['CREATE TABLE t (x)']);
    await oneRow(on.warehouse, sql('SELECT count(*) FROM t ORDER BY 1'));
    const file = on.address.jdbcUrl.slice('jdbc:sqlite:'.length);
    expect(await readdir(join(file, '..'))).toEqual(['shop.sqlite']);
    await on.stop();
  });
});

describe('an address of SQLite', () => {
  it.each(['', ':memory:', 'file:shop.sqlite?mode=rwc', 'shop.sqlite?cache=shared', 'http://host/x'])(
    '%j is refused',
    async (rest) => {
      await expect(open(`jdbc:sqlite:${rest}`)).rejects.toThrow(InvalidAddressError);
    },
  );

  it('may be relative to the home folder', async () => {
    write(join(folder, 'home.sqlite'), 'CREATE TABLE t (x)', 'INSERT INTO t VALUES (5)');
    expect(await oneRow(await open('jdbc:sqlite:home.sqlite'), sql('SELECT x FROM t'))).toEqual([5]);
  });

  it('of no file, or of a file that is no database, is reported and creates none', async () => {
    await expect((await open('jdbc:sqlite:missing.sqlite')).ping()).rejects.toThrow('does not exist');
    expect(existsSync(join(folder, 'missing.sqlite'))).toBe(false);
    await writeFile(join(folder, 'text.sqlite'), 'no database, but long enough to be looked at'.repeat(50));
    await expect((await open('jdbc:sqlite:text.sqlite')).ping()).rejects.toThrow(WarehouseUnreachableError);
  });

  it('reads the file that replaced it by renaming', async () => {
    const file = join(folder, 'current.sqlite');
    write(file, 'CREATE TABLE t (x)', "INSERT INTO t VALUES ('old')");
    const warehouse: Warehouse = await open(`jdbc:sqlite:${file}`);
    expect(await oneRow(warehouse, sql('SELECT x FROM t'))).toEqual(['old']);
    write(`${file}.new`, 'CREATE TABLE t (x)', "INSERT INTO t VALUES ('new')");
    await rename(`${file}.new`, file);
    expect(await oneRow(warehouse, sql('SELECT x FROM t'))).toEqual(['new']);
    await warehouse.close();
  });
});
