/** Tests requests with metrics of every kind on random data: two equivalent requests must have the same answer. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEED } from '../../../router/testing/seed.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { runsOn } from '../../../server/warehouse/testing/runs-on.ts';
import { testsOn } from '../../../server/warehouse/testing/tests-on.ts';
import { openOn } from '../testing/engine-fixture.ts';
import { type Fixture, scope } from '../testing/fixture.ts';
import type { Table } from '../testing/tables.ts';

const DAYS = Array.from({ length: 300 }, (_, day) => new Date(Date.UTC(2023, 9, 1 + day)).toISOString().slice(0, 10));
const order = fc.record({
  day: fc.option(fc.constantFrom(...DAYS), { freq: 15 }),
  shipped: fc.constantFrom(...DAYS),
  customer: fc.option(fc.integer({ min: 1, max: 4 }), { freq: 12 }),
  store: fc.option(fc.constantFrom('a', 'b'), { freq: 8 }),
  amount: fc.integer({ min: -20, max: 100 }),
});
const visit = fc.record({ day: fc.constantFrom(...DAYS), customer: fc.integer({ min: 1, max: 4 }) });
const [orders = []] = fc.sample(fc.array(order, { minLength: 40, maxLength: 40 }), { seed: SEED, numRuns: 1 });
const [visits = []] = fc.sample(fc.array(visit, { minLength: 25, maxLength: 25 }), { seed: SEED, numRuns: 1 });
const TABLES: readonly Table[] = [
  {
    name: 'orders',
    columns: [
      ['id', 'integer'],
      ['day', 'date'],
      ['shipped', 'date'],
      ['customer_id', 'integer'],
      ['store', 'text'],
      ['amount', 'integer'],
    ],
    rows: orders.map(({ day, shipped, customer, store, amount }, id) => [id, day, shipped, customer, store, amount]),
  },
  {
    name: 'visits',
    columns: [
      ['id', 'integer'],
      ['day', 'date'],
      ['customer_id', 'integer'],
    ],
    rows: visits.map(({ day, customer }, id) => [id, day, customer]),
  },
  {
    name: 'customers',
    columns: [
      ['id', 'integer'],
      ['region', 'text'],
    ],
    rows: [
      [1, 'EU'],
      [2, 'EU'],
      [3, 'US'],
      [4, null],
    ],
  },
  {
    name: 'dates',
    columns: [
      ['date', 'date'],
      ['season', 'text'],
    ],
    rows: DAYS.map((day) => [day, `season ${Number(day.slice(5, 7)) % 4}`]),
  },
];
const vendor = (data: object) =>
  `custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify(data).replaceAll("'", "''")}' }]`;
const field = (name: string, data?: object) =>
  `          - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name} }] }${data === undefined ? '' : `, ${vendor(data)}`} }`;
const metric = (name: string, expression: string, data?: object) =>
  `      - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: "${expression}" }] }${data === undefined ? '' : `, ${vendor(data)}`} }`;
const conversion = {
  base: 'visit_count',
  entity: { base: 'visits.customer_id', conversion: 'orders.customer_id' },
  by: { base: 'visits.day', conversion: 'orders.day' },
  window: { count: 20, grain: 'day' },
};
/** Metrics of orders, by kind. */
const KINDS: Readonly<Record<string, readonly [expression: string, data?: object]>> = {
  amount: ['SUM(orders.amount)'],
  eu: ['amount', { filter: "customers.region = 'EU'" }],
  share: ['eu / amount'],
  before: ['amount', { offset: { count: 1, grain: 'month' } }],
  growth: ['amount - before'],
  to_date: ['amount', { cumulative: { to_date: 'year' } }],
  to_date_before: ['to_date', { offset: { count: 1, grain: 'month' } }],
  people: ['COUNT(DISTINCT orders.customer_id)', { cumulative: { window: { count: 60, grain: 'day' } } }],
  mean_running: ['COUNT(orders.id)', { cumulative: { take: 'average' } }],
  closing: ['amount', { semi_additive: { by: 'orders.day' } }],
  mean_balance: ['amount', { semi_additive: { by: 'orders.day', take: 'average', per: ['orders.store'] } }],
  middle: ['MEDIAN(orders.amount)'],
};
const NAMES = Object.keys(KINDS);
/** Kinds that aggregate all rows of a group, which masking counts. */
const ALL_ROWS = ['amount', 'middle'];
/** Kinds whose totals end with the last day of all. */
const ENDS = ['to_date', 'to_date_before', 'people', 'mean_running'];
/**
 * Kinds that Trino masks: of rows, of a moved time, of a window, of the last day. The others are made of these, and `stages-of-trino.test.ts` has
 * Trino plan all kinds masked.
 */
