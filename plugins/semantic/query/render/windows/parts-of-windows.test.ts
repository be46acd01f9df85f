/**
 * Tests that parts of windows add up to the total: a group is in a period if the window that ends there has a fact of it.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEED } from '../../../../../router/testing/seed.ts';
import { describeEngines } from '../../../../../server/warehouse/testing/describe-engines.ts';
import { runsOn } from '../../../../../server/warehouse/testing/runs-on.ts';
import { testsOn } from '../../../../../server/warehouse/testing/tests-on.ts';
import { openOn } from '../../../testing/engine-fixture.ts';
import { type Fixture, scope } from '../../../testing/fixture.ts';
import type { Table } from '../../../testing/tables.ts';

const field = (name: string, expression = name) =>
  `          - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${expression} }] } }`;
const metric = (name: string, expression: string, kind: object = {}) =>
  `      - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: "${expression}" }] }, custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify({ dataset: 'revenue', ...kind })}' }] }`;

/** California buys in February and April, Texas in March and April, New York only in January; one user has no state. */
const USERS: Table = {
  name: 'users',
  columns: [
    ['id', 'integer'],
    ['home_state', 'text'],
    ['plan', 'text'],
  ],
  rows: [
    [1, 'TX', 'small'],
    [2, 'CA', 'small'],
    [3, 'CA', 'large'],
    [4, 'NY', 'large'],
    [5, null, 'large'],
  ],
};
const REVENUE: Table = {
  name: 'revenue',
  columns: [
    ['id', 'integer'],
    ['day', 'date'],
    ['user_id', 'integer'],
    ['amount', 'integer'],
  ],
  rows: [
    [1, '2020-01-01', 4, 500],
    [2, '2020-02-01', 2, 3_000],
    [3, '2020-02-15', 3, 1_000],
    [4, '2020-03-01', 1, 3_000],
    [5, '2020-04-03', 1, 200],
    [6, '2020-04-10', 3, 100],
    [7, '2020-04-20', 5, 40],
  ],
};
const DOCUMENT = `
version: "0.1.1"
semantic_model:
  - name: shop
    datasets:
      - name: revenue
        source: revenue
        primary_key: [id]
        custom_extensions: [{ vendor_name: SERVICE, data: '{"roles": {"row_predicates": {"SMALL": "amount < 3000", "*": "1 = 1"}}}' }]
        fields:
${field('day')}
      - name: users
        source: users
        primary_key: [id]
        fields:
${['home_state', 'plan'].map((name) => field(name)).join('\n')}
    relationships:
      - { name: buys, from: revenue, to: users, from_columns: [user_id], to_columns: [id] }
    metrics:
${metric('amount', 'SUM(revenue.amount)')}
${metric('buys', 'COUNT(*)')}
${metric('trailing_2_months_revenue', 'SUM(revenue.amount)', { cumulative: { window: { count: 2, grain: 'month' } } })}
${metric('trailing_week', 'SUM(revenue.amount)', { cumulative: { window: { count: 7, grain: 'day' } } })}
${metric('month_to_date', 'SUM(revenue.amount)', { cumulative: { to_date: 'month' } })}
${metric('running', 'SUM(revenue.amount)', { cumulative: {} })}
${metric('running_buyers', 'COUNT(DISTINCT revenue.user_id)', { cumulative: {} })}
`;
const DAY = { dataset: 'revenue', field: 'day', grain: 'day' };
const MONTH = { ...DAY, grain: 'month' };
const STATE = { dataset: 'users', field: 'home_state' };
const PLAN = { dataset: 'users', field: 'plan' };
const values = (...names: readonly string[]) => names.map((name) => ({ metric: name }));
const since = (value: string) => [{ dataset: 'revenue', field: 'day', op: 'GTE', value }];

