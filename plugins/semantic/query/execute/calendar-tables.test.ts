/** Tests calendars that are tables, with periods that are used like grains, on every engine. Figures by hand. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCache } from '../../../../server/cache/cache.ts';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { type AnyEngineName, startWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { testsOn } from '../../../../server/warehouse/testing/tests-on.ts';
import { lintDocument } from '../../lint/lint-document.ts';
import { readExtensions } from '../../model/extensions.ts';
import { Fixture, scope } from '../../testing/fixture.ts';
import { statementsFor, type Table, type Value } from '../../testing/tables.ts';

/** Figures are powers of two, so that each sum identifies its rows. */
const DAYS: readonly (string | null)[] = [
  '2024-01-28',
  '2024-01-29',
  '2024-02-03',
  '2024-02-04',
  '2024-02-12',
  '2024-02-13',
  '2024-02-14',
  '2024-02-18',
  null,
];
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
    return [index, index % 2 === 0 ? 'even' : 'odd', day, day === null ? null : `${day} 23:30:00`, 2 ** index];
  }),
};
const VISITS: Table = {
  name: 'visits',
  columns: [
    ['id', 'integer'],
    ['shop', 'text'],
    ['arrived', 'timestamp'],
  ],
  rows: [
    [1, 'odd', '2024-02-04 08:00:00'],
    [2, 'odd', '2024-02-13 08:00:00'],
    [3, 'odd', '2024-03-01 08:00:00'],
  ],
};
/**
 * Weeks of several lengths with unordered numbers: 14 February is missing, the 12th has two rows, and the 13th two rows
 * with two weeks.
 */
const week = (id: number, name: string, season: string, ...days: readonly string[]) =>
  days.map((day): readonly Value[] => [`2024-${day}`, id, name, season]);
const RETAIL_DAYS: Table = {
  name: 'retail_days',
  columns: [
    ['day', 'date'],
    ['week_id', 'integer'],
    ['week_name', 'text'],
    ['season', 'text'],
  ],
  rows: [
    ...week(25, 'Fourth', 'spring', '02-13', '02-18', '02-19', '02-20'),
    ...week(30, 'Opening', 'winter', '01-29', '01-30', '01-31', '02-01', '02-02', '02-03'),
    ...week(10, 'Second', 'winter', '02-04', '02-05', '02-06', '02-07', '02-08', '02-09', '02-10'),
    ...week(20, 'Third', 'carnival', '02-11', '02-12', '02-12', '02-13', '02-15', '02-16', '02-17'),
    [null, 99, 'No day', 'never'],
    ['2024-02-21', null, 'No week', 'spring'],
  ],
};

const vendor = (data: object) => `custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify(data)}' }]`;
const field = (name: string, data?: object) =>
  `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: ${name} }]${data === undefined ? '' : `, ${vendor(data)}`} }`;