const MASKED_ON_TRINO = ['amount', 'growth', 'people', 'closing'];
const CONVERSIONS = ['led', 'rate'];
const document = `
version: "0.1.1"
semantic_model:
  - name: shop
    datasets:
      - name: orders
        source: orders
        primary_key: [id]
        ${vendor({ time: { main: 'day' }, roles: { row_predicates: { ONLY_A: "store = 'a'", '*': '1 = 1' } } })}
        fields:
${[field('day', { display: { hidden: true } }), field('shipped'), field('store')].join('\n')}
      - name: visits
        source: visits
        primary_key: [id]
        fields:
${field('day')}
      - name: customers
        source: customers
        primary_key: [id]
        fields:
${field('region', { roles: { deny: ['BLIND'] } })}
      - name: dates
        source: dates
        primary_key: [date]
        fields:
${field('season')}
    relationships:
      - { name: bought_by, from: orders, to: customers, from_columns: [customer_id], to_columns: [id] }
      - { name: visited_by, from: visits, to: customers, from_columns: [customer_id], to_columns: [id] }
      - { name: ordered_on, from: orders, to: dates, from_columns: [day], to_columns: [date] }
      - { name: shipped_on, from: orders, to: dates, from_columns: [shipped], to_columns: [date] }
    metrics:
${Object.entries(KINDS)
  .map(([name, [expression, data]]) => metric(name, expression, data))
  .join('\n')}
${metric('visit_count', 'COUNT(visits.id)')}
${metric('led', 'SUM(orders.amount)', { conversion: { ...conversion, take: 'count' } })}
${metric('rate', 'COUNT(orders.id)', { conversion })}
`;

const MONTH = { dataset: 'orders', field: 'day', grain: 'month' };
const REGION = { dataset: 'customers', field: 'region' };
const STORE = { dataset: 'orders', field: 'store' };
const SEASON = { dataset: 'dates', field: 'season', via: 'shipped_on' };
const GROUPS = [MONTH, REGION, STORE, SEASON];
const values = (...names: readonly string[]) => names.map((name) => ({ metric: name }));
type Row = readonly unknown[];
const number = (cell: unknown) => {
  const rows = typeof cell === 'string' && /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell;
  return typeof rows === 'number' ? Number(rows.toPrecision(9)) + 0 : rows;
};
const written = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).toSorted();
const range = { ...MONTH, op: 'BETWEEN', values: ['2023-12', '2024-05'] };