describeEngines('a group without a fact in the period on $engine', (engine) => {
  const test = testsOn(engine);
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn(engine, [USERS, REVENUE], { document: DOCUMENT });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());

  test('is shown where its window has a fact: California on the day that Texas buys', async () => {
    const request = { rows: [DAY, STATE], values: values('trailing_2_months_revenue') };
    const filters = [{ ...DAY, op: 'EQ', value: '2020-03-01' }];
    expect(await shop.numbers({ ...request, rows: [DAY], filters })).toEqual([['2020-03-01', 7_000]]);
    expect(await shop.numbers({ ...request, filters })).toEqual([
      ['2020-03-01', 'CA', 4_000],
      ['2020-03-01', 'TX', 3_000],
    ]);
    // New York's January has left the windows that end in March, and California's first of February has not.
    expect((await shop.numbers(request)).filter(([day]) => String(day) < '2020-04-10')).toEqual([
      ['2020-01-01', 'NY', 500],
      ['2020-02-01', 'CA', 3_000],
      ['2020-02-01', 'NY', 500],
      ['2020-02-15', 'CA', 4_000],
      ['2020-02-15', 'NY', 500],
      ['2020-03-01', 'CA', 4_000],
      ['2020-03-01', 'TX', 3_000],
      ['2020-04-03', 'CA', 1_000],
      ['2020-04-03', 'TX', 3_200],
    ]);
  });

  test('has no plain value there, and no value of a window without its facts', async () => {
    const metrics = values('amount', 'running', 'month_to_date', 'trailing_week', 'running_buyers');
    expect(await shop.numbers({ rows: [MONTH, STATE], values: metrics, filters: since('2020-03-01') })).toEqual([
      ['2020-03-01', 'CA', null, 4_000, null, null, 2],
      ['2020-03-01', 'NY', null, 500, null, null, 1],
      ['2020-03-01', 'TX', 3_000, 3_000, 3_000, null, 1],
      ['2020-04-01', 'CA', 100, 4_100, 100, null, 2],
      ['2020-04-01', 'NY', null, 500, null, null, 1],
      ['2020-04-01', 'TX', 200, 3_200, 200, null, 1],
      ['2020-04-01', null, 40, 40, 40, null, 1],
    ]);
  });

  test('is in a total of the rows that pass filters, in several categories and in columns', async () => {
    const filters = since('2020-03-01');
    const running = values('running');
    // The last day is 20 April, whatever the state.
    expect(await shop.numbers({ rows: [STATE], values: running, filters })).toEqual([
      ['CA', 4_100],
      ['NY', 500],
      ['TX', 3_200],
      [null, 40],
    ]);
    const cells = await shop.numbers({ rows: [PLAN, STATE], columns: [MONTH], values: running, filters });
    expect(cells).toEqual([
      ['large', 'CA', '2020-03-01', 1_000],
      ['large', 'CA', '2020-04-01', 1_100],
      ['large', 'NY', '2020-03-01', 500],
      ['large', 'NY', '2020-04-01', 500],
      ['large', null, '2020-04-01', 40],
      ['small', 'CA', '2020-03-01', 3_000],
      ['small', 'CA', '2020-04-01', 3_000],
      ['small', 'TX', '2020-03-01', 3_000],
      ['small', 'TX', '2020-04-01', 3_200],
    ]);
  });

  test('keeps its row in a sorted and limited crosstab, also where its last window is empty', async () => {
    const filters = [{ dataset: 'revenue', field: 'day', op: 'BETWEEN', values: ['2020-03-01', '2020-04-19'] }];
    const request = { rows: [STATE], columns: [DAY], values: values('trailing_2_months_revenue'), filters };
    const sorted = { ...request, sorts: [{ metric: 'trailing_2_months_revenue', direction: 'DESC' }] };
    // The window of all columns ends with 10 April and begins with 11 February.
    const all = [
      ['TX', '2020-03-01', 3_000],
      ['TX', '2020-04-03', 3_200],
      ['TX', '2020-04-10', 3_200],
      ['CA', '2020-03-01', 4_000],
      ['CA', '2020-04-03', 1_000],
      ['CA', '2020-04-10', 1_100],
    ];
    expect(await shop.numbers(sorted)).toEqual(all);
    expect(await shop.numbers({ ...sorted, limit: 1 })).toEqual(all.slice(0, 3));
    const week = {
      ...sorted,
      values: values('trailing_week'),
      sorts: [{ metric: 'trailing_week', direction: 'DESC' }],
    };
    expect(await shop.numbers(week)).toEqual([
      ['CA', '2020-04-10', 100],
      ['TX', '2020-03-01', 3_000],
      ['TX', '2020-04-03', 200],
    ]);
  });

  test('is in all periods of a filled range, also where all its facts are before the range', async () => {
    const rows = [{ ...MONTH, fill: true }, STATE];
    const filters = [{ ...MONTH, op: 'BETWEEN', values: ['2020-03', '2020-05'] }];
    const filled = await shop.numbers({ rows, values: values('running', 'amount'), filters });
    expect(filled.filter(([, state]) => state === 'NY')).toEqual([
      ['2020-03-01', 'NY', 500, null],
      ['2020-04-01', 'NY', 500, null],
      ['2020-05-01', 'NY', 500, null],
    ]);
    const zeros = [{ ...MONTH, fill: 'zero' }, STATE];
    const answered = await shop.numbers({
      rows: zeros,
      values: values('running', 'month_to_date', 'amount', 'buys'),
      filters,
    });
    expect(answered.filter(([, state]) => state === 'CA')).toEqual([
      ['2020-03-01', 'CA', 4_000, 0, 0, 0],
      ['2020-04-01', 'CA', 4_100, 100, 100, 1],
      ['2020-05-01', 'CA', 4_100, 0, 0, 0],
    ]);
    // New York's only fact has left every week of the range.
    const weeks = await shop.numbers({ rows, values: values('trailing_week'), filters });
    expect(weeks.filter(([, state]) => state === 'NY')).toEqual([]);
  });

  test('has only rows that its caller may see, and is compared with another time', async () => {
    const request = { rows: [MONTH, STATE], values: values('running'), filters: since('2020-03-01') };
    expect(await shop.numbers(request, scope('ROLE_USER', 'SMALL'))).toEqual([
      ['2020-04-01', 'CA', 1_100],
      ['2020-04-01', 'NY', 500],
      ['2020-04-01', 'TX', 200],
      ['2020-04-01', null, 40],
    ]);
    const compared = [{ metric: 'running', compare: { to: 'previous_period' } }];
    const rows = await shop.numbers({ ...request, values: compared });
    expect(rows.map((row) => row.slice(0, 4))).toEqual([
      ['2020-03-01', 'CA', 4_000, 4_000],
      ['2020-03-01', 'NY', 500, 500],
      ['2020-03-01', 'TX', 3_000, null],
      ['2020-04-01', 'CA', 4_100, 4_000],
      ['2020-04-01', 'NY', 500, 500],
      ['2020-04-01', 'TX', 3_200, 3_000],
      ['2020-04-01', null, 40, null],
    ]);
  });

  test('has the parts of a date that the facts of the answer have, whatever ends the windows of others', async () => {
    // Days of the week: New York on a Wednesday, California on Saturdays and a Friday, Texas on a Sunday and a Friday.
    const rows = [{ ...DAY, grain: 'day_of_week' }];
    const filters = [{ ...STATE, op: 'EQ', value: 'CA' }];
    expect(await shop.numbers({ rows, values: values('running'), filters })).toEqual([
      [5, 4_100],
      [6, 4_000],
    ]);
  });
});

