/** Tests that rows that a caller may not see are missing from their dataset and from every fact that leads to it. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ValidationError } from '../../../router/errors.ts';
import { SEED } from '../../../router/testing/seed.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { runsOn } from '../../../server/warehouse/testing/runs-on.ts';
import type { Row, Shop } from '../testing/brute-force.ts';
import { openOn } from '../testing/engine-fixture.ts';
import { Fixture, scope } from '../testing/fixture.ts';
import {
  expectedOf,
  type Predicates,
  randomQueries,
  requestOf,
  rounded,
  shopDocument,
  shops,
  shopTables,
} from '../testing/random-shop.ts';
import { statementsFor, type Table } from '../testing/tables.ts';

const PREDICATES: Predicates = {
  regions: { ROLE_REGION: "name = 'a' OR name = 'B'", ROLE_STORE: '1 = 1', ROLE_PRODUCT: '1 = 1', '*': '1 = 1' },
  stores: { ROLE_STORE: 'size < 5', ROLE_REGION: '1 = 1', ROLE_PRODUCT: '1 = 1', '*': '1 = 1' },
  products: { ROLE_PRODUCT: 'price > 1', ROLE_REGION: '1 = 1', ROLE_STORE: '1 = 1', '*': '1 = 1' },
};

/** Computes the shop that a role sees, by loops over its rows: only rows with a visible match for every key. */
function seenBy(role: string, shop: Shop): Shop {
  const has = (rows: readonly Row[], key: Row[string] | undefined) => rows.some(({ id }) => id === key);
  const passes = (test: string, row: Row): boolean => {
    if (role !== test) return true;
    if (role === 'ROLE_REGION') return row.name === 'a' || row.name === 'B';
    const value = role === 'ROLE_STORE' ? row.size : row.price;
    return typeof value === 'number' && (role === 'ROLE_STORE' ? value < 5 : value > 1);
  };
  const regions = shop.regions.filter((row) => passes('ROLE_REGION', row));
  const stores = shop.stores.filter((row) => passes('ROLE_STORE', row) && has(regions, row.region_id));
  const products = shop.products.filter((row) => passes('ROLE_PRODUCT', row));
  const sales = shop.sales.filter((row) => has(stores, row.store_id) && has(products, row.product_id));
  const returns = shop.returns.filter((row) => has(products, row.product_id));
  return { ...shop, regions, stores, products, sales, returns };
}

const [shop] = fc.sample(shops, { seed: SEED, numRuns: 1 });
if (shop === undefined) throw new Error('no shop was made');

describeEngines(`random requests of restricted callers on $engine (SEED=${SEED})`, (engine) => {
  let fixture: Fixture;
  beforeAll(async () => {
    const warehouse = await startWarehouse(engine, statementsFor(engine, shopTables(shop)), { poolSize: 2 });
    const cache = openCache({ maxBytes: 10_000_000, clock: Date.now });
    const document = shopDocument(PREDICATES);
    fixture = await Fixture.open({ warehouse, cache, document, settings: { cacheTtlMs: 600_000 } });
    expect(fixture.problems).toEqual([]);
  });
  afterAll(() => fixture.close());

  it('have the answers of loops over the rows that each caller may see', { timeout: 120_000 }, async () => {
    const roles = fc.constantFrom('ROLE_REGION', 'ROLE_STORE', 'ROLE_PRODUCT', 'ROLE_OTHER');
    await fc.assert(
      fc.asyncProperty(randomQueries, roles, async (query, role) => {
        const expected = expectedOf(query, seenBy(role, shop));
        if (expected === undefined) {
          await expect(fixture.run(requestOf(query), scope(role))).rejects.toBeInstanceOf(ValidationError);
          return;
        }
        const table = await fixture.table(requestOf(query), scope(role));
        expect(table.map((row) => row.map(rounded))).toEqual(expected.map((row) => row.map(rounded)));
      }),
      { seed: SEED, numRuns: runsOn(engine, 60) },
    );
  });
});

