/** Tests metrics that are offset by periods of a calendar's table, or shown by them, on every engine. Figures by hand. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEngines } from '../../../../../server/warehouse/testing/describe-engines.ts';
import type { AnyEngineName } from '../../../../../server/warehouse/testing/engines.ts';
import { casesOn, testsOn } from '../../../../../server/warehouse/testing/tests-on.ts';
import { openOn } from '../../../testing/engine-fixture.ts';
import { type Fixture, scope } from '../../../testing/fixture.ts';
import type { Table, Value } from '../../../testing/tables.ts';

/** Figures are powers of two, so that each sum identifies its rows. */
const DAYS = ['01-28', '01-29', '02-03', '02-04', '02-12', '02-13', '02-14', '02-18', null];
const EVENTS: Table = {
  name: 'events',
  columns: [
    ['id', 'integer'],
    ['shop', 'text'],
    ['day', 'date'],
    ['at', 'timestamp'],
    ['amount', 'integer'],
  ],
  rows: DAYS.map((day, index) => {
    const date = day === null ? null : `2024-${day}`;
    return [index, index % 2 === 0 ? 'even' : 'odd', date, date === null ? null : `${date} 23:30:00`, 2 ** index];
  }),
};
const VISITS: Table = {
  name: 'visits',
  columns: [
    ['id', 'integer'],
    ['shop', 'text'],
    ['arrived', 'date'],
  ],
  rows: [
    [1, 'odd', '2024-02-04'],
    [2, 'odd', '2024-02-13'],
  ],
};
/** Weeks of six, seven, six and three days with unordered numbers; 14 February is missing, 13 February has two rows. */
const week = (id: number, season: string, ...days: readonly string[]) =>
  days.map((day): readonly Value[] => [`2024-${day}`, id, season]);
const RETAIL_DAYS: Table = {
  name: 'retail_days',
  columns: [
    ['day', 'date'],
    ['week_id', 'integer'],
    ['season', 'text'],
  ],
  rows: [
    ...week(25, 'spring', '02-13', '02-18', '02-19', '02-20'),
    ...week(30, 'winter', '01-29', '01-30', '01-31', '02-01', '02-02', '02-03'),
    ...week(10, 'winter', '02-04', '02-05', '02-06', '02-07', '02-08', '02-09', '02-10'),
    ...week(20, 'carnival', '02-11', '02-12', '02-12', '02-13', '02-15', '02-16', '02-17'),
  ],
};

const vendor = (data: object) => `custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify(data)}' }]`;
const field = (name: string, data?: object) =>
  `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: ${name} }]${data === undefined ? '' : `, ${vendor(data)}`} }`;
const metric = (name: string, expression: string, kinds?: object) =>
  `      - { name: ${name}, expression: [{ dialect: ANSI_SQL, expression: ${expression} }]${kinds === undefined ? '' : `, ${vendor(kinds)}`} }`;
