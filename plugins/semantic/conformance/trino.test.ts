/**
 * The whole suite's SQL is written for Trino, read back by the parser library in
 * Trino's dialect, and what was read is written for DuckDB and run there: its records must be those of the judge. That
 * proves that the statements are Trino's language as the library knows it and mean what they should; it cannot prove
 * what only a server can, such as the exact types of its results.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCache } from '../../../server/cache/cache.ts';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { trinoDialect } from '../../../server/warehouse/trino/dialect.ts';
import { Fixture, scope } from '../testing/fixture.ts';
import { statementsFor } from '../testing/tables.ts';
import { trinoOver } from '../testing/trino.ts';
import { cellsOf, requestOf, rowsOf } from './asking.ts';
import { QUESTIONS } from './queries.ts';
import { SHOP, SHOP_MODEL } from './shop.ts';

let judge: TestWarehouse;
let shop: Fixture;
beforeAll(async () => {
  judge = await startWarehouse('duckdb', statementsFor('duckdb', SHOP), { poolSize: 2 });
  const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
  shop = await Fixture.open({ warehouse: await trinoOver(judge, trinoDialect), cache, document: SHOP_MODEL });
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
