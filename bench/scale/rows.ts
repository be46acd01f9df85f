/** Semantic queries over one, ten and a hundred million rows, each beside its SQL. */
import { Fixture } from '../../plugins/semantic/testing/fixture.ts';
import { openCache } from '../../server/cache/cache.ts';
import { startWarehouse } from '../../server/warehouse/testing/engines.ts';
import { head, median, row } from '../print.ts';
import { timesOf } from '../times.ts';

const SIZES = [1_000_000, 10_000_000, 100_000_000] as const;
const RUNS = 5;

const tables = (sales: number): readonly string[] => [
  `CREATE TABLE sales AS SELECT i::INTEGER AS id, (hash(i * 7 + 1) % 1000)::INTEGER AS product_id,
    DATE '2023-01-01' + (hash(i) % 1096)::INTEGER AS day, ((hash(i * 3) % 10000) / 100.0)::DECIMAL(12,2) AS amount FROM range(${sales}) t(i)`,
  "CREATE TABLE products AS SELECT i::INTEGER AS id, 'category ' || (i % 12) AS category FROM range(1000) t(i)",
];

const expression = (text: string) => `expression: [{ dialect: ANSI_SQL, expression: "${text}" }]`;
const DOCUMENT = `
semantic_model:
  - name: shop
    datasets:
      - { name: sales, source: sales, primary_key: [id], fields: [{ name: day, ${expression('day')} }] }
      - { name: products, source: products, primary_key: [id], fields: [{ name: category, ${expression('category')} }] }
    relationships:
      - { name: sold, from: sales, to: products, from_columns: [product_id], to_columns: [id] }
    metrics:
      - { name: revenue, ${expression('SUM(sales.amount)')} }
`;

const CATEGORY = { dataset: 'products', field: 'category' };
const REVENUE = [{ metric: 'revenue' }];
const ASKED = [
  {
    name: 'revenue by category',
    request: { rows: [CATEGORY], values: REVENUE },
    sql: `SELECT category, SUM(amount) FROM (SELECT product_id, SUM(amount) AS amount FROM sales GROUP BY 1) AS s
      LEFT JOIN products AS p ON p.id = s.product_id GROUP BY 1 ORDER BY 1`,
  },
  {
    name: 'revenue by month',
    request: { rows: [{ dataset: 'sales', field: 'day', grain: 'month' }], values: REVENUE },
    sql: 'SELECT year(day), month(day), SUM(amount) FROM sales GROUP BY ALL ORDER BY ALL',
  },
  {
    name: 'revenue of a quarter, by category',
    request: {
      rows: [CATEGORY],
      values: REVENUE,
      filters: [{ dataset: 'sales', field: 'day', op: 'BETWEEN', values: ['2024-04-01', '2024-06-30'] }],
    },
    sql: `SELECT category, SUM(amount) FROM (SELECT product_id, SUM(amount) AS amount FROM sales
      WHERE day BETWEEN DATE '2024-04-01' AND DATE '2024-06-30' GROUP BY 1) AS s LEFT JOIN products AS p ON p.id = s.product_id GROUP BY 1 ORDER BY 1`,
  },
] as const;

export async function scaleRowsPart(): Promise<void> {
  head('rows', 'question', 'product, processor time', 'its SQL alone', 'ratio', 'for each million rows');
  for (const size of SIZES) {
    const warehouse = await startWarehouse('duckdb', tables(size));
    const shop = await Fixture.open({
      warehouse,
      cache: openCache({ maxBytes: 1, clock: Date.now }),
      document: DOCUMENT,
    });
    try {
      for (const { name, request, sql } of ASKED) {
        const [ours, plain]: [number[], number[]] = [[], []];
        await shop.run(request);
        for (let run = 0; run < RUNS; run++) {
          ours.push((await timesOf(() => shop.run(request))).processor);
          const bare = () => warehouse.warehouse.query({ sql, parameters: [] }, { maxRows: 1_000 });
          plain.push((await timesOf(bare)).processor);
        }
        const [our, bare] = [median(ours), median(plain)];
        const each = our / (size / 1_000_000);
        row(
          size.toLocaleString('en'),
          name,
          `${our.toFixed(0)} ms`,
          `${bare.toFixed(0)} ms`,
          (our / bare).toFixed(2),
          `${each.toFixed(1)} ms`,
        );
      }
    } finally {
      await shop.close();
    }
  }
}
