/** Tests totals over no rows on every engine: one row with null or 0, as in SQL. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import type { SemanticQueryRequest } from '../schemas.ts';
import { openOn } from '../testing/engine-fixture.ts';
import type { Fixture } from '../testing/fixture.ts';
import type { Table } from '../testing/tables.ts';

const TABLES: readonly Table[] = [
  {
    name: 'stores',
    columns: [
      ['id', 'integer'],
      ['name', 'text'],
      ['size', 'integer'],
    ],
    rows: [[1, 'a', 5]],
  },
  {
    name: 'sales',
    columns: [
      ['id', 'integer'],
      ['store_id', 'integer'],
      ['amount', 'money'],
      ['day', 'date'],
    ],
    rows: [[1, 1, 2.5, '2024-01-01']],
  },
  {
    name: 'returns',
    columns: [
      ['id', 'integer'],
      ['cost', 'money'],
    ],
    rows: [],
  },
];
const field = (name: string) => `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: ${name} }] }`;
const metric = (name: string, sql: string) =>
  `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: "${sql}" }] }`;
const DOCUMENT = `
semantic_model:
  - name: shop
    datasets:
      - { name: sales, source: sales, primary_key: [id], fields: [${field('id')}, ${field('day')}] }
      - { name: stores, source: stores, primary_key: [id], fields: [${field('name')}] }
      - { name: returns, source: returns, primary_key: [id], fields: [${field('cost')}] }
    relationships:
      - { name: sales_store, from: sales, to: stores, from_columns: [store_id], to_columns: [id] }
    metrics:
      - ${metric('amount', 'SUM(sales.amount)')}
      - ${metric('mean', 'AVG(sales.amount)')}
      - ${metric('last_day', 'MAX(sales.day)')}
      - ${metric('lines', 'COUNT(sales.id)')}
      - ${metric('days', 'COUNT(DISTINCT sales.day)')}
      - ${metric('per_line', 'SUM(sales.amount) / COUNT(sales.id)')}
      - ${metric('twice', 'SUM(sales.amount) * 2')}
      - ${metric('size', 'SUM(stores.size)')}
      - ${metric('cost', 'SUM(returns.cost)')}
      - ${metric('return_count', 'COUNT(returns.id)')}
      - ${metric('cost_per_line', 'SUM(returns.cost) / COUNT(sales.id)')}
`;

describeEngines('on $engine', (engine) => {
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn(engine, TABLES, { document: DOCUMENT, settings: { cacheTtlMs: 60_000 } });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop.close());

  const values = ['amount', 'mean', 'last_day', 'lines', 'days', 'per_line', 'twice'].map((name) => ({ metric: name }));
  const totals = [[null, null, null, 0, 0, null, null]];
  const day = { dataset: 'sales', field: 'day' };
  const NOTHING: [string, NonNullable<SemanticQueryRequest['filters']>][] = [
    ['an empty IN', [{ ...day, op: 'IN', values: [] }]],
    ['a filter that matches nothing', [{ ...day, op: 'EQ', value: '1999-01-01' }]],
    ['a filter of the one side', [{ dataset: 'stores', field: 'name', op: 'EQ', value: 'none' }]],
  ];

  it.each(NOTHING)('%s leaves a total of one row, also from the cache', async (_, filters) => {
    expect(await shop.table({ values, filters })).toEqual(totals);
    expect(await shop.table({ values, filters })).toEqual(totals);
  });

  it.each(NOTHING)('%s leaves no row of a group', async (_, filters) => {
    expect(await shop.table({ rows: [day], values, filters })).toEqual([]);
    expect(await shop.table({ rows: [day], filters })).toEqual([]);
  });

  it.each(NOTHING)('%s leaves one row of a matrix', async (_, filters) => {
    const request = { connection: 'test', values: [{ metric: 'amount' }, { metric: 'lines' }] };
    const matrix = await shop.operations().query({ ...request, filters, format: 'matrix' });
    if (!('cellSetBody' in matrix)) throw new Error('a matrix was expected');
    expect(matrix.cellSetBody.map((line) => line.map(({ raw }) => raw))).toEqual([[undefined, null, 0]]);
  });

  it.each(NOTHING)('%s of the many side leaves a total of the one side', async (_, filters) => {
    expect(await shop.table({ values: [{ metric: 'size' }], filters })).toEqual([[null]]);
  });

  it('an empty table has a total too, alone and beside another table', async () => {
    const metrics = (...names: readonly string[]) => names.map((name) => ({ metric: name }));
    expect(await shop.table({ values: metrics('cost', 'return_count') })).toEqual([[null, 0]]);
    expect(await shop.table({ values: metrics('cost', 'return_count', 'lines', 'cost_per_line') })).toEqual([
      [null, 0, 1, null],
    ]);
  });
});
