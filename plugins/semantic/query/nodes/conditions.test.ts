/**
 * Tests filters that are combined by OR, on every engine. Amounts are powers of two, so that each sum identifies its rows.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toProblemBody } from '../../../../router/error-body.ts';
import { SEED } from '../../../../router/testing/seed.ts';
import { openCache } from '../../../../server/cache/cache.ts';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { runsOn } from '../../../../server/warehouse/testing/runs-on.ts';
import { openOn } from '../../testing/engine-fixture.ts';
import { Fixture, scope } from '../../testing/fixture.ts';
import { statementsFor, type Table } from '../../testing/tables.ts';

const STORES: Table = {
  name: 'stores',
  columns: [
    ['id', 'integer'],
    ['region', 'text'],
  ],
  rows: [
    [1, 'North'],
    [2, 'South'],
    [3, 'North'],
  ],
};
const SALES: Table = {
  name: 'sales',
  columns: [
    ['id', 'integer'],
    ['store_id', 'integer'],
    ['channel', 'text'],
    ['amount', 'integer'],
  ],
  rows: [
    [1, 1, 'web', 1],
    [2, 1, 'shop', 2],
    [3, 2, 'web', 4],
    [4, 2, 'shop', 8],
    [5, 3, 'shop', 16],
    [6, null, 'web', 32],
  ],
};

const documentOf = (predicates: object) => `
version: "0.1.1"
semantic_model:
  - name: shop
    datasets:
      - name: sales
        source: sales
        primary_key: [id]
        fields:
          - { name: channel, expression: { dialects: [{ dialect: ANSI_SQL, expression: channel }] } }
          - { name: amount, expression: { dialects: [{ dialect: ANSI_SQL, expression: amount }] } }
      - name: stores
        source: stores
        primary_key: [id]
        custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify({ roles: { row_predicates: predicates } }).replaceAll("'", "''")}' }]
        fields:
          - { name: region, expression: { dialects: [{ dialect: ANSI_SQL, expression: region }] } }
    relationships:
      - { name: sold_in, from: sales, to: stores, from_columns: [store_id], to_columns: [id] }
    metrics:
      - { name: total, expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(sales.amount) }] } }
      - { name: sale_count, expression: { dialects: [{ dialect: ANSI_SQL, expression: COUNT(*) }] } }
      - name: store_count
        expression: { dialects: [{ dialect: ANSI_SQL, expression: COUNT(*) }] }
        custom_extensions: [{ vendor_name: SERVICE, data: '{"dataset": "stores"}' }]
`;

const channel = (value: string) => ({ dataset: 'sales', field: 'channel', op: 'EQ', value });
const region = (value: string) => ({ dataset: 'stores', field: 'region', op: 'EQ', value });
const amount = (op: string, value: number) => ({ dataset: 'sales', field: 'amount', op, value });
const between = { dataset: 'sales', field: 'amount', op: 'BETWEEN', values: [1, 2] };

describeEngines('on $engine', (engine) => {
  let shop: Fixture;
  beforeAll(async () => {
    const document = documentOf({ ROLE_NORTH: "region = 'North'" });
    shop = await openOn(engine, [STORES, SALES], { document });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());

  const one = async (metric: string, filters: readonly object[], role = 'ROLE_ADMIN') =>
    (await shop.table({ values: [{ metric }], filters }, scope(role)))[0]?.[0];

  it.each([
    ['one of two, of two datasets', [{ any: [channel('web'), region('North')] }], 55],
    [
      'pairs of which one must hold',
      [{ any: [{ all: [channel('web'), region('South')] }, { all: [channel('shop'), region('North')] }] }],
      22,
    ],
    ['two groups that must both hold', [{ any: [channel('web'), region('North')] }, amount('GTE', 4)], 52],
    ['a range beside a value', [{ any: [between, amount('EQ', 8)] }], 11],
    [
      'three levels',
      [{ any: [{ all: [{ any: [amount('EQ', 1), amount('EQ', 2)] }, channel('shop')] }, amount('EQ', 32)] }],
      34,
    ],
    ['a list of nothing', [{ any: [{ dataset: 'sales', field: 'amount', op: 'IN', values: [] }, amount('EQ', 4)] }], 4],
    ['a group of one', [{ any: [{ all: [amount('EQ', 16)] }] }], 16],
  ])('sales by %s', async (_, filters, expected) => {
    expect(await one('total', filters)).toBe(expected);
  });

  it.each([
    ['a sale on the web, or in the south', [{ any: [region('South'), channel('web')] }], 2],
    ['in the north, or a sale of eight', [{ any: [region('North'), amount('EQ', 8)] }], 3],
    ['one and the same sale on the web and of two', [{ any: [{ all: [channel('web'), amount('EQ', 2)] }] }], 0],
    ['a sale on the web, and any sale of two', [{ any: [channel('web')] }, { any: [amount('EQ', 2)] }], 1],
  ])('stores that have %s', async (_, filters, expected) => {
    expect(await one('store_count', filters)).toBe(expected);
  });

  it('stores by the channels of sales that pass', async () => {
    const request = {
      rows: [{ dataset: 'sales', field: 'channel' }],
      values: [{ metric: 'store_count' }],
      filters: [{ any: [channel('web'), amount('EQ', 2)] }],
    };
    const table = await shop.table(request, scope('ROLE_ADMIN'));
    expect(table).toEqual([
      ['shop', 1],
      ['web', 2],
    ]);
  });

  it('rows that a role may not see pass no condition', async () => {
    expect(await one('total', [{ any: [region('South'), channel('web')] }], 'ROLE_NORTH')).toBe(1);
    expect(await one('total', [{ any: [region('South'), region('North')] }], 'ROLE_NORTH')).toBe(19);
  });

  it('random trees of conditions keep the rows that a loop over the rows keeps', async () => {
    const leaf = fc.oneof(
      fc.constantFrom('web', 'shop').map(channel),
      fc.constantFrom('North', 'South').map(region),
      fc.tuple(fc.constantFrom('GT', 'LTE'), fc.integer({ min: 0, max: 33 })).map(([op, value]) => amount(op, value)),
    );
    const group = (inner: fc.Arbitrary<object>) =>
      fc
        .tuple(fc.constantFrom('any', 'all'), fc.array(inner, { minLength: 1, maxLength: 3 }))
        .map(([kind, of]) => ({ [kind]: of }));
    const tree = fc.array(fc.oneof(leaf, group(fc.oneof(leaf, group(fc.oneof(leaf, group(leaf)))))), {
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(tree, async (filters) => {
        const rows = SALES.rows.filter((row) => filters.every((each) => holds(each, row) === true));
        const expected = rows.length === 0 ? null : rows.reduce((sum, [, , , value]) => sum + Number(value), 0);
        expect(await one('total', filters)).toBe(expected);
      }),
      { seed: SEED, numRuns: runsOn(engine, 60) },
    );
  });
});

/** Evaluates by SQL's logic of three values: a sale without a store is in no region, and in no other either. */
function holds(node: object, row: readonly unknown[]): boolean | null {
  if ('any' in node || 'all' in node) {
    const isAny = 'any' in node;
    const of = Object.values(node)[0] as readonly object[];
    const rows = of.map((one) => holds(one, row));
    if (rows.includes(isAny)) return isAny;
    return rows.includes(null) ? null : !isAny;
  }
  const { field, op, value } = node as { field: string; op: string; value: string | number };
  const [, store, ofChannel, ofAmount] = row;
  if (field === 'channel') return ofChannel === value;
  if (field === 'amount') return op === 'GT' ? Number(ofAmount) > Number(value) : Number(ofAmount) <= Number(value);
  return store === null ? null : STORES.rows.find(([id]) => id === store)?.[1] === value;
}

