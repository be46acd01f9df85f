/** Typed questions to a semantic model over three million sales, beside SQL by hand for the same. */

import { Fixture } from '../plugins/semantic/testing/fixture.ts';
import { openCache } from '../server/cache/cache.ts';
import { startWarehouse } from '../server/warehouse/testing/engines.ts';
import { head, median, row } from './print.ts';
import { field } from './staging.ts';

export const SALES = 3_000_000;
const RUNS = 9;

/** 1,096 days, 1,000 products in 12 categories, and 50 promotions of seven kinds; a tenth of the sales has no promotion. */
export const TABLES = [
  `CREATE TABLE sales AS SELECT i::INTEGER AS id, (hash(i * 7 + 1) % 1000)::INTEGER AS product_id,
    CASE WHEN hash(i * 13) % 10 = 0 THEN NULL ELSE (hash(i * 17) % 50)::INTEGER END AS promotion_id,
    DATE '2023-01-01' + (hash(i) % 1096)::INTEGER AS day, ((hash(i * 3) % 10000) / 100.0)::DECIMAL(12,2) AS amount FROM range(${SALES}) t(i)`,
  `CREATE TABLE returned AS SELECT i::INTEGER AS id, (hash(i * 5 + 2) % 1000)::INTEGER AS product_id,
    ((hash(i * 3 + 1) % 9000) / 100.0)::DECIMAL(12,2) AS refund FROM range(${SALES / 10}) t(i)`,
  "CREATE TABLE products AS SELECT i::INTEGER AS id, 'category ' || (i % 12) AS category FROM range(1000) t(i)",
  "CREATE TABLE promotions AS SELECT i::INTEGER AS id, 'kind ' || (i % 7) AS kind FROM range(50) t(i)",
];

const dataset = (name: string, ...fields: readonly string[]) =>
  `{ name: ${name}, source: ${name}, primary_key: [id], fields: [${fields.map(field).join(', ')}] }`;
const relationship = (from: string, to: string, column: string) =>
  `{ name: ${from}_${to}, from: ${from}, to: ${to}, from_columns: [${column}], to_columns: [id] }`;
const metric = (name: string, expression: string, kinds?: object) =>
  `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: "${expression}" }]${kinds === undefined ? '' : `, custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify(kinds)}' }]`} }`;
const before = (grain: string) => ({ offset: { by: 'sales.day', count: 1, grain } });
export const DOCUMENT = `
semantic_model:
  - name: shop
    datasets:
      - ${dataset('sales', 'day')}
      - ${dataset('returned', 'product_id')}
      - ${dataset('products', 'category')}
      - ${dataset('promotions', 'kind')}
    relationships:
      - ${relationship('sales', 'products', 'product_id')}
      - ${relationship('sales', 'promotions', 'promotion_id')}
      - ${relationship('returned', 'products', 'product_id')}
    metrics:
      - ${metric('revenue', 'SUM(sales.amount)')}
      - ${metric('refunds', 'SUM(returned.refund)')}
      - ${metric('buyers', 'COUNT(DISTINCT sales.product_id)')}
      - ${metric('month_before', 'SUM(sales.amount)', before('month'))}
      - ${metric('year_before', 'SUM(sales.amount)', before('year'))}
`;

const CATEGORY = { dataset: 'products', field: 'category' };
const KIND = { dataset: 'promotions', field: 'kind' };
const day = (grain: string) => ({ dataset: 'sales', field: 'day', grain });
const values = (...names: readonly string[]) => names.map((name) => ({ metric: name }));

const SPINE =
  "(SELECT CAST(unnest(range(DATE '2022-12-01', DATE '2027-02-01', INTERVAL 1 DAY)) AS DATE) AS ds) AS spine";
/** A metric beside itself at an earlier time, joined through a table of days, as MetricFlow writes it. */
const throughSpine = (
  grain: string,
  step: string,
) => `SELECT COALESCE(now.d, earlier.d) AS d, MAX(now.m) AS m, MAX(earlier.m) AS e
  FROM (SELECT DATE_TRUNC('${grain}', day) AS d, SUM(amount) AS m FROM (SELECT day, amount FROM sales) AS s GROUP BY 1) AS now
  FULL OUTER JOIN (SELECT DATE_TRUNC('${grain}', spine.ds) AS d, SUM(s.amount) AS m FROM ${SPINE}
    INNER JOIN (SELECT DATE_TRUNC('day', day) AS d, amount FROM sales) AS s ON spine.ds - INTERVAL 1 ${step} = s.d GROUP BY 1) AS earlier
  ON now.d = earlier.d GROUP BY 1 ORDER BY 1`;

