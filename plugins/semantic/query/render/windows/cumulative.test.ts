/** Tests cumulative metrics on every engine: by hand, and against a loop over the rows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeEngines } from '../../../../../server/warehouse/testing/describe-engines.ts';
import { testsOn } from '../../../../../server/warehouse/testing/tests-on.ts';
import { openOn } from '../../../testing/engine-fixture.ts';
import { type Fixture, scope } from '../../../testing/fixture.ts';
import type { Table } from '../../../testing/tables.ts';

/** Amounts are powers of two, so that each sum identifies its rows. */
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
    [2, '2024-01-30', 'a', 'y', 2],
    [3, '2024-01-31', 'b', 'x', 4],
    [4, '2024-02-02', 'a', 'x', 8],
    [5, '2024-02-29', 'b', 'z', 16],
    [6, '2024-05-03', 'a', 'y', 32],
    [7, null, 'a', 'y', 64],
  ],
};
/** Another fact of the same stores, with its own days. */
const VISITS: Table = {
  name: 'visits',
  columns: [
    ['id', 'integer'],
    ['order_id', 'integer'],
    ['pages', 'integer'],
  ],
  rows: [
    [1, 1, 1],
    [2, 1, 2],
    [3, 5, 4],
  ],
};

const field = (name: string) =>
  `          - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name} }] } }`;
const metric = (name: string, expression: string, kind?: object) =>
  `      - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: "${expression}" }] }${
    kind === undefined
      ? ''
      : `, custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify({ dataset: 'orders', ...kind })}' }]`
  } }`;
const by = 'orders.day';
const week = { window: { count: 7, grain: 'day' } };
const document = (...more: readonly string[]) => `
version: "0.1.1"
semantic_model:
  - name: shop
    datasets:
      - name: orders
        source: orders
        primary_key: [id]
        fields:
${['day', 'store', 'customer'].map(field).join('\n')}
      - name: visits
        source: visits
        primary_key: [id]
        custom_extensions: [{ vendor_name: SERVICE, data: '{"time": {"main": "orders.day"}}' }]
        fields:
${field('pages')}
    relationships:
      - { name: of, from: visits, to: orders, from_columns: [order_id], to_columns: [id] }
    metrics:
