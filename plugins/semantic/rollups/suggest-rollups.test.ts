/** Tests that what queries aggregate is kept by names alone, and that suggested roll-ups answer the same queries with the same values. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { State } from '../../../router/capabilities/state.ts';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { openState, type StateStore } from '../../../server/state/index.ts';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { Fixture, scope } from '../testing/fixture.ts';
import { rollupStatements } from './build-rollups.ts';
import { DemandLog, type LoggedDemand, loggedDemands, rollupDemandMigrations } from './demand-log.ts';
import { type ModelSuggestions, suggestFor } from './suggest-rollups.ts';

/** 3,000 orders on 366 days by 40 customers of 4 regions. */
const TABLES = [
  `CREATE TABLE orders AS SELECT i::INTEGER AS id, DATE '2024-01-01' + (i % 366)::INTEGER AS day, (i * 7 % 40)::INTEGER AS customer_id,
    (i * 3 % 40)::INTEGER AS seller_id, CASE WHEN i % 3 = 0 THEN 'open' ELSE 'paid' END AS status, (i % 90 / 4.0)::DECIMAL(10,2) AS amount
    FROM range(3000) t(i)`,
  "CREATE TABLE customers AS SELECT i::INTEGER AS id, 'region ' || (i % 4) AS region FROM range(40) t(i)",
  'CREATE TABLE sellers AS SELECT i::INTEGER AS id, i::INTEGER % 5 AS region FROM range(40) t(i)',
];

const extension = (data: object) =>
  `custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify(data).replaceAll("'", "''")}' }]`;
const field = (name: string) => `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: ${name} }] }`;
const metric = (name: string, expression: string, data: object = {}) =>
  `      - { name: ${name}, expression: [{ dialect: ANSI_SQL, expression: "${expression}" }], ${extension(data)} }`;
const documentOf = (rollups: readonly object[], predicates?: object) => `
semantic_model:
  - name: shop
    ${extension({ rollups })}
    datasets:
      - { name: orders, source: orders, primary_key: [id], fields: [${['id', 'day', 'status'].map(field).join(', ')}], ${extension(predicates === undefined ? {} : { roles: { row_predicates: predicates } })} }
      - { name: customers, source: customers, primary_key: [id], fields: [${field('region')}] }
      - { name: sellers, source: sellers, primary_key: [id], fields: [${field('region')}] }
    relationships:
      - { name: buyer, from: orders, to: customers, from_columns: [customer_id], to_columns: [id] }
      - { name: sold_by, from: orders, to: sellers, from_columns: [seller_id], to_columns: [id] }
    metrics:
${[
  metric('amount', 'SUM(orders.amount)'),
  metric('order_count', 'COUNT(orders.id)'),
  metric('price', 'amount / order_count'),
  metric('paid', 'SUM(orders.amount)', { filter: "orders.status = 'paid'" }),
  metric('before', 'amount', { offset: { by: 'orders.day', count: 1, grain: 'month' } }),
  metric('mean', 'AVG(orders.amount)'),
  metric('buyers', 'COUNT(DISTINCT orders.customer_id)'),
].join('\n')}
`;

const at = (dataset: string, name: string, grain?: string) => ({
  dataset,
  field: name,
  ...(grain === undefined ? {} : { grain }),
});
const values = (...names: readonly string[]) => names.map((name) => ({ metric: name }));
const OF_MONTH = { rows: [at('orders', 'day', 'month')], values: values('price') };
const FILTERED = {
  rows: [at('customers', 'region')],
  columns: [at('orders', 'day', 'quarter_of_year')],
  values: values('paid'),
  filters: [
    {
      any: [
        { ...at('orders', 'status'), op: 'EQ', value: 'open' },
        { ...at('sellers', 'region'), op: 'IN', values: [3, 4] },
      ],
    },
  ],
};
const OF_DAYS = {
  rows: [at('customers', 'region')],
  values: values('amount'),
  filters: [{ ...at('orders', 'day'), op: 'BETWEEN', values: ['2024-02-03', '2024-05-06'] }],
};
const BEFORE = { rows: [at('orders', 'day', 'month'), at('customers', 'region')], values: values('amount', 'before') };
const REQUESTS = [OF_MONTH, FILTERED, OF_DAYS, BEFORE];
const MEAN = { rows: [at('sellers', 'region')], values: values('mean') };

let folder: string;
let state: StateStore;
let warehouse: TestWarehouse;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-suggest-'));
  state = await openState({ url: undefined, sqliteFile: join(folder, 'state.sqlite'), log: silentLog });
  await state.migrate({ semantic: rollupDemandMigrations });
  warehouse = await startWarehouse('duckdb', TABLES);
});
afterAll(async () => {
  await warehouse?.stop();
  await state?.close();
  await rm(folder, { recursive: true });
});

