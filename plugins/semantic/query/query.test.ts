/**
 * Tests requests end to end on every engine, over data that a naive generator of SQL gets wrong. Expected values by hand.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toProblemBody } from '../../../router/error-body.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { ENGINES, type EngineName, startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import type { SemanticSettings } from '../index.ts';
import { Fixture, scope } from '../testing/fixture.ts';

const TABLES = [
  // Region 3 has no store.
  'CREATE TABLE regions (id INTEGER, name VARCHAR, population INTEGER)',
  "INSERT INTO regions VALUES (1, 'North', 100), (2, 'Süd', 200), (3, 'Empty', 400)",
  // Store 12 has no region, store 13 one that does not exist; stores 11 and 14 sold nothing.
  'CREATE TABLE stores (id INTEGER, region_id INTEGER, name VARCHAR, size INTEGER)',
  "INSERT INTO stores VALUES (10, 1, 'O''Hara', 5), (11, 1, 'B', 7), (12, NULL, 'C', 11), (13, 99, 'D', 13), (14, 2, NULL, 17)",
  'CREATE TABLE products (id INTEGER, "order" VARCHAR, "a""b" VARCHAR)',
  `INSERT INTO products VALUES (1, 'x', 'q'), (2, 'y', NULL), (3, 'x', 'групп')`,
  // A sale without a store, one of an unknown store, one without a product.
  'CREATE TABLE "групп" (id BIGINT, store_id INTEGER, product_id INTEGER, amount DECIMAL(10,2), pieces INTEGER, day DATE, code VARCHAR, "at" TIMESTAMP)',
  `INSERT INTO "групп" VALUES
     (1, 10, 1, 10.10, 1, '2024-01-01', '007', '2024-01-01 10:00:00'),
     (2, 10, 2, 20.20, 2, '2024-01-02', '7',   '2024-01-02 00:00:00'),
     (3, 10, 1, NULL,  4, '2024-01-02', '07',  NULL),
     (4, NULL, 3, 40.40, 0, NULL,       NULL,  NULL),
     (5, 77, NULL, 80.80, NULL, '2024-02-01', 'x', NULL),
     (6, 12, 2, 0.00,  8, '2024-02-01', 'x',   NULL)`,
  'CREATE TABLE returns (id INTEGER, product_id INTEGER, cost INTEGER, reason VARCHAR)',
  "INSERT INTO returns VALUES (1, 1, 3, 'late'), (2, 1, 5, 'broken'), (3, NULL, 7, 'late'), (4, 2, 0, NULL)",
];

const DOCUMENT = `
version: "0.1.1"
semantic_model:
  - name: shop
    datasets:
      - name: sales
        source: '"групп"'
        primary_key: id
        fields:
          - { name: id, expression: [{ dialect: ANSI_SQL, expression: id }] }
          - { name: day, expression: [{ dialect: ANSI_SQL, expression: day }], dimension: { is_time: true } }
          - { name: month, label: Month, expression: [{ dialect: ANSI_SQL, expression: "CAST(DATE_TRUNC('month', day) AS DATE)" }] }
          - { name: code, expression: [{ dialect: ANSI_SQL, expression: code }] }
          - { name: at, expression: [{ dialect: ANSI_SQL, expression: '"at"' }] }
          - { name: pieces, expression: [{ dialect: ANSI_SQL, expression: pieces }] }
          - { name: half, expression: [{ dialect: ANSI_SQL, expression: pieces / 2 }] }
      - name: stores
        source: stores
        primary_key: [id]
        ai_context: { synonyms: [shops] }
        fields:
          - { name: name, label: Store, expression: [{ dialect: ANSI_SQL, expression: name }], ai_context: { synonyms: [branch] } }
          - { name: size, expression: [{ dialect: ANSI_SQL, expression: size }] }
      - name: regions
        source: SELECT id, name, population FROM regions -- all of them
        primary_key: [id]
        fields:
          - { name: name, expression: [{ dialect: ANSI_SQL, expression: name }] }
      - name: products
        source: products
        primary_key: [id]
        fields:
          - { name: order, expression: [{ dialect: ANSI_SQL, expression: '"order"' }] }
          - { name: 'a"b', expression: [{ dialect: ANSI_SQL, expression: '"a""b"' }] }
      - name: returns
        source: returns
        fields:
          - { name: reason, expression: [{ dialect: ANSI_SQL, expression: reason }] }
    relationships:
      - { name: sales_store, from: sales, to: stores, from_columns: [store_id], to_columns: [id] }
      - { name: store_region, from: stores, to: regions, from_columns: [region_id], to_columns: [id] }
      - { name: sales_product, from: sales, to: products, from_columns: [product_id], to_columns: [id] }
      - { name: returns_product, from: returns, to: products, from_columns: [product_id], to_columns: [id] }
    metrics:
      - { name: amount, label: Amount, expression: [{ dialect: ANSI_SQL, expression: SUM(sales.amount) }], ai_context: { synonyms: [revenue] } }
      - { name: lines, expression: [{ dialect: ANSI_SQL, expression: COUNT(*) }] }
      - { name: pieces, expression: [{ dialect: ANSI_SQL, expression: SUM(sales.pieces) }] }
      - { name: average, expression: [{ dialect: ANSI_SQL, expression: SUM(sales.amount) / SUM(sales.pieces) }] }
      - { name: whole, expression: [{ dialect: ANSI_SQL, expression: SUM(sales.pieces) / COUNT(*) }] }
      - { name: cost, expression: [{ dialect: ANSI_SQL, expression: SUM(returns.cost) }] }
      - { name: amount_per_cost, expression: [{ dialect: ANSI_SQL, expression: SUM(sales.amount) / SUM(returns.cost) }] }
      - { name: size, expression: [{ dialect: ANSI_SQL, expression: SUM(stores.size) }] }
      - { name: population, expression: [{ dialect: ANSI_SQL, expression: SUM(regions.population) }] }
`;

const field = (path: string) => {
  const [dataset = '', name = ''] = path.split('.');
  return { dataset, field: name };
};
const rows = (...paths: readonly string[]) => paths.map(field);
const values = (...metrics: readonly string[]) => metrics.map((metric) => ({ metric }));
const filter = (path: string, op: string, rest: object = {}) => ({ ...field(path), op, ...rest });

async function open(engine: EngineName, settings: Partial<SemanticSettings> = {}): Promise<Fixture> {
  const warehouse = await startWarehouse(engine, TABLES, { poolSize: 2 });
  return Fixture.open({
    warehouse,
    cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
    document: DOCUMENT,
    settings,
  });
}

// The rules are the product's own; `oracle.test.ts` and `conformance.test.ts` run the statements of such requests on every engine.
describe.each(ENGINES)('on %s', (engine) => {
  let shop: Fixture;
  beforeAll(async () => {
    shop = await open(engine);
  });
  afterAll(() => shop.close());

  it('the model loads without a problem', () => {
    expect(shop.problems).toEqual([]);
  });

  describe('joins', () => {
    it('keep sales with a null or unknown key under a null group, so that the groups add up to the total', async () => {
      expect(await shop.table({ rows: rows('stores.name'), values: values('amount', 'lines') })).toEqual([
        ['C', 0, 1],
        ["O'Hara", 30.3, 3],
        [null, 121.2, 2],
      ]);
      expect(await shop.table({ values: values('amount', 'lines') })).toEqual([[151.5, 6]]);
    });

    it('reach over two hops', async () => {
      expect(await shop.table({ rows: rows('regions.name'), values: values('amount') })).toEqual([
        ['North', 30.3],
        [null, 121.2],
      ]);
    });

    it('touch no dataset that is not needed', async () => {
      const { generatedSql } = await shop.operations().preview({ connection: 'test', values: values('amount') });
      expect(generatedSql).not.toMatch(/stores|products|returns/);
    });
  });

  describe('several datasets in one query', () => {
    it('are each aggregated at its grain and never multiply each other', async () => {
      // Product group x: sales 1, 3, 4 and returns 1, 2. Nobody returned anything without a product but return 3.
      expect(
        await shop.table({ rows: rows('products.order'), values: values('amount', 'cost', 'amount_per_cost') }),
      ).toEqual([
        ['x', 50.5, 8, 50.5 / 8],
        ['y', 20.2, 0, null],
        [null, 80.8, 7, 80.8 / 7],
      ]);
      expect(await shop.table({ values: values('amount', 'cost') })).toEqual([[151.5, 15]]);
    });

    it('do not change a metric beside them', async () => {
      const alone = await shop.table({ rows: rows('products.order'), values: values('cost') });
      const beside = await shop.table({ rows: rows('products.order'), values: values('cost', 'amount', 'lines') });
      expect(beside.map(([group, cost]) => [group, cost])).toEqual(alone);
    });
  });

  describe('a metric of the one side', () => {
    it('counts each row once for a group of the many side', async () => {
      // O'Hara (5) sold codes 007, 7 and 07; C (11) sold x; B, D and the nameless one sold nothing.
      expect(await shop.table({ rows: rows('sales.code'), values: values('size') })).toEqual([
        ['007', 5],
        ['07', 5],
        ['7', 5],
        ['x', 11],
        [null, 37],
      ]);
    });

    it('stays with its group when one of several stores of a region sold nothing', async () => {
      // North's O'Hara sold, its B did not: North belongs to the months of O'Hara alone.
      expect(await shop.table({ rows: rows('sales.month'), values: values('population') })).toEqual([
        ['2024-01-01', 100],
        [null, 600],
      ]);
    });

    it('is filtered by the many side without being multiplied', async () => {
      const filters = [filter('sales.pieces', 'GTE', { value: '2' })];
      expect(await shop.table({ values: values('size'), filters })).toEqual([[16]]);
    });

    it('is filtered by one sale that passes both filters, not by two that each pass one', async () => {
      const filters = [filter('sales.code', 'EQ', { value: '007' }), filter('sales.pieces', 'EQ', { value: '4' })];
      expect(await shop.table({ values: values('size'), filters })).toEqual([[null]]);
    });

    it('is refused where its rows have no key or nothing leads there', async () => {
      const none = await shop.refusal({ rows: rows('stores.name'), values: values('cost') });
      expect(none).toMatchObject({ field: 'rows[0].dataset' });
      expect(none.available?.toSorted()).toEqual(['products', 'returns']);
      expect(none.message).toContain('no relationship leads to stores');
    });
  });

  describe('expressions', () => {
    it('never divide whole numbers, and a zero divisor gives null', async () => {
      expect(await shop.table({ rows: rows('sales.code'), values: values('whole', 'average') })).toEqual([
        ['007', 1, 10.1],
        ['07', 4, null],
        ['7', 2, 10.1],
        ['x', 4, 80.8 / 8],
        [null, 0, null],
      ]);
      expect(
        await shop.table({ rows: rows('sales.half'), filters: [filter('sales.half', 'LT', { value: 1 })] }),
      ).toEqual([[0], [0.5]]);
    });

    it('are replaced by the aggregation a request names', async () => {
      const request = { values: [{ metric: 'amount', aggregation: 'max' }] };
      expect(await shop.table(request)).toEqual([[80.8]]);
      const { columns } = await shop.run(request);
      expect(columns[0]).toMatchObject({ key: 'amount', aggregationKind: 'max' });
      expect(await shop.refusal({ values: [{ metric: 'lines', aggregation: 'SUM' }] })).toMatchObject({
        field: 'values[0].aggregation',
        available: ['COUNT'],
      });
    });
  });

  describe('filters', () => {
    const codes = async (...filters: readonly object[]) =>
      (await shop.table({ rows: rows('sales.id'), filters })).map(([id]) => id);

    it('compare text exactly and numbers as numbers', async () => {
      expect(await codes(filter('sales.code', 'EQ', { value: '7' }))).toEqual([2]);
      expect(await codes(filter('sales.code', 'EQ', { value: 7 }))).toEqual([2]);
      expect(await codes(filter('sales.pieces', 'EQ', { value: '04' }))).toEqual([3]);
      expect(await codes(filter('sales.pieces', 'GT', { value: '1.5' }))).toEqual([2, 3, 6]);
      expect(await codes(filter('stores.name', 'EQ', { value: "O'Hara" }))).toEqual([1, 2, 3]);
      expect(await codes(filter('stores.name', 'EQ', { value: "' OR 1=1 --" }))).toEqual([]);
    });

    it('compare dates and instants of ISO 8601', async () => {
      expect(await codes(filter('sales.day', 'BETWEEN', { values: ['2024-01-02', '2024-01-31'] }))).toEqual([2, 3]);
      expect(await codes(filter('sales.at', 'EQ', { value: '2024-01-02' }))).toEqual([2]);
      expect(await codes(filter('sales.month', 'EQ', { value: '2024-02-01' }))).toEqual([5, 6]);
    });

    it('match nulls only where they ask for them', async () => {
      expect(await codes(filter('sales.code', 'NEQ', { value: 'x' }))).toEqual([1, 2, 3]);
      expect(await codes(filter('sales.code', 'IS_NULL'))).toEqual([4]);
      expect(await codes(filter('sales.code', 'IS_NOT_NULL'))).toEqual([1, 2, 3, 5, 6]);
      expect(await codes(filter('stores.name', 'IS_NULL'))).toEqual([4, 5]);
      expect(await codes(filter('sales.code', 'IN', { values: ['x', '7'] }))).toEqual([2, 5, 6]);
    });

    it('IN with an empty list gives no rows, and a total over none', async () => {
      const filters = [filter('sales.code', 'IN', { values: [] })];
      expect(await shop.table({ values: values('lines', 'amount'), filters })).toEqual([[0, null]]);
      expect(await codes(...filters)).toEqual([]);
    });
  });

  describe('a query of fields only', () => {
    it('gives the distinct rows of one dataset', async () => {
      expect(await shop.table({ rows: rows('products.order') })).toEqual([['x'], ['y']]);
    });

    it('gives the combinations that occur where the datasets meet', async () => {
      expect(await shop.table({ rows: rows('regions.name', 'products.order') })).toEqual([
        ['North', 'x'],
        ['North', 'y'],
        [null, 'x'],
        [null, 'y'],
        [null, null],
      ]);
      expect(await shop.table({ rows: rows('regions.name'), columns: rows('stores.name') })).toEqual([
        ['North', 'B'],
        ['North', "O'Hara"],
        ['Süd', null],
        [null, 'C'],
        [null, 'D'],
      ]);
    });
  });

  describe('order and limit', () => {
    const request = { rows: rows('stores.name'), values: values('amount') };

    it('put nulls last in both directions', async () => {
      const by = (direction: string) => shop.table({ ...request, sorts: [{ field: 'stores.name', direction }] });
      expect((await by('ASC')).map(([name]) => name)).toEqual(['C', "O'Hara", null]);
      expect((await by('DESC')).map(([name]) => name)).toEqual(["O'Hara", 'C', null]);
    });

    it('by a metric give the top', async () => {
      const sorts = [{ metric: 'amount', direction: 'DESC' }];
      expect(await shop.table({ ...request, sorts, limit: 2 })).toEqual([
        [null, 121.2],
        ["O'Hara", 30.3],
      ]);
    });

    it('break ties by the row fields', async () => {
      const sorts = [{ metric: 'size', direction: 'DESC' }];
      const table = await shop.table({ rows: rows('sales.code'), values: values('size'), sorts, limit: 4 });
      expect(table.map(([code]) => code)).toEqual([null, 'x', '007', '07']);
    });
  });

  it('names are found by letter case and by synonym, and records keep the model’s own', async () => {
    const { columns, records } = await shop.run({
      rows: [{ dataset: 'Shops', field: 'branch' }],
      values: values('Revenue'),
      sorts: [{ field: 'SHOPS.Name', direction: 'desc' }],
      limit: 1,
    });
    expect(columns).toEqual([
      { key: 'stores.name', label: 'Store', type: 'dimension', dataType: 'text' },
      { key: 'amount', label: 'Amount', type: 'metric', dataType: 'decimal', aggregationKind: 'sum' },
    ]);
    expect(records).toEqual([{ 'stores.name': "O'Hara", amount: { value: 30.3, formatted: '30.30' } }]);
  });

  it('fields with reserved words, quotes and other scripts work', async () => {
    const request = {
      rows: [field('products.order'), { dataset: 'products', field: 'a"b' }],
      values: values('amount'),
    };
    expect(await shop.table(request)).toEqual([
      ['x', 'q', 10.1],
      ['x', 'групп', 40.4],
      ['y', null, 20.2],
      [null, null, 80.8],
    ]);
  });

  it('every mistake of a request is found in one pass, with its place and its candidates', async () => {
    const refusal = await shop.refusal({
      rows: [field('stores.nam'), field('store.name'), field('sales.day')],
      values: [{ metric: 'amont' }, { metric: 'average', aggregation: 'SUM' }],
      filters: [
        filter('sales.pieces', 'EQ', { value: 'many' }),
        filter('sales.pieces', 'BETWEEN', { values: ['1'] }),
        filter('sales.day', 'EQ', { value: '2024-02-30' }),
        filter('sales.day', 'GT'),
      ],
      sorts: [{ metric: 'amount', field: 'sales.day' }, {}],
    });
    expect(refusal.problems.map((problem) => toProblemBody(problem).field)).toEqual([
      'rows[0].field',
      'rows[1].dataset',
      'values[0].metric',
      'values[1].aggregation',
      'filters[0].value',
      'filters[1].values',
      'filters[2].value',
      'filters[3].value',
      'sorts[0]',
      'sorts[1]',
    ]);
    const [first, second, third] = refusal.problems;
    expect(first?.available).toEqual(['name', 'size']);
    expect(second?.available?.[0]).toBe('stores');
    expect(third?.available?.[0]).toBe('amount');
  });

  it('an empty request and a request that names a field twice are refused', async () => {
    expect(await shop.refusal({ rows: [] })).toMatchObject({ field: 'values' });
    expect(await shop.refusal({ rows: rows('sales.day', 'sales.day') })).toMatchObject({ field: 'rows[1]' });
    expect(await shop.refusal({ values: values('amount'), limit: 0 })).toMatchObject({ field: 'limit' });
    expect(await shop.refusal({ values: values('amount'), surprise: 1 })).toMatchObject({ field: 'surprise' });
    expect(await shop.refusal({ rows: rows('sales.day'), sorts: [{ metric: 'amount' }] })).toMatchObject({
      field: 'sorts[0].metric',
      available: [],
    });
  });

  it('an answer beyond the server’s rows is cut and marked as cut; a limit of the request is not a cut', async () => {
    const small = await open(engine, { maxRows: 2 });
    try {
      expect((await small.run({ rows: rows('sales.id') })).meta).toEqual({ rowCount: 2, truncated: true });
      expect((await small.run({ rows: rows('products.order') })).meta).toEqual({ rowCount: 2, truncated: false });
      expect((await small.run({ rows: rows('sales.id'), limit: 4 })).meta).toEqual({ rowCount: 4, truncated: false });
    } finally {
      await small.close();
    }
  });

  it('an answer is cached for the configured time, for everybody with the same visible rows', async () => {
    const kept = await open(engine, { cacheTtlMs: 60_000 });
    try {
      const request = { values: values('amount'), filters: [filter('sales.id', 'LT', { value: 3 })] };
      expect((await kept.run(request)).freshness.cached).toBe(false);
      expect((await kept.run(request, scope('ROLE_OTHER'))).freshness.cached).toBe(true);
      const other = { ...request, filters: [filter('sales.id', 'LT', { value: 4 })] };
      expect((await kept.run(other)).freshness.cached).toBe(false);
    } finally {
      await kept.close();
    }
  });
});
