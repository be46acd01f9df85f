/**
 * Trino writes a WITH out at every reference, and refuses a query of more than 150 stages (`query.max-stage-count`). Statements of many
 * metrics stay far below; `EXPLAIN` counts the fragments of a plan, which become its stages.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { titleNeeding } from '../../../../../router/testing/not-run.ts';
import { openCache } from '../../../../../server/cache/cache.ts';
import { engineMissing, startWarehouse, type TestWarehouse } from '../../../../../server/warehouse/testing/engines.ts';
import { Fixture } from '../../../testing/fixture.ts';
import { statementsFor, type Table } from '../../../testing/tables.ts';

/** Leaves room below the limit for datasets that join others. */
const MAX_FRAGMENTS = 60;
/** The server's own limit. */
const MAX_STAGES = 150;

const ORDERS: Table = {
  name: 'orders',
  columns: [
    ['id', 'integer'],
    ['day', 'date'],
    ['store', 'text'],
    ['customer', 'text'],
    ['amount', 'integer'],
  ],
  rows: [
    [1, '2024-01-10', 'a', 'x', 1],
    [2, '2024-02-29', 'b', 'y', 2],
    [3, '2024-05-03', 'a', 'x', 4],
  ],
};
const CALENDAR: Table = {
  name: 'calendar',
  columns: [
    ['day', 'date'],
    ['span', 'integer'],
  ],
  rows: [
    ['2024-01-10', 1],
    ['2024-02-29', 1],
    ['2024-05-03', 2],
  ],
};

const by = 'orders.day';
/** Windows and offsets of eight kinds each. */
const WINDOWS = [
  {},
  { window: { count: 7, grain: 'day' } },
  { window: { count: 28, grain: 'day' } },
  { window: { count: 2, grain: 'month' } },
  { window: { count: 1, grain: 'year' } },
  { to_date: 'month' },
  { to_date: 'quarter' },
  { to_date: 'year' },
];
const OF_TABLE = [1, 2, 3, 4, 5, 6, 7, 8].map((count) => ({ window: { count, grain: 'span' } }));

const field = (name: string) =>
  `          - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name} }] } }`;
const metric = (name: string, expression: string, kind: object) =>
  `      - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: "${expression}" }] }, custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify({ dataset: 'orders', ...kind })}' }] }`;
const SUM = 'SUM(orders.amount)';
const METRICS: Readonly<Record<string, readonly string[]>> = {
  sums: WINDOWS.map((each, at) => metric(`sums_${at}`, SUM, { cumulative: { by, ...each } })),
  means: WINDOWS.map((each, at) => metric(`means_${at}`, SUM, { cumulative: { by, take: 'average', ...each } })),
  customers: WINDOWS.map((each, at) => {
    return metric(`customers_${at}`, 'COUNT(DISTINCT orders.customer)', { cumulative: { by, ...each } });
  }),
  spans: OF_TABLE.map((each, at) => metric(`spans_${at}`, SUM, { cumulative: { by, ...each } })),
  offsets: WINDOWS.map((_, at) => metric(`offsets_${at}`, SUM, { offset: { by, count: at + 1, grain: 'month' } })),
};
const document = `
version: "0.1.1"
semantic_model:
  - name: shop
    custom_extensions: [{ vendor_name: SERVICE, data: '{"calendars": [{"dataset": "calendar", "date": "day", "grains": [{"name": "span", "field": "span"}]}]}' }]
    datasets:
      - name: orders
        source: orders
        primary_key: [id]
        fields:
${['day', 'store', 'customer'].map(field).join('\n')}
      - name: calendar
        source: calendar
        primary_key: [day]
        fields:
${['day', 'span'].map(field).join('\n')}
    metrics:
${Object.values(METRICS).flat().join('\n')}
`;
const DAY = { dataset: 'orders', field: 'day' };
const MONTH = { ...DAY, grain: 'month' };
/** The periods of the calendar's table. */
const SPAN = { ...DAY, grain: 'span' };
const GROUPS = {
  'by periods of the calendar': [SPAN],
  'by month and store': [MONTH, { dataset: 'orders', field: 'store' }],
  'by store': [{ dataset: 'orders', field: 'store' }],
};