const RETAIL = {
  dataset: 'retail_days',
  date: 'day',
  grains: [
    { name: 'retail_week', field: 'week_id', label: 'week_name' },
    { name: 'season', field: 'season' },
  ],
};
const FISCAL = { name: 'fiscal', year_start: { month: 4 } };
const METRICS_BY_TABLE = `      - { name: season_to_date, expression: [{ dialect: ANSI_SQL, expression: SUM(events.amount) }], ${vendor({ cumulative: { by: 'events.day', to_date: 'season' } })} }
      - { name: season_a_month_before, expression: [{ dialect: ANSI_SQL, expression: season_to_date }], ${vendor({ offset: { count: 1, grain: 'month' } })} }
      - { name: season_of_first_day, expression: [{ dialect: ANSI_SQL, expression: season_to_date }], ${vendor({ offset: { to: 'month' } })} }
      - { name: two_weeks, expression: [{ dialect: ANSI_SQL, expression: SUM(events.amount) }], ${vendor({ cumulative: { by: 'events.day', window: { count: 2, grain: 'retail_week' } } })} }
      - { name: two_weeks_of_some, expression: [{ dialect: ANSI_SQL, expression: two_weeks }], ${vendor({ roles: { allow: ['ROLE_WITHOUT_WEEKS'] } })} }
`;
const documentOf = (calendars: readonly object[]) => `
semantic_model:
  - name: shop
    ${vendor({ calendars })}
    datasets:
      - name: events
        source: events
        primary_key: [id]
        ${vendor({ time: { main: 'day' } })}
        fields: [${field('day')}, ${field('at')}, ${field('shop')}]
      - name: visits
        source: visits
        primary_key: [id]
        fields: [${field('arrived')}, ${field('shop')}]
      - name: retail_days
        source: retail_days
        ${vendor({ roles: { row_predicates: { ROLE_OUTSIDE_SECOND: 'week_id <> 10', '*': '1 = 1' } } })}
        fields: [${field('day')}, ${field('week_id', { roles: { deny: ['ROLE_WITHOUT_WEEKS'] } })}, ${field('week_name', { roles: { deny: ['ROLE_WITHOUT_NAMES'] } })}, ${field('season')}]
      - { name: shops, source: shops, primary_key: [name], fields: [${field('name')}] }
    relationships:
      - { name: sold_in, from: events, to: shops, from_columns: [shop], to_columns: [name] }
    metrics:
      - { name: shops_open, expression: [{ dialect: ANSI_SQL, expression: COUNT(shops.name) }] }
      - { name: amount, expression: [{ dialect: ANSI_SQL, expression: SUM(events.amount) }] }
      - { name: running, expression: [{ dialect: ANSI_SQL, expression: SUM(events.amount) }], ${vendor({ cumulative: { by: 'events.day' } })} }
      - { name: ten_days, expression: [{ dialect: ANSI_SQL, expression: SUM(events.amount) }], ${vendor({ cumulative: { by: 'events.day', window: { count: 10, grain: 'day' } } })} }
      - { name: mean, expression: [{ dialect: ANSI_SQL, expression: SUM(events.amount) }], ${vendor({ cumulative: { by: 'events.day', take: 'average' } })} }
${calendars.includes(RETAIL) ? METRICS_BY_TABLE : ''}      - { name: visitors, expression: [{ dialect: ANSI_SQL, expression: COUNT(visits.id) }] }
`;
const SHOPS: Table = { name: 'shops', columns: [['name', 'text']], rows: [['odd'], ['even'], ['none']] };
const tables = [EVENTS, VISITS, RETAIL_DAYS, SHOPS];
const start = (engine: AnyEngineName) => startWarehouse(engine, statementsFor(engine, tables), { poolSize: 2 });
const open = (warehouse: Awaited<ReturnType<typeof start>>, calendars: readonly object[], clock?: () => number) =>
  Fixture.open({
    warehouse,
    cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
    document: documentOf(calendars),
    // The periods of the table are read once, not with each request.
    settings: { cacheTtlMs: 600_000 },
    ...(clock === undefined ? {} : { clock }),
  });
const values = [{ metric: 'amount' }];
const of = (grain: string, name = 'day') => ({ dataset: 'events', field: name, grain });
const WEEKS = of('retail_week');
const till = (day: string) => [{ dataset: 'events', field: 'day', op: 'LTE', value: day }];
const NOW = Date.UTC(2024, 1, 19);