describe('on duckdb alone', () => {
  let shop: Fixture;
  beforeAll(async () => {
    const warehouse = await startWarehouse('duckdb', statementsFor('duckdb', [STORES, SALES]), { poolSize: 2 });
    const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
    const settings = { kAnonymity: { threshold: 2, mask: null } };
    shop = await Fixture.open({ warehouse, cache, document: documentOf({}), settings });
  });
  afterAll(() => shop?.close());
  const values = [{ metric: 'sale_count' }];

  it('small groups are masked whatever the conditions', async () => {
    const { records, meta } = await shop.run({
      rows: [{ dataset: 'sales', field: 'channel' }],
      values,
      filters: [{ any: [amount('EQ', 1), amount('EQ', 4), amount('EQ', 2)] }],
    });
    expect(records.map((record) => record['sales.channel'])).toEqual(['shop', 'web']);
    expect(records[0]?.sale_count).toMatchObject({ value: null, suppressed: true });
    expect(records[1]?.sale_count).toMatchObject({ value: 2 });
    expect(meta.suppressed?.count).toBe(1);
  });

  it.each([
    ['no members', { any: [] }, 'filters[0].any'],
    ['both', { any: [channel('web')], all: [channel('web')] }, 'filters[0]'],
    ['neither', {}, 'filters[0].dataset'],
    ['an unknown field', { any: [channel('web'), { ...channel('web'), field: 'canal' }] }, 'filters[0].any[1].field'],
    ['an unknown operator', { all: [{ ...channel('web'), op: 'LIKE' }] }, 'filters[0].all[0].op'],
    ['a wrong value', { any: [{ all: [{ ...amount('EQ', 1), value: 'many' }] }] }, 'filters[0].any[0].all[0].value'],
    ['four levels', { any: [{ any: [{ any: [{ any: [channel('web')] }] }] }] }, 'filters[0].any[0].any[0].any[0].any'],
    [
      'too many in all',
      { any: [...Array(100).keys()].map(() => ({ any: [channel('web'), channel('shop')] })) },
      'filters',
    ],
  ])('a group of %s is refused at its place', async (_, group, field) => {
    const refusal = await shop.refusal({ values, filters: [group] });
    expect(refusal.problems.map((problem) => toProblemBody(problem).field).join()).toContain(field);
  });

  it('the plan describes how the filters combine', async () => {
    const { plan } = await shop.operations().preview({
      connection: 'test',
      values,
      filters: [{ any: [{ all: [channel('web'), region('North')] }, amount('EQ', 8)] }],
    } as never);
    expect(plan.steps).toContain(
      'Rows pass where these filters pass: ((sales.channel and stores.region) or sales.amount).',
    );
    expect(plan.metrics[0]?.parts[0]?.filteredBy).toEqual(['sales.channel', 'stores.region', 'sales.amount']);
  });

  it('the schema of a request has groups', async () => {
    const { requestSchema } = await shop.operations().schema({ connection: 'test', model: 'shop' });
    expect(JSON.stringify(requestSchema)).toContain('"At least one of these filters must pass."');
  });
});
