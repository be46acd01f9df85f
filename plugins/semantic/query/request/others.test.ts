/** Tests the rest of an answer on every engine. Amounts are powers of two, so that each sum identifies its rows. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { openOn } from '../../testing/engine-fixture.ts';
import type { Fixture } from '../../testing/fixture.ts';
import type { Table } from '../../testing/tables.ts';

const ORDERS: Table = {
  name: 'orders',
  columns: [
    ['id', 'integer'],
    ['shop', 'text'],
    ['kind', 'text'],
    ['amount', 'integer'],
  ],
  rows: [
    [1, 'a', 'x', 1],
    [2, 'a', 'y', 2],
    [3, 'b', 'x', 4],
    [4, 'b', 'y', 8],
    [5, 'c', 'x', 16],
    [6, null, 'x', 32],
    [7, null, 'y', 64],
  ],
};

const DOCUMENT = `
version: "0.1.1"
semantic_model:
  - name: shop
    datasets:
      - name: orders
        source: orders
        primary_key: [id]
        fields:
          - { name: shop, expression: { dialects: [{ dialect: ANSI_SQL, expression: shop }] } }
          - { name: kind, expression: { dialects: [{ dialect: ANSI_SQL, expression: kind }] } }
    metrics:
      - { name: total, expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(orders.amount) }] } }
`;

const request = {
  connection: 'test',
  rows: [{ dataset: 'orders', field: 'kind' }],
  columns: [{ dataset: 'orders', field: 'shop' }],
  values: [{ metric: 'total' }],
  sorts: [{ field: 'orders.kind', direction: 'ASC' }],
};

describeEngines('the rest of a series on $engine', (engine) => {
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn(engine, [ORDERS], { document: DOCUMENT });
  });
  afterAll(() => shop?.close());

  const run = (except: readonly (string | null)[], more: object = {}) =>
    shop.surface.source
      .prepare({ ...request, ...more })
      .run({ tenant: 'default' as never, user: 'ann', roles: [] }, { others: { field: 'orders.shop', except } });
  const totals = async (except: readonly (string | null)[]) =>
    (await run(except)).records.map((record) => [record['orders.kind'], Object(record.total).value]);

  it('has all other members as one, and the missing one with them', async () => {
    expect(await totals(['a'])).toEqual([
      ['x', 4 + 16 + 32],
      ['y', 8 + 64],
    ]);
    expect(await totals(['a', 'b'])).toEqual([
      ['x', 16 + 32],
      ['y', 64],
    ]);
  });

  it.each([{ field: 'orders.shop' }, { dataset: 'orders', field: 'shop' }])(
    'is not sorted by the dimension that it has not: %j',
    async (sort) => {
      const sorts = [
        { ...sort, direction: 'DESC' },
        { field: 'orders.kind', direction: 'DESC' },
      ];
      expect((await run(['a'], { sorts })).records.map((record) => record['orders.kind'])).toEqual(['y', 'x']);
    },
  );

  it('leaves the missing member out where the page draws it', async () => {
    expect(await totals(['a', null])).toEqual([
      ['x', 4 + 16],
      ['y', 8],
    ]);
  });

  it('has the columns of the answer without the dimension', async () => {
    const { columns } = await run(['a']);
    expect(columns.map(({ key }) => key)).toEqual(['orders.kind', 'total']);
  });

  it('is refused where groups decide what the answer shows', async () => {
    await expect(run(['a'], { limit: 2 })).rejects.toMatchObject({ field: 'others' });
    const filters = [{ metric: 'total', op: 'GT', value: '1' }];
    await expect(run(['a'], { filters })).rejects.toMatchObject({ field: 'others' });
  });

  it('the whole answer names the dimension that the request has in columns', async () => {
    const { columns } = await shop.surface.source
      .prepare(request)
      .run({ tenant: 'default' as never, user: 'ann', roles: [] }, {});
    expect(columns.map(({ key, axis }) => [key, axis])).toEqual([
      ['orders.kind', undefined],
      ['orders.shop', 'columns'],
      ['total', undefined],
    ]);
  });
});