describeEngines('on $engine', (engine) => {
  const test = testsOn(engine);
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn(engine, TABLES, { document });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());
  const table = async (request: object, ...roles: readonly string[]): Promise<readonly Row[]> =>
    (await shop.table(request, scope('ROLE_USER', ...roles))).map((row) => row.map(number));
  // Trino plans each of these statements for a second.
  const runs = { seed: SEED, numRuns: runsOn(engine, 24) };
  const groups = fc.subarray(GROUPS, { minLength: 1, maxLength: 3 });
  const filters = fc.constantFrom([], [range], [{ ...REGION, op: 'EQ', value: 'EU' }]);
  const name = fc.constantFrom(...NAMES);

  test('a metric beside others has the same values as alone', async () => {
    const queries = fc.record({ groups, filters, names: fc.uniqueArray(name, { minLength: 2, maxLength: 3 }) });
    await fc.assert(
      fc.asyncProperty(queries, async ({ groups: rows, filters: only, names }) => {
        const together = await table({ rows, values: values(...names), filters: only });
        for (const [index, one] of names.entries()) {
          const alone = await table({ rows, values: values(one), filters: only });
          const keys = new Set(alone.map((row) => JSON.stringify(row.slice(0, -1))));
          const rowsWithMetric = together
            .filter((row) => keys.has(JSON.stringify(row.slice(0, rows.length))))
            .map((row) => [...row.slice(0, rows.length), row[rows.length + index]]);
          expect(written(rowsWithMetric)).toEqual(written(alone));
        }
      }),
      runs,
    );
  });

  test('cells of crosstabs are the groups of rows, and a filled answer contains the unfilled one', async () => {
    const queries = fc.record({ groups, filters, name });
    await fc.assert(
      fc.asyncProperty(queries, async ({ groups: rows, filters: only, name: one }) => {
        const request = { values: values(one), filters: only };
        const flat = await table({ rows, ...request });
        const [first, ...others] = rows;
        expect(written(await table({ rows: [first], columns: others, ...request }))).toEqual(written(flat));
        if (!rows.includes(MONTH)) return;
        const filled = await table({
          rows: rows.map((row) => (row === MONTH ? { ...row, fill: true } : row)),
          ...request,
        });
        expect(written(filled)).toEqual(expect.arrayContaining(written(flat)));
      }),
      runs,
    );
  });

  test('filters by a metric keep the groups that pass, sorts and limits keep the first, and `per` keeps the rows of groups that pass', async () => {
    const queries = fc.record({
      groups,
      name: fc.constantFrom(...NAMES.slice(1)),
      value: fc.integer({ min: -10, max: 200 }),
      limit: fc.integer({ min: 1, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(queries, async ({ groups: rows, name: one, value, limit }) => {
        const all = await table({ rows, values: values('amount', one) });
        const passes = (row: Row) => typeof row.at(-1) === 'number' && Number(row.at(-1)) > value;
        const tested = await table({ rows, values: values('amount'), filters: [{ metric: one, op: 'GT', value }] });
        expect(written(tested)).toEqual(written(all.filter(passes).map((row) => row.slice(0, -1))));
        const sorts = [{ metric: one, direction: 'DESC' }];
        const first = await table({ rows, values: values('amount', one), sorts, limit });
        const ranked = all.map((row) => row.at(-1)).toSorted((a, b) => Number(b ?? -1e9) - Number(a ?? -1e9));
        expect(first.map((row) => row.at(-1))).toEqual(ranked.slice(0, limit));
        const byStore = await table({ rows: [STORE], values: values(one) });
        const stores = byStore.filter(passes).flatMap(([store]) => (store === null ? [] : [store]));
        const per = await table({
          rows,
          values: values('amount'),
          filters: [{ metric: one, op: 'GT', value, per: [STORE] }],
        });
        const listed = await table({
          rows,
          values: values('amount'),
          filters: [{ ...STORE, op: 'IN', values: stores }],
        });
        expect(written(per)).toEqual(written(listed));
      }),
      runs,
    );
  });

  test('equivalent filters in any and all have the same answer', async () => {
    const months = ['2023-12', '2024-02', '2024-03'];
    const queries = fc.record({ groups, name });
    await fc.assert(
      fc.asyncProperty(queries, async ({ groups: rows, name: one }) => {
        const request = { rows, values: values(one) };
        const region = (value: string) => ({ ...REGION, op: 'EQ', value });
        const any = [{ any: [region('EU'), region('US')] }, { all: [range] }];
        const listed = [{ ...REGION, op: 'IN', values: ['EU', 'US'] }, range];
        expect(written(await table({ ...request, filters: any }))).toEqual(
          written(await table({ ...request, filters: listed })),
        );
        const anyMonth = [{ any: months.map((value) => ({ ...MONTH, op: 'EQ', value })) }];
        expect(written(await table({ ...request, filters: anyMonth }))).toEqual(
          written(await table({ ...request, filters: [{ ...MONTH, op: 'IN', values: months }] })),
        );
      }),
      runs,
    );
  });

  test('a caller sees metrics of its visible rows, and no metric that reads a denied field', async () => {
    const queries = fc.record({ groups, name, filters });
    await fc.assert(
      fc.asyncProperty(queries, async ({ groups: rows, name: one, filters: only }) => {
        // A total ends with the last day that its caller may see.
        if (ENDS.includes(one) && !rows.includes(MONTH)) return;
        const request = { rows, values: values(one) };
        const rowsOfRole = await table({ ...request, filters: only }, 'ONLY_A');
        const filtered = await table({ ...request, filters: [...only, { ...STORE, op: 'EQ', value: 'a' }] });
        expect(written(rowsOfRole)).toEqual(written(filtered));
      }),
      runs,
    );
    for (const one of ['eu', 'share']) {
      const refusal = await shop.refusal({ values: values(one) }, scope('ROLE_USER', 'BLIND'));
      expect(refusal.field).toBe('values[0].metric');
    }
  });

  test('conversions in crosstabs, tested, sorted, per a group and beside metrics of other facts', async () => {
    const visitMonth = { dataset: 'visits', field: 'day', grain: 'month' };
    // Trino gets one of the two. `render/conversion.test.ts` asks it for both.
    for (const one of engine === 'trino' ? CONVERSIONS.slice(1) : CONVERSIONS) {
      const rows = [visitMonth, REGION];
      const flat = await table({ rows, values: values('visit_count', one) });
      const crosstab = { rows: [REGION], columns: [visitMonth], values: values('visit_count', one) };
      const turned = (await table(crosstab)).map(([region, month, ...rest]) => [month, region, ...rest]);
      expect(written(turned)).toEqual(written(flat));
      const passes = (row: Row) => typeof row.at(-1) === 'number' && Number(row.at(-1)) > 0.5;
      const filters = [{ metric: one, op: 'GT', value: 0.5 }];
      const tested = await table({ rows, values: values('visit_count'), filters });
      expect(written(tested)).toEqual(written(flat.filter(passes).map((row) => row.slice(0, -1))));
      const regions = (await table({ rows: [REGION], values: values(one) }))
        .filter(passes)
        .flatMap(([region]) => region ?? []);
      const per = await table({ values: values('visit_count'), filters: [{ ...filters[0], per: [REGION] }] });
      expect(per).toEqual(
        await table({ values: values('visit_count'), filters: [{ ...REGION, op: 'IN', values: regions }] }),
      );
      const [beside, alone] = await Promise.all([
        table({ rows: [REGION], values: values(one, 'to_date', 'amount') }),
        table({ rows: [REGION], values: values(one) }),
      ]);
      const valuesByRegion = new Map(alone.map(([region, value]) => [region, value]));
      for (const [region, value] of beside)
        if (valuesByRegion.has(region)) expect(value).toEqual(valuesByRegion.get(region));
    }
  });

  test('sales by the role of their date equal the sales by its days', async () => {
    const sums = new Map<string, number>();
    for (const { shipped, amount } of orders) {
      const season = `season ${Number(shipped.slice(5, 7)) % 4}`;
      sums.set(season, (sums.get(season) ?? 0) + amount);
    }
    expect(written(await table({ rows: [SEASON], values: values('amount') }))).toEqual(written([...sums]));
  });

  test('small groups are masked in every kind, and other groups are unchanged', async () => {
    const masking = await openOn(engine, TABLES, {
      document,
      settings: { kAnonymity: { threshold: 3, mask: -999, shadow: true } },
    });
    try {
      const rows = [REGION, STORE];
      const open = await table({ rows, values: values(...NAMES) });
      const sizes = new Map<string, number>();
      for (const { customer, store } of orders) {
        const region = customer === null || customer === 4 ? null : customer === 3 ? 'US' : 'EU';
        const key = JSON.stringify([region, store]);
        sizes.set(key, (sizes.get(key) ?? 0) + 1);
      }
      // Each metric alone: if one metric of a request has few rows, the whole group is masked.
      for (const [index, one] of NAMES.entries()) {
        if (engine === 'trino' && !MASKED_ON_TRINO.includes(one)) continue;
        const answered = (await masking.table({ rows, values: values(one) })).map((row) => row.map(number));
        for (const [region, store, value] of answered) {
          const key = JSON.stringify([region, store]);
          const shown = open.find((row) => JSON.stringify(row.slice(0, 2)) === key)?.[2 + index];
          if (value !== -999) expect([one, key, value]).toEqual([one, key, shown]);
          else expect(ALL_ROWS.includes(one) && (sizes.get(key) ?? 0) >= 3).toBe(false);
          if (ALL_ROWS.includes(one)) expect(value === -999).toBe((sizes.get(key) ?? 0) < 3);
        }
      }
    } finally {
      await masking.close();
    }
  });
});

describe('metrics of another time', () => {
  it('use one date, and are reported if they name two', async () => {
    const more = metric('odd', 'to_date', { offset: { by: 'orders.shipped', count: 1, grain: 'month' } });
    const shop = await openOn('duckdb', TABLES, { document: `${document}${more}\n` });
    try {
      expect(shop.problems.map(({ message }) => message)).toEqual([
        'metric odd: left out: its expression is offset by orders.shipped, and made of a metric that is cumulative by orders.day; both go by one date.',
      ]);
    } finally {
      await shop.close();
    }
  });
});
