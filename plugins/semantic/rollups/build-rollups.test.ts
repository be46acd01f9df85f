/** Tests that a roll-up is built with the values of its dataset, that a build that fails changes nothing, and how it is built elsewhere. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { openTableWriter } from '../../../server/table-writer/open-table-writer.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import {
  type AnyEngineName,
  startWarehouse,
  type TestWarehouse,
  writeDuckdb,
} from '../../../server/warehouse/testing/engines.ts';
import { Fixture, scope } from '../testing/fixture.ts';
import { statementsFor, type Table } from '../testing/tables.ts';
import { buildRollups, rollupStatements } from './build-rollups.ts';

/** Customer 9 does not exist, and one has no region. */
const TABLES: readonly Table[] = [
  {
    name: 'orders',
    columns: [
      ['id', 'integer'],
      ['day', 'date'],
      ['customer_id', 'integer'],
      ['status', 'text'],
      ['amount', 'money'],
      ['quantity', 'integer'],
    ],
    rows: [
      [1, '2024-01-05', 1, 'paid', 10.5, 1],
      [2, '2024-01-20', 1, 'open', 2.25, 2],
      [3, '2024-02-01', 2, 'open', 4, 3],
      [4, '2024-02-03', 9, 'paid', 1, 4],
      [5, null, 3, 'paid', null, 5],
      [6, '2024-01-31', 3, null, 7, 6],
    ],
  },
  {
    name: 'customers',
    columns: [
      ['id', 'integer'],
      ['region', 'text'],
    ],
    rows: [
      [1, 'EU'],
      [2, 'US'],
      [3, null],
    ],
  },
];

/** By month and region: rows, quantity, rows that are paid, their quantity, the first day; and the amount where it is exact. */
const MONTHS = [
  ['2024-01-01', 'EU', 2, 3, 1, 1, '2024-01-05', 12.75],
  ['2024-01-01', null, 1, 6, 0, null, '2024-01-31', 7],
  ['2024-02-01', 'US', 1, 3, 0, null, '2024-02-01', 4],
  ['2024-02-01', null, 1, 4, 1, 4, '2024-02-03', 1],
  [null, null, 1, 5, 1, 5, null, null],
];

/** The same by day. */
const EACH_DAY = [
  ['2024-01-05', 'EU', 1, 1, 1, 1, '2024-01-05'],
  ['2024-01-20', 'EU', 1, 2, 0, null, '2024-01-20'],
  ['2024-01-31', null, 1, 6, 0, null, '2024-01-31'],
  ['2024-02-01', 'US', 1, 3, 0, null, '2024-02-01'],
  ['2024-02-03', null, 1, 4, 1, 4, '2024-02-03'],
  [null, null, 1, 5, 1, 5, null],
];

const METRICS = [{ metric: 'pieces' }, { metric: 'paid_pieces', rows: 'paid_rows' }, { metric: 'first_day' }];
const monthly = (metrics: readonly object[]) => ({
  name: 'monthly',
  table: 'monthly_orders',
  dataset: 'orders',
  fields: [{ field: 'orders.day', grain: 'month', column: 'month' }, { field: 'customers.region' }],
  metrics,
  rows: 'order_rows',
});

const extension = (data: object) =>
  `custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify(data).replaceAll("'", "''")}' }]`;
const field = (name: string) => `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: ${name} }] }`;
const metric = (name: string, expression: string, data: object = {}) =>
  `      - { name: ${name}, expression: [{ dialect: ANSI_SQL, expression: "${expression}" }], ${extension(data)} }`;

const documentOf = (rollups: readonly object[]) => `
semantic_model:
  - name: shop
    ${extension({ rollups })}
    datasets:
      - { name: orders, source: orders, primary_key: [id], fields: [${['day', 'status'].map(field).join(', ')}] }
      - { name: customers, source: customers, primary_key: [id], fields: [${field('region')}] }
    relationships:
      - { name: buyer, from: orders, to: customers, from_columns: [customer_id], to_columns: [id] }
    metrics:
${[
  metric('amount', 'SUM(orders.amount)'),
  metric('pieces', 'SUM(orders.quantity)'),
  metric('paid_pieces', 'SUM(orders.quantity)', { filter: "orders.status = 'paid'" }),
  metric('first_day', 'MIN(orders.day)'),
  metric('last_status', 'MAX(orders.status)'),
  metric('mean', 'AVG(orders.quantity)'),
].join('\n')}
`;

