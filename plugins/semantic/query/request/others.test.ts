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

/** One row for each member of fields of several types, and one without any. Amounts are powers of two. */
const READINGS: Table = {
  name: 'readings',
  columns: [
    ['id', 'integer'],
    ['number', 'integer'],
    ['price', 'money'],
    ['flag', 'boolean'],
    ['day', 'date'],
    ['moment', 'timestamp'],
    ['word', 'text'],
    ['amount', 'integer'],
  ],
  rows: [
    [1, 10, 1.5, true, '2025-01-31', '2025-01-31 10:30:00', "it's", 1],
    [2, 20, 2.25, false, '2025-02-28', '2025-02-28 11:00:00', 'a "b"', 2],
    [3, 30, 12.5, false, '2025-03-01', '2025-03-01 00:00:00', 'ü%_', 4],
    [4, null, null, null, null, null, null, 8],
  ],
};

const FIELDS = ['number', 'price', 'flag', 'day', 'moment', 'word'];

const READINGS_DOCUMENT = `
version: "0.1.1"
semantic_model:
  - name: lab
    datasets:
      - name: readings
        source: readings
        primary_key: [id]
        fields:
${FIELDS.map((name) => `          - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name} }] } }`).join('\n')}
    metrics:
      - { name: total, expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(readings.amount) }] } }
      - name: stock
        expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(readings.amount) }] }
        custom_extensions:
          - { vendor_name: SERVICE, data: '{"semi_additive": {"by": "readings.day", "take": "last"}}' }
`;

/** Writes the member of a record as a page does: texts as they are, numbers and truth values as JavaScript writes them. */
const memberText = (value: unknown): string => (typeof value === 'string' ? value : String(value));

describeEngines('the rest of a series of any type on $engine', (engine) => {
  let lab: Fixture;
  beforeAll(async () => {
    lab = await openOn(engine, [READINGS], { document: READINGS_DOCUMENT });
  });
  afterAll(() => lab?.close());

  it.each([
    ...FIELDS.map((field) => ({ field })),
    { field: 'day', grain: 'month' },
    { field: 'moment', grain: 'year' },
    { field: 'moment', grain: 'hour' },
  ])('leaves out the member that the whole answer shows: %j', async (item) => {
    const prepared = lab.surface.source.prepare({
      connection: 'test',
      rows: [{ dataset: 'readings', ...item }],
      values: [{ metric: 'total' }],
    });
    const caller = { tenant: 'default' as never, user: 'ann', roles: [] };
    const { columns, records } = await prepared.run(caller, {});
    const key = columns[0]?.key ?? '';
    const figureOf = (record: Readonly<Record<string, unknown>>) => Number(Object(record.total).value);
    const named = records.filter((record) => record[key] !== null);
    // Years and truth values have one member for several rows.
    expect(records.reduce((sum, record) => sum + figureOf(record), 0)).toBe(15);
    for (const record of named)
      for (const withMissing of [true, false]) {
        const except = [memberText(record[key]), ...(withMissing ? [] : [null])];
        const rest = await prepared.run(caller, { others: { field: key, except } });
        const left = 15 - figureOf(record) - (withMissing ? 0 : 8);
        expect(Number(Object(rest.records[0]?.total).value ?? 0), `all but ${except}`).toBe(left);
      }
  });

  it('names the metric whose figures of periods do not add up', async () => {
    const { columns } = await lab.surface.source
      .prepare({
        connection: 'test',
        rows: [{ dataset: 'readings', field: 'word' }],
        values: [{ metric: 'total' }, { metric: 'stock' }],
      })
      .run({ tenant: 'default' as never, user: 'ann', roles: [] }, {});
    expect(columns.map(({ key, additive }) => [key, additive])).toEqual([
      ['readings.word', undefined],
      ['total', undefined],
      ['stock', 'not_over_time'],
    ]);
  });
});
