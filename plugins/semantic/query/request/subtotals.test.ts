/** Tests subtotals on every engine. Amounts are powers of two, so that each sum identifies its rows. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { openOn } from '../../testing/engine-fixture.ts';
import type { Fixture } from '../../testing/fixture.ts';
import type { Table } from '../../testing/tables.ts';

const ORDERS: Table = {
  name: 'orders',
  columns: [
    ['id', 'integer'],
    ['country', 'text'],
    ['shop', 'text'],
    ['buyer', 'text'],
    ['amount', 'integer'],
  ],
  rows: [
    [1, 'no', 'a', 'ann', 1],
    [2, 'no', 'b', 'ann', 2],
    [3, 'it', 'c', 'bob', 4],
    [4, 'it', 'c', 'ann', 8],
    [5, null, 'd', 'bob', 16],
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
          - { name: country, expression: { dialects: [{ dialect: ANSI_SQL, expression: country }] } }
          - { name: shop, expression: { dialects: [{ dialect: ANSI_SQL, expression: shop }] } }
    metrics:
      - { name: total, expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(orders.amount) }] } }
      - { name: buyers, expression: { dialects: [{ dialect: ANSI_SQL, expression: COUNT(DISTINCT orders.buyer) }] } }
`;

const request = {
  connection: 'test',
  rows: [
    { dataset: 'orders', field: 'country' },
    { dataset: 'orders', field: 'shop' },
  ],
  values: [{ metric: 'total' }, { metric: 'buyers' }],
  sorts: [
    { field: 'orders.country', direction: 'ASC' },
    { field: 'orders.shop', direction: 'DESC' },
  ],
};

describeEngines('the subtotals of an answer on $engine', (engine) => {
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn(engine, [ORDERS], { document: DOCUMENT });
  });
  afterAll(() => shop?.close());

  const run = (without: readonly string[], more: object = {}) =>
    shop.surface.source
      .prepare({ ...request, ...more })
      .run({ tenant: 'default' as never, user: 'ann', roles: [] }, { without });

  it('are computed by the warehouse, also where a metric does not add up', async () => {
    const { columns, records } = await run(['orders.shop']);
    expect(columns.map(({ key }) => key)).toEqual(['orders.country', 'total', 'buyers']);
    const figures = new Map(
      records.map(({ total, buyers, ...by }) => [by['orders.country'], [Object(total).value, Object(buyers).value]]),
    );
    // Ann bought in both shops of Norway, and is one buyer.
    expect(figures).toEqual(
      new Map<unknown, unknown>([
        ['no', [1 + 2, 1]],
        ['it', [4 + 8, 2]],
        [null, [16, 1]],
      ]),
    );
  });

  it('of no dimension are the total', async () => {
    const { records } = await run(['orders.country', 'orders.shop']);
    expect(records).toMatchObject([{ total: { value: 31 }, buyers: { value: 2 } }]);
  });

  it('are refused where groups decide what the answer shows', async () => {
    await expect(run(['orders.shop'], { limit: 2 })).rejects.toMatchObject({ field: 'without' });
    const filters = [{ metric: 'total', op: 'GT', value: '1' }];
    await expect(run(['orders.shop'], { filters })).rejects.toMatchObject({ field: 'without' });
  });
});