const AIR: readonly Table[] = [
  {
    name: 'airports',
    columns: [
      ['land', 'text'],
      ['code', 'integer'],
      ['city', 'text'],
    ],
    rows: [
      ['NO', 1, 'Oslo'],
      ['NO', 2, 'Bergen'],
      ['IT', 1, 'Rome'],
    ],
  },
  {
    name: 'flights',
    columns: [
      ['id', 'integer'],
      ['origin_land', 'text'],
      ['origin', 'integer'],
      ['target_land', 'text'],
      ['target', 'integer'],
      ['seats', 'integer'],
      ['plane', 'text'],
    ],
    rows: [
      [1, 'NO', 1, 'NO', 2, 1, 'x'],
      [2, 'NO', 1, 'IT', 1, 2, 'x'],
      [3, 'IT', 1, 'NO', 1, 4, 'y'],
      [4, 'NO', 2, null, null, 8, 'z'],
      [5, 'IT', 1, 'IT', 1, 16, 'y'],
    ],
  },
];
const field = (name: string) => `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: ${name} }] }`;
const AIR_DOCUMENT = `
semantic_model:
  - name: air
    datasets:
      - { name: flights, source: flights, primary_key: [id], fields: [${field('id')}, ${field('plane')}] }
      - name: airports
        source: airports
        primary_key: [land, code]
        fields: [${field('city')}]
        custom_extensions: [{ vendor_name: SERVICE, data: '{"roles":{"row_predicates":{"ROLE_NORTH":"land = ''NO''"}}}' }]
    relationships:
      - { name: flight_origin, from: flights, to: airports, from_columns: [origin_land, origin], to_columns: [land, code] }
      - { name: flight_target, from: flights, to: airports, from_columns: [target_land, target], to_columns: [land, code] }
    metrics:
      - { name: seats, expression: [{ dialect: ANSI_SQL, expression: SUM(flights.seats) }] }
      - { name: flight_count, expression: [{ dialect: ANSI_SQL, expression: COUNT(*) }] }
`;

describeEngines('a predicate behind two paths of two columns on $engine', (engine) => {
  let air: Fixture;
  const north = scope('ROLE_NORTH');
  beforeAll(async () => {
    air = await openOn(engine, AIR, { document: AIR_DOCUMENT, settings: { cacheTtlMs: 600_000 } });
    expect(air.problems).toEqual([]);
  });
  afterAll(() => air.close());

  const plane = { dataset: 'flights', field: 'plane' };
  const values = [{ metric: 'seats' }, { metric: 'flight_count' }];

  it('applies along each, hides rows without a match, and is kept apart in the cache', async () => {
    expect(await air.table({ values }, scope('ROLE_ADMIN'))).toEqual([[31, 5]]);
    expect(await air.table({ values }, north)).toEqual([[1, 1]]);
    expect(await air.table({ values }, scope('ROLE_STRANGER'))).toEqual([[null, 0]]);
    expect(await air.table({ values }, scope('ROLE_ADMIN'))).toEqual([[31, 5]]);
  });

  it('restricts fields, row detail, the value search and samples alike', async () => {
    expect(await air.table({ rows: [plane] }, north)).toEqual([['x']]);
    const operations = air.operations(north);
    const detail = await operations.rowDetail({ connection: 'test', rows: [{ dataset: 'flights', field: 'id' }] });
    expect(detail.records).toEqual([{ 'flights.id': 1 }]);
    expect((await operations.searchValues({ connection: 'test', ...plane })).matches).toEqual(['x']);
    const { datasets } = await operations.schema({ connection: 'test', model: 'air' });
    expect(datasets.flights?.fields.plane?.sampleValues).toEqual(['x']);
    expect(datasets.airports?.fields.city?.sampleValues).toEqual(['Bergen', 'Oslo']);
  });

  it('is described in the preview', async () => {
    const { plan, generatedSql } = await air.operations(north).preview({ connection: 'test', values });
    expect(plan.steps).toContain(
      'Of flights only rows are read with a visible match along flights → airports (flight_origin) and with a visible match along flights → airports (flight_target).',
    );
    expect(generatedSql.match(/ IN \(SELECT/g)).toHaveLength(2);
  });
});
