/**
 * Contains forty questions with recorded calls of language models, some of them wrong on purpose, and an SQL statement
 * with the correct result. Each entry of `writes` is one call of the model; the last one is the query that runs.
 */
import type { Reply } from '../../server/llm/testing/stand-in.ts';
import { cube, semantic } from './asking.ts';

export interface Question {
  readonly question: string;
  readonly on: 'semantic' | 'cube';
  readonly writes: readonly Reply[];
  /** Rows of the answer: its groups, then its values. In any order, unless `isOrdered`. */
  readonly sql?: string;
  readonly isOrdered?: true;
  /** The code of the error, where there is no answer. */
  readonly error?: 'OFF_TOPIC' | 'VALIDATION_ERROR' | 'UPSTREAM_ERROR';
}

const field = (path: string) => {
  const [dataset, name] = path.split('.');
  return { dataset, field: name };
};
const by = (...paths: readonly string[]) => paths.map(field);
const date = (grain: string) => ({ ...field('sales.date'), grain });
const values = (...metrics: readonly string[]) => metrics.map((metric) => ({ metric }));
const is = (path: string, value: string | number | boolean) => ({ ...field(path), op: 'EQ', value });
const in2025 = { ...date('year'), op: 'EQ', value: 2025 };

const level = (dimension: string, name: string) => ({ dimension, level: name });
const only = (dimension: string, name: string, ...members: readonly string[]) => ({
  dimension,
  level: name,
  op: 'in',
  members,
});
const measures = (...names: readonly string[]) => names.map((name) => ({ name }));

const JOINED =
  'FROM sales JOIN stores USING (store_id) JOIN products USING (product_id) JOIN calendar ON calendar.date = sales.date LEFT JOIN customers USING (customer_id)';

