/**
 * No Trino runs where this is built. So the whole suite's SQL is written for Trino, read back by the parser library in
 * Trino's dialect, and what was read is written for DuckDB and run there: its records must be those of the judge. That
 * proves that the statements are Trino's language as the library knows it and mean what they should; it cannot prove
 * what only a server can, such as the exact types of its results.
 */
import { Dialect, init, transpile } from '@polyglot-sql/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Statement, Warehouse } from '../../../router/capabilities/warehouse.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { trinoDialect } from '../../../server/warehouse/trino/dialect.ts';
import { Fixture, scope } from '../testing/fixture.ts';
import { statementsFor } from '../testing/tables.ts';
import { cellsOf, requestOf, rowsOf } from './asking.ts';
import { QUESTIONS } from './queries.ts';
import { SHOP, SHOP_MODEL } from './shop.ts';

let judge: TestWarehouse;
let shop: Fixture;
beforeAll(async () => {
  await init();
  judge = await startWarehouse('duckdb', statementsFor('duckdb', SHOP), { poolSize: 2 });
  const { warehouse, address } = judge;
  const translated = ({ sql, parameters }: Statement): Statement => {
    const { success, sql: written, error } = transpile(sql, Dialect.Trino, Dialect.DuckDB);
    if (!success || written?.[0] === undefined) throw new Error(`no Trino: ${error}\n${sql}`);
    return { sql: written[0], parameters };
  };
  const trino: Warehouse = {
    dialect: trinoDialect,
    ping: (signal) => warehouse.ping(signal),
    query: (statement, options) => warehouse.query(translated(statement), options),
    stream: (statement, options) => warehouse.stream(translated(statement), options),
    tables: (options) => warehouse.tables(options),
    columns: (table, signal) => warehouse.columns(table, signal),
    columnsOf: (tables, signal) => warehouse.columnsOf(tables, signal),
    catalogStatistics: (tables, signal) => warehouse.catalogStatistics(tables, signal),
    rowEstimates: (options) => warehouse.rowEstimates(options),
    dataVersion: () => warehouse.dataVersion(),
    close: () => warehouse.close(),
  };
  const warehouses = { open: async () => trino, supported: judge.warehouses.supported, release: async () => undefined };
  const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
  const started = { warehouses, address, stop: () => judge.stop() };
  shop = await Fixture.open({ warehouse: started, cache, document: SHOP_MODEL });
});
afterAll(() => shop.close());

it('the model loads whole', () => {
  expect(shop.problems).toEqual([]);
});

it.each(QUESTIONS)('$is', async (question) => {
  const expected = await judge.warehouse.query({ sql: question.sql, parameters: [] }, { maxRows: 1_000 });
  const { columns, records } = await shop.run(requestOf(question), scope(...(question.roles ?? ['ROLE_ADMIN'])));
  expect(
    cellsOf(
      records,
      columns.map(({ key }) => key),
    ),
  ).toEqual(rowsOf(expected));
});

it('values that Trino cannot hold, or that are more than a statement takes, are refused at their place', async () => {
  const filtered = (field: string, test: object) => ({
    values: [{ metric: 'lines' }],
    filters: [{ dataset: 'sales', field, ...test }],
  });
  const all = scope('ROLE_ADMIN');
  const place = async (field: string, test: object) => (await shop.refusal(filtered(field, test), all)).field;
  expect(await place('amount', { op: 'EQ', value: '9'.repeat(39) })).toBe('filters[0].value');
  expect(await place('amount', { op: 'IN', values: [1, `0.${'1'.repeat(38)}`] })).toBe('filters[0].values[1]');
  expect(await place('day', { op: 'GTE', value: '0000-01-01' })).toBe('filters[0].value');
  const long = Array.from({ length: 500 }, (_, at) => `${'long '.repeat(200)}${at}`);
  expect(await place('code', { op: 'IN', values: long })).toBe('filters[0].values');
  // Values of several kinds, each as exact as alone: the sales 1 and 8 are of 10.25, 2 is of 20.5.
  const numbers = Array.from({ length: 1_000 }, (_, at) => at + 1_000_000);
  const values = [...numbers, '10.25', 20.5, '0.1000000000000000000000000001'];
  expect(await shop.table(filtered('amount', { op: 'IN', values }), all)).toEqual([[3]]);
});