const cache = (maxBytes = 1_000_000) => openCache({ maxBytes, clock: Date.now });
const datasource = () => ({ name: 'test', schema: undefined, warehouse: warehouse.address });

/** Asks, and returns what is logged, without the logs of other tests. */
async function logged(requests: readonly object[], document = documentOf([])): Promise<readonly LoggedDemand[]> {
  await (state satisfies State).tables<{ rollup_demands: object }>().deleteFrom('rollup_demands').execute();
  const demands = new DemandLog({ state, clock: Date.now, log: silentLog });
  const shop = await Fixture.open({ warehouse, cache: cache(0), document, demands });
  expect(shop.problems).toEqual([]);
  for (const request of requests) await shop.run(request, scope('ROLE_USER'));
  await demands.flush();
  return loggedDemands(state, 'default', 'test');
}

const suggested = async (requests: readonly object[], most = 3): Promise<ModelSuggestions> =>
  suggestFor(
    { datasource: datasource(), text: documentOf([]), warehouses: warehouse.warehouses },
    await logged(requests),
    most,
  );

it('keeps the names of fields and metrics, with the longest periods that answer, and no value', async () => {
  const demands = (await logged([...REQUESTS, OF_MONTH])).map(({ demand, times }) => [demand, times]);
  const day = (grain: string) => ({ field: 'orders.day', grain, via: [] });
  const region = { field: 'customers.region', via: ['buyer'] };
  expect(demands).toHaveLength(4);
  expect(demands).toEqual(
    expect.arrayContaining([
      [{ dataset: 'orders', fields: [day('month')], metrics: ['amount', 'order_count'] }, 2],
      [
        {
          dataset: 'orders',
          fields: [
            region,
            day('quarter'),
            { field: 'orders.status', via: [] },
            { field: 'sellers.region', via: ['sold_by'] },
          ],
          metrics: ['paid'],
        },
        1,
      ],
      // Also the month before, which is read by days.
      [{ dataset: 'orders', fields: [region, day('day')], metrics: ['amount'] }, 2],
      [{ dataset: 'orders', fields: [region, day('month')], metrics: ['amount'] }, 1],
    ]),
  );
  const kept = JSON.stringify(
    await state.tables<{ rollup_demands: object }>().selectFrom('rollup_demands').selectAll().execute(),
  );
  expect(kept).not.toMatch(/open|2024-0|2024-05|\[3,4\]/);
});

it('keeps nothing of callers who see a part of the rows', async () => {
  expect(await logged(REQUESTS, documentOf([], { ROLE_USER: "status = 'paid'" }))).toEqual([]);
});

it('suggests roll-ups that answer the same requests with the same values', { timeout: 60_000 }, async () => {
  const { suggested: roll, unanswerable } = await suggested([...REQUESTS, MEAN], 5);
  expect(unanswerable.map(({ demand, reason }) => [demand.metrics, reason])).toEqual([
    [['mean'], expect.stringContaining('cannot be combined exactly')],
  ]);
  expect(roll.length).toBeGreaterThan(0);
  for (const { rows, datasetRows } of roll) {
    expect(datasetRows).toBe(3000);
    expect(rows).toBeLessThanOrEqual(300);
  }

  const text = documentOf(roll.map(({ rollup }) => rollup));
  const made = await rollupStatements({ datasource: datasource(), text, warehouses: warehouse.warehouses });
  const built = await startWarehouse('duckdb', [...TABLES, ...made.flatMap(({ statements }) => statements)]);
  try {
    const plain = await Fixture.open({ warehouse, cache: cache(), document: documentOf([]) });
    const rolled = await Fixture.open({ warehouse: built, cache: cache(), document: text });
    expect(rolled.problems).toEqual([]);
    const read: boolean[] = [];
    for (const request of REQUESTS) {
      expect((await rolled.run(request)).records).toEqual((await plain.run(request)).records);
      const { generatedSql } = await rolled.operations().preview({ connection: 'test', ...request } as never);
      read.push(generatedSql.includes('service_rollup'));
    }
    // Days and regions are more rows than a tenth of the orders, so that the request by days reads the orders.
    expect(read).toEqual([true, true, false, true]);
  } finally {
    await built.stop();
  }
});

it('suggests no more than are asked for, and none for what a declared one answers', async () => {
  const demands = await logged(REQUESTS);
  const request = { datasource: datasource(), text: documentOf([]), warehouses: warehouse.warehouses };
  const [first] = (await suggestFor(request, demands, 1)).suggested;
  expect(first).toBeDefined();
  const declared = { ...request, text: documentOf(first === undefined ? [] : [first.rollup]) };
  const { suggested: others } = await suggestFor(declared, demands, 5);
  expect(others.map(({ rollup }) => rollup.fields)).not.toContainEqual(first?.rollup.fields);
});