describe('small groups', () => {
  const opened: Fixture[] = [];
  afterAll(async () => {
    for (const fixture of opened) await fixture.close();
  });

  it('are masked by the rows of their windows where the period has none, and not where these are enough', async () => {
    const kAnonymity = { threshold: 2, mask: -1, shadow: false };
    const shop = await openOn('duckdb', [USERS, REVENUE], { document: DOCUMENT, settings: { kAnonymity } });
    opened.push(shop);
    const filters = [{ ...MONTH, op: 'EQ', value: '2020-03' }];
    // Two rows of California, one of New York, and Texas's one of the month itself.
    const request = { rows: [MONTH, STATE], values: values('running', 'buys'), filters };
    expect(await shop.table(request)).toEqual([
      ['2020-03-01', 'CA', 4_000, null],
      ['2020-03-01', 'NY', -1, -1],
      ['2020-03-01', 'TX', -1, -1],
    ]);
    const sorts = [{ metric: 'running', direction: 'DESC' }];
    expect((await shop.table({ ...request, sorts })).map(([, state]) => state)).toEqual(['CA', 'NY', 'TX']);
    const many = [...filters, { metric: 'running', op: 'GT', value: 0 }];
    expect((await shop.table({ ...request, filters: many })).map(([, state]) => state)).toEqual(['CA']);
    // Without a count, nothing is masked.
    expect(await shop.table({ ...request, values: values('running') })).toEqual([
      ['2020-03-01', 'CA', 4_000],
      ['2020-03-01', 'NY', 500],
      ['2020-03-01', 'TX', 3_000],
    ]);
  });
});

