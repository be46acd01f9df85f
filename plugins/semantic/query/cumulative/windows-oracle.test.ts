/** Random windows over random orders give what a loop over the orders gives. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEED } from '../../../../router/testing/seed.ts';
import { openCache } from '../../../../server/cache/cache.ts';
import { startWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { Fixture } from '../../testing/fixture.ts';
import { statementsFor, type Table } from '../../testing/tables.ts';

const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);
const [orders = []] = fc.sample(
  fc.array(fc.tuple(fc.integer({ min: 0, max: 200 * 24 }), fc.constantFrom('a', 'b'), fc.integer({ min: 1, max: 5 })), {
    minLength: 60,
    maxLength: 60,
  }),
  { seed: SEED, numRuns: 1 },
);
const TABLE: Table = {
  name: 'orders',
  columns: [
    ['id', 'integer'],
    ['at', 'timestamp'],
    ['store', 'text'],
    ['customer', 'integer'],
  ],
  rows: orders.map(([hours, store, customer], id) => [
    id,
    new Date(START + (hours * DAY) / 24).toISOString().slice(0, 19).replace('T', ' '),
    store,
    customer,
  ]),
};
const WINDOWS = {
  all: {},
  days: { window: { count: 10, grain: 'day' } },
  weeks: { window: { count: 2, grain: 'week' } },
  months: { window: { count: 2, grain: 'month' } },
  mtd: { to_date: 'month' },
  ytd: { to_date: 'year' },
} as const;
const metrics = Object.entries(WINDOWS).map(
  ([name, window]) =>
    `      - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: "COUNT(DISTINCT orders.customer)" }] }, custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify({ cumulative: { by: 'orders.at', ...window } })}' }] }`,
);
const field = (name: string) =>
  `          - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name} }] } }`;
const document = `
version: "0.1.1"
semantic_model:
  - name: shop
    datasets:
      - name: orders
        source: orders
        primary_key: [id]
        fields:
${['at', 'store'].map(field).join('\n')}
    metrics:
${metrics.join('\n')}
`;
let shop: Fixture;
beforeAll(async () => {
  const warehouse = await startWarehouse('duckdb', statementsFor('duckdb', [TABLE]));
  shop = await Fixture.open({ warehouse, cache: openCache({ maxBytes: 1_000_000, clock: Date.now }), document });
}, 120_000);
afterAll(() => shop?.close());

const iso = (day: number) => new Date(day).toISOString().slice(0, 10);
const first = (day: number, months: number) => {
  const date = new Date(day);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
};
const ENDS = {
  day: (day: number) => [day, day + DAY],
  week: (day: number) => {
    const monday = day - ((new Date(day).getUTCDay() + 6) % 7) * DAY;
    return [monday, monday + 7 * DAY];
  },
  month: (day: number) => [first(day, 0), first(day, 1)],
} as const;
const monthsBack = (end: number, count: number) => {
  const date = new Date(end);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - count + 1, 0)).getUTCDate();
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - count, Math.min(date.getUTCDate(), last));
};
const BEGINS: Readonly<Record<keyof typeof WINDOWS, (end: number) => number>> = {
  all: () => Number.NEGATIVE_INFINITY,
  days: (end) => end - 10 * DAY,
  weeks: (end) => end - 14 * DAY,
  months: (end) => monthsBack(end, 2),
  mtd: (end) => first(end - DAY, 0),
  ytd: (end) => Date.UTC(new Date(end - DAY).getUTCFullYear(), 0, 1),
};
const shown = (zone: string, instant: number) =>
  Date.parse(`${new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(instant)}T00:00Z`);

it(`by every grain, in zones, of stores and of parts of the time (SEED=${SEED})`, async () => {
  const asked = fc.record({
    name: fc.constantFrom(...(Object.keys(WINDOWS) as (keyof typeof WINDOWS)[])),
    grain: fc.constantFrom('day', 'week', 'month'),
    zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'),
    byStore: fc.boolean(),
    from: fc.option(fc.integer({ min: 0, max: 150 }), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ name, grain, zone, byStore, from }) => {
      const rows = orders.map(([hours, store, customer]) => ({
        day: shown(zone, START + (hours * DAY) / 24),
        store: byStore ? store : '',
        customer,
      }));
      const since = from === undefined ? undefined : START + from * DAY;
      const groups = new Map<string, unknown[]>();
      for (const { day, store } of rows) {
        if (since !== undefined && day < since) continue;
        const [begin = 0, end = 0] = ENDS[grain](day);
        const within = rows.filter((row) => row.store === store && row.day < end && row.day >= BEGINS[name](end));
        const count = new Set(within.map(({ customer }) => customer)).size;
        groups.set(`${begin} ${store}`, [iso(begin), ...(byStore ? [store] : []), count]);
      }
      const found = await shop.table({
        rows: [{ dataset: 'orders', field: 'at', grain }, ...(byStore ? [{ dataset: 'orders', field: 'store' }] : [])],
        values: [{ metric: name }],
        timezone: zone,
        filters:
          since === undefined ? [] : [{ dataset: 'orders', field: 'at', grain: 'day', op: 'GTE', value: iso(since) }],
      });
      const sorted = (table: readonly (readonly unknown[])[]) => table.map((row) => JSON.stringify(row)).toSorted();
      expect(sorted(found)).toEqual(sorted([...groups.values()]));
    }),
    { seed: SEED, numRuns: 60 },
  );
}, 120_000);
