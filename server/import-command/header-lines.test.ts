/** Tests orders with lines, a budget beside them, and bridge tables: each fact table becomes a cube, or the proposal gives a reason. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { InferenceWork, profileSchema, proposeByRules } from '../../plugins/inference/index.ts';
import { silentLog } from '../../router/testing/silent-log.ts';
import { type ImportedHome, importedHome, numberOf } from './testing/imported-home.ts';

const [ORDERS, LINES] = [400, 1_200];
const WAREHOUSE = [
  "CREATE TABLE customers AS SELECT range + 1 AS customer_id, 'Customer ' || range AS company, 'Segment ' || (range % 4) AS segment FROM range(60)",
  "CREATE TABLE products AS SELECT range + 1 AS product_id, 'Product ' || range AS title, 'Group ' || (range % 5) AS product_group FROM range(50)",
  "CREATE TABLE orders AS SELECT range + 1 AS order_id, 1 + range % 60 AS customer_id, DATE '2024-01-01' + CAST(range % 300 AS INTEGER) AS ordered_on, CAST(5 + range % 7 AS DECIMAL(9,2)) AS freight FROM range(400)",
  'CREATE TABLE order_lines AS SELECT range + 1 AS line_id, 1 + range % 400 AS order_id, 1 + range * 7 % 50 AS product_id, 1 + range % 3 AS quantity, CAST(range % 90 + 0.5 AS DECIMAL(9,2)) AS amount FROM range(1200)',
  "CREATE TABLE budget AS SELECT DATE '2024-01-01' + CAST(range * 30 AS INTEGER) AS budget_month, 'Region ' || (range % 3) AS region, CAST(1000 + range * 10 AS DECIMAL(9,2)) AS target_amount FROM range(36)",
  "CREATE TABLE tags AS SELECT range + 1 AS tag_id, 'Tag ' || range AS tag FROM range(30)",
  'CREATE TABLE product_tags AS SELECT 1 + range % 50 AS product_id, 1 + range % 30 AS tag_id FROM range(150)',
  'CREATE TABLE complaints (complaint_id INTEGER, order_id INTEGER, written DATE, refund DECIMAL(9,2))',
];

let home: ImportedHome;
let proposal: ReturnType<typeof proposeByRules>;
beforeAll(async () => {
  home = await importedHome('shop', WAREHOUSE);
  const warehouses = home.openWarehouses();
  const profile = await profileSchema({
    warehouse: await warehouses.open(home.address),
    schema: undefined,
    maxTables: 50,
    tableTypes: ['TABLE'],
    clock: Date.now,
    log: silentLog,
    work: new InferenceWork(undefined),
  });
  await warehouses.close();
  proposal = proposeByRules(profile, { schemaName: 'shop' });
});
afterAll(() => home.remove());

it('header and lines become one cube each, a fact without references too, and each other table has a reason', () => {
  expect(proposal.cubes.map(({ name }) => name)).toEqual(['Order Lines', 'Orders', 'Budget']);
  expect(Object.fromEntries((proposal.leftOut ?? []).map(({ tableName, reason }) => [tableName, reason]))).toEqual({
    tags: 'Other tables refer to it: it describes their rows.',
    product_tags: 'It only connects products and tags.',
    complaints: 'It has no rows.',
  });
  expect(home.outcome.lines.join('\n')).toContain('product_tags: It only connects products and tags.');
});

it('lines are grouped by columns of their header, and by the tables that the header references', async () => {
  const [lines] = proposal.cubes;
  expect(lines?.dimensions.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Ordered On', 'Customers Segment', 'Products Product Group']),
  );
  const amount = (n: number): number => (n % 90) + 0.5;
  const rows = Array.from({ length: LINES }, (_, n) => ({ order: n % ORDERS, amount: amount(n) }));
  const sumOf = (belongs: (order: number) => boolean): number =>
    rows.filter(({ order }) => belongs(order)).reduce((sum, each) => sum + each.amount, 0);
  const segments = [0, 1, 2, 3].map((segment) => sumOf((order) => (order % 60) % 4 === segment));
  const january = sumOf((order) => order % 300 < 31);
  const byCube = (dimension: string, level: string) =>
    home.recordsOf('shop', {
      cube: 'shop/shop/shop/Order Lines',
      measures: [{ name: 'Amount' }],
      rows: [{ dimension, level }],
    });
  const ofCube = (await byCube('Customers Segment', 'Segment')).map(({ Amount }) => numberOf(Amount));
  expect(ofCube).toEqual(segments);
  expect(numberOf((await byCube('Ordered On', 'Month'))[0]?.Amount)).toBe(january);
  const byModel = (row: object) =>
    home.recordsOf('shop-model', {
      connection: 'shop-model',
      model: 'shop',
      rows: [row],
      values: [{ metric: 'amount' }],
    });
  const ofModel = await byModel({ dataset: 'customers', field: 'segment' });
  expect(ofModel.map((record) => numberOf(record.amount))).toEqual(segments);
  const months = await byModel({ dataset: 'orders', field: 'ordered_on', grain: 'month' });
  expect(numberOf(months[0]?.amount)).toBe(january);
});

it('one semantic model asks each fact table at its own grain, also together', async () => {
  const ask = (request: object) =>
    home.recordsOf('shop-model', { connection: 'shop-model', model: 'shop', ...request });
  const values = ['amount', 'freight', 'target_amount', 'row_count', 'orders_row_count'].map((metric) => ({ metric }));
  const [totals] = await ask({ values });
  const sum = (count: number, of: (n: number) => number): number =>
    Array.from({ length: count }, (_, n) => of(n)).reduce((total, each) => total + each, 0);
  const freight = (order: number): number => 5 + (order % 7);
  expect(Object.fromEntries(Object.entries(totals ?? {}).map(([name, value]) => [name, numberOf(value)]))).toEqual({
    amount: sum(LINES, (n) => (n % 90) + 0.5),
    // Three lines refer to each order, and its freight counts once.
    freight: sum(ORDERS, freight),
    // 36 targets from 1,000 on, each 10 more than the one before.
    target_amount: 42_300,
    row_count: LINES,
    orders_row_count: ORDERS,
  });
  const bySegment = await ask({
    rows: [{ dataset: 'customers', field: 'segment' }],
    values: [{ metric: 'freight' }, { metric: 'row_count' }],
  });
  const inSegment = (segment: number) => (order: number) => (order % 60) % 4 === segment;
  expect(
    bySegment.map(({ freight: sumOfFreight, row_count }) => [numberOf(sumOfFreight), numberOf(row_count)]),
  ).toEqual(
    [0, 1, 2, 3].map((segment) => [
      sum(ORDERS, (order) => (inSegment(segment)(order) ? freight(order) : 0)),
      sum(LINES, (line) => Number(inSegment(segment)(line % ORDERS))),
    ]),
  );
});

it('the lines follow the dates of their orders', () => {
  const course = JSON.parse(home.document('shared/shop/over-time.service'));
  expect(course.source.request.rows).toEqual([{ dataset: 'orders', field: 'ordered_on', grain: 'month' }]);
});