export const QUESTIONS: readonly Question[] = [
  {
    question: 'How much did we sell?',
    on: 'semantic',
    writes: [semantic({ values: values('net_sales') })],
    sql: `SELECT SUM(net_amount) ${JOINED}`,
  },
  {
    question: 'Net sales by region',
    on: 'semantic',
    writes: [semantic({ rows: by('stores.region'), values: values('net_sales') })],
    sql: `SELECT region, SUM(net_amount) ${JOINED} GROUP BY 1`,
  },
  {
    question: 'Which three categories earned the most in 2025?',
    on: 'semantic',
    writes: [
      semantic({
        rows: by('products.category'),
        values: values('margin'),
        filters: [in2025],
        sorts: [{ metric: 'margin', direction: 'DESC' }],
        limit: 3,
      }),
    ],
    sql: `SELECT category, SUM(net_amount - cost_amount) ${JOINED} WHERE year = 2025 GROUP BY 1 ORDER BY 2 DESC LIMIT 3`,
    isOrdered: true,
  },
  {
    question: 'Orders per quarter',
    on: 'semantic',
    writes: [
      semantic({
        rows: [date('quarter')],
        values: values('order_count'),
        sorts: [{ field: 'sales.date.quarter', direction: 'ASC' }],
      }),
    ],
    sql: `SELECT date_trunc('quarter', sales.date)::DATE::VARCHAR, COUNT(DISTINCT order_id) ${JOINED} GROUP BY 1 ORDER BY 1`,
    isOrdered: true,
  },
  {
    question: 'Umsatz nach Land im Norden',
    on: 'semantic',
    writes: [
      semantic({ rows: by('stores.country'), values: values('net_sales'), filters: [is('stores.region', 'North')] }),
    ],
    sql: `SELECT stores.country, SUM(net_amount) ${JOINED} WHERE region = 'North' GROUP BY 1`,
  },
  {
    question: 'Pieces sold online and in store, by year',
    on: 'semantic',
    writes: [semantic({ rows: [date('year')], columns: by('sales.channel'), values: values('quantity') })],
    sql: `SELECT date_trunc('year', sales.date)::DATE::VARCHAR, channel, SUM(quantity) ${JOINED} GROUP BY 1, 2`,
  },
  {
    question: 'What share of the shelf was empty in each region?',
    on: 'semantic',
    writes: [semantic({ rows: by('stores.region'), values: values('out_of_stock_rate') })],
    sql: 'SELECT region, AVG(CASE WHEN units_on_hand = 0 THEN 1.0 ELSE 0.0 END) FROM inventory JOIN stores USING (store_id) GROUP BY 1',
  },
  {
    question: 'Sales on holidays and other days',
    on: 'semantic',
    writes: [semantic({ rows: by('calendar.is_holiday'), values: values('net_sales') })],
    sql: `SELECT is_holiday, SUM(net_amount) ${JOINED} GROUP BY 1`,
  },
  {
    question: 'Average basket of each customer segment',
    on: 'semantic',
    writes: [semantic({ rows: by('customers.segment'), values: values('average_order_value') })],
    sql: `SELECT segment, SUM(net_amount) / COUNT(DISTINCT order_id) ${JOINED} GROUP BY 1`,
  },
  {
    question: 'Turnover and discounts in the first half of 2024',
    on: 'semantic',
    writes: [
      semantic({
        values: values('net_sales', 'discount_amount'),
        filters: [{ ...field('sales.date'), op: 'BETWEEN', values: ['2024-01-01', '2024-06-30'] }],
      }),
    ],
    sql: `SELECT SUM(net_amount), SUM(discount_amount) ${JOINED} WHERE sales.date BETWEEN DATE '2024-01-01' AND DATE '2024-06-30'`,
  },
  {
    question: 'Which formats do our stores have?',
    on: 'semantic',
    writes: [semantic({ rows: by('stores.format') })],
    sql: 'SELECT DISTINCT format FROM stores',
  },
  {
    question: 'Sales in North and South',
    on: 'semantic',
    writes: [
      semantic({
        rows: by('stores.region'),
        values: values('net_sales'),
        filters: [{ ...field('stores.region'), op: 'IN', values: ['North', 'South'] }],
      }),
    ],
    sql: `SELECT region, SUM(net_amount) ${JOINED} WHERE region IN ('North', 'South') GROUP BY 1`,
  },
  {
    question: 'Revenue by region, names taken from the synonyms',
    on: 'semantic',
    writes: [semantic({ rows: by('shops.area'), values: values('revenue') })],
    sql: `SELECT region, SUM(net_amount) ${JOINED} GROUP BY 1`,
  },
  {
    question: 'Sales by region, optional members as null',
    on: 'semantic',
    writes: [
      semantic({
        rows: [{ ...field('stores.region'), via: null }],
        columns: null,
        values: [{ metric: 'net_sales', aggregation: null }],
        filters: null,
        sorts: null,
        limit: null,
      }),
    ],
    sql: `SELECT region, SUM(net_amount) ${JOINED} GROUP BY 1`,
  },
  {
    question: 'Sales by region, a field misspelt',
    on: 'semantic',
    writes: [
      semantic({ rows: by('stores.regoin'), values: values('net_sales') }),
      semantic({ rows: by('stores.region'), values: values('net_sales') }),
    ],
    sql: `SELECT region, SUM(net_amount) ${JOINED} GROUP BY 1`,
  },
  {
    question: 'Sales by region, the field of another dataset',
    on: 'semantic',
    writes: [
      semantic({ rows: by('sales.region'), values: values('net_sales') }),
      semantic({ rows: by('stores.region'), values: values('net_sales') }),
    ],
    sql: `SELECT region, SUM(net_amount) ${JOINED} GROUP BY 1`,
  },
  {
    question: 'Sales by region, everything wrong at once',
    on: 'semantic',
    writes: [
      semantic({ rows: by('store.region'), values: values('sales_net'), sorts: [{ metric: 'x' }], limit: 0 }),
      semantic({ rows: by('stores.region'), values: values('net_sales'), limit: 100 }),
    ],
    sql: `SELECT region, SUM(net_amount) ${JOINED} GROUP BY 1`,
  },
  {
    question: 'Sales by region in 2025, an operator that is none',
    on: 'semantic',
    writes: [
      semantic({
        rows: by('stores.region'),
        values: values('net_sales'),
        filters: [{ ...date('year'), op: '=', value: 2025 }],
      }),
      semantic({
        rows: by('stores.region'),
        values: values('net_sales'),
        filters: [in2025],
      }),
    ],
    sql: `SELECT region, SUM(net_amount) ${JOINED} WHERE year = 2025 GROUP BY 1`,
  },
  {
    question: 'Sales in a period with one end, mended in three steps',
    on: 'semantic',
    writes: [
      semantic({ values: values('nett_sales'), filters: [{ ...field('sales.date'), op: 'BETWEEN', values: [] }] }),
      semantic({
        values: values('net_sales'),
        filters: [{ ...field('sales.date'), op: 'BETWEEN', values: ['2025-01-01'] }],
      }),
      semantic({ values: values('net_sales'), filters: [{ ...field('sales.date'), op: 'GTE', value: '2025-01-01' }] }),
    ],
    sql: `SELECT SUM(net_amount) ${JOINED} WHERE sales.date >= DATE '2025-01-01'`,
  },
  {
    question: 'The mean of orders, which is not to be had',
    on: 'semantic',
    writes: [
      semantic({ values: [{ metric: 'line_count', aggregation: 'AVG' }] }),
      semantic({ values: values('line_count') }),
    ],
    sql: `SELECT COUNT(*) ${JOINED}`,
  },
  {
    question: 'Sales by region, first as a sentence',
    on: 'semantic',
    writes: [
      { text: 'Sure! Here are the sales by region.' },
      semantic({ rows: by('stores.region'), values: values('net_sales') }),
    ],
    sql: `SELECT region, SUM(net_amount) ${JOINED} GROUP BY 1`,
  },
  {
    question: 'Sales by region, first cut off in the middle',
    on: 'semantic',
    writes: [
      { tool: 'SemanticAiQueryRequest', rawInput: '{"connection":"demo","rows":[{"dataset":"sto' },
      semantic({ rows: by('stores.region'), values: values('net_sales') }),
    ],
    sql: `SELECT region, SUM(net_amount) ${JOINED} GROUP BY 1`,
  },
  {
    question: 'Sales by region, of another model by mistake',
    on: 'semantic',
    writes: [semantic({ connection: 'elsewhere', model: 'x', rows: by('stores.region'), values: values('net_sales') })],
    sql: `SELECT region, SUM(net_amount) ${JOINED} GROUP BY 1`,
  },
  {
    question: 'Names of our customers',
    on: 'semantic',
    writes: [semantic({ rows: by('customers.full_name') })],
    error: 'VALIDATION_ERROR',
  },
  {
    question: 'Who will win the election?',
    on: 'semantic',
    writes: [{ tool: 'OffTopic', input: { reason: 'Elections are not in the data.' } }],
    error: 'OFF_TOPIC',
  },
  {
    question: 'A model that only talks',
    on: 'semantic',
    writes: [{ text: 'I would rather not.' }],
    error: 'UPSTREAM_ERROR',
  },
  {
    question: 'How much did we sell, in the cube?',
    on: 'cube',
    writes: [cube({ measures: measures('Net Sales') })],
    sql: `SELECT SUM(net_amount) ${JOINED}`,
  },
  {
    question: 'Sales and pieces by category',
    on: 'cube',
    writes: [cube({ measures: measures('Net Sales', 'Units'), rows: [level('Product', 'Category')] })],
    sql: `SELECT category, SUM(net_amount), SUM(quantity) ${JOINED} GROUP BY 1`,
  },
  {
    question: 'The two regions with the highest margin',
    on: 'cube',
    writes: [
      cube({
        measures: measures('Margin'),
        rows: [level('Store', 'Region')],
        order: [{ by: 'Margin', direction: 'desc' }],
        limit: 2,
      }),
    ],
    sql: `SELECT region, SUM(net_amount - cost_amount) ${JOINED} GROUP BY 1 ORDER BY 2 DESC LIMIT 2`,
    isOrdered: true,
  },
  {
    question: 'Orders of each region in 2025',
    on: 'cube',
    writes: [
      cube({
        measures: measures('Orders'),
        rows: [level('Store', 'Region')],
        filters: [only('Time', 'Year', '2025')],
      }),
    ],
    sql: `SELECT region, COUNT(DISTINCT order_id) ${JOINED} WHERE year = 2025 GROUP BY 1`,
  },
  {
    question: 'Revenue by channel, by a synonym',
    on: 'cube',
    writes: [cube({ measures: measures('revenue'), rows: [level('Channel', 'Channel')] })],
    sql: `SELECT channel, SUM(net_amount) ${JOINED} GROUP BY 1`,
  },
  {
    question: 'Receipts by customer segment',
    on: 'cube',
    writes: [
      cube({
        measures: measures('Lines'),
        rows: [level('Customer', 'Segment')],
        filters: [only('Store', 'Region', 'North')],
      }),
    ],
    sql: `SELECT segment, COUNT(*) ${JOINED} WHERE region = 'North' AND segment IS NOT NULL GROUP BY 1`,
  },
  {
    question: 'Sales by brand, without naming the hierarchy',
    on: 'cube',
    writes: [cube({ measures: measures('Net Sales'), rows: [level('Product', 'Brand')] })],
    sql: `SELECT brand, SUM(net_amount) ${JOINED} GROUP BY 1`,
  },
  {
    question: 'Sales by category, the measure misspelt',
    on: 'cube',
    writes: [
      cube({ measures: measures('Net Sale'), rows: [level('Product', 'Category')] }),
      cube({ measures: measures('Net Sales'), rows: [level('Product', 'Category')] }),
    ],
    sql: `SELECT category, SUM(net_amount) ${JOINED} GROUP BY 1`,
  },
  {
    question: 'Sales by category, the level of another dimension',
    on: 'cube',
    writes: [
      cube({ measures: measures('Net Sales'), rows: [level('Store', 'Category')] }),
      cube({ measures: measures('Net Sales'), rows: [level('Product', 'Category')] }),
    ],
    sql: `SELECT category, SUM(net_amount) ${JOINED} GROUP BY 1`,
  },
  {
    question: 'Sales by region in the north, the member misspelt',
    on: 'cube',
    writes: [
      cube({
        measures: measures('Net Sales'),
        rows: [level('Store', 'Region')],
        filters: [only('Store', 'Region', 'Nord')],
      }),
      cube({
        measures: measures('Net Sales'),
        rows: [level('Store', 'Region')],
        filters: [only('Store', 'Region', 'north')],
      }),
    ],
    sql: `SELECT region, SUM(net_amount) ${JOINED} WHERE region = 'North' GROUP BY 1`,
  },
  {
    question: 'Sales of a year before, without a year at first',
    on: 'cube',
    writes: [
      cube({ measures: measures('Net Sales a Year Before') }),
      cube({ measures: measures('Net Sales a Year Before'), filters: [only('Time', 'Year', '2025')] }),
    ],
    sql: `SELECT SUM(net_amount) ${JOINED} WHERE year = 2024`,
  },
  {
    question: 'Sales by category, as SQL and then in a member that is none',
    on: 'cube',
    writes: [
      { tool: 'RunSql', input: { sql: 'SELECT * FROM customers' } },
      cube({ mdx: 'SELECT FROM [Sales]', measures: measures('Net Sales'), rows: [level('Product', 'Category')] }),
      cube({ measures: measures('Net Sales'), rows: [level('Product', 'Category')] }),
    ],
    sql: `SELECT category, SUM(net_amount) ${JOINED} GROUP BY 1`,
  },
  {
    question: 'Customers by name',
    on: 'cube',
    writes: [cube({ measures: measures('Net Sales'), rows: [level('Customer', 'Customer')] })],
    error: 'VALIDATION_ERROR',
  },
  {
    question: 'Tell me a joke',
    on: 'cube',
    writes: [{ tool: 'OffTopic', input: {} }],
    error: 'OFF_TOPIC',
  },
];
