/** Kinds of metrics that a document declares, on every engine: by hand, and against a loop over the rows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCache } from '../../../server/cache/cache.ts';
import { ALL_ENGINES, engineMissing, startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { Fixture, scope } from '../testing/fixture.ts';
import { statementsFor, type Table } from '../testing/tables.ts';

/** Amounts are powers of two, so that each sum tells its rows. */
const ORDERS: Table = {
  name: 'orders',
  columns: [
    ['id', 'integer'],
    ['day', 'date'],
    ['customer_id', 'integer'],
    ['status', 'text'],
    ['amount', 'integer'],
  ],
  rows: [
    [1, '2023-12-31', 1, 'paid', 1],
    [2, '2024-01-15', 1, 'paid', 2],
    [3, '2024-01-31', 2, 'open', 4],
    [4, '2024-02-28', 2, 'paid', 8],
    [5, '2024-02-29', 3, 'open', 16],
    [6, '2024-03-01', 3, 'paid', 32],
    [7, '2024-03-31', null, 'paid', 64],
    [8, null, 1, 'paid', 128],
    [9, '2024-03-31', 1, null, 256],
  ],
};
const CUSTOMERS: Table = {
  name: 'customers',
  columns: [
    ['id', 'integer'],
    ['region', 'text'],
    ['email', 'text'],
  ],
  rows: [
    [1, 'EU', 'a@example.org'],
    [2, 'EU', 'b@example.org'],
    [3, 'US', 'c@example.org'],
  ],
};
const NOTES: Table = {
  name: 'notes',
  columns: [
    ['id', 'integer'],
    ['order_id', 'integer'],
    ['tag', 'text'],
  ],
  rows: [
    [1, 2, 'x'],
    [2, 2, 'x'],
    [3, 6, 'x'],
    [4, 3, 'y'],
    [5, 6, 'y'],
  ],
};

const field = (name: string, data?: object) =>
  `          - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name} }] }${extension(data)} }`;
const extension = (data?: object) =>
  data === undefined
    ? ''
    : `, custom_extensions: [{ vendor_name: SERVICE, data: ${JSON.stringify(JSON.stringify(data))} }]`;
const metric = (name: string, expression: string, data?: object) =>
  `      - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${JSON.stringify(expression)} }] }${extension(data)} }`;
const document = (...more: readonly string[]) => `
version: "0.1.1"
semantic_model:
  - name: shop
    datasets:
      - name: orders
        source: orders
        primary_key: [id]
        fields:
${['day', 'status'].map((name) => field(name)).join('\n')}
      - name: customers
        source: customers
        primary_key: [id]
        fields:
${field('region')}
${field('email', { pii: true })}
      - name: notes
        source: notes
        primary_key: [id]
        fields:
${field('tag')}
    relationships:
      - { name: bought_by, from: orders, to: customers, from_columns: [customer_id], to_columns: [id] }
      - { name: of, from: notes, to: orders, from_columns: [order_id], to_columns: [id] }
    metrics:
${metric('revenue', 'SUM(orders.amount)')}
${metric('order_count', 'COUNT(orders.id)')}
${metric('paid', 'SUM(orders.amount)', { filter: "orders.status = 'paid'" })}
${metric('paid_in_eu', 'paid', { filter: "customers.region = 'EU' OR orders.amount > 50" })}
${metric('paid_count', 'COUNT(*)', { filter: "orders.status = 'paid'", dataset: 'orders' })}
${metric('paid_share', 'paid / revenue')}
${metric('last_paid', 'SUM(orders.amount)', { filter: "orders.status = 'paid'", semi_additive: { by: 'orders.day' } })}
${more.join('\n')}
`;

const MONTH = { dataset: 'orders', field: 'day', grain: 'month' };
const REGION = { dataset: 'customers', field: 'region' };
const STATUS = { dataset: 'orders', field: 'status' };
const TAG = { dataset: 'notes', field: 'tag' };
const values = (...names: readonly string[]) => names.map((name) => ({ metric: name }));