export const ASKED = [
  {
    name: 'revenue by category',
    request: { rows: [CATEGORY], values: values('revenue') },
    by: 'SQL that groups by key first',
    sql: 'SELECT p.category, SUM(s.m) AS m FROM (SELECT product_id, SUM(amount) AS m FROM sales GROUP BY 1) AS s INNER JOIN products AS p ON p.id = s.product_id GROUP BY 1 ORDER BY 1',
  },
  {
    name: 'revenue by category and year',
    request: { rows: [CATEGORY], columns: [day('year')], values: values('revenue') },
    by: 'SQL that groups by key and year first',
    sql: 'SELECT p.category, make_date(CAST(s.y AS INTEGER), 1, 1), SUM(s.m) AS m FROM (SELECT product_id, year(day) AS y, SUM(amount) AS m FROM sales GROUP BY 1, 2) AS s INNER JOIN products AS p ON p.id = s.product_id GROUP BY 1, 2 ORDER BY 1, 2',
  },
  {
    name: 'revenue and refunds by category',
    request: { rows: [CATEGORY], values: values('revenue', 'refunds') },
    by: 'SQL that groups both facts by key first',
    sql: 'SELECT p.category, SUM(s.m) AS m, SUM(r.m) AS n FROM products AS p LEFT JOIN (SELECT product_id, SUM(amount) AS m FROM sales GROUP BY 1) AS s ON s.product_id = p.id LEFT JOIN (SELECT product_id, SUM(refund) AS m FROM returned GROUP BY 1) AS r ON r.product_id = p.id GROUP BY 1 ORDER BY 1',
  },
  {
    name: 'revenue by an attribute over a nullable key',
    request: { rows: [KIND], values: values('revenue') },
    by: 'SQL with an inner join, nulls apart',
    sql: 'SELECT p.kind, SUM(s.amount) AS m FROM sales AS s INNER JOIN promotions AS p ON p.id = s.promotion_id GROUP BY 1 UNION ALL SELECT NULL, SUM(amount) FROM sales WHERE promotion_id IS NULL ORDER BY 1',
  },
  {
    name: 'distinct products by an attribute over a nullable key',
    request: { rows: [KIND], values: values('buyers') },
    by: 'SQL with an inner join, nulls apart',
    sql: 'SELECT p.kind, COUNT(DISTINCT s.product_id) AS m FROM sales AS s INNER JOIN promotions AS p ON p.id = s.promotion_id GROUP BY 1 UNION ALL SELECT NULL, COUNT(DISTINCT product_id) FROM sales WHERE promotion_id IS NULL ORDER BY 1',
  },
  {
    name: 'revenue by month',
    request: { rows: [day('month')], values: values('revenue') },
    by: 'SQL that groups by numbers of months',
    sql: 'SELECT make_date(CAST(n // 12 AS INTEGER), CAST(n % 12 + 1 AS INTEGER), 1), m FROM (SELECT year(day) * 12 + month(day) - 1 AS n, SUM(amount) AS m FROM sales GROUP BY 1) AS s ORDER BY 1',
  },
  {
    name: 'revenue beside that of the month before, by month',
    request: { rows: [day('month')], values: values('revenue', 'month_before') },
    by: 'SQL through a table of days',
    sql: throughSpine('month', 'MONTH'),
  },
  {
    name: 'revenue beside that of the year before, by month',
    request: { rows: [day('month')], values: values('revenue', 'year_before') },
    by: 'SQL through a table of days',
    sql: throughSpine('month', 'YEAR'),
  },
  {
    name: 'revenue beside that of the month before, by day',
    request: { rows: [day('day')], values: values('revenue', 'month_before') },
    by: 'SQL through a table of days',
    sql: throughSpine('day', 'MONTH'),
  },
  {
    name: 'revenue by month, compared with the year before',
    request: { rows: [day('month')], values: [{ metric: 'revenue', compare: { to: 'previous_year' } }] },
    by: 'SQL through a table of days',
    sql: throughSpine('month', 'YEAR'),
  },
] as const;

/** Times a piece of work in milliseconds of the processor, all threads of this process together. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}

export async function semanticSqlPart(): Promise<void> {
  const warehouse = await startWarehouse('duckdb', TABLES);
  const open = (settings: NonNullable<Parameters<typeof Fixture.open>[0]['settings']>) =>
    Fixture.open({
      warehouse,
      cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
      document: DOCUMENT,
      settings,
    });
  try {
    const plain = await open({
      rewrites: {
        movesGroupsLast: false,
        groupsKeysFirst: 'never',
        numbersPeriods: 'never',
        countsGroups: 'never',
        usesRollups: false,
      },
    });
    const rewritten = await open({});
    head(
      `${SALES.toLocaleString('en')} sales`,
      'processor time, statement as asked',
      'rewritten',
      'by hand',
      'ratio, as asked',
      'ratio, rewritten',
      'by hand is',
    );
    for (const { name, request, by, sql } of ASKED) {
      const times = { plain: [] as number[], rewritten: [] as number[], hand: [] as number[] };
      for (let run = 0; run < RUNS; run++) {
        times.hand.push(
          await processorTime(() => warehouse.warehouse.query({ sql, parameters: [] }, { maxRows: 5_000 })),
        );
        times.plain.push(await processorTime(() => plain.run(request)));
        times.rewritten.push(await processorTime(() => rewritten.run(request)));
      }
      const [asked, changed, hand] = [times.plain, times.rewritten, times.hand].map(median);
      row(
        name,
        ...[asked, changed, hand].map((each = 0) => `${each.toFixed(0)} ms`),
        ...[asked, changed].map((each = 0) => (each / (hand ?? 1)).toFixed(2)),
        by,
      );
    }
  } finally {
    await warehouse.stop();
  }
}