const writer = openTableWriter({ log: silentLog, memoryBytes: 200_000_000, threads: 1, timeoutMs: 240_000 });
const cache = () => openCache({ maxBytes: 1_000_000, clock: Date.now });
const datasourceOf = ({ address }: TestWarehouse) => ({ name: 'test', schema: undefined, warehouse: address });
const fileOf = ({ address }: TestWarehouse) => address.jdbcUrl.slice('jdbc:duckdb:'.length);

const WHOLE = monthly(METRICS);
const DECIMAL = monthly([...METRICS, { metric: 'amount' }]);
const BY_MONTH = {
  rows: [{ dataset: 'orders', field: 'day', grain: 'month' }],
  values: [{ metric: 'pieces' }, { metric: 'paid_pieces' }, { metric: 'first_day' }],
};
const OF_MONTHS = [
  ['2024-01-01', 9, 1, '2024-01-05'],
  ['2024-02-01', 7, 4, '2024-02-01'],
  [null, 5, 5, null],
];

async function tableOf(warehouse: TestWarehouse, columns: string): Promise<readonly unknown[][]> {
  const sql = `SELECT ${columns} FROM monthly_orders`;
  const { values, rowCount } = await warehouse.warehouse.query({ sql, parameters: [] }, { maxRows: 100 });
  const rows = Array.from({ length: rowCount }, (_, row) => values.map((column) => column[row] ?? null));
  return rows.map((row) => row.map((cell) => (/^-?\d+(\.\d+)?$/.test(String(cell)) ? Number(cell) : cell)));
}

async function readsRollup(fixture: Fixture): Promise<boolean> {
  const preview = await fixture.operations(scope('ROLE_USER')).preview({ connection: 'test', ...BY_MONTH } as never);
  return preview.generatedSql.includes('service_rollup');
}

const COLUMNS = 'month, region, order_rows, pieces, paid_rows, paid_pieces, first_day';
const inOrder = (rows: readonly (readonly unknown[])[]) => rows.map((row) => JSON.stringify(row)).toSorted();

// The stand-ins of ClickHouse and Trino take no statements after their start.
describeEngines(
  'the statements of a roll-up, on $engine',
  (engine: AnyEngineName) => {
    let warehouse: TestWarehouse;
    // SQLite has no decimals, and its periods of dates are functions of the product.
    const isExact = engine !== 'sqlite';
    const daily = { ...WHOLE, fields: [{ field: 'orders.day', column: 'month' }, { field: 'customers.region' }] };
    beforeAll(async () => {
      warehouse = await startWarehouse(engine, statementsFor(engine, TABLES));
    });
    afterAll(() => warehouse.stop());

    it('write the table with its values, also over an old one', async () => {
      const text = documentOf([isExact ? DECIMAL : daily]);
      const request = { datasource: datasourceOf(warehouse), text, warehouses: warehouse.warehouses };
      const [built] = await rollupStatements(request);
      await warehouse.warehouses.release(warehouse.address);
      await warehouse.administer(built?.statements ?? []);
      await warehouse.administer(built?.statements ?? []);
      warehouse = { ...warehouse, warehouse: await warehouse.warehouses.open(warehouse.address) };
      const rows = await tableOf(warehouse, isExact ? `${COLUMNS}, amount` : COLUMNS);
      expect(inOrder(rows)).toEqual(inOrder(isExact ? MONTHS : EACH_DAY));
      const fixture = await Fixture.open({ warehouse, cache: cache(), document: text });
      expect(fixture.problems).toEqual([]);
      expect(await readsRollup(fixture)).toBe(true);
      expect(await fixture.numbers(BY_MONTH)).toEqual(OF_MONTHS);
      if (isExact) return;
      await expect(rollupStatements({ ...request, text: documentOf([WHOLE]) })).rejects.toMatchObject({
        message: expect.stringContaining('SQLite itself has no periods of dates'),
      });
    });
  },
  { engines: ['duckdb', 'postgresql', 'sqlite', 'mariadb'] },
);