describeEngines('on $engine', (engine) => {
  const test = testsOn(engine);
  let started: Awaited<ReturnType<typeof start>>;
  let shop: Fixture;
  beforeAll(async () => {
    started = await start(engine);
    shop = await open(started, [FISCAL, RETAIL], () => NOW);
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());
  const table = async (request: object, ...roles: readonly string[]) =>
    (await shop.table({ values, ...request }, scope('ROLE_USER', ...roles))).map((row) => row.map(asNumber));
  const filtered = async (filter: object) => (await table({ filters: [{ ...WEEKS, ...filter }] }))[0]?.[0] ?? null;

  test('periods are groups in the order of their first days, by their keys, with labels; no row is lost or doubled', async () => {
    expect(await table({ rows: [WEEKS] })).toEqual([
      [30, 6],
      [10, 8],
      [20, 48],
      [25, 128],
      [null, 321],
    ]);
    const { columns } = await shop.run({ rows: [WEEKS], values });
    expect(columns[0]).toMatchObject({
      key: 'events.day.retail_week',
      grain: 'retail_week',
      label: 'day (retail week)',
      dataType: 'integer',
      labels: { '30': 'Opening', '10': 'Second', '20': 'Third', '25': 'Fourth' },
    });
    expect(await table({ rows: [of('season')] })).toEqual([
      ['winter', 14],
      ['carnival', 48],
      ['spring', 128],
      [null, 321],
    ]);
  });

  test('timestamps belong to the local day in the request’s zone', async () => {
    expect(await table({ rows: [of('retail_week', 'at')], timezone: 'Europe/Berlin' })).toEqual([
      [30, 3],
      [10, 12],
      [20, 80],
      [25, 128],
      [null, 288],
    ]);
  });

  test('sorts and limits go by the order of the periods', async () => {
    const sorts = [{ field: 'events.day.retail_week', direction: 'DESC' }];
    expect(await table({ rows: [WEEKS], sorts, limit: 2 })).toEqual([
      [25, 128],
      [20, 48],
    ]);
    expect(await table({ rows: [WEEKS], sorts: [{ metric: 'amount', direction: 'DESC' }], limit: 1 })).toEqual([
      [null, 321],
    ]);
  });

  it.each<[object, number | null]>([
    [{ op: 'EQ', value: 10 }, 8],
    [{ op: 'EQ', value: '20' }, 48],
    [{ op: 'EQ', value: 'third' }, 48],
    [{ op: 'EQ', value: '2024-02-16' }, 48],
    [{ op: 'NEQ', value: 10 }, 182],
    [{ op: 'IN', values: [30, 25] }, 134],
    [{ op: 'BETWEEN', values: [30, 20] }, 62],
    [{ op: 'GT', value: 10 }, 176],
    [{ op: 'LTE', value: 10 }, 14],
    [{ op: 'IS_NULL' }, 321],
    [{ op: 'IS_NOT_NULL' }, 190],
    // Today, 19 February, is in the fourth.
    [{ op: 'RELATIVE', value: 'previous_period' }, 48],
    [{ op: 'RELATIVE', value: 'previous_period', n: 2 }, 56],
    [{ op: 'RELATIVE', value: 'previous_period', n: 100 }, 62],
    [{ op: 'RELATIVE', value: 'last_n_days', n: 7 }, 224],
  ])('a filter by periods keeps what is in them: %j', async (filter, expected) => {
    expect(asNumber(await filtered(filter))).toBe(expected);
  });

  test('filters stand in groups, before other fields, and per metric', async () => {
    const any = [
      { ...WEEKS, op: 'EQ', value: 30 },
      { dataset: 'events', field: 'shop', op: 'EQ', value: 'odd' },
    ];
    expect(await table({ filters: [{ any }] })).toEqual([[2 + 8 + 32 + 128 + 4]]);
    const per = [{ metric: 'amount', op: 'GT', value: 40, per: [WEEKS] }];
    expect(await table({ rows: [WEEKS], filters: per })).toEqual([
      [20, 48],
      [25, 128],
    ]);
  });

  test('a dataset that facts lead to is counted once in each period of the facts, and filtered by them', async () => {
    const shops = [{ metric: 'shops_open' }];
    // The shop without events is of no period.
    expect(await table({ rows: [WEEKS], values: shops })).toEqual([
      [30, 2],
      [10, 1],
      [20, 2],
      [25, 1],
      [null, 2],
    ]);
    expect(await table({ values: shops, filters: [{ ...WEEKS, op: 'EQ', value: 10 }] })).toEqual([[1]]);
    expect(await table({ rows: [of('season'), WEEKS], sorts: [{ field: 'events.day.retail_week' }] })).toEqual([
      ['winter', 30, 6],
      ['winter', 10, 8],
      ['carnival', 20, 48],
      ['spring', 25, 128],
      [null, null, 321],
    ]);
    const crosstab = { rows: [{ dataset: 'shops', field: 'name' }], columns: [WEEKS], limit: 1 };
    expect(await table({ ...crosstab, sorts: [{ metric: 'amount', direction: 'ASC' }] })).toEqual([
      ['odd', 30, 2],
      ['odd', 10, 8],
      ['odd', 20, 32],
      ['odd', 25, 128],
    ]);
  });

  test('across columns they keep their order, also in a matrix', async () => {
    const request = { columns: [WEEKS], rows: [{ dataset: 'events', field: 'shop' }], values };
    const answer = await shop.operations().query({ connection: 'test', ...request, format: 'matrix' });
    if (!('cellSetHeaders' in answer)) throw new Error('no matrix');
    expect(answer.cellSetHeaders[0]?.map(({ value }) => value)).toEqual([
      null,
      'Opening',
      'Second',
      'Third',
      'Fourth',
      null,
    ]);
    expect(answer.cellSetHeaders[0]?.[2]?.raw).toBe(10);
    expect((await shop.run(request)).columns[1]?.order).toEqual(['30', '10', '20', '25']);
  });

  test('facts meet on them by their main dates', async () => {
    const rows = [{ dataset: 'time', field: 'date', grain: 'retail_week' }];
    expect(await table({ rows, values: [...values, { metric: 'visitors' }] })).toEqual([
      [30, 6, null],
      [10, 8, 1],
      [20, 48, 1],
      [25, 128, null],
      [null, 321, 1],
    ]);
    const filters = [{ ...rows[0], op: 'LTE', value: 10 }];
    expect(await table({ filters, values: [...values, { metric: 'visitors' }] })).toEqual([[14, 1]]);
  });

  test('periods without facts are filled, between the ends of the data or of the filters', async () => {
    const filters = [{ dataset: 'events', field: 'shop', op: 'EQ', value: 'odd' }];
    expect(await table({ rows: [{ ...WEEKS, fill: 'zero' }], filters })).toEqual([
      [30, 2],
      [10, 8],
      [20, 32],
      [25, 128],
    ]);
    const even = [{ ...filters[0], value: 'even' }];
    expect(await table({ rows: [{ ...WEEKS, fill: true }], filters: even })).toEqual([
      [30, 4],
      [10, null],
      [20, 16],
      [null, 321],
    ]);
    const reach = [{ ...WEEKS, op: 'BETWEEN', values: [10, 25] }];
    expect(await table({ rows: [{ ...WEEKS, fill: 'zero' }], filters: [...even, ...reach] })).toEqual([
      [10, 0],
      [20, 16],
      [25, 0],
    ]);
    const days = [{ dataset: 'events', field: 'day', op: 'BETWEEN', values: ['2024-02-10', '2024-02-18'] }];
    expect(await table({ rows: [{ ...WEEKS, fill: true }], filters: [...even, ...days] })).toEqual([
      [10, null],
      [20, 16],
      [25, null],
      [null, 64],
    ]);
  });

  it.each<[string, object, readonly (readonly unknown[])[]]>([
    [
      'the period before',
      { to: 'previous_period' },
      [
        [30, 6, null],
        [10, 8, 6],
        [20, 48, 8],
        [25, 128, 48],
        [null, 321, null],
      ],
    ],
    [
      'two periods later',
      { to: { offset: 2, grain: 'retail_week' } },
      [
        [30, 6, 48],
        [10, 8, 128],
        [20, 48, null],
        [25, 128, null],
        [null, 321, null],
      ],
    ],
  ])('values are compared with %s', async (_, compare, expected) => {
    const compared = [{ metric: 'amount', compare }];
    const rows = await table({ rows: [WEEKS], values: compared });
    expect(rows.map((row) => row.slice(0, 3))).toEqual(expected);
  });

  test('filters on the periods, and on their days, move with a comparison', async () => {
    const values = [{ metric: 'amount', compare: { to: 'previous_period' } }];
    const base = async (request: object) => (await table({ values, ...request })).map((row) => row.slice(0, -2));
    const from = { ...WEEKS, op: 'GTE', value: 20 };
    expect(await base({ rows: [WEEKS], filters: [from] })).toEqual([
      [20, 48, 8],
      [25, 128, 48],
    ]);
    expect(await base({ rows: [WEEKS], filters: [{ ...WEEKS, op: 'IN', values: [30, 10] }] })).toEqual([
      [30, 6, null],
      [10, 8, 6],
    ]);
    // Without periods in rows, filters select them: two are compared with the two before, one with the one before.
    expect(await base({ filters: [{ ...WEEKS, op: 'BETWEEN', values: [20, 25] }] })).toEqual([[176, 14]]);
    expect(await base({ filters: [{ ...WEEKS, op: 'EQ', value: 25 }] })).toEqual([[128, 48]]);
    // The first two days of the third week, of which the second has 16; before it the first two of the second, with 8.
    const days = { dataset: 'events', field: 'day', op: 'BETWEEN', values: ['2024-02-11', '2024-02-12'] };
    expect(await base({ rows: [WEEKS], filters: [days] })).toEqual([[20, 16, 8]]);
    const filled = await base({
      rows: [{ ...WEEKS, fill: 'zero' }],
      filters: [{ ...days, values: ['2024-02-04', '2024-02-10'] }],
    });
    expect(filled).toEqual([[10, 8, 6]]);
  });

  test('windows end with the last days of the periods; days of no period count in later windows', async () => {
    const running = ['running', 'ten_days', 'mean'].map((metric) => ({ metric }));
    const rounded = (rows: readonly (readonly unknown[])[]) =>
      rows.map((row) => row.map((cell) => (typeof cell === 'number' ? Math.round(cell * 100) / 100 : cell)));
    expect(rounded(await table({ rows: [WEEKS], values: running }))).toEqual([
      // Five days with 3, the sixth with 7.
      [30, 7, 7, 3.67],
      [10, 15, 12, 15],
      // 15, 31, 63, and three days with 127.
      [20, 127, 112, 81.67],
      [25, 255, 240, 255],
    ]);
    const values = [{ metric: 'running' }];
    expect(await table({ rows: [WEEKS], values, filters: [{ ...WEEKS, op: 'GTE', value: 20 }] })).toEqual([
      [20, 127],
      [25, 255],
    ]);
    expect(await table({ rows: [WEEKS], values, filters: [{ ...WEEKS, op: 'EQ', value: 10 }] })).toEqual([[10, 15]]);
    const even = [{ dataset: 'events', field: 'shop', op: 'EQ', value: 'even' }];
    expect(await table({ rows: [{ ...WEEKS, fill: true }], values, filters: even })).toEqual([
      [30, 5],
      [10, 5],
      [20, 85],
    ]);
    const reach = [{ ...WEEKS, op: 'BETWEEN', values: [10, 25] }];
    expect(await table({ rows: [{ ...WEEKS, fill: true }], values, filters: [...even, ...reach] })).toEqual([
      [10, 5],
      [20, 85],
      [25, 85],
    ]);
    expect(await table({ rows: [WEEKS], values: [...values, { metric: 'amount' }] })).toEqual([
      [30, 7, 6],
      [10, 15, 8],
      [20, 127, 48],
      [25, 255, 128],
      [null, null, 321],
    ]);
  });

  test('windows begin with the periods of the table, whatever shows them; a day of no period has no window', async () => {
    const values = [{ metric: 'season_to_date' }, { metric: 'two_weeks' }];
    // 14 February is in no week, and counts in windows that end after it.
    expect(await table({ rows: [WEEKS], values })).toEqual([
      [30, 6, 6],
      [10, 14, 14],
      [20, 112, 120],
      [25, 128, 240],
    ]);
    expect(await table({ rows: [of('season')], values })).toEqual([
      ['winter', 14, 14],
      ['carnival', 112, 120],
      ['spring', 128, null],
    ]);
    // Two weeks that end with the second day of the third begin with the third day of the first.
    expect(await table({ rows: [of('day')], values })).toEqual([
      ['2024-01-28', null, null],
      ['2024-01-29', 2, 2],
      ['2024-02-03', 6, 6],
      ['2024-02-04', 14, 14],
      ['2024-02-12', 16, 28],
      ['2024-02-13', 48, 60],
      ['2024-02-14', null, null],
      ['2024-02-18', 128, 240],
    ]);
    // The end of February is not in the table.
    expect(await table({ rows: [of('month')], values })).toEqual([
      ['2024-01-01', 2, 2],
      ['2024-02-01', null, null],
    ]);
    expect(await table({ rows: [of('month')], values, filters: till('2024-02-12') })).toEqual([
      ['2024-01-01', 2, 2],
      ['2024-02-01', 16, 28],
    ]);
    expect(await table({ values })).toEqual([[128, 240]]);
    expect(await table({ rows: [{ dataset: 'events', field: 'shop' }], values })).toEqual([
      ['even', null, 16 + 64],
      ['odd', 128, 32 + 128],
    ]);
    const even = [{ dataset: 'events', field: 'shop', op: 'EQ', value: 'even' }];
    expect(await table({ rows: [{ ...WEEKS, fill: true }], values, filters: even })).toEqual([
      [30, 4, 4],
      [10, 4, 4],
      [20, 80, 80],
    ]);
    expect(await table({ rows: [of('month')], values: [{ metric: 'season_a_month_before' }] })).toEqual([
      ['2024-02-01', 2],
      ['2024-03-01', null],
    ]);
    // 1 January is not in the table, and until 1 February there is the 29th.
    const first = [{ metric: 'season_of_first_day' }];
    expect(await table({ rows: [of('month')], values: first })).toEqual([
      ['2024-01-01', null],
      ['2024-02-01', 2],
    ]);
    const from = { dataset: 'events', field: 'day', op: 'GTE', value: '2024-02-12' };
    expect(await table({ values: first, filters: [from] })).toEqual([[2]]);
  });

  // The last day of the filters is a value of the statements before. Trino gets others of its values in `calendar-tables-oracle.test.ts`.
  if (engine !== 'trino')
    it('windows end with the last day of the filters', async () => {
      const values = [{ metric: 'season_to_date' }, { metric: 'two_weeks' }];
      expect(await table({ rows: [WEEKS], values, filters: till('2024-02-12') })).toEqual([
        [30, 6, 6],
        [10, 14, 14],
        [20, 16, 28],
      ]);
      // Filters that end with a day of no period leave the third week its days before.
      expect(await table({ rows: [WEEKS], values, filters: till('2024-02-14') })).toEqual([
        [30, 6, 6],
        [10, 14, 14],
        [20, 48, 60],
      ]);
      expect(await table({ values, filters: till('2024-02-13') })).toEqual([[48, 60]]);
      expect(await table({ values, filters: till('2024-02-14') })).toEqual([[null, null]]);
      expect(await table({ values, filters: [{ ...WEEKS, op: 'LTE', value: 20 }] })).toEqual([[48, 60]]);
    });

  test('windows by periods depend on what a role may see of the table', async () => {
    const values = [{ metric: 'season_to_date' }, { metric: 'two_weeks' }];
    expect(await table({ rows: [WEEKS], values }, 'ROLE_OUTSIDE_SECOND')).toEqual([
      [30, 6, 6],
      [20, 112, 2 + 4 + 8 + 16 + 32 + 64],
      [25, 128, 240],
    ]);
    const rows = [of('season')];
    const without = scope('ROLE_USER', 'ROLE_WITHOUT_WEEKS');
    const { problems } = await shop.refusal({ rows, values }, without);
    expect(problems).toMatchObject([{ path: ['values', 1, 'metric'] }]);
    expect(await table({ rows, values: [{ metric: 'two_weeks_of_some' }] }, 'ROLE_WITHOUT_WEEKS')).toEqual([
      ['winter', 14],
      ['carnival', 120],
      ['spring', null],
    ]);
  });

  test('a comparison that the table cannot compute is refused with the possible ones', async () => {
    const refused = async (to: unknown, rows: readonly object[] = [WEEKS]) =>
      (await shop.refusal({ rows, values: [{ metric: 'amount', compare: { to } }] })).problems;
    const at = ['values', 0, 'compare', 'to'];
    expect(await refused('previous_year')).toMatchObject([
      { path: at, message: expect.stringContaining('"offset": -52') },
    ]);
    expect(await refused({ offset: -1, grain: 'month' })).toMatchObject([
      { path: [...at, 'grain'], available: ['retail_week'] },
    ]);
    expect(await refused({ offset: -1, grain: 'retail_week' }, [of('month')])).toMatchObject([
      { path: [...at, 'grain'], available: ['month'] },
    ]);
    expect(await refused({ offset: -1, grain: 'retail_wek' })).toMatchObject([
      { path: [...at, 'grain'], available: expect.arrayContaining(['retail_week']) },
    ]);
  });

  test('rows of the calendar that a role may not see define no periods for it, and facts stay', async () => {
    expect(await table({ rows: [WEEKS] }, 'ROLE_OUTSIDE_SECOND')).toEqual([
      [30, 6],
      [20, 48],
      [25, 128],
      [null, 329],
    ]);
    const hidden = { filters: [{ ...WEEKS, op: 'EQ', value: 10 }], values };
    const { problems } = await shop.refusal(hidden, scope('ROLE_USER', 'ROLE_OUTSIDE_SECOND'));
    expect(problems).toMatchObject([{ path: ['filters', 0, 'value'], available: ['30', '20', '25'] }]);
  });

  test('without the field of its key there is no grain, and without the field of its label periods have their keys as labels', async () => {
    const { problems } = await shop.refusal({ rows: [WEEKS], values }, scope('ROLE_USER', 'ROLE_WITHOUT_WEEKS'));
    expect(problems).toMatchObject([
      { path: ['rows', 0, 'grain'], available: expect.not.arrayContaining(['retail_week']) },
    ]);
    const { columns } = await shop.run({ rows: [WEEKS], values }, scope('ROLE_USER', 'ROLE_WITHOUT_NAMES'));
    expect(columns[0]?.labels).toEqual({ '30': '30', '10': '10', '20': '20', '25': '25' });
  });

  test('parts that a table does not define are refused with the legal grains', async () => {
    const serving = expect.arrayContaining(['day', 'month']);
    const rows = [WEEKS, of('day_of_week')];
    expect((await shop.refusal({ rows, values: [{ metric: 'running' }] })).problems).toMatchObject([
      { path: ['rows', 1, 'grain'], available: serving },
    ]);
  });

  test('mistakes list the legal names', async () => {
    const refused = async (request: object) => (await shop.refusal({ values, ...request })).problems;
    expect(await refused({ filters: [{ ...WEEKS, op: 'EQ', value: 11 }] })).toMatchObject([
      { path: ['filters', 0, 'value'], available: expect.arrayContaining(['10', '20', '25', '30']) },
    ]);
    expect(await refused({ rows: [of('retail_wek')] })).toMatchObject([
      { path: ['rows', 0, 'grain'], available: expect.arrayContaining(['retail_week', 'season', 'fiscal_year']) },
    ]);
    expect(await refused({ rows: [{ dataset: 'events', field: 'shop', grain: 'season' }] })).toMatchObject([
      { path: ['rows', 0, 'grain'], message: 'events.shop is no date, and has no grain.' },
    ]);
  });

  test('a check of the data reports days that are missing or repeated, and facts on missing days', async () => {
    const { problems } = await lintDocument(documentOf([RETAIL]), { warehouse: started.warehouse, data: true });
    expect(problems.map(({ line, message }) => [line, message])).toEqual(
      [
        // 12 and 13 February; the 14th; the row of no day.
        'the calendar retail_days.day has 2 days on more than one row; the lowest key of a day is taken.',
        'the calendar retail_days.day lacks 1 day between 2024-01-29 and 2024-02-21, which are of no period.',
        'the calendar retail_days.day is null on 1 row.',
        // 28 January and 14 February; 1 March.
        'the calendar retail_days.day has days between 2024-01-29 and 2024-02-21, and 2 rows of events have another day, which is of no period.',
        'the calendar retail_days.day has days between 2024-01-29 and 2024-02-21, and 1 row of visits has another arrived, which is of no period.',
      ].map((message) => [4, message]),
    );
  });

  test('the schema lists the grains, and a plan describes them', async () => {
    const operations = shop.operations();
    const schema = await operations.schema({ connection: 'test', model: 'shop' });
    const grains = expect.arrayContaining(['month', 'fiscal_year', 'retail_week', 'season']);
    expect(schema.datasets.events?.fields.day).toMatchObject({ grains });
    expect(schema.time).toMatchObject({ dataset: 'time', grains });
    expect(JSON.stringify(schema.requestSchema)).toContain('"retail_week"');
    const preview = await operations.preview({ connection: 'test', rows: [WEEKS], values });
    expect(preview.plan?.steps.join('\n')).toContain(
      'events.day.retail_week is the retail_days.week_id of its day in retail_days.day',
    );
  });
});

it('a period of more than a thousand days has the mean over all of them', async () => {
  const day = { columns: [['day', 'date']] } as const;
  const tables: readonly Table[] = [
    { ...day, name: 'events', rows: [['2020-01-01'], ['2023-05-31']] },
    { ...day, name: 'first_day', rows: [['2020-01-01']] },
  ];
  const shop = await Fixture.open({
    warehouse: await startWarehouse('duckdb', statementsFor('duckdb', tables), { poolSize: 1 }),
    cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
    document: `
semantic_model:
  - name: shop
    ${vendor({ calendars: [{ dataset: 'eras', date: 'day', grains: [{ name: 'era', field: 'era' }] }] })}
    datasets:
      - { name: events, source: events, fields: [${field('day')}] }
      - name: eras
        source: SELECT CAST(day + CAST(n AS INTEGER) AS DATE) AS day, 1 AS era FROM first_day CROSS JOIN range(1247) AS numbers(n)
        fields: [${field('day')}, ${field('era')}]
    metrics:
      - { name: mean, expression: [{ dialect: ANSI_SQL, expression: COUNT(events.day) }], ${vendor({ cumulative: { by: 'events.day', take: 'average' } })} }
`,
  });
  try {
    expect(shop.problems).toEqual([]);
    const [row] = await shop.table({ rows: [of('era')], values: [{ metric: 'mean' }] });
    // From 1 January 2020 to 31 May 2023 there are 1,247 days; the last has two events behind it.
    expect(row).toEqual([1, expect.closeTo(1 + 1 / 1247, 9)]);
  } finally {
    await shop.close();
  }
});

it('without a week of today there is no previous week', async () => {
  const shop = await open(await start('duckdb'), [RETAIL], () => Date.UTC(2025, 0, 1));
  try {
    const filters = [{ ...WEEKS, op: 'RELATIVE', value: 'previous_period' }];
    expect((await shop.refusal({ values, filters })).problems).toMatchObject([
      { path: ['filters', 0, 'value'], message: expect.stringContaining('2025-01-01, is in no retail_week') },
    ]);
  } finally {
    await shop.close();
  }
});

it.each([
  ['a dataset that the model lacks', { ...RETAIL, dataset: 'weeks' }, 'the dataset weeks'],
  ['a date that it lacks', { ...RETAIL, date: 'at' }, 'retail_days.at'],
  ['a date that is none', { ...RETAIL, date: 'season' }, 'neither a date nor a timestamp'],
  [
    'a label that it lacks',
    { ...RETAIL, grains: [{ name: 'm', field: 'week_id', label: 'caption' }] },
    'retail_days.caption',
  ],
])('a calendar with %s is reported', async (_, calendar, named) => {
  const shop = await open(await start('duckdb'), [calendar]);
  try {
    expect(shop.problems).toEqual([
      expect.objectContaining({ severity: 'warning', line: 4, message: expect.stringContaining(named) }),
    ]);
  } finally {
    await shop.close();
  }
});

it.each([
  ['without a date', [{ dataset: 'retail_days', grains: RETAIL.grains }], 'calendars.0.date'],
  ['without grains', [{ ...RETAIL, grains: [] }], 'a calendar has grains'],
  ['with a grain of odd letters', [{ ...RETAIL, grains: [{ name: 'a b', field: 'x' }] }], 'letters, digits and _'],
  ['with a grain of the calendar', [{ ...RETAIL, grains: [{ name: 'week', field: 'x' }] }], 'the grain week twice'],
  ['with a grain of another one', [FISCAL, { ...RETAIL, grains: [{ name: 'fiscal_year', field: 'x' }] }], 'twice'],
])('a calendar %s is refused', (_, calendars, reason) => {
  const data = JSON.stringify({ calendars });
  expect(readExtensions({}, [{ vendor_name: 'SERVICE', data }]).mistakes).toEqual([expect.stringContaining(reason)]);
});

function asNumber(cell: unknown): unknown {
  return typeof cell === 'string' && /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell;
}