describe.each(ALL_ENGINES.map((engine) => ({ engine, missing: engineMissing(engine) })))(
  'on $engine',
  ({ engine, missing }) => {
    if (missing !== undefined) {
      it.skip(`not run: ${missing}`);
      return;
    }
    let shop: Fixture;
    beforeAll(async () => {
      const tables = statementsFor(engine, [ORDERS, CUSTOMERS, NOTES]);
      const warehouse = await startWarehouse(engine, tables, { poolSize: 2 });
      const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
      shop = await Fixture.open({ warehouse, cache, document: document() });
      expect(shop.problems).toEqual([]);
    }, 120_000);
    afterAll(() => shop?.close());
    const table = async (request: object) =>
      (await shop.table(request)).map((row) =>
        row.map((cell) => (typeof cell === 'string' && /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell)),
      );

    describe('a filtered metric', () => {
      it('is what a request with that filter answers, beside others that are not', async () => {
        const asked = values('revenue', 'paid', 'paid_in_eu', 'paid_count', 'paid_share');
        expect(await table({ values: asked })).toEqual([[511, 235, 203, 6, 235 / 511]]);
        expect(await table({ rows: [REGION], values: asked })).toEqual([
          ['EU', 399, 139, 139, 4, 139 / 399],
          ['US', 48, 32, null, 1, 32 / 48],
          [null, 64, 64, 64, 1, 1],
        ]);
        expect(await table({ rows: [STATUS], values: values('paid') })).toEqual([['paid', 235]]);
      });

      it('counts a row once that is reached over and over, and is taken at its own dates', async () => {
        expect(await table({ rows: [TAG], values: values('paid', 'revenue') })).toEqual([
          ['x', 34, 34],
          ['y', 32, 36],
          [null, 201, 473],
        ]);
        expect(await table({ rows: [REGION], values: values('last_paid') })).toEqual([
          ['EU', 8],
          ['US', 32],
          [null, 64],
        ]);
      });

      it('is sorted, limited, tested and put into crosstabs like others', async () => {
        const sorts = [{ metric: 'paid', direction: 'DESC' }];
        expect(await table({ rows: [MONTH], values: values('paid'), sorts, limit: 2 })).toEqual([
          [null, 128],
          ['2024-03-01', 96],
        ]);
        const rows = { rows: [REGION], columns: [STATUS], values: values('paid', 'revenue') };
        expect(await table({ ...rows, sorts, limit: 1 })).toEqual([
          ['EU', 'open', null, 4],
          ['EU', 'paid', 139, 139],
          ['EU', null, null, 256],
        ]);
        const filters = [{ metric: 'paid', op: 'GT', value: 60, per: [REGION] }];
        expect(await table({ values: values('revenue'), filters })).toEqual([[399]]);
      });
    });
  },
);

it('a filter that cannot be is left out with the legal names; one of personal data or of a refused field as an expression', async () => {
  const warehouse = await startWarehouse('duckdb', statementsFor('duckdb', [ORDERS, CUSTOMERS, NOTES]));
  const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
  const more = [
    metric('misspelt', 'SUM(orders.amount)', { filter: "orders.statuss = 'paid'" }),
    metric('away', 'SUM(orders.amount)', { filter: "notes.tag = 'x'" }),
    metric('broken', 'SUM(orders.amount)', { filter: 'orders.status =' }),
    metric('summed', 'SUM(orders.amount)', { filter: 'SUM(orders.amount) > 3' }),
    metric('personal', 'SUM(orders.amount)', { filter: "customers.email = 'a@example.org'" }),
  ];
  const denied = document(...more).replace(field('region'), field('region', { roles: { deny: 'ROLE_X' } }));
  const shop = await Fixture.open({ warehouse, cache, document: denied });
  try {
    const told = shop.problems.map(({ message, line }) => `${line === undefined ? '' : 'line: '}${message}`);
    expect(told).toEqual([
      expect.stringMatching(/^line: metric broken: left out: its filter is no SQL expression: /),
      'line: metric summed: left out: its filter aggregates, and rows are filtered.',
      'line: metric misspelt: left out: its expression names orders.statuss, which is no field and no column (there is status, day).',
      'line: metric away: left out: its expression is of orders, and its filter reads notes, to which that does not lead; it leads to customers.',
      'line: metric personal: left out: its expression reads customers.email, which is personal data.',
    ]);
    const { plan } = await shop
      .operations()
      .preview({ connection: 'test', values: values('paid', 'paid_share') } as never);
    expect(plan.steps).toContain("paid is of the rows where orders.status = 'paid'.");
    expect(plan.steps).toContain("A part of paid_share is of the rows where orders.status = 'paid'.");
    expect(await shop.refusal({ values: values('paid_in_eu') }, scope('ROLE_X'))).toMatchObject({
      field: 'values[0].metric',
    });
    const { metrics } = await shop.operations().schema({ connection: 'test', model: 'shop' } as never);
    expect(metrics.paid?.kinds).toEqual([{ kind: 'filtered', says: "is of the rows where orders.status = 'paid'" }]);
    expect(metrics.revenue?.kinds).toBeUndefined();
  } finally {
    await shop.close();
  }
});