const START = Date.UTC(2023, 10, 1);
const DAY_MS = 86_400_000;
const iso = (day: number) => new Date(START + day * DAY_MS).toISOString().slice(0, 10);
const [sales = []] = fc.sample(
  fc.array(
    fc.record({
      day: fc.option(fc.integer({ min: 0, max: 120 }), { freq: 20 }),
      store: fc.option(fc.constantFrom('a', 'b', 'c'), { freq: 10 }),
      channel: fc.constantFrom('web', 'shop'),
      amount: fc.integer({ min: 1, max: 100 }),
    }),
    { minLength: 40, maxLength: 40 },
  ),
  { seed: SEED, numRuns: 1 },
);
const SALES: Table = {
  name: 'revenue',
  columns: [
    ['id', 'integer'],
    ['day', 'date'],
    ['store', 'text'],
    ['channel', 'text'],
    ['amount', 'integer'],
  ],
  rows: sales.map(({ day, store, channel, amount }, id) => [
    id,
    day === null ? null : iso(day),
    store,
    channel,
    amount,
  ]),
};
const WINDOWS: Readonly<Record<string, object>> = {
  all: {},
  week: { window: { count: 7, grain: 'day' } },
  months: { window: { count: 2, grain: 'month' } },
  mtd: { to_date: 'month' },
  ytd: { to_date: 'year' },
  first_week: { window: { count: 7, grain: 'day' }, take: 'first' },
};
const OFFSETS: Readonly<Record<string, object | undefined>> = {
  now: undefined,
  earlier: { count: 9, grain: 'day' },
  at_month: { to: 'month' },
};
const SUMS = Object.entries(WINDOWS).flatMap(([window, cumulative]) =>
  Object.entries(OFFSETS).map(([moved, offset]) => ({ name: `${window}_${moved}`, kind: { cumulative, offset } })),
);
const RANDOM = `
version: "0.1.1"
semantic_model:
  - name: shop
    datasets:
      - name: revenue
        source: revenue
        primary_key: [id]
        fields:
${['day', 'store', 'channel'].map((name) => field(name)).join('\n')}
    metrics:
${SUMS.map(({ name, kind }) => metric(name, 'SUM(revenue.amount)', kind)).join('\n')}
`;

describeEngines('parts of sums on $engine', (engine) => {
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn(engine, [SALES], { document: RANDOM });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());

  it(`add up to the total in every period, of every window (SEED=${SEED})`, async () => {
    const queries = fc.record({
      name: fc.constantFrom(...SUMS.map(({ name }) => name)),
      grain: fc.constantFrom('day', 'week', 'month', 'quarter', 'year', 'day_of_week', undefined),
      by: fc.subarray(['store', 'channel'], { minLength: 1 }),
      inColumns: fc.boolean(),
      fill: fc.boolean(),
      isSorted: fc.boolean(),
      from: fc.option(fc.integer({ min: 0, max: 110 })),
      days: fc.option(fc.integer({ min: 1, max: 60 })),
      channel: fc.option(fc.constantFrom('web', 'shop'), { freq: 1 }),
    });
    await fc.assert(
      fc.asyncProperty(queries, async ({ name, grain, by, inColumns, fill, isSorted, from, days, channel }) => {
        const date = { dataset: 'revenue', field: 'day' };
        const isFilled = fill && grain !== undefined && grain !== 'day_of_week';
        const dates = grain === undefined ? [] : [{ ...date, grain, ...(isFilled ? { fill: true } : {}) }];
        const others = by.map((one) => ({ dataset: 'revenue', field: one }));
        const filters = [
          ...(from === null ? [] : [{ ...date, op: 'GTE', value: iso(from) }]),
          ...(days === null ? [] : [{ ...date, op: 'LT', value: iso((from ?? 0) + days) }]),
          ...(channel === null ? [] : [{ dataset: 'revenue', field: 'channel', op: 'EQ', value: channel }]),
        ];
        const base = { values: [{ metric: name }], filters };
        const sorts = isSorted && !isFilled && inColumns ? [{ metric: name, direction: 'DESC' }] : [];
        const totals = await shop.numbers({ ...base, ...(dates.length === 0 ? {} : { rows: dates }) });
        const parts = await shop.numbers(
          inColumns && dates.length > 0
            ? { ...base, rows: dates, columns: others, sorts }
            : { ...base, rows: [...dates, ...others] },
        );
        const summed = new Map<unknown, number>();
        for (const row of parts) {
          const period = dates.length === 0 ? '' : row[0];
          summed.set(period, (summed.get(period) ?? 0) + Number(row.at(-1) ?? 0));
        }
        for (const row of totals) {
          const period = dates.length === 0 ? '' : row[0];
          expect([period, summed.get(period) ?? 0]).toEqual([period, Number(row.at(-1) ?? 0)]);
        }
        const periods = new Set(totals.map(([period]) => period));
        if (dates.length > 0) expect([...summed.keys()].filter((period) => !periods.has(period))).toEqual([]);
      }),
      // Trino plans each of these statements for a second.
      { seed: SEED, numRuns: runsOn(engine, 75) },
    );
  }, 300_000);
});