const missing = engineMissing('trino');
describe.skipIf(missing !== undefined)(titleNeeding('stages of Trino', missing), () => {
  let warehouse: TestWarehouse;
  let shop: Fixture;
  /** The same fixture, which masks small groups. */
  let masking: Fixture;
  beforeAll(async () => {
    warehouse = await startWarehouse('trino', statementsFor('trino', [ORDERS, CALENDAR]));
    const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
    shop = await Fixture.open({ warehouse, cache, document });
    const kAnonymity = { threshold: 2, mask: null };
    masking = await Fixture.open({ warehouse, cache, document, settings: { kAnonymity } });
    expect([...shop.problems, ...masking.problems]).toEqual([]);
  });
  afterAll(() => shop?.close());

  /** Statements that only read the periods of the calendar, which the request's own needs. */
  const isOfPeriods = (sql: string) => sql.startsWith('SELECT periods.');
  /**
   * Returns the fragments of each statement that answers a request. A plan has them, so that the statements are answered with no rows: other tests
   * compare what windows, offsets and calendars answer on Trino.
   */
  const fragmentsOf = async (request: object, fixture = shop): Promise<readonly number[]> => {
    const { warehouse: connection } = warehouse;
    const run = connection.query.bind(connection);
    const counts: number[] = [];
    const query = vi.spyOn(connection, 'query').mockImplementation(async (statement, options) => {
      if (isOfPeriods(statement.sql)) return run(statement, options);
      expect(statement.parameters).toEqual([]);
      const rows = await warehouse.administer([`EXPLAIN (TYPE DISTRIBUTED) ${statement.sql}`]);
      counts.push(String(rows[0]?.['Query Plan']).match(/^Fragment \d+/gm)?.length ?? 0);
      return { columns: [], values: [], rowCount: 0, truncated: false };
    });
    try {
      await fixture.run(request);
    } finally {
      query.mockRestore();
    }
    expect(counts).not.toContain(0);
    return counts;
  };
  const most = (counts: readonly number[]) => Math.max(...counts);

  describe.each(Object.keys(METRICS))('eight %s', (kind) => {
    const values = WINDOWS.map((_, at) => ({ metric: `${kind}_${at}` }));
    it.each(Object.entries(GROUPS))('%s', async (_, rows) => {
      const fragments = most(await fragmentsOf({ rows, values }));
      expect(fragments).toBeGreaterThan(1);
      expect(fragments).toBeLessThanOrEqual(MAX_FRAGMENTS);
    });

    it('with empty periods of the calendar filled', async () => {
      const fragments = most(await fragmentsOf({ rows: [{ ...SPAN, fill: true }], values }));
      expect(fragments).toBeLessThanOrEqual(MAX_FRAGMENTS);
    });

    it('compared with the month before, in a statement for each time', async () => {
      const compared = values.map((each) => ({ ...each, compare: { to: 'previous_period' } }));
      const fragments = await fragmentsOf({ rows: [MONTH], values: compared });
      expect(fragments).toHaveLength(2);
      expect(most(fragments)).toBeLessThanOrEqual(MAX_FRAGMENTS);
    });

    it('with small groups masked', async () => {
      const fragments = most(await fragmentsOf({ rows: [SPAN], values }, masking));
      expect(fragments).toBeLessThanOrEqual(MAX_FRAGMENTS);
    });
  });

  // More of a kind add no stages.
  it('two metrics of each kind together, masked, stay below the limit', async () => {
    const values = Object.keys(METRICS).flatMap((kind) => [1, 2].map((at) => ({ metric: `${kind}_${at}` })));
    expect(most(await fragmentsOf({ rows: [SPAN], values }, masking))).toBeLessThanOrEqual(MAX_STAGES);
  });
});
