/** Tests that joins are inner joins only where they lose no row. */
import { afterAll, describe, expect, it } from 'vitest';
import { openCache } from '../../../../server/cache/cache.ts';
import {
  type AnyEngineName,
  startWarehouse,
  type TestWarehouse,
} from '../../../../server/warehouse/testing/engines.ts';
import { Fixture, scope } from '../../testing/fixture.ts';

const TABLES = [
  'CREATE TABLE regions (id INTEGER, name VARCHAR(20))',
  "INSERT INTO regions VALUES (1, 'North')",
  'CREATE TABLE stores (id INTEGER, region_id INTEGER, name VARCHAR(20))',
  "INSERT INTO stores VALUES (1, 1, 'a'), (2, 1, 'b')",
  'CREATE TABLE products (id INTEGER, name VARCHAR(20), maker_id INTEGER)',
  "INSERT INTO products VALUES (1, 'x', 1)",
  'CREATE TABLE makers (id INTEGER, name VARCHAR(20))',
  "INSERT INTO makers VALUES (1, 'm')",
  'CREATE TABLE sales (id INTEGER, store_id INTEGER, product_id INTEGER, amount INTEGER)',
  'INSERT INTO sales VALUES (1, 1, 1, 10), (2, 2, NULL, 20), (3, 2, 1, 30)',
  'CREATE VIEW shown_stores AS SELECT * FROM stores',
];
const dataset = (name: string, source = name, more = '') =>
  `{ name: ${name}, source: ${source}, primary_key: [id], fields: [{ name: name, expression: [{ dialect: ANSI_SQL, expression: ${name === 'sales' ? 'id' : 'name'} }] }]${more} }`;
const join = (from: string, to: string, column: string) =>
  `{ name: ${from}_${to}, from: ${from}, to: ${to}, from_columns: [${column}], to_columns: [id] }`;
const DOCUMENT = `
semantic_model:
  - name: shop
    datasets:
      - ${dataset('sales')}
      - ${dataset('stores', 'stores', `, custom_extensions: [{ vendor_name: SERVICE, data: '{"roles":{"row_predicates":{"ROLE_A":"name = ''a''"}}}' }]`)}
      - ${dataset('viewed', 'shown_stores')}
      - ${dataset('regions')}
      - ${dataset('products')}
      - ${dataset('makers')}
    relationships:
      - ${join('sales', 'stores', 'store_id')}
      - ${join('sales', 'viewed', 'store_id')}
      - ${join('stores', 'regions', 'region_id')}
      - ${join('sales', 'products', 'product_id')}
      - ${join('products', 'makers', 'maker_id')}
    metrics:
      - { name: amount, expression: [{ dialect: ANSI_SQL, expression: SUM(sales.amount) }] }
`;
const by = (dataset: string) => ({ rows: [{ dataset, field: 'name' }], values: [{ metric: 'amount' }] });
const admin = scope('ROLE_ADMIN');

const opened: Fixture[] = [];
afterAll(async () => {
  for (const fixture of opened) await fixture.close();
});
async function open(engine: AnyEngineName): Promise<{ shop: Fixture; warehouse: TestWarehouse }> {
  const warehouse = await startWarehouse(engine, TABLES, { poolSize: 2 });
  const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
  const shop = await Fixture.open({ warehouse, cache, document: DOCUMENT, settings: { cacheTtlMs: 60_000 } });
  opened.push(shop);
  return { shop, warehouse };
}
async function joins(shop: Fixture, group: string, as = admin): Promise<readonly string[]> {
  const { generatedSql } = await shop.operations(as).preview({ connection: 'test', ...by(group) });
  return [...generatedSql.matchAll(/(LEFT|INNER) JOIN "(\w+)"/g)].map(([, how, table]) => `${how} ${table}`);
}

describe.each(['duckdb', 'sqlite'] as const)('on %s, which reports the version of its data', (engine) => {
  it('a key without nulls and orphans is joined inner, over several hops', async () => {
    const { shop } = await open(engine);
    expect(await joins(shop, 'stores')).toEqual(['INNER stores']);
    expect(await joins(shop, 'regions')).toEqual(['INNER stores', 'INNER regions']);
    expect(await shop.table(by('stores'), admin)).toEqual([
      ['a', 10],
      ['b', 50],
    ]);
  });

  it('a key with a null is joined outer, and so are the datasets after it', async () => {
    const { shop } = await open(engine);
    expect(await joins(shop, 'products')).toEqual(['LEFT products']);
    expect(await joins(shop, 'makers')).toEqual(['LEFT products', 'LEFT makers']);
    expect(await shop.table(by('makers'), admin)).toEqual([
      ['m', 40],
      [null, 20],
    ]);
  });

  it('a caller that sees a part of a dataset gets the facts of that part, before and after the check', async () => {
    const { shop } = await open(engine);
    const role = scope('ROLE_A');
    expect(await shop.table(by('stores'), role)).toEqual([['a', 10]]);
    expect(await shop.table(by('regions'), role)).toEqual([['North', 10]]);
    await shop.surface.ready();
    expect(await shop.table(by('stores'), role)).toEqual([['a', 10]]);
    expect(await shop.table(by('regions'), role)).toEqual([['North', 10]]);
  });

  it('a view is joined outer, because its rows may change while the data do not', async () => {
    const { shop } = await open(engine);
    expect(await joins(shop, 'viewed')).toEqual(['LEFT shown_stores']);
  });
});

it('on postgresql, which does not report it, every join is outer', async () => {
  const { shop } = await open('postgresql');
  expect(await joins(shop, 'regions')).toEqual(['LEFT stores', 'LEFT regions']);
});

it('the first answer after the data have changed is right already', async () => {
  const { shop, warehouse } = await open('sqlite');
  expect(await joins(shop, 'stores')).toEqual(['INNER stores']);
  await warehouse.administer(['INSERT INTO sales VALUES (4, 99, 1, 7)']);
  expect(await shop.table(by('stores'), admin)).toEqual([
    ['a', 10],
    ['b', 50],
    [null, 7],
  ]);
  await shop.surface.ready();
  expect(await joins(shop, 'stores')).toEqual(['LEFT stores']);
  await warehouse.administer(['DELETE FROM sales WHERE id = 4']);
  expect(await shop.table(by('stores'), admin)).toHaveLength(2);
  await shop.surface.ready();
  expect(await joins(shop, 'stores')).toEqual(['INNER stores']);
});
