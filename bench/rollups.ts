/** The same questions to a semantic model over ten million sales, with a roll-up by day and category and without it. */

import { Fixture } from '../plugins/semantic/testing/fixture.ts';
import { openCache } from '../server/cache/cache.ts';
import { startWarehouse } from '../server/warehouse/testing/engines.ts';
import { head, median, row } from './print.ts';
import { field } from './staging.ts';
import { type Times, timesOf } from './times.ts';

const SALES = 10_000_000;
const RUNS = 9;
/** Requests before the first that is measured: the compiler of JavaScript optimises what runs often. */
const WARM_UP = 30;

/**
 * 1,096 days and 1,000 products in 12 categories. The roll-up has a row for each day and category. DuckDB adds up decimals of 18
 * digits three times as fast as decimals of 38, the type of their sums.
 */
const TABLES = [
  `CREATE TABLE sales AS SELECT i::INTEGER AS id, (hash(i * 7 + 1) % 1000)::INTEGER AS product_id,
    DATE '2023-01-01' + (hash(i) % 1096)::INTEGER AS day, ((hash(i * 3) % 10000) / 100.0)::DECIMAL(12,2) AS amount FROM range(${SALES}) t(i)`,
  "CREATE TABLE products AS SELECT i::INTEGER AS id, 'category ' || (i % 12) AS category FROM range(1000) t(i)",
  `CREATE TABLE daily_sales AS SELECT s.day, p.category, SUM(s.amount)::DECIMAL(18,2) AS revenue, COUNT(*) AS sale_count
    FROM sales AS s LEFT JOIN products AS p ON p.id = s.product_id GROUP BY ALL ORDER BY ALL`,
];

const ROLLUP = {
  name: 'daily',
  table: 'daily_sales',
  dataset: 'sales',
  fields: [{ field: 'sales.day', grain: 'day' }, { field: 'products.category' }],
  metrics: [{ metric: 'revenue' }, { metric: 'sale_count' }],
  rows: 'sale_count',
};
const metric = (name: string, expression: string, kinds = {}) =>
  `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: "${expression}" }], custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify(kinds)}' }] }`;
const DOCUMENT = `
semantic_model:
  - name: shop
    custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify({ rollups: [ROLLUP] })}' }]
    datasets:
      - { name: sales, source: sales, primary_key: [id], fields: [${field('day')}] }
      - { name: products, source: products, primary_key: [id], fields: [${field('category')}] }
    relationships:
      - { name: sold, from: sales, to: products, from_columns: [product_id], to_columns: [id] }
    metrics:
      - ${metric('revenue', 'SUM(sales.amount)')}
      - ${metric('sale_count', 'COUNT(*)')}
      - ${metric('price', 'SUM(sales.amount) / COUNT(*)')}
      - ${metric('month_before', 'SUM(sales.amount)', { offset: { by: 'sales.day', count: 1, grain: 'month' } })}
`;

const CATEGORY = { dataset: 'products', field: 'category' };
const day = (grain: string) => ({ dataset: 'sales', field: 'day', grain });
const values = (...names: readonly string[]) => names.map((name) => ({ metric: name }));
const ASKED = [
  { name: 'revenue by category', request: { rows: [CATEGORY], values: values('revenue') } },
  { name: 'revenue and price by month', request: { rows: [day('month')], values: values('revenue', 'price') } },
  {
    name: 'sales by category and year',
    request: { rows: [CATEGORY], columns: [day('year')], values: values('sale_count') },
  },
  {
    name: 'revenue of one category by day of a quarter',
    request: {
      rows: [day('day')],
      values: values('revenue'),
      filters: [
        { ...CATEGORY, op: 'EQ', value: 'category 3' },
        { dataset: 'sales', field: 'day', op: 'BETWEEN', values: ['2024-04-01', '2024-06-30'] },
      ],
    },
  },
  {
    name: 'revenue beside the month before, by month',
    request: { rows: [day('month')], values: values('revenue', 'month_before') },
  },
] as const;

export async function rollupsPart(): Promise<void> {
  const warehouse = await startWarehouse('duckdb', TABLES);
  const open = (usesRollups: boolean) =>
    Fixture.open({
      warehouse,
      cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
      document: DOCUMENT,
      settings: { rewrites: { usesRollups } },
    });
  try {
    const plain = await open(false);
    const check = await timesOf(() => open(true));
    const rolled = await open(true);
    head(
      `${SALES.toLocaleString('en')} sales`,
      'from the rows',
      'from the roll-up',
      'ratio',
      'processor time',
      'roll-up',
      'ratio',
    );
    for (const { name, request } of ASKED) {
      const expected = JSON.stringify((await plain.run(request)).records);
      const isSame = JSON.stringify((await rolled.run(request)).records) === expected;
      for (let run = 0; run < WARM_UP; run++) await rolled.run(request);
      const times = {
        plain: [] as Times[],
        rolled: [] as Times[],
      };
      for (let run = 0; run < RUNS; run++) {
        times.plain.push(await timesOf(() => plain.run(request)));
        times.rolled.push(await timesOf(() => rolled.run(request)));
      }
      const figures = (['clock', 'processor'] as const).flatMap((kind) => {
        const [from = 0, to = 1] = [times.plain, times.rolled].map((each) => median(each.map((one) => one[kind])));
        return [`${from.toFixed(1)} ms`, `${to.toFixed(1)} ms`, `${(from / to).toFixed(0)}×`];
      });
      row(isSame ? name : `${name}: THE ANSWERS DIFFER`, ...figures);
    }
    row(
      'loading the model and comparing the roll-up once',
      `${check.clock.toFixed(0)} ms`,
      '',
      '',
      `${check.processor.toFixed(0)} ms`,
      '',
      '',
    );
  } finally {
    await warehouse.stop();
  }
}
