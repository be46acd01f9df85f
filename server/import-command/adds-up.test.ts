/** Tests that published dashboards add up: the tiles have the totals of the facts, computed here from the generated rows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellSetTable, runMdx } from '../../plugins/cube/index.ts';
import { firstAnswers, InferenceWork, modelsOf, profileSchema, proposeByRules } from '../../plugins/inference/index.ts';
import { loadSqlLibrary } from '../../plugins/query-surface/index.ts';
import { parseDashboard, parseSavedQuery } from '../../plugins/repository/index.ts';
import { silentLog } from '../../router/testing/silent-log.ts';
import { parseDraft } from '../ui/add-data/draft.ts';
import { chooseQuestions } from '../ui/add-data/questions.ts';
import { type ImportedHome, importedHome, numberOf } from './testing/imported-home.ts';

await loadSqlLibrary();

const ORDERS = 1_000;
/** Order n has the amount n + 1: the sum is 500,500, over 1,000 orders. */
const TOTAL = (ORDERS * (ORDERS + 1)) / 2;
const WAREHOUSE = [
  `CREATE TABLE customers AS SELECT 700 + range * 3 AS customer_id, CASE WHEN range % 10 = 0 THEN NULL ELSE 'Segment ' || (range % 4) END AS segment FROM range(40)`,
  "CREATE TABLE products AS SELECT 9000 + range * 7 AS product_id, 'Category ' || (range % 50) AS category FROM range(200)",
  // Every 13th order has no customer, every 37th an unknown customer; every 17th has no day, every 19th no product.
  `CREATE TABLE orders AS SELECT range + 1 AS order_no,
     CASE WHEN range % 13 = 0 THEN NULL WHEN range % 37 = 0 THEN 699 ELSE 700 + (range % 40) * 3 END AS customer_id,
     CASE WHEN range % 19 = 0 THEN NULL ELSE 9000 + (range * 11 % 200) * 7 END AS product_id,
     CASE WHEN range % 17 = 0 THEN NULL ELSE DATE '2024-01-01' + CAST(range % 300 AS INTEGER) END AS ordered_on,
     CASE WHEN range % 23 = 0 THEN NULL WHEN range % 2 = 0 THEN 'web' ELSE 'shop' END AS channel,
     CAST(range + 1 AS DECIMAL(12,2)) AS amount FROM range(${ORDERS})`,
];

let home: ImportedHome;
beforeAll(async () => {
  home = await importedHome('shop', WAREHOUSE);
});
afterAll(() => home.remove());

const sumOf = (records: Awaited<ReturnType<ImportedHome['recordsOf']>>): number =>
  records.reduce((sum, record) => sum + numberOf(Object.values(record).at(-1)), 0);

describe('a dashboard over orders without a customer, a product, a day or a channel', () => {
  it('has tiles that each add up to the key figure, except the tiles marked as truncated', async () => {
    const { documents } = home.outcome;
    const dashboard = parseDashboard(home.document(documents.find((path) => path.endsWith('.servicedash')) ?? ''));
    const tiles = dashboard.tiles.flatMap(({ title = '', query, kind, measure }) =>
      query !== undefined && 'path' in query
        ? [{ title, kind, measure, source: parseSavedQuery(home.document(query.path)).source }]
        : [],
    );
    const sums: Record<string, number> = {};
    for (const { title, kind, measure = '', source } of tiles) {
      const records = await home.recordsOf('shop-model', source.request);
      sums[title] = kind === 'kpi' ? numberOf(records[0]?.[measure]) : sumOf(records);
    }
    expect(sums).toEqual({
      Amount: TOTAL,
      'Row Count': ORDERS,
      'Amount by month': TOTAL,
      'Amount by segment': TOTAL,
      'Amount by channel': TOTAL,
      // The fifteen greatest of fifty categories and the orders without a product.
      'Amount by category, top 15': expect.any(Number),
    });
  });

  it('shows the orders without a customer, and the customers without a segment, as separate groups', async () => {
    const request = {
      connection: 'shop-model',
      model: 'Orders',
      rows: [{ dataset: 'customers', field: 'segment' }],
      values: [{ metric: 'row_count' }],
    };
    const rows = Array.from({ length: ORDERS }, (_, n) => n).filter(
      (n) => n % 13 === 0 || n % 37 === 0 || (n % 40) % 10 === 0,
    );
    const none = (await home.recordsOf('shop-model', request)).find((record) => record['customers.segment'] === null);
    expect(numberOf(none?.row_count)).toBe(rows.length);
  });
});

describe('the cube of these orders', () => {
  let proposal: ReturnType<typeof proposeByRules>;
  beforeAll(async () => {
    const warehouses = home.openWarehouses();
    const profile = await profileSchema({
      warehouse: await warehouses.open(home.address),
      schema: undefined,
      maxTables: 10,
      tableTypes: ['TABLE'],
      clock: Date.now,
      log: silentLog,
      work: new InferenceWork(undefined),
    });
    await warehouses.close();
    proposal = proposeByRules(profile, { schemaName: 'shop' });
  });

  it('has, without a semantic model, a dashboard that adds up, too, because rows without a match are a member', async () => {
    const made = firstAnswers(proposal, 'shop', 'shared/cube', ['cube']).filter(({ path }) =>
      path.endsWith('.service'),
    );
    const charts = made.map(({ text }) => parseSavedQuery(text)).filter(({ title }) => / by /.test(title));
    expect(charts.map(({ title, source }) => [title, source.surface])).toEqual([
      ['Amount by month', 'cube'],
      ['Amount by segment', 'cube'],
      ['Amount by channel', 'cube'],
      ['Amount by category, top 15', 'cube'],
    ]);
    const whole = charts.filter(({ title }) => !title.endsWith(', top 15'));
    for (const { source } of whole) expect(sumOf(await home.recordsOf('shop', source.request))).toBe(TOTAL);
  });

  it('returns first answers before it is published, and their bars add up', async () => {
    const [cube] = parseDraft(proposal).cubes;
    const questions = cube === undefined ? [] : chooseQuestions(cube).filter(({ kind }) => kind === 'bars');
    expect(questions.map(({ title }) => title)).toEqual([
      'Amount by customers segment',
      'Amount by products category',
      'Amount by channel',
    ]);
    const warehouses = home.openWarehouses();
    const [model] = modelsOf(proposal, 'shop', home.address);
    for (const { mdx } of questions) {
      const outcome = await runMdx({
        mdx,
        schemaText: model?.document.text ?? '',
        warehouse: () => warehouses.open(home.address),
        roles: undefined,
        maxRows: 1_000,
      });
      if (!('cells' in outcome)) throw new Error(JSON.stringify(outcome));
      const written = cellSetTable(outcome.cells).map((row) => String(Object.values(row).at(-1)));
      expect(written.reduce((sum, each) => sum + Number(each.replaceAll(',', '')), 0)).toBe(TOTAL);
    }
    await warehouses.close();
  });
});