${metric('amount', 'SUM(orders.amount)')}
${metric('running', 'SUM(orders.amount)', { cumulative: { by } })}
${metric('week', 'SUM(orders.amount)', { cumulative: { by, ...week } })}
${metric('two_months', 'SUM(orders.amount)', { cumulative: { window: { count: 2, grain: 'month' } } })}
${metric('eons', 'SUM(orders.amount)', { cumulative: { by, window: { count: 10_000, grain: 'year' } } })}
${metric('centuries', 'SUM(orders.amount)', { cumulative: { by, window: { count: 3_999, grain: 'quarter' } } })}
${metric('mtd', 'SUM(orders.amount)', { cumulative: { by, to_date: 'month' } })}
${metric('ytd', 'SUM(orders.amount)', { cumulative: { by, to_date: 'year' } })}
${metric('customers', 'COUNT(DISTINCT orders.customer)', { cumulative: { by } })}
${metric('week_customers', 'COUNT(DISTINCT orders.customer)', { cumulative: { by, ...week } })}
${metric('two_months_customers', 'COUNT(DISTINCT orders.customer)', { cumulative: { window: { count: 2, grain: 'month' } } })}
${metric('three_months_customers', 'COUNT(DISTINCT orders.customer)', { cumulative: { window: { count: 3, grain: 'month' } } })}
${metric('month_customers', 'COUNT(DISTINCT orders.customer)', { cumulative: { by, to_date: 'month' } })}
${metric('order_count', 'COUNT(*)', { cumulative: { by, ...week } })}
${metric('mean', 'AVG(orders.amount)', { cumulative: { by } })}
${metric('each', 'SUM(orders.amount) / COUNT(*)', { cumulative: { by } })}
${metric('share', 'amount / running')}
${metric('first_running', 'SUM(orders.amount)', { cumulative: { by, take: 'first' } })}
${metric('mean_running', 'SUM(orders.amount)', { cumulative: { by, take: 'average' } })}
${metric('mean_week', 'COUNT(*)', { cumulative: { by, ...week, take: 'average' } })}
${metric('middle', 'PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY orders.amount)', { cumulative: { by } })}
${metric('big', 'SUM(orders.amount)', { filter: 'orders.amount > 2', cumulative: { by } })}
${metric('pages', 'SUM(visits.pages)', { cumulative: { by } })}
${more.join('\n')}
`;
const DAY = { dataset: 'orders', field: 'day' };
const MONTH = { ...DAY, grain: 'month' };
const STORE = { dataset: 'orders', field: 'store' };
const values = (...names: readonly string[]) => names.map((name) => ({ metric: name }));

describeEngines('on $engine', (engine) => {
  const test = testsOn(engine);
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn(engine, [ORDERS, VISITS], { document: document() });
    expect(shop.problems.filter(({ message }) => !message.includes('counts rows'))).toEqual([]);
  });
  afterAll(() => shop?.close());
  const table = (request: object) => shop.numbers(request);

  test('each month has the rows until its end, the rows of its last days, or the rows since a first day', async () => {
    const metrics = values('running', 'week', 'two_months', 'mtd', 'ytd', 'order_count');
    expect(await table({ rows: [MONTH], values: metrics })).toEqual([
      ['2024-01-01', 7, 6, 7, 7, 7, 2],
      ['2024-02-01', 31, 16, 31, 24, 31, 1],
      ['2024-05-01', 63, null, 32, 32, 63, 0],
    ]);
  });

  test('windows longer than the calendars of engines have all rows', async () => {
    const running = await table({ rows: [MONTH], values: values('running') });
    expect(running.length).toBeGreaterThan(1);
    expect(await table({ rows: [MONTH], values: values('eons') })).toEqual(running);
    expect(await table({ rows: [MONTH], values: values('centuries') })).toEqual(running);
  });

  test('distinct counts, means and ratios are computed from the rows, and are not sums', async () => {
    expect(
      await table({ rows: [MONTH], values: values('customers', 'mean', 'each', 'share', 'first_running') }),
    ).toEqual([
      ['2024-01-01', 2, 7 / 3, 7 / 3, 1, null],
      ['2024-02-01', 3, 31 / 5, 31 / 5, 24 / 31, 7],
      ['2024-05-01', 3, 63 / 6, 63 / 6, 32 / 63, 31],
      // An order without a day counts only in the plain amount.
      [null, null, null, null, null, null],
    ]);
  });

  test('a value counts once in every window that has at least one of its days', async () => {
    // Days of customers: x January 10 and 31, February 2, y January 30 and May 3, z February 29.
    const request = { rows: [{ ...DAY, grain: 'day', fill: true }] };
    const count = async (metric: string, ...days: readonly string[]) => {
      const rows = new Map((await table({ ...request, values: values(metric) })).map(([day, value]) => [day, value]));
      return days.map((day) => rows.get(day));
    };
    const weekly = ['2024-01-10', '2024-01-16', '2024-01-30', '2024-01-31', '2024-02-05', '2024-02-06', '2024-02-08'];
    expect(await count('week_customers', ...weekly)).toEqual([1, 1, 1, 2, 2, 1, 1]);
    expect(await count('week_customers', '2024-02-29', '2024-03-06', '2024-05-03')).toEqual([1, 1, 1]);
    const none = ['2024-01-17', '2024-01-29', '2024-02-09', '2024-03-07'];
    expect(await count('week_customers', ...none)).toEqual([null, null, null, null]);
    // Two months that end on March 29 begin on January 30, on April 1 with February 2, on April 28 and 29 with the 29th.
    const monthly = ['2024-03-29', '2024-03-30', '2024-04-01', '2024-04-02', '2024-04-29', '2024-04-30'];
    expect(await count('two_months_customers', ...monthly)).toEqual([3, 2, 2, 1, 1, null]);
    // January 30 is the first day of the three months that end with April 29: April has no 31st.
    expect(await count('three_months_customers', '2024-04-28', '2024-04-29', '2024-04-30')).toEqual([3, 3, 2]);
    expect(await count('month_customers', '2024-01-31', '2024-02-02', '2024-02-29', '2024-05-02')).toEqual([
      2,
      1,
      2,
      null,
    ]);
  });

  test('a longer period may have the mean over its days', async () => {
    // January: nothing until the 10th, then 20 days of 1, one of 3, one of 7. February: one of 7, 27 of 15, one of 31.
    const filters = [{ ...DAY, op: 'LTE', value: '2024-02-29' }];
    const [january, february] = await table({ rows: [MONTH], values: values('mean_running'), filters });
    expect(january?.[1]).toBeCloseTo((20 * 1 + 3 + 7) / 22, 9);
    expect(february?.[1]).toBeCloseTo((7 + 27 * 15 + 31) / 29, 9);
    const [[total] = []] = await table({ values: values('mean_running'), filters });
    expect(total).toBeCloseTo((20 * 1 + 3 + 7 + 7 + 27 * 15 + 31) / 51, 9);
    // Days that have orders in their week: one from the 10th to the 16th, then one on the 30th and two on the 31st.
    const ofJanuary = [{ ...MONTH, op: 'EQ', value: '2024-01' }];
    const [[mean] = []] = await table({ values: values('mean_week'), filters: ofJanuary });
    expect(mean).toBeCloseTo((7 * 1 + 1 + 2) / 9, 9);
  });

  test('medians of windows, and windows of some rows', async () => {
    // Until January 1, 2, 4, until February 8 and 16 as well, until May 32.
    expect(await table({ rows: [MONTH], values: values('middle', 'big') })).toEqual([
      ['2024-01-01', 2, 4],
      ['2024-02-01', 4, 28],
      ['2024-05-01', 6, 60],
    ]);
  });

  test('a total is the value at the last day with facts, which is the same for all groups', async () => {
    const metrics = values('running', 'week', 'two_months', 'mtd', 'order_count');
    expect(await table({ values: metrics })).toEqual([[63, 32, 32, 32, 1]]);
    expect(await table({ values: values('first_running') })).toEqual([[1]]);
    expect(await table({ rows: [STORE], values: metrics })).toEqual([
      ['a', 43, 32, 32, 32, 1],
      ['b', 20, null, null, null, 0],
    ]);
    const elsewhere = [{ ...DAY, op: 'GT', value: '2025-01-01' }];
    expect(await table({ values: values('running', 'order_count'), filters: elsewhere })).toEqual([[null, 0]]);
  });

  test('a filter on the date selects the shown periods, and earlier rows still count', async () => {
    const metrics = values('running', 'week', 'mtd', 'amount');
    const february = [{ ...MONTH, op: 'EQ', value: '2024-02' }];
    expect(await table({ values: metrics, filters: february })).toEqual([[31, 16, 24, 24]]);
    expect(await table({ rows: [MONTH], values: metrics, filters: february })).toEqual([
      ['2024-02-01', 31, 16, 24, 24],
    ]);
    const half = [{ ...DAY, op: 'BETWEEN', values: ['2024-02-01', '2024-02-15'] }];
    expect(await table({ rows: [MONTH], values: metrics, filters: half })).toEqual([['2024-02-01', 15, null, 8, 8]]);
    expect(await table({ values: metrics, filters: half })).toEqual([[15, 14, 8, 8]]);
    const two = [{ ...MONTH, op: 'IN', values: ['2024-01', '2024-05'] }];
    expect(await table({ rows: [MONTH], values: values('running'), filters: two })).toEqual([
      ['2024-01-01', 7],
      ['2024-05-01', 63],
    ]);
    const others = [{ ...STORE, op: 'EQ', value: 'b' }];
    expect(await table({ rows: [MONTH], values: values('running'), filters: others })).toEqual([
      ['2024-01-01', 4],
      ['2024-02-01', 20],
    ]);
    const either = [
      {
        any: [
          { ...MONTH, op: 'EQ', value: '2024-05' },
          { ...STORE, op: 'EQ', value: 'b' },
        ],
      },
    ];
    expect(await table({ rows: [MONTH], values: values('running'), filters: either })).toEqual([
      ['2024-01-01', 7],
      ['2024-02-01', 31],
      ['2024-05-01', 63],
    ]);
  });

  test('other fields each have their own running value, in rows and in columns', async () => {
    const cells = [
      ['2024-01-01', 'a', 3],
      ['2024-01-01', 'b', 4],
      ['2024-02-01', 'a', 11],
      ['2024-02-01', 'b', 20],
      ['2024-05-01', 'a', 43],
      ['2024-05-01', 'b', 20],
    ];
    expect(await table({ rows: [MONTH, STORE], values: values('running') })).toEqual(cells);
    expect(await table({ rows: [MONTH], columns: [STORE], values: values('running') })).toEqual(cells);
    const limited = { rows: [STORE], columns: [MONTH], values: values('running'), limit: 1 };
    expect(await table({ ...limited, sorts: [{ metric: 'running', direction: 'DESC' }] })).toEqual([
      ['a', '2024-01-01', 3],
      ['a', '2024-02-01', 11],
      ['a', '2024-05-01', 43],
    ]);
  });

  test('days, quarters, parts, and two grains at once', async () => {
    expect(await table({ rows: [DAY], values: values('running', 'week') })).toEqual([
      ['2024-01-10', 1, 1],
      ['2024-01-30', 3, 2],
      ['2024-01-31', 7, 6],
      ['2024-02-02', 15, 14],
      ['2024-02-29', 31, 16],
      ['2024-05-03', 63, 32],
    ]);
    const quarter = { ...DAY, grain: 'quarter' };
    expect(await table({ rows: [quarter], columns: [MONTH], values: values('running', 'mtd') })).toEqual([
      ['2024-01-01', '2024-01-01', 7, 7],
      ['2024-01-01', '2024-02-01', 31, 24],
      ['2024-04-01', '2024-05-01', 63, 32],
    ]);
    // Each day of the week has the value of its last date: 30 and 31 January, 29 February, 3 May.
    expect(await table({ rows: [{ ...DAY, grain: 'day_of_week' }], values: values('running') })).toEqual([
      [2, 3],
      [3, 7],
      [4, 31],
      [5, 63],
    ]);
  });

  test('filled periods without facts have the value of their window', async () => {
    const metrics = values('running', 'week', 'mtd', 'order_count', 'amount');
    const filled = (fill: true | 'zero') => ({ ...MONTH, fill });
    expect(await table({ rows: [filled(true)], values: metrics })).toEqual([
      ['2024-01-01', 7, 6, 7, 2, 7],
      ['2024-02-01', 31, 16, 24, 1, 24],
      ['2024-03-01', 31, null, null, null, null],
      ['2024-04-01', 31, null, null, null, null],
      ['2024-05-01', 63, null, 32, 0, 32],
      [null, null, null, null, null, 64],
    ]);
    const zeros = await table({ rows: [filled('zero')], values: metrics });
    expect(zeros.slice(2, 4)).toEqual([
      ['2024-03-01', 31, 0, 0, 0, 0],
      ['2024-04-01', 31, 0, 0, 0, 0],
    ]);
    // In April no day has an order within its week: the mean of no counts is null.
    const means = await table({ rows: [filled('zero')], values: values('mean_week', 'order_count') });
    expect(means[3]).toEqual(['2024-04-01', null, 0]);
    const none = [{ ...MONTH, op: 'BETWEEN', values: ['2024-03', '2024-04'] }];
    expect(await table({ rows: [filled(true)], values: values('running'), filters: none })).toEqual([
      ['2024-03-01', 31],
      ['2024-04-01', 31],
    ]);
    const each = await table({ rows: [filled(true), STORE], values: values('running') });
    expect(each.filter(([, store]) => store === 'b').map(([, , value]) => value)).toEqual([4, 20, 20, 20, 20]);
    expect(each.filter(([, store]) => store === 'a').map(([, , value]) => value)).toEqual([3, 11, 11, 11, 43]);
    const days = await table({
      rows: [{ ...DAY, grain: 'day', fill: true }],
      values: values('week'),
      filters: [{ ...DAY, op: 'BETWEEN', values: ['2024-01-29', '2024-02-08'] }],
    });
    expect(days.map(([, value]) => value)).toEqual([null, 2, 6, 6, 14, 14, 14, 14, 12, 8, 8]);
  });

  test('several facts meet in the periods that any of them shows', async () => {
    expect(await table({ rows: [MONTH], values: values('pages') })).toEqual([
      ['2024-01-01', 3],
      ['2024-02-01', 7],
    ]);
    expect(await table({ rows: [MONTH], values: values('running', 'pages') })).toEqual([
      ['2024-01-01', 7, 3],
      ['2024-02-01', 31, 7],
      ['2024-05-01', 63, 7],
    ]);
    const calendar = { dataset: 'time', field: 'date', grain: 'month' };
    const filters = [{ ...calendar, op: 'GTE', value: '2024-02' }];
    expect(await table({ rows: [calendar], values: values('running', 'pages', 'mtd'), filters })).toEqual([
      ['2024-02-01', 31, 7, 24],
      ['2024-05-01', 63, 7, 32],
    ]);
  });

  test('rows that joins repeat count once', async () => {
    expect(await table({ rows: [{ dataset: 'visits', field: 'pages' }], values: values('running') })).toEqual([
      [1, 1],
      [2, 1],
      [4, 16],
      [null, 46],
    ]);
  });

  test('sorts, limits, filters by metrics, of the answer and per store, and another time beside it', async () => {
    const sorts = [{ metric: 'running', direction: 'DESC' }];
    expect(await table({ rows: [MONTH], values: values('running'), sorts, limit: 1 })).toEqual([['2024-05-01', 63]]);
    const many = [{ metric: 'running', op: 'GT', value: 30 }];
    expect(await table({ rows: [MONTH], values: values('amount'), filters: many })).toEqual([
      ['2024-02-01', 24],
      ['2024-05-01', 32],
    ]);
    const per = [{ ...many[0], per: [STORE] }];
    expect(await table({ rows: [STORE], values: values('amount'), filters: per })).toEqual([['a', 107]]);
    const compared = [{ metric: 'running', compare: { to: 'previous_period' } }];
    const filters = [{ ...MONTH, op: 'EQ', value: '2024-02' }];
    expect((await table({ rows: [MONTH], values: compared, filters }))[0]?.slice(0, 4)).toEqual([
      '2024-02-01',
      31,
      7,
      24,
    ]);
  });
});

describe('what callers may see', () => {
  let shop: Fixture;
  const role = (name: string) => scope('ROLE_USER', name);
  beforeAll(async () => {
    const orders = document(
      metric('elsewhere', 'SUM(orders.amount)', { cumulative: { by: 'orders.week' } }),
      metric('of_text', 'SUM(orders.amount)', { cumulative: { by: 'orders.store' } }),
      metric('bare', 'SUM(orders.amount)', { cumulative: { by: 'day' } }),
      metric('twice', 'running + 1', { cumulative: { by } }),
      metric('away', 'SUM(orders.amount)', { cumulative: { by: 'visits.at' } }),
      metric('dateless', 'SUM(visits.pages)', { cumulative: {} }),
    )
      .replace(
        field('day'),
        `          - { name: day, expression: { dialects: [{ dialect: ANSI_SQL, expression: day }] }, custom_extensions: [{ vendor_name: SERVICE, data: '{"roles": {"deny": ["BLIND"]}}' }] }`,
      )
      .replace(
        field('pages'),
        `${field('pages')}\n          - { name: at, expression: { dialects: [{ dialect: ANSI_SQL, expression: "CAST('2024-01-01' AS DATE)" }] } }`,
      )
      .replace(
        'primary_key: [id]',
        `primary_key: [id]\n        custom_extensions: [{ vendor_name: SERVICE, data: '{"roles": {"row_predicates": {"ONLY_A": "store = ''a''", "*": "1 = 1"}}}' }]`,
      );
    shop = await openOn('duckdb', [ORDERS, VISITS], {
      document: orders,
      settings: { kAnonymity: { threshold: 3, mask: -1, shadow: true } },
    });
  });
  afterAll(() => shop?.close());

  it('a window has the rows that its caller may see, and small ones are masked', async () => {
    const request = { rows: [MONTH], values: values('running') };
    // Until January there are three orders, in store a two of these and none later than two more.
    expect(await shop.table(request)).toEqual([
      ['2024-01-01', 7],
      ['2024-02-01', 31],
      ['2024-05-01', 63],
    ]);
    expect(await shop.table(request, role('ONLY_A'))).toEqual([
      ['2024-01-01', -1],
      ['2024-02-01', 11],
      ['2024-05-01', 43],
    ]);
    expect(await shop.table({ rows: [MONTH], values: values('mtd') })).toEqual([
      ['2024-01-01', 7],
      ['2024-02-01', -1],
      ['2024-05-01', -1],
    ]);
  });

  it('a caller that may not see the date does not see metrics by it', async () => {
    const refusal = await shop.refusal({ values: values('running') }, role('BLIND'));
    expect(refusal.message).toContain('running');
  });

  it('an invalid metric is left out and reported with the legal dates; the plan and the schema view describe the others', async () => {
    const messages = shop.problems.map(({ message }) => message).join('\n');
    expect(messages).toContain(
      'metric elsewhere: left out: its expression names orders.week, which is neither a field nor a column (there is',
    );
    expect(messages).toContain(
      'metric of_text: left out: its expression is by orders.store, which is neither a date nor a timestamp (orders.day).',
    );
    expect(messages).toContain('metric bare: left out: its expression is by day, which is not written dataset.field.');
    expect(messages).toContain('metric twice: left out: its expression is made of a metric that is cumulative itself.');
    expect(messages).toContain(
      'metric away: left out: its expression is of orders, from which no relationship leads to the visits of its date (orders.day).',
    );
    const { plan } = await shop
      .operations()
      .preview({ connection: 'test', rows: [MONTH], values: values('week', 'share') } as never);
    expect(plan.steps).toContain('week aggregates the rows of the 7 days that end with each period, by orders.day.');
    expect(plan.steps).toContain('A part of share aggregates all rows until the end of each period, by orders.day.');
  });
});