const AMOUNT = 'SUM(events.amount)';
const by = 'events.day';
const ONE_WEEK = { count: 1, grain: 'retail_week' };
const DOCUMENT = `
semantic_model:
  - name: shop
    ${vendor({
      calendars: [
        {
          dataset: 'retail_days',
          date: 'day',
          grains: [
            { name: 'retail_week', field: 'week_id' },
            { name: 'season', field: 'season' },
          ],
        },
      ],
    })}
    datasets:
      - name: events
        source: events
        primary_key: [id]
        ${vendor({ time: { main: 'day' } })}
        fields: [${field('day')}, ${field('at')}, ${field('shop')}]
      - { name: visits, source: visits, primary_key: [id], fields: [${field('arrived')}, ${field('shop')}] }
      - name: retail_days
        source: retail_days
        ${vendor({ roles: { row_predicates: { ROLE_OUTSIDE_SECOND: 'week_id <> 10', '*': '1 = 1' } } })}
        fields: [${field('day')}, ${field('week_id', { roles: { deny: ['ROLE_WITHOUT_WEEKS'] } })}, ${field('season')}]
    metrics:
${[
  metric('amount', AMOUNT),
  metric('week_before', AMOUNT, { offset: ONE_WEEK }),
  metric('two_weeks_before', 'week_before', { offset: ONE_WEEK }),
  metric('growth', 'amount - week_before'),
  metric('week_before_of_some', 'week_before', { roles: { allow: ['ROLE_WITHOUT_WEEKS'] } }),
  metric('moments_before', AMOUNT, { offset: { by: 'events.at', ...ONE_WEEK } }),
  metric('at_season', AMOUNT, { offset: { to: 'season' } }),
  metric('at_monday', AMOUNT, { offset: { to: 'week' } }),
  metric('day_before', AMOUNT, { offset: { count: 1, grain: 'day' } }),
  metric('month_before', AMOUNT, { offset: { count: 1, grain: 'month' } }),
  metric('running', AMOUNT, { cumulative: { by } }),
  metric('running_week_before', 'running', { offset: ONE_WEEK }),
  metric('running_day_before', 'running', { offset: { count: 1, grain: 'day' } }),
  metric('running_at_season', 'running', { offset: { to: 'season' } }),
  metric('first_week_before', AMOUNT, { cumulative: { by, take: 'first' }, offset: ONE_WEEK }),
  metric('mean_week_before', AMOUNT, { cumulative: { by, take: 'average' }, offset: ONE_WEEK }),
  metric('mean_day_before', AMOUNT, { cumulative: { by, take: 'average' }, offset: { count: 1, grain: 'day' } }),
  metric('two_weeks', AMOUNT, { cumulative: { by, window: { count: 2, grain: 'retail_week' } } }),
  metric('three_weeks', AMOUNT, { cumulative: { by, window: { count: 3, grain: 'retail_week' } } }),
  metric('season_to_date', AMOUNT, { cumulative: { by, to_date: 'season' } }),
  metric('shops_of_two_weeks', 'COUNT(DISTINCT events.shop)', {
    cumulative: { by, window: { count: 2, grain: 'retail_week' } },
  }),
  metric('shops_of_week', 'COUNT(DISTINCT events.shop)', { cumulative: { by, to_date: 'retail_week' } }),
  metric('two_weeks_week_before', 'two_weeks', { offset: ONE_WEEK }),
  metric('last_week_before', AMOUNT, { semi_additive: { by }, offset: ONE_WEEK }),
  metric('visitors', 'COUNT(visits.id)'),
  metric('bought', 'COUNT(events.id)', {
    conversion: {
      base: 'visitors',
      take: 'count',
      entity: { base: 'visits.shop', conversion: 'events.shop' },
      by: { base: 'visits.arrived', conversion: by },
      window: { count: 7, grain: 'day' },
    },
  }),
  metric('bought_week_before', 'bought', { offset: ONE_WEEK }),
].join('\n')}
`;
const of = (grain: string, name = 'day') => ({ dataset: 'events', field: name, grain });
const WEEKS = of('retail_week');
const SHOP = { dataset: 'events', field: 'shop' };
const between = (low: string, high: string) => [
  { dataset: 'events', field: 'day', op: 'BETWEEN', values: [`2024-${low}`, `2024-${high}`] },
];
/** The periods of the table are read once, not with each request. */
const PERIODS_ARE_KEPT = { cacheTtlMs: 600_000 };
const values = (...names: readonly string[]) => names.map((name) => ({ metric: name }));

const open = (engine: AnyEngineName) =>
  openOn(engine, [EVENTS, VISITS, RETAIL_DAYS], { document: DOCUMENT, settings: PERIODS_ARE_KEPT });
const tableOf = async (fixture: Fixture, request: object, ...roles: readonly string[]) =>
  (await fixture.table(request, scope('ROLE_USER', ...roles))).map((row) => row.map(asNumber));

/** Computes each metric alone, with which every engine is compared: a statement costs least here. */
let duckdb: Fixture;
beforeAll(async () => {
  duckdb = await open('duckdb');
});
afterAll(() => duckdb?.close());