describe('a build', () => {
  let warehouse: TestWarehouse;
  const start = async (rows = 0) => {
    const more = `INSERT INTO orders SELECT 100 + i, DATE '2025-01-01' + (i % 300)::INTEGER, 1 + i % 3, 'paid', 1.00, 1 FROM range(${rows}) t(i)`;
    warehouse = await startWarehouse('duckdb', [...statementsFor('duckdb', TABLES), ...(rows === 0 ? [] : [more])]);
    return warehouse;
  };
  const build = (text: string, names?: readonly string[]) =>
    buildRollups({
      datasource: datasourceOf(warehouse),
      text,
      names,
      warehouses: warehouse.warehouses,
      writer,
      file: fileOf(warehouse),
      signal: undefined,
    });
  const left = async () => (await readdir(join(fileOf(warehouse), '..'))).filter((name) => name !== 'shop.duckdb');

  it('writes the table while readers are connected, with sums in decimals of 18 digits', async () => {
    await start();
    const fixture = await Fixture.open({ warehouse, cache: cache(), document: documentOf([DECIMAL]) });
    expect(fixture.problems).toMatchObject([{ message: expect.stringContaining('no table monthly_orders') }]);
    expect(await build(documentOf([DECIMAL]))).toEqual([
      { rollup: 'monthly', table: 'monthly_orders', result: 'built', rows: 5, message: '' },
    ]);
    expect(inOrder(await tableOf(warehouse, `${COLUMNS}, amount`))).toEqual(inOrder(MONTHS));
    const columns = await warehouse.warehouse.columns({ name: 'monthly_orders' });
    expect(columns?.map(({ name, nativeType }) => `${name} ${nativeType}`)).toEqual([
      'month DATE',
      'region VARCHAR',
      'pieces BIGINT',
      'paid_pieces BIGINT',
      'paid_rows BIGINT',
      'first_day DATE',
      'amount DECIMAL(18,2)',
      'order_rows BIGINT',
    ]);
    expect(await fixture.reload(documentOf([DECIMAL]))).toEqual([]);
    await fixture.surface.ready();
    expect(await readsRollup(fixture)).toBe(true);
    expect(await fixture.numbers(BY_MONTH)).toEqual(OF_MONTHS);
    expect(await left()).toEqual([]);
    await fixture.close();
  });

  it('keeps wide decimals where a sum needs them', async () => {
    await start();
    await warehouse.warehouses.release(warehouse.address);
    await writeDuckdb(fileOf(warehouse), [
      'ALTER TABLE orders ALTER amount TYPE DECIMAL(20, 2)',
      'UPDATE orders SET amount = 10000000000000000.00 WHERE id = 1',
    ]);
    expect(await build(documentOf([DECIMAL]))).toMatchObject([{ result: 'built' }]);
    const columns = await warehouse.warehouses
      .open(warehouse.address)
      .then((opened) => opened.columns({ name: 'monthly_orders' }));
    expect(columns?.find(({ name }) => name === 'amount')?.nativeType).toBe('DECIMAL(38,2)');
    await warehouse.stop();
  });

  it('builds the others where one cannot be exact, would take a table of the data, or differs', async () => {
    await start();
    const named = (name: string, change: object) => ({ ...WHOLE, name, table: name, ...change });
    const rollups = [
      named('means', { metrics: [{ metric: 'mean' }] }),
      named('texts', { metrics: [{ metric: 'last_status' }] }),
      named('taken', { table: 'Orders' }),
      // One column for two values: the sum and the number of rows.
      named('mixed', { metrics: [{ metric: 'pieces', column: 'order_rows' }] }),
      WHOLE,
    ];
    const outcomes = await build(documentOf(rollups));
    expect(outcomes.map(({ rollup, result }) => [rollup, result])).toEqual([
      ['taken', 'failed'],
      ['mixed', 'failed'],
      ['monthly', 'built'],
      ['means', 'failed'],
      ['texts', 'failed'],
    ]);
    expect(outcomes.map(({ message }) => message)).toEqual([
      expect.stringContaining('orders reads its table'),
      expect.stringContaining('differs from its dataset'),
      '',
      expect.stringContaining('cannot be combined exactly'),
      expect.stringContaining('extreme of no column of numbers or dates'),
    ]);
    expect((await warehouse.warehouse.tables()).map(({ name }) => name).toSorted()).toEqual([
      'customers',
      'monthly_orders',
      'orders',
    ]);
    await warehouse.stop();
  });

  it('builds only the named roll-ups, and names those that there are', async () => {
    await start();
    const document = documentOf([WHOLE, { ...WHOLE, name: 'other', table: 'other' }]);
    expect((await build(document, ['other'])).map(({ rollup }) => rollup)).toEqual(['other']);
    await expect(build(document, ['montly'])).rejects.toMatchObject({
      message: 'The model shop has no roll-up montly.',
      available: ['monthly', 'other'],
    });
    await warehouse.stop();
  });

  it('reports no words of the engine where it refuses a statement', async () => {
    await start();
    const select = "SELECT CAST('secret' AS INTEGER) AS a";
    const written = await writer.write(fileOf(warehouse), [{ table: { name: 't' }, select, differences: [] }], {
      signal: undefined,
    });
    expect(written.tables).toEqual([
      { kind: 'refused', reason: 'The database cannot compute the table. The log has the reason.' },
    ]);
    await written.release();
    await warehouse.stop();
  });

  it('leaves a file that another program writes', async () => {
    await start();
    await warehouse.warehouses.release(warehouse.address);
    const script = `
      const { DuckDBInstance } = await import('@duckdb/node-api');
      const connection = await (await DuckDBInstance.create(process.argv[1])).connect();
      process.stdout.write('open');
      setInterval(() => connection, 1000);`;
    const other = spawn(process.execPath, ['--input-type=module', '-e', script, fileOf(warehouse)], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await new Promise((open) => other.stdout?.once('data', open));
    const file = fileOf(warehouse);
    await expect(
      writer.write(file, [{ table: { name: 't' }, select: 'SELECT 1 AS a', differences: [] }], { signal: undefined }),
    ).rejects.toMatchObject({ message: expect.stringContaining('Another program has the file open') });
    expect(await left()).toEqual([]);
    await ended(other);
    await warehouse.stop();
  });

  it('keeps other programs from writing the file until it is placed, so that nothing of theirs is lost', async () => {
    await start();
    await warehouse.warehouses.release(warehouse.address);
    const file = fileOf(warehouse);
    const written = await writer.write(file, [{ table: { name: 't' }, select: 'SELECT 1 AS a', differences: [] }], {
      signal: undefined,
    });
    await expect(writeDuckdb(file, ['CREATE TABLE lost (i INTEGER)'])).rejects.toThrow(/lock/i);
    await written.place();
    await written.release();
    await writeDuckdb(file, ['CREATE TABLE kept (i INTEGER)']);
    await warehouse.stop();
  });

  it('that is killed in the middle leaves the old table, and the next one removes what it left', async () => {
    await start(200_000);
    expect(await build(documentOf([WHOLE]))).toMatchObject([{ result: 'built' }]);
    const before = await tableOf(warehouse, COLUMNS);
    const file = fileOf(warehouse);
    const script = `
      import { openTableWriter } from './server/table-writer/open-table-writer.ts';
      const log = { warn() {} };
      const writer = openTableWriter({ log, memoryBytes: 200_000_000, threads: 1, timeoutMs: 60_000 });
      const select = 'SELECT count(*) AS order_rows FROM range(100000000000) t(i)';
      void writer.write(process.argv[1], [{ table: { name: 'monthly_orders' }, select, differences: [] }], {});`;
    const other = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, file], {
      stdio: 'ignore',
    });
    await expect.poll(() => left()).toHaveLength(1);
    await expect.poll(async () => readdir(join(file, '..', (await left())[0] ?? ''))).toContain('copy.duckdb');
    await ended(other);
    expect(await left()).toHaveLength(1);
    expect(await tableOf(warehouse, COLUMNS)).toEqual(before);
    expect(await build(documentOf([WHOLE]))).toMatchObject([{ result: 'built' }]);
    expect(await left()).toEqual([]);
    await warehouse.stop();
  });

  it('gives up where the file was replaced meanwhile', async () => {
    await start();
    const file = fileOf(warehouse);
    await expect(
      buildRollups({
        datasource: datasourceOf(warehouse),
        text: documentOf([WHOLE]),
        warehouses: warehouse.warehouses,
        writer,
        file,
        signal: undefined,
        async place(written) {
          const fresh = join(await mkdtemp(join(tmpdir(), 'service-fresh-')), 'fresh.duckdb');
          await writeDuckdb(fresh, statementsFor('duckdb', TABLES));
          await rm(file);
          await writeDuckdb(file, statementsFor('duckdb', TABLES));
          return written.place();
        },
      }),
    ).rejects.toMatchObject({ code: 'STALE_VERSION' });
    expect((await warehouse.warehouses.open(warehouse.address).then((opened) => opened.tables())).length).toBe(2);
    expect(await left()).toEqual([]);
    await warehouse.stop();
  });
});

async function ended(child: ChildProcess): Promise<void> {
  const end = new Promise((settle) => child.once('exit', settle));
  child.kill('SIGKILL');
  await end;
}
