/** Tests which fields and metrics a request in the making cannot be combined with. The model decides, not the engine. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RestClient, restClient } from '../../../router/testing/rest-client.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { Fixture, scope } from '../testing/fixture.ts';

const ROOT = '/rest/service/api/ai/semantic';
/** Orders of shops, and visits without a key: no visit leads to a shop. */
const DOCUMENT = `
version: 0.1.1
semantic_model:
  - name: retail
    datasets:
      - name: orders
        source: orders
        primary_key: [id]
        fields:
          - { name: placed, expression: [{ dialect: ANSI_SQL, expression: placed }] }
      - name: shops
        source: shops
        primary_key: [id]
        fields:
          - { name: city, expression: [{ dialect: ANSI_SQL, expression: city }] }
      - name: visits
        source: visits
        fields:
          - { name: page, expression: [{ dialect: ANSI_SQL, expression: page }] }
          - { name: secret, expression: [{ dialect: ANSI_SQL, expression: page }],
              custom_extensions: [{ vendor_name: SERVICE, data: '{"roles":{"allow":["ROLE_SECRET"]}}' }] }
    relationships:
      - { name: order_shop, from: orders, to: shops, from_columns: [shop_id], to_columns: [id] }
    metrics:
      - { name: total, expression: [{ dialect: ANSI_SQL, expression: SUM(orders.total) }] }
      - { name: visit_count, expression: [{ dialect: ANSI_SQL, expression: COUNT(visits.page) }] }
      - { name: pages, expression: [{ dialect: ANSI_SQL, expression: COUNT(DISTINCT visits.page) }] }
`;

let fixture: Fixture;
let rest: RestClient;
beforeAll(async () => {
  const warehouse = await startWarehouse('duckdb', [
    'CREATE TABLE orders (id INTEGER, shop_id INTEGER, total INTEGER, placed DATE)',
    'CREATE TABLE shops (id INTEGER, city VARCHAR)',
    'CREATE TABLE visits (page VARCHAR)',
  ]);
  fixture = await Fixture.open({
    warehouse,
    cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
    document: DOCUMENT,
  });
  rest = restClient(fixture.surface.plugin);
});
afterAll(() => fixture?.close());

const combinations = async (request: object) => {
  const caller = { kind: 'user', via: 'api-key', ...scope('ROLE_USER') } as const;
  return rest.call(`POST ${ROOT}/combinations`, { caller, body: { connection: 'test', ...request } });
};

it('an empty request combines with everything', async () => {
  expect(await combinations({})).toMatchObject({ status: 200, body: { datasets: [], metrics: [] } });
});

it('a metric names the datasets that it cannot be grouped by, and why', async () => {
  const { status, body } = await combinations({ values: [{ metric: 'total' }] });
  expect([status, body]).toEqual([
    200,
    { datasets: [{ dataset: 'visits', message: expect.stringContaining('visits') }], metrics: [] },
  ]);
});

it('a field names the metrics that cannot be shown by it, each of them', async () => {
  const { body } = await combinations({ rows: [{ dataset: 'shops', field: 'city' }] });
  expect(body).toMatchObject({
    datasets: [{ dataset: 'visits' }],
    metrics: [{ metric: 'visit_count', message: expect.any(String) }, { metric: 'pages' }],
  });
});

it('sorts, a limit and the filling of dates do not count', async () => {
  const rows = [{ dataset: 'orders', field: 'placed', grain: 'month', fill: true }];
  const { body } = await combinations({
    rows,
    values: [{ metric: 'total' }],
    sorts: [{ metric: 'visit_count' }],
    limit: 3,
  });
  expect(body).toMatchObject({
    datasets: [{ dataset: 'visits' }],
    metrics: [{ metric: 'visit_count' }, { metric: 'pages' }],
  });
});

it('a mistake of the request itself is reported, and nothing else', async () => {
  const { body } = await combinations({ rows: [{ dataset: 'shops', field: 'town' }] });
  expect(body).toEqual({
    problem: { field: 'rows[0].field', message: expect.stringContaining('town') },
    datasets: [],
    metrics: [],
  });
});