describeEngines('on $engine', (engine) => {
  const test = testsOn(engine);
  let shop: Fixture;
  beforeAll(async () => {
    shop = await open(engine);
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());
  const table = (request: object, ...roles: readonly string[]) => tableOf(shop, request, ...roles);
  /** Metrics that some engines compute together. */
  const TOGETHER = [
    ['week_before', 'two_weeks_before', 'day_before', 'month_before', 'amount'],
    ['two_weeks', 'three_weeks', 'season_to_date', 'running', 'shops_of_two_weeks', 'shops_of_week'],
  ];
  it.each(
    casesOn(engine, [
      ['by week', [WEEKS], undefined],
      ['by week and shop, of some days', [WEEKS, SHOP], between('02-03', '02-18')],
      ['by day', [of('day')], between('02-04', '02-18')],
    ]),
  )('each metric beside others is as it is alone: %s', async (_, rows, filters) => {
    for (const names of TOGETHER) {
      const together = await table({ rows, values: values(...names), filters });
      const alone = await Promise.all(names.map((name) => tableOf(duckdb, { rows, values: values(name), filters })));
      const group = (row: readonly unknown[]) => JSON.stringify(row.slice(0, rows.length));
      expect(together.map(group).toSorted()).toEqual([...new Set(alone.flatMap((one) => one.map(group)))].toSorted());
      for (const row of together) {
        const own = alone.map((one) => one.find((other) => group(other) === group(row))?.[rows.length] ?? null);
        expect(row.slice(rows.length), group(row)).toEqual(own);
      }
    }
  });
  test('metrics without groups are 0 or null where their windows have no rows', async () => {
    const names = ['two_weeks', 'three_weeks', 'shops_of_two_weeks', 'shops_of_week'];
    expect(await table({ values: values(...names), filters: between('03-01', '03-31') })).toEqual([[null, null, 0, 0]]);
  });
  const refused = async (request: object, ...roles: readonly string[]) =>
    (await shop.refusal(request, scope('ROLE_USER', ...roles))).problems;

  test('a period has the value of the whole period before, whatever their lengths; days without a period show nothing', async () => {
    expect(
      await table({ rows: [WEEKS], values: values('amount', 'week_before', 'growth', 'two_weeks_before') }),
    ).toEqual([
      [30, 6, null, null, null],
      [10, 8, 6, 2, null],
      [20, 48, 8, 40, 6],
      [25, 128, 48, 80, 8],
      [null, 321, null, null, null],
    ]);
    const even = [{ ...SHOP, op: 'EQ', value: 'even' }];
    expect(await table({ rows: [{ ...WEEKS, fill: true }], values: values('week_before'), filters: even })).toEqual([
      [10, 4],
      [20, null],
      [25, 16],
    ]);
    const compared = [{ metric: 'week_before', compare: { to: 'previous_period' } }];
    expect((await table({ rows: [WEEKS], values: compared })).map((row) => row.slice(0, 3))).toEqual([
      [10, 6, null],
      [20, 8, 6],
      [25, 48, 8],
    ]);
  });

  test('a day has the value of the day at its place in the period before, or of the last day of a shorter period', async () => {
    const request = { rows: [of('day')], values: values('week_before') };
    expect(await table(request)).toEqual([
      ['2024-02-04', 2],
      ['2024-02-09', 4],
      ['2024-02-10', 4],
      ['2024-02-11', 8],
      ['2024-02-19', 16],
      ['2024-02-20', 32],
    ]);
    expect(await table({ ...request, filters: between('02-10', '02-19') })).toEqual([
      ['2024-02-10', 4],
      ['2024-02-11', 8],
      ['2024-02-19', 16],
    ]);
    expect(await table({ ...request, filters: [{ ...WEEKS, op: 'IN', values: [10] }] })).toEqual([
      ['2024-02-04', 2],
      ['2024-02-09', 4],
      ['2024-02-10', 4],
    ]);
    expect(
      await table({ ...request, rows: [of('day'), WEEKS, of('season')], filters: between('02-10', '02-12') }),
    ).toEqual([
      ['2024-02-10', 10, 'winter', 4],
      ['2024-02-11', 20, 'carnival', 8],
    ]);
    // By row a day that is shown twice counts once: 4 of even, and 8 of odd.
    const crosstab = { rows: [SHOP], columns: [of('day')], values: values('week_before') };
    const sorts = [{ metric: 'week_before', direction: 'DESC' }];
    expect(await table({ ...crosstab, sorts, filters: between('02-09', '02-11') })).toEqual([
      ['odd', '2024-02-11', 8],
      ['even', '2024-02-09', 4],
      ['even', '2024-02-10', 4],
    ]);
  });

  test('filters move along as in comparisons, by other fields and in totals', async () => {
    const total = async (...filters: readonly object[]) => await table({ values: values('week_before'), filters });
    expect(await total({ ...WEEKS, op: 'EQ', value: 20 })).toEqual([[8]]);
    expect(await total({ ...WEEKS, op: 'LTE', value: 20 })).toEqual([[14]]);
    expect(await total({ ...WEEKS, op: 'BETWEEN', values: [10, 20] })).toEqual([[14]]);
    // The first two days of the third week read the first two days of the second.
    expect(await total(...between('02-11', '02-12'))).toEqual([[8]]);
    expect(await total(...between('02-12', '02-13'))).toEqual([[null]]);
    expect(await total()).toEqual([[511]]);
    const filters = [{ ...WEEKS, op: 'GTE', value: 20 }];
    expect(await table({ rows: [WEEKS], values: values('week_before'), filters })).toEqual([
      [20, 8],
      [25, 48],
    ]);
    const crosstab = { rows: [SHOP], columns: [WEEKS], values: values('week_before'), filters, limit: 1 };
    expect(await table({ ...crosstab, sorts: [{ metric: 'week_before', direction: 'DESC' }] })).toEqual([
      ['odd', 20, 8],
      ['odd', 25, 32],
    ]);
    const many = [{ metric: 'week_before', op: 'GT', value: 7 }];
    expect(await table({ rows: [WEEKS], values: values('amount'), filters: many })).toEqual([
      [20, 48],
      [25, 128],
    ]);
  });

  test('moments belong to their local day', async () => {
    const request = { rows: [of('retail_week', 'at')], values: values('moments_before') };
    expect(await table(request)).toEqual([
      [10, 6],
      [20, 8],
      [25, 48],
    ]);
    expect(await table({ ...request, timezone: 'Europe/Berlin' })).toEqual([
      [10, 3],
      [20, 12],
      [25, 80],
    ]);
    const moment = { dataset: 'events', field: 'at', op: 'GTE', value: '2024-02-11T12:00:00' };
    expect(await refused({ ...request, rows: [of('day', 'at')], filters: [moment] })).toMatchObject([
      { path: ['filters', 0], available: ['day', 'retail_week'] },
    ]);
  });

  test('the first day of a period, of the table or of the calendar, is shown by all periods that begin in it', async () => {
    expect(await table({ rows: [WEEKS], values: values('at_season', 'at_monday') })).toEqual([
      [30, 2, 2],
      // Monday before 4 February was 29 January.
      [10, 2, 2],
      [25, 128, 16],
    ]);
    expect(await table({ rows: [of('season')], values: values('at_season') })).toEqual([
      ['winter', 2],
      ['spring', 128],
    ]);
    const days = { rows: [of('day')], values: values('at_season'), filters: between('02-02', '02-05') };
    expect(await table(days)).toEqual([
      ['2024-02-02', 2],
      ['2024-02-03', 2],
      ['2024-02-04', 2],
      ['2024-02-05', 2],
    ]);
    // 1 January is not in the table.
    expect(await table({ rows: [of('month')], values: values('at_season') })).toEqual([['2024-02-01', 2]]);
    const filters = [{ ...WEEKS, op: 'GTE', value: 10 }];
    expect(await table({ rows: [WEEKS], values: values('at_season'), filters })).toEqual([
      [10, 2],
      [25, 128],
    ]);
    expect(await table({ values: values('at_season', 'at_monday'), filters: between('02-05', '02-20') })).toEqual([
      [2, null],
    ]);
    expect(await table({ values: values('at_season'), filters: between('02-19', '02-20') })).toEqual([[128]]);
    expect(await table({ values: values('at_season') })).toEqual([[null]]);
    // The day before the first of the table is in no season.
    expect(await table({ values: values('at_season'), filters: between('01-28', '02-20') })).toEqual([[null]]);
  });

  test('rows of a crosstab by days are sorted by their values of a month before', async () => {
    const crosstab = { rows: [SHOP], columns: [of('day')], values: values('month_before'), limit: 1 };
    const sorts = [{ metric: 'month_before', direction: 'DESC' }];
    expect(await table({ ...crosstab, sorts, filters: between('02-27', '03-05') })).toEqual([
      ['odd', '2024-02-29', 2],
      ['odd', '2024-03-04', 8],
    ]);
  });

  test('an offset by days is shown by periods of the table', async () => {
    const request = { rows: [WEEKS], values: values('day_before') };
    expect(await table(request)).toEqual([
      [30, 3],
      [10, 12],
      [20, 80],
      [25, 128],
    ]);
    expect(await table({ ...request, filters: between('01-30', '02-04') })).toEqual([
      [30, 2],
      [10, 4],
    ]);
    expect(await table({ ...request, filters: [{ ...WEEKS, op: 'IN', values: [10, 25] }] })).toEqual([
      [10, 12],
      [25, 128],
    ]);
    expect(await table({ ...request, rows: [of('day'), WEEKS], filters: between('02-04', '02-05') })).toEqual([
      ['2024-02-04', 10, 4],
      ['2024-02-05', 10, 8],
    ]);
  });

  test('windows end with the period before, or with the first day of the period', async () => {
    const names = ['running_week_before', 'two_weeks_week_before', 'first_week_before'];
    expect(await table({ rows: [WEEKS], values: values(...names) })).toEqual([
      [10, 7, 6, 3],
      [20, 15, 14, 15],
      [25, 127, 120, 15],
    ]);
    const rounded = (await table({ rows: [WEEKS], values: values('mean_week_before', 'mean_day_before') })).map((row) =>
      row.map((cell) => (typeof cell === 'number' ? Math.round(cell * 100) / 100 : cell)),
    );
    expect(rounded).toEqual([
      // The days before the first week and its first five: 1, and 3 each.
      [30, null, 2.67],
      // 7 at its first day, and 15 at six.
      [10, 3.67, 13.86],
      // 15 and 15, 31, then 127 on 14, 15 and 16 February.
      [20, 15, 73.67],
      [25, 81.67, 212.33],
    ]);
    expect(await table({ rows: [WEEKS], values: values('running_day_before') })).toEqual([
      [30, 3],
      [10, 15],
      [20, 127],
      [25, 255],
    ]);
    expect(await table({ rows: [WEEKS], values: values('running_at_season') })).toEqual([
      [30, 3],
      [10, 3],
      [20, 15],
      [25, 255],
    ]);
    const days = { rows: [of('day')], values: values('running_week_before'), filters: between('02-09', '02-11') };
    expect(await table(days)).toEqual([
      ['2024-02-09', 7],
      ['2024-02-10', 7],
      ['2024-02-11', 15],
    ]);
    const third = [{ ...WEEKS, op: 'EQ', value: 20 }];
    expect(await table({ values: values('running_week_before', 'running_at_season'), filters: third })).toEqual([
      [15, 15],
    ]);
    const filled = { rows: [{ ...WEEKS, fill: true }], values: values('running_week_before') };
    const even = [{ ...SHOP, op: 'EQ', value: 'even' }];
    expect(await table({ ...filled, filters: even })).toEqual([
      [10, 5],
      [20, 5],
      [25, 85],
    ]);
  });

  test('balances and conversions of the period before', async () => {
    expect(await table({ rows: [WEEKS], values: values('last_week_before') })).toEqual([
      [10, 4],
      [20, 8],
      [25, 32],
    ]);
    const rows = [{ dataset: 'visits', field: 'arrived', grain: 'retail_week' }];
    expect(await table({ rows, values: values('bought', 'bought_week_before') })).toEqual(
      [
        [10, 1, 0],
        [20, 2, 1],
        [25, 0, 2],
      ].map((row) => row.map((cell) => (cell === 0 ? null : cell))),
    );
  });

  test('depend on what a role may see of the table', async () => {
    const request = { rows: [WEEKS], values: values('week_before') };
    expect(await table(request, 'ROLE_OUTSIDE_SECOND')).toEqual([
      [20, 6],
      [25, 48],
    ]);
    const days = { rows: [of('day')], values: values('week_before'), filters: between('02-11', '02-11') };
    expect(await refused(days, 'ROLE_WITHOUT_WEEKS')).toMatchObject([{ path: ['values', 0, 'metric'] }]);
    const some = { ...days, values: values('week_before_of_some') };
    expect(await table(some, 'ROLE_WITHOUT_WEEKS')).toEqual([['2024-02-11', 8]]);
    expect(await table({ ...some, rows: [] }, 'ROLE_WITHOUT_WEEKS')).toEqual([[8]]);
    expect(await refused({ ...some, rows: [of('month')] }, 'ROLE_WITHOUT_WEEKS')).toMatchObject([
      { path: ['rows', 0, 'grain'], available: ['day'] },
    ]);
  });

  test('a period that the offset cannot move is refused with the legal ones', async () => {
    const at = ['rows', 0, 'grain'];
    for (const grain of ['month', 'week', 'season']) {
      expect(await refused({ rows: [of(grain)], values: values('week_before') })).toMatchObject([
        { path: at, message: expect.stringContaining('offset by retail_week'), available: ['day', 'retail_week'] },
      ]);
    }
    expect(await refused({ rows: [WEEKS, of('month')], values: values('day_before') })).toMatchObject([
      { path: ['rows', 1, 'grain'], available: ['day'] },
    ]);
  });

  test('the plan names the table with the counted periods', async () => {
    const preview = await shop
      .operations()
      .preview({ connection: 'test', rows: [WEEKS], values: values('week_before') });
    const steps = preview.plan?.steps.join('\n');
    expect(steps).toContain('week_before has in each group what it was 1 retail_week earlier, by its main date.');
    expect(steps).toContain(
      'Rows of a period of retail_days.week_id (by retail_days.day) are shown in the one 1 behind it in the order of their first days.',
    );
  });
});

function asNumber(cell: unknown): unknown {
  return typeof cell === 'string' && /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell;
}
