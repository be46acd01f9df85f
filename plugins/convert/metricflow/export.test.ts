/** Compares the document that dbt writes, by the rules of its format, with the document converted from the same project. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCache } from '../../../server/cache/cache.ts';
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { loadSqlLibrary } from '../../query-surface/index.ts';
import { writeOsi } from '../../semantic/index.ts';
import { Fixture } from '../../semantic/testing/fixture.ts';
import { convertMetricflow } from './convert-metricflow.ts';

await loadSqlLibrary();

const PROJECT = `
semantic_models:
  - name: orders
    model: ref('fct_orders')
    defaults: { agg_time_dimension: ordered_on }
    entities:
      - { name: order, type: primary, expr: order_id }
      - { name: customer, type: foreign, expr: customer_id }
    dimensions:
      - { name: ordered_on, type: time, type_params: { time_granularity: day } }
      - { name: state, type: categorical, expr: status }
    measures:
      - { name: revenue, agg: sum, expr: amount }
      - { name: order_count, agg: count, expr: order_id }
      - { name: middle, agg: median, expr: amount }
  - name: returns
    model: ref('fct_returns')
    entities:
      - { name: return, type: primary, expr: return_id }
      - { name: customer, type: foreign, expr: customer_id }
    measures: [{ name: returned, agg: sum, expr: amount }]
  - name: customers
    model: ref('dim_customers')
    entities: [{ name: customer, type: primary, expr: customer_id }]
    dimensions: [{ name: region, type: categorical }]
metrics:
  - { name: revenue, type: simple, type_params: { measure: revenue } }
  - { name: order_count, type: simple, type_params: { measure: order_count } }
  - { name: middle, type: simple, type_params: { measure: middle } }
  - { name: returned, type: simple, type_params: { measure: returned } }
  - { name: average_order, type: ratio, type_params: { numerator: revenue, denominator: order_count } }
  - { name: kept, type: derived, type_params: { expr: revenue - returned, metrics: [revenue, returned] } }
  - { name: paid, type: simple, type_params: { measure: revenue }, filter: "{{ Dimension('order__state') }} = 'paid'" }
  - { name: in_eu, type: simple, type_params: { measure: revenue }, filter: "{{ Dimension('customer__region') }} = 'EU'" }
`;

const ansi = (expression: string) => ({ dialects: [{ dialect: 'ANSI_SQL', expression }] });
const field = (name: string, expression: string, isTime?: boolean) => ({
  name,
  expression: ansi(expression),
  ...(isTime === undefined ? {} : { dimension: { is_time: isTime } }),
});
const metric = (name: string, expression: string) => ({ name, expression: ansi(expression) });
const shared = (from: string, to: string) => ({
  name: `${from}__${to}__customer`,
  from,
  to,
  from_columns: ['customer_id'],
  to_columns: ['customer_id'],
});
const COUNT = 'SUM(CASE WHEN orders.order_id IS NOT NULL THEN 1 ELSE 0 END)';
const EXPORT = JSON.stringify({
  version: '0.1.1',
  dialects: ['ANSI_SQL'],
  semantic_model: [
    {
      name: 'semantic_model',
      datasets: [
        {
          name: 'orders',
          source: 'fct_orders',
          primary_key: ['order_id'],
          fields: [
            field('order', 'order_id'),
            field('customer', 'customer_id'),
            field('ordered_on', 'ordered_on', true),
            field('state', 'status', false),
            field('revenue', 'amount'),
            field('order_count', 'CASE WHEN order_id IS NOT NULL THEN 1 ELSE 0 END'),
            field('middle', 'amount'),
          ],
        },
        {
          name: 'returns',
          source: 'fct_returns',
          primary_key: ['return_id'],
          fields: [field('return', 'return_id'), field('customer', 'customer_id'), field('returned', 'amount')],
        },
        {
          name: 'customers',
          source: 'dim_customers',
          primary_key: ['customer_id'],
          fields: [field('customer', 'customer_id'), field('region', 'region', false)],
        },
      ],
      relationships: [shared('orders', 'customers'), shared('returns', 'customers'), shared('orders', 'returns')],
      metrics: [
        metric('revenue', 'SUM(orders.amount)'),
        metric('order_count', COUNT),
        metric('middle', 'PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY orders.amount)'),
        metric('returned', 'SUM(returns.amount)'),
        metric('average_order', `(SUM(orders.amount)) / (${COUNT})`),
        metric('kept', 'SUM(orders.amount) - SUM(returns.amount)'),
        metric('paid', "SUM(CASE WHEN order__state = 'paid' THEN orders.amount END)"),
        metric('in_eu', "SUM(CASE WHEN customer__region = 'EU' THEN orders.amount END)"),
      ],
    },
  ],
});

const TABLES = [
  'CREATE TABLE fct_orders (order_id INTEGER, customer_id INTEGER, ordered_on DATE, status VARCHAR, amount INTEGER)',
  `INSERT INTO fct_orders VALUES (1, 1, '2024-01-01', 'paid', 10), (2, 1, '2024-01-03', 'open', 20), (3, 2, '2024-02-01', 'paid', 30)`,
  'CREATE TABLE fct_returns (return_id INTEGER, customer_id INTEGER, amount INTEGER)',
  'INSERT INTO fct_returns VALUES (1, 1, 4), (2, 1, 1)',
  'CREATE TABLE dim_customers (customer_id INTEGER, region VARCHAR)',
  "INSERT INTO dim_customers VALUES (1, 'EU'), (2, 'US')",
];

describe("dbt's own export and the converted project", () => {
  const fixtures: Fixture[] = [];
  beforeAll(async () => {
    const { model, problems } = convertMetricflow([{ name: 'm.yml', text: PROJECT }]);
    if (model === undefined) throw new Error(JSON.stringify(problems));
    // Both keep the groups of rows that a filter removes.
    expect(problems.map(({ message }) => message)).toEqual(
      ['paid', 'in_eu'].map((name) =>
        expect.stringMatching(`^metric ${name}: a group without rows that its filter keeps`),
      ),
    );
    for (const document of [EXPORT, writeOsi(model)]) {
      const warehouse = await startWarehouse('duckdb', TABLES, { poolSize: 1 });
      const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
      fixtures.push(await Fixture.open({ warehouse, cache, document }));
    }
  });
  afterAll(() => Promise.all(fixtures.map((fixture) => fixture.close())));

  const values = ['revenue', 'order_count', 'middle', 'average_order', 'returned', 'kept', 'paid', 'in_eu'].map(
    (metric) => ({
      metric,
    }),
  );

  it('report unused elements: only the relationship of two foreign sides, which dbt writes', () => {
    expect(fixtures.map(({ problems }) => problems.map(({ message }) => message))).toEqual([
      [expect.stringContaining('orders__returns__customer')],
      [],
    ]);
  });

  it.each([0, 1])('have the same answers, in total and by shared fields (%i)', async (index) => {
    const fixture = fixtures[index];
    expect(await fixture?.table({ values })).toEqual([[60, 3, 20, 20, 5, 55, 40, 30]]);
    expect(await fixture?.table({ rows: [{ dataset: 'customers', field: 'region' }], values })).toEqual([
      ['EU', 30, 2, 15, 15, 5, 25, 10, 30],
      ['US', 30, 1, 30, 30, null, null, 30, null],
    ]);
    const month = { rows: [{ dataset: 'orders', field: 'ordered_on', grain: 'month' }], values: [{ metric: 'paid' }] };
    expect(await fixture?.table(month)).toEqual([
      ['2024-01-01', 10],
      ['2024-02-01', 30],
    ]);
  });
});
