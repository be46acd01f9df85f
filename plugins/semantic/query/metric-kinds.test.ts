/** Tests the kinds of metrics that a document declares, on every engine: by hand, and against a loop over the rows. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEED } from '../../../router/testing/seed.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { runsOn } from '../../../server/warehouse/testing/runs-on.ts';
import { testsOn } from '../../../server/warehouse/testing/tests-on.ts';
import { openOn } from '../testing/engine-fixture.ts';
import { Fixture, scope } from '../testing/fixture.ts';
import { statementsFor, type Table } from '../testing/tables.ts';

/** Amounts are powers of two, so that each sum identifies its rows. */
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
${metric('median', 'MEDIAN(orders.amount)')}
${metric('p90', 'PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY orders.amount)')}
${metric('quarter', 'PERCENTILE_DISC(0.25) WITHIN GROUP (ORDER BY orders.amount)')}
${metric('least', 'PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY orders.amount DESC)')}
${metric('from_top', 'PERCENTILE_CONT(0.3) WITHIN GROUP (ORDER BY orders.amount DESC)')}
${metric('about', 'APPROX_PERCENTILE(orders.amount, 0.75)')}
${metric('paid_median', "MEDIAN(orders.amount) FILTER (WHERE orders.status = 'paid')")}
${metric('median_share', 'MEDIAN(orders.amount + 0) / SUM(orders.amount)')}
${metric('mean', 'SUM(orders.amount)', { semi_additive: { by: 'orders.day', take: 'average' } })}
${metric('mean_each', 'SUM(orders.amount)', { semi_additive: { by: 'orders.day', take: 'average', per: 'orders.status' } })}
${metric('mean_median', 'MEDIAN(orders.amount)', { semi_additive: { by: 'orders.day', take: 'average' } })}
${metric('last_median', 'MEDIAN(orders.amount)', { semi_additive: { by: 'orders.day' } })}
${metric('month_before', 'SUM(orders.amount)', { offset: { by: 'orders.day', count: 1, grain: 'month' } })}
${metric('two_before', 'month_before', { offset: { count: 1, grain: 'month' } })}
${metric('week_before', 'revenue', { offset: { by: 'orders.day', count: 1, grain: 'week' } })}
${metric('year_before', 'COUNT(*)', { dataset: 'orders', offset: { count: 1, grain: 'year' } })}
${metric('growth', 'revenue - month_before')}
${metric('first_day', 'SUM(orders.amount)', { offset: { to: 'month' } })}
${metric('paid_before', 'paid', { offset: { count: 1, grain: 'month' } })}
${more.join('\n')}
`;

interface Order {
  readonly id: number;
  readonly day: string | null;
  readonly region: string | null;
  readonly status: string | null;
  readonly amount: number;
  readonly tags: readonly string[];
}
const ALL: readonly Order[] = ORDERS.rows.map(([id, day, customer, status, amount]) => ({
  id: Number(id),
  day: day === null ? null : String(day),
  region: String(CUSTOMERS.rows.find(([customerId]) => customerId === customer)?.[1] ?? '') || null,
  status: status === null ? null : String(status),
  amount: Number(amount),
  tags: NOTES.rows.filter(([, orderId]) => orderId === id).map(([, , tag]) => String(tag)),
}));

const sum = (orders: readonly Order[]) =>
  orders.length === 0 ? null : orders.reduce((total, { amount }) => total + amount, 0);
const average = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0) / numbers.length;
const amounts = (orders: readonly Order[]) => orders.map(({ amount }) => amount).toSorted((a, b) => a - b);
const between = (sorted: readonly number[], fraction: number) => {
  const at = fraction * (sorted.length - 1);
  const low = sorted[Math.floor(at)] ?? 0;
  return low + (at - Math.floor(at)) * ((sorted[Math.ceil(at)] ?? 0) - low);
};
const meanOverDays = (orders: readonly Order[]) =>
  average([...new Set(orders.map(({ day }) => day))].map((day) => sum(orders.filter((one) => one.day === day)) ?? 0));
const isPaid = ({ status }: Order) => status === 'paid';

/** Each metric as a loop over the orders of a group: which orders it uses, and what it computes from them. */
const LOOPS: Readonly<
  Record<
    string,
    {
      readonly of?: (order: Order) => boolean;
      /** True where only the last day of a period counts. */
      readonly isLast?: boolean;
      readonly is: (orders: readonly Order[]) => number | null;
    }
  >
> = {
  revenue: { is: sum },
  paid: { of: isPaid, is: sum },
  paid_in_eu: { of: (order) => isPaid(order) && (order.region === 'EU' || order.amount > 50), is: sum },
  paid_count: { of: isPaid, is: (orders) => orders.length },
  median: { is: (orders) => between(amounts(orders), 0.5) },
  p90: { is: (orders) => between(amounts(orders), 0.9) },
  quarter: { is: (orders) => amounts(orders)[Math.ceil(orders.length / 4) - 1] ?? null },
  from_top: { is: (orders) => between(amounts(orders).toReversed(), 0.3) },
  mean: { of: ({ day }) => day !== null, is: meanOverDays },
  mean_each: {
    of: ({ day }) => day !== null,
    is: (orders) => {
      const parts = [...new Set(orders.map(({ status }) => status))];
      return parts.reduce((total, part) => total + meanOverDays(orders.filter((one) => one.status === part)), 0);
    },
  },
  last_paid: {
    of: (order) => isPaid(order) && order.day !== null,
    isLast: true,
    is: sum,
  },
};

const daysAfter = (day: string, count: number) =>
  new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10);
/** Returns the same day of an earlier month, or its last one. */
const monthsBefore = (day: string, count: number) => {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - count, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - count, Math.min(date, last))).toISOString().slice(0, 10);
};
const periodOf = (grain: string, day: string) => {
  const month = Number(day.slice(5, 7));
  if (grain === 'year') return `${day.slice(0, 4)}-01-01`;
  const first = grain === 'quarter' ? month - ((month - 1) % 3) : month;
  return `${day.slice(0, 5)}${String(first).padStart(2, '0')}-01`;
};

const KEYS = {
  month: ({ day }: Order) => [day === null ? null : `${day.slice(0, 7)}-01`],
  region: ({ region }: Order) => [region],
  status: ({ status }: Order) => [status],
  tag: ({ tags }: Order) => (tags.length === 0 ? [null] : tags),
} as const;

/** Computes the answer by a loop: every group that a metric has rows in, with the metrics of its rows. */
function loop(keys: readonly (keyof typeof KEYS)[], names: readonly string[], region: string | undefined) {
  const cells = new Map<string, (number | null)[]>();
  for (const [index, name] of names.entries()) {
    const loopOfMetric = LOOPS[name];
    const groups = new Map<string, Set<Order>>(keys.length === 0 ? [['[]', new Set()]] : []);
    const kept = ALL.filter(
      (order) => loopOfMetric?.of?.(order) !== false && (region === undefined || order.region === region),
    );
    const periodOf = ({ day }: Order) => (keys.includes('month') ? day?.slice(0, 7) : '');
    for (const order of kept) {
      const isBehind = (other: Order) => periodOf(other) === periodOf(order) && (other.day ?? '') > (order.day ?? '');
      if (loopOfMetric?.isLast === true && kept.some(isBehind)) continue;
      let places: readonly (readonly unknown[])[] = [[]];
      for (const key of keys) places = places.flatMap((place) => KEYS[key](order).map((part) => [...place, part]));
      for (const place of places) {
        const group = JSON.stringify(place);
        groups.set(group, (groups.get(group) ?? new Set()).add(order));
      }
    }
    for (const [group, orders] of groups) {
      const row = cells.get(group) ?? names.map(() => null);
      row[index] = orders.size === 0 ? (name === 'paid_count' ? 0 : null) : (loopOfMetric?.is([...orders]) ?? null);
      cells.set(group, row);
    }
  }
  return [...cells].map(([group, row]) => [...JSON.parse(group), ...row]);
}
const written = (row: readonly unknown[]) =>
  JSON.stringify(row.map((cell) => (typeof cell === 'number' ? Number(cell.toFixed(6)) : cell)));

const MONTH = { dataset: 'orders', field: 'day', grain: 'month' };
const REGION = { dataset: 'customers', field: 'region' };
const STATUS = { dataset: 'orders', field: 'status' };
const TAG = { dataset: 'notes', field: 'tag' };
const values = (...names: readonly string[]) => names.map((name) => ({ metric: name }));

describeEngines('on $engine', (engine) => {
  const test = testsOn(engine);
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn(engine, [ORDERS, CUSTOMERS, NOTES], { document: document() });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());
  const table = (request: object) => shop.numbers(request);

  describe('a filtered metric', () => {
    test('has the value of a request with that filter, beside unfiltered metrics', async () => {
      const metrics = values('revenue', 'paid', 'paid_in_eu', 'paid_count', 'paid_share');
      expect(await table({ values: metrics })).toEqual([[511, 235, 203, 6, 235 / 511]]);
      expect(await table({ rows: [REGION], values: metrics })).toEqual([
        ['EU', 399, 139, 139, 4, 139 / 399],
        ['US', 48, 32, null, 1, 32 / 48],
        [null, 64, 64, 64, 1, 1],
      ]);
      expect(await table({ rows: [STATUS], values: values('paid') })).toEqual([['paid', 235]]);
    });

    test('counts a row that joins repeat only once, and is taken at one date for all groups', async () => {
      expect(await table({ rows: [TAG], values: values('paid', 'revenue') })).toEqual([
        ['x', 34, 34],
        ['y', 32, 36],
        [null, 201, 473],
      ]);
      // Paid last on 31 March, by nobody who is known; until then by customer 3.
      expect(await table({ rows: [REGION], values: values('last_paid') })).toEqual([[null, 64]]);
      const before = [{ dataset: 'orders', field: 'day', op: 'LT', value: '2024-03-31' }];
      expect(await table({ rows: [REGION], values: values('last_paid'), filters: before })).toEqual([['US', 32]]);
    });

    test('is sorted, limited, tested and used in crosstabs like others', async () => {
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

  describe('a percentile', () => {
    const all = values('median', 'p90', 'quarter', 'least', 'from_top', 'about', 'paid_median', 'median_share');

    test('is exact, interpolated or of a value, from either end', async () => {
      // Of the values 1, 2, 4, … 256 the place of p90 is 7.2 behind the first; 0.3 from the top is 2.4 below 256.
      const [row] = await table({ values: all });
      expect(row?.map((cell) => Number(Number(cell).toFixed(9)))).toEqual(
        [16, 153.6, 4, 1, 51.2, 64, 20, 16 / 511].map((each) => Number(each.toFixed(9))),
      );
    });

    test('counts a row that joins repeat only once, and is null without rows', async () => {
      expect(await table({ rows: [TAG], values: values('median', 'quarter', 'revenue') })).toEqual([
        ['x', 17, 2, 34],
        ['y', 18, 4, 36],
        [null, 40, 8, 473],
      ]);
      expect(await table({ rows: [STATUS], values: values('paid_median', 'least') })).toEqual([
        ['open', null, 4],
        ['paid', 20, 1],
        [null, null, 256],
      ]);
      const rows = { rows: [REGION], columns: [STATUS], values: values('median') };
      expect(await table({ ...rows, sorts: [{ metric: 'median', direction: 'DESC' }], limit: 1 })).toEqual([
        [null, 'paid', 64],
      ]);
    });

    test('uses the rows of one date, and a mean over dates uses one median for each date', async () => {
      expect(await table({ values: values('last_median', 'mean_median') })).toEqual([[160, 223 / 7]]);
    });
  });

  describe('an average over time', () => {
    test('is the mean over the dates of a group, also of a total', async () => {
      expect(await table({ rows: [MONTH], values: values('mean', 'revenue') })).toEqual([
        ['2023-12-01', 1, 1],
        ['2024-01-01', 3, 6],
        ['2024-02-01', 12, 24],
        ['2024-03-01', 176, 352],
        [null, null, 128],
      ]);
      const [[mean, each] = []] = await table({ values: values('mean', 'mean_each') });
      expect([mean, each].map((cell) => Number(cell).toFixed(9))).toEqual([(383 / 7).toFixed(9), '287.400000000']);
      expect(await table({ rows: [TAG], values: values('mean') })).toEqual([
        ['x', 17],
        ['y', 18],
        [null, (1 + 8 + 16 + 320) / 4],
      ]);
    });
  });

  describe('an offset', () => {
    const DAY = { dataset: 'orders', field: 'day' };
    const range = (low: string, high: string) => [{ ...DAY, op: 'BETWEEN', values: [low, high] }];

    test('has in each period its earlier value', async () => {
      const metrics = values('revenue', 'month_before', 'two_before', 'paid_before', 'growth');
      expect(await table({ rows: [MONTH], values: metrics })).toEqual([
        ['2023-12-01', 1, null, null, null, null],
        ['2024-01-01', 6, 1, null, 1, 5],
        ['2024-02-01', 24, 6, 1, 2, 18],
        ['2024-03-01', 352, 24, 6, 8, 328],
        ['2024-04-01', null, 352, 24, 96, null],
        ['2024-05-01', null, null, 352, null, null],
        [null, 128, null, null, null, null],
      ]);
      const quarters = [{ ...DAY, grain: 'quarter' }];
      expect(await table({ rows: quarters, values: values('month_before') })).toEqual([
        ['2024-01-01', 31],
        ['2024-04-01', 352],
      ]);
      expect(await table({ rows: [{ ...DAY, grain: 'year' }], values: values('year_before') })).toEqual([
        ['2024-01-01', 1],
        ['2025-01-01', 7],
      ]);
    });

    test('moves filters of its date, and the day that a month has not is its last', async () => {
      const filters = [{ ...MONTH, op: 'EQ', value: '2024-03' }];
      expect(await table({ values: values('month_before', 'growth'), filters })).toEqual([[24, 328]]);
      const days = range('2024-03-28', '2024-03-31');
      expect(await table({ rows: [DAY], values: values('month_before', 'revenue'), filters: days })).toEqual([
        ['2024-03-28', 8, null],
        ['2024-03-29', 16, null],
        ['2024-03-30', 16, null],
        ['2024-03-31', 16, 320],
      ]);
      expect(await table({ values: values('month_before'), filters: days })).toEqual([[24]]);
      const part = { ...DAY, grain: 'month_of_year' };
      const march = [{ ...part, op: 'EQ', value: 3 }];
      expect(await table({ rows: [part], values: values('month_before'), filters: march })).toEqual([[3, 24]]);
      expect(
        await table({ rows: [DAY], values: values('week_before'), filters: range('2024-03-06', '2024-03-08') }),
      ).toEqual([
        ['2024-03-06', 8],
        ['2024-03-07', 16],
        ['2024-03-08', 32],
      ]);
    });

    test('works in crosstabs, tests and sorts, and with rows that joins repeat', async () => {
      const rows = { rows: [REGION], columns: [MONTH], values: values('month_before') };
      const sorts = [{ metric: 'month_before', direction: 'DESC' }];
      expect(await table({ ...rows, sorts, limit: 1 })).toEqual([
        ['EU', '2024-01-01', 1],
        ['EU', '2024-02-01', 6],
        ['EU', '2024-03-01', 8],
        ['EU', '2024-04-01', 256],
      ]);
      const filters = [{ metric: 'month_before', op: 'GT', value: 20 }];
      expect(await table({ rows: [MONTH], values: values('growth'), filters })).toEqual([
        ['2024-03-01', 328],
        ['2024-04-01', null],
      ]);
      const months = [{ ...MONTH, op: 'EQ', value: '2024-04' }];
      expect(await table({ rows: [TAG], values: values('month_before'), filters: months })).toEqual([
        ['x', 32],
        ['y', 32],
        [null, 320],
      ]);
      const compared = [{ metric: 'month_before', compare: { to: 'previous_period' } }];
      const march = [{ ...MONTH, op: 'EQ', value: '2024-03' }];
      expect((await table({ rows: [MONTH], values: compared, filters: march }))[0]?.slice(0, 4)).toEqual([
        '2024-03-01',
        24,
        6,
        18,
      ]);
    });

    test('to a period is of its first day', async () => {
      expect(await table({ rows: [MONTH], values: values('first_day') })).toEqual([['2024-03-01', 32]]);
      const days = range('2024-03-30', '2024-03-31');
      expect(await table({ rows: [DAY], values: values('first_day', 'revenue'), filters: days })).toEqual([
        ['2024-03-30', 32, null],
        ['2024-03-31', 32, 320],
      ]);
      expect(await table({ values: values('first_day'), filters: days })).toEqual([[32]]);
      expect(await table({ values: values('first_day') })).toEqual([[null]]);
      const weeks = { rows: [{ ...DAY, grain: 'week' }], values: values('month_before') };
      expect(await shop.refusal(weeks)).toMatchObject({
        field: 'rows[0].grain',
        available: ['day', 'month', 'quarter', 'year'],
      });
    });

    test('of random periods and ranges has the values that a loop over days computes', async () => {
      const queries = fc.record({
        name: fc.constantFrom('month_before', 'two_before', 'week_before'),
        grain: fc.constantFrom('day', 'month', 'quarter', 'year'),
        from: fc.integer({ min: 0, max: 130 }),
        days: fc.integer({ min: 1, max: 70 }),
      });
      const step = (name: string, day: string) =>
        name === 'week_before' ? daysAfter(day, -7) : monthsBefore(day, name === 'month_before' ? 1 : 2);
      await fc.assert(
        fc.asyncProperty(queries, async ({ name, grain, from, days }) => {
          const low = daysAfter('2023-12-20', from);
          const filters = range(low, daysAfter(low, days - 1));
          const shown = new Map<string, Set<Order>>();
          // If a range ends with its month, the earlier month counts to its own end.
          const last = daysAfter(low, days);
          const end = [daysAfter(step(name, daysAfter(last, -1)), 1), step(name, last)].toSorted().at(-1) ?? '';
          for (const order of ALL) {
            const { day } = order;
            if (day === null || day < step(name, low) || day >= end) continue;
            const places =
              grain === 'day'
                ? Array.from({ length: 400 }, (_, index) => daysAfter('2023-12-01', index)).filter(
                    (one) => step(name, one) === day && one >= low && one < last,
                  )
                : [
                    periodOf(
                      grain,
                      name === 'week_before'
                        ? daysAfter(day, 7)
                        : monthsBefore(`${day.slice(0, 7)}-01`, name === 'month_before' ? -1 : -2),
                    ),
                  ];
            for (const place of places) shown.set(place, (shown.get(place) ?? new Set()).add(order));
          }
          const expected = [...shown].map(([place, orders]) => [place, sum([...orders])]);
          const rows = await table({ rows: [{ ...DAY, grain }], values: values(name), filters });
          expect(rows.map(written).toSorted()).toEqual(expected.map(written).toSorted());
        }),
        { seed: SEED, numRuns: runsOn(engine, 60) },
      );
    });
  });

  test('random groups have the values that a loop over the rows computes', async () => {
    const queries = fc.record({
      keys: fc.subarray(['month', 'region', 'status', 'tag'] as const),
      names: fc.uniqueArray(fc.constantFrom(...Object.keys(LOOPS)), { minLength: 1, maxLength: 3 }),
      only: fc.constantFrom(undefined, 'EU', 'US'),
    });
    const references = { month: MONTH, region: REGION, status: STATUS, tag: TAG };
    await fc.assert(
      fc.asyncProperty(queries, async ({ keys, names, only }) => {
        const rows = await table({
          rows: keys.map((each) => references[each]),
          values: values(...names),
          filters: only === undefined ? [] : [{ ...REGION, op: 'EQ', value: only }],
        });
        expect(rows.map(written).toSorted()).toEqual(loop(keys, names, only).map(written).toSorted());
      }),
      { seed: SEED, numRuns: runsOn(engine, 60) },
    );
  });
});

it('an invalid filter leaves the metric out with the legal names; a filter by personal data or a denied field counts like an expression', async () => {
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
    const messages = shop.problems.map(({ message, line }) => `${line === undefined ? '' : 'line: '}${message}`);
    expect(messages).toEqual([
      expect.stringMatching(/^line: metric broken: left out: its filter is no SQL expression: /),
      'line: metric summed: left out: its filter aggregates, and rows are filtered.',
      'line: metric misspelt: left out: its expression names orders.statuss, which is neither a field nor a column (there is status, day).',
      'line: metric away: left out: its expression is of orders, and its filter reads notes, which it does not reach; it reaches customers.',
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
