/** Tests two filled grains of one date on every engine: exactly the pairs that some day has are answered. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toProblemBody } from '../../../../router/error-body.ts';
import { SEED } from '../../../../router/testing/seed.ts';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { runsOn } from '../../../../server/warehouse/testing/runs-on.ts';
import { testsOn } from '../../../../server/warehouse/testing/tests-on.ts';
import { openOn } from '../../testing/engine-fixture.ts';
import type { Fixture } from '../../testing/fixture.ts';
import type { Table } from '../../testing/tables.ts';

const DAY_MS = 86_400_000;
/** Day 0 of the calendar is 1 September 2019, a Sunday. */
const START = Date.UTC(2019, 8, 1);
const HORIZON = 300;
const iso = (day: number) => new Date(START + day * DAY_MS).toISOString().slice(0, 10);

/**
 * Data for figures by hand: two facts of one store around the new year, one fact of another store after it, and one later
 * fact.
 */
const SALES: Table = {
  name: 'sales',
  columns: [
    ['id', 'integer'],
    ['day', 'date'],
    ['at', 'timestamp'],
    ['store', 'text'],
    ['amount', 'integer'],
  ],
  rows: [
    [1, '2019-12-20', '2019-12-20 10:15:00', 'a', 1],
    [2, '2019-12-31', '2019-12-31 22:30:00', 'a', 2],
    [3, '2020-01-02', '2020-01-02 01:00:00', 'b', 4],
    [4, '2020-01-20', '2020-01-20 23:59:00', 'a', 8],
  ],
};
/** Periods of 28 days, by number, that begin on a Thursday. */
const lunarOf = (day: number) => 100 + Math.floor((day + 10) / 28);
const CALENDAR: Table = {
  name: 'calendar',
  columns: [
    ['day', 'date'],
    ['moon', 'integer'],
  ],
  rows: Array.from({ length: HORIZON }, (_, day) => [iso(day), lunarOf(day)]),
};
const calendars = [
  { name: 'tax', year_start: { month: 4, day: 6 } },
  { dataset: 'calendar', date: 'day', grains: [{ name: 'lunar', field: 'moon' }] },
];
const WINDOWS = {
  running: {},
  week: { window: { count: 7, grain: 'day' } },
  mtd: { to_date: 'month' },
  first_week: { window: { count: 7, grain: 'day' }, take: 'first' },
  mean_week: { window: { count: 7, grain: 'day' }, take: 'average' },
  moon_to_date: { to_date: 'lunar' },
  amounts: { window: { count: 7, grain: 'day' } },
  first_amounts: { window: { count: 7, grain: 'day' }, take: 'first' },
  earlier: { window: { count: 7, grain: 'day' } },
} as const;
const EARLIER = { count: 9, grain: 'day' };
type WindowName = keyof typeof WINDOWS;
const field = (name: string, expression: string) =>
  `          - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${expression} }] } }`;
const document = `
version: "0.1.1"
semantic_model:
  - name: shop
    custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify({ calendars })}' }]
    datasets:
      - name: sales
        source: sales
        primary_key: [id]
        fields:
${['day', 'at', 'store'].map((name) => field(name, `sales.${name}`)).join('\n')}
      - name: calendar
        source: calendar
        primary_key: [day]
        fields:
${['day', 'moon'].map((name) => field(name, name)).join('\n')}
    metrics:
      - { name: total, expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(sales.amount) }] } }
${Object.entries(WINDOWS)
  .map(
    ([name, cumulative]) =>
      `      - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name.endsWith('amounts') ? 'COUNT(DISTINCT sales.amount)' : 'SUM(sales.amount)'} }] }, custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify({ dataset: 'sales', cumulative: { ...cumulative, by: 'sales.day' }, ...(name === 'earlier' ? { offset: EARLIER } : {}) })}' }] }`,
  )
  .join('\n')}
`;
const DAY = { dataset: 'sales', field: 'day' };
const AT = { dataset: 'sales', field: 'at' };
const STORE = { dataset: 'sales', field: 'store' };
const values = (...names: readonly string[]) => names.map((metric) => ({ metric }));
const between = (from: string, to: string) => [{ ...DAY, op: 'BETWEEN', values: [from, to] }];

describeEngines('on $engine', (engine) => {
  const test = testsOn(engine);
  let shop: Fixture;
  beforeAll(async () => {
    // The periods of the calendar are read once, not with each request.
    shop = await openOn(engine, [SALES, CALENDAR], { document, settings: { cacheTtlMs: 600_000 } });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());

  test('a week of 2019 is combined with a quarter of 2020 only if a day is in both', async () => {
    const week = { ...DAY, grain: 'week', fill: true };
    const quarter = { ...DAY, grain: 'quarter' };
    const request = { values: values('total', 'running', 'week'), filters: between('2019-12-23', '2020-01-12') };
    const expected = [
      ['2019-12-23', '2019-10-01', null, 1, null],
      ['2019-12-30', '2019-10-01', 2, 3, 2],
      ['2019-12-30', '2020-01-01', 4, 7, 6],
      ['2020-01-06', '2020-01-01', null, 7, null],
    ];
    expect(await shop.numbers({ ...request, rows: [week, quarter] })).toEqual(expected);
    expect(await shop.numbers({ ...request, rows: [week], columns: [quarter] })).toEqual(expected);
    const swapped = expected.map(([one, other, ...rest]) => [other, one, ...rest]);
    expect(await shop.numbers({ ...request, rows: [quarter, week] })).toEqual(swapped);
    const sorts = [{ field: 'sales.day.week', direction: 'DESC' }];
    const rows = await shop.numbers({ ...request, rows: [week, quarter], sorts });
    expect(rows).toEqual([expected[3], expected[1], expected[2], expected[0]]);
    expect(await shop.numbers({ ...request, rows: [week, quarter], limit: 2 })).toEqual(expected.slice(0, 2));
    // The same without the window, with only the plain sum.
    expect(await shop.numbers({ ...request, rows: [week, quarter], values: values('total') })).toEqual(
      expected.map((row) => row.slice(0, 3)),
    );
  });

  test('a month is combined with the fiscal quarters of its days, for each store', async () => {
    const rows = [{ ...DAY, grain: 'month', fill: 'zero' }, { ...DAY, grain: 'tax_quarter' }, STORE];
    const filters = between('2019-12-01', '2020-01-31');
    expect(await shop.numbers({ rows, values: values('total', 'running'), filters })).toEqual([
      ['2019-12-01', '2019-10-06', 'a', 3, 3],
      ['2019-12-01', '2019-10-06', 'b', 0, 0],
      ['2020-01-01', '2019-10-06', 'a', 0, 3],
      ['2020-01-01', '2019-10-06', 'b', 4, 4],
      ['2020-01-01', '2020-01-06', 'a', 8, 11],
      ['2020-01-01', '2020-01-06', 'b', 0, 4],
    ]);
  });

  test('a day is combined with its own day of the week and its own hours, also in three grains', async () => {
    const filters = between('2019-12-31', '2020-01-02');
    const request = { values: values('total'), filters };
    const weekday = { ...DAY, grain: 'day_of_week' };
    const grains = [{ ...DAY, grain: 'day', fill: true }, weekday, { ...DAY, grain: 'tax_year' }];
    expect(await shop.numbers({ ...request, rows: grains })).toEqual([
      ['2019-12-31', 2, '2019-04-06', 2],
      ['2020-01-01', 3, '2019-04-06', null],
      ['2020-01-02', 4, '2019-04-06', 4],
    ]);
    const night = [{ ...AT, op: 'BETWEEN', values: ['2019-12-31T22:00:00', '2020-01-01T01:59:59'] }];
    const rows = [
      { ...AT, grain: 'day' },
      { ...AT, grain: 'hour', fill: true },
    ];
    const hours = (timezone?: string) => shop.numbers({ rows, values: values('total'), filters: night, timezone });
    expect(await hours()).toEqual([
      ['2019-12-31', '2019-12-31T22:00:00', 2],
      ['2019-12-31', '2019-12-31T23:00:00', null],
      ['2020-01-01', '2020-01-01T00:00:00', null],
      ['2020-01-01', '2020-01-01T01:00:00', null],
    ]);
    // Berlin is an hour ahead: 22:00 of the filter is 23:00 there.
    const berlinHours = (await hours('Europe/Berlin')).map(([day, hour, total]) => {
      return [day, new Date(String(hour)).toISOString(), total];
    });
    expect(berlinHours).toEqual([
      ['2019-12-31', '2019-12-31T22:00:00.000Z', 2],
      ['2020-01-01', '2019-12-31T23:00:00.000Z', null],
      ['2020-01-01', '2020-01-01T00:00:00.000Z', null],
      ['2020-01-01', '2020-01-01T01:00:00.000Z', null],
    ]);
  });

  test('the date itself beside a filled grain is refused at the place of the fill', async () => {
    const rows = [{ ...AT, grain: 'month', fill: true }, AT];
    const { problems } = await shop.refusal({ rows, values: values('total') });
    expect(problems.map((problem) => toProblemBody(problem).field)).toEqual(['rows[0].fill']);
  });
});

const [facts = []] = fc.sample(
  fc.array(
    fc.record({
      day: fc.integer({ min: 60, max: 200 }),
      store: fc.constantFrom('a', 'b'),
      amount: fc.integer({ min: 1, max: 100 }),
    }),
    { minLength: 25, maxLength: 25 },
  ),
  { seed: SEED, numRuns: 1 },
);
const RANDOM: Table = {
  ...SALES,
  rows: facts.map(({ day, store, amount }, id) => [id, iso(day), `${iso(day)} 12:00:00`, store, amount]),
};
const parts = (day: number) => {
  const date = new Date(START + day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), date: date.getUTCDate(), weekDay: date.getUTCDay() };
};
const first = (year: number, month: number, date = 1) =>
  new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10);
/** The month of a tax year: 0 from 6 April on. */
const taxOf = (day: number) => {
  const { year, month, date } = parts(day);
  const count = year * 12 + month - 3 - (date < 6 ? 1 : 0);
  return { year: Math.floor(count / 12), month: ((count % 12) + 12) % 12 };
};
const tax = (day: number, step: number) => {
  const { year, month } = taxOf(day);
  return first(year, 3 + month - (month % step), 6);
};
/** The value of each grain on a day. */
const GRAINS: Readonly<Record<string, (day: number) => string | number>> = {
  day: iso,
  week: (day) => iso(day - ((parts(day).weekDay + 6) % 7)),
  month: (day) => first(parts(day).year, parts(day).month),
  quarter: (day) => first(parts(day).year, parts(day).month - (parts(day).month % 3)),
  year: (day) => first(parts(day).year, 0),
  tax_month: (day) => tax(day, 1),
  tax_quarter: (day) => tax(day, 3),
  tax_year: (day) => tax(day, 12),
  lunar: lunarOf,
};
const PARTS: Readonly<Record<string, (day: number) => number>> = {
  day_of_week: (day) => ((parts(day).weekDay + 6) % 7) + 1,
  month_of_year: (day) => parts(day).month + 1,
  tax_quarter_of_year: (day) => Math.floor(taxOf(day).month / 3) + 1,
};
const ALL = { ...GRAINS, ...PARTS };
const BEGINS: Readonly<Record<WindowName, (end: number) => number>> = {
  running: () => Number.NEGATIVE_INFINITY,
  week: (end) => end - 6,
  mtd: (end) => end - parts(end).date + 1,
  first_week: (end) => end - 6,
  mean_week: (end) => end - 6,
  moon_to_date: (end) => DAYS.findIndex((day) => lunarOf(day) === lunarOf(end)),
  amounts: (end) => end - 6,
  first_amounts: (end) => end - 6,
  earlier: (end) => end - 6,
};
const DAYS: readonly number[] = Array.from({ length: HORIZON }, (_, day) => day);
/** A year more: a period that is filled may begin before the days of the calendar's table. */
const LONGER_DAYS: readonly number[] = [...Array.from({ length: 366 }, (_, day) => day - 366), ...DAYS];

interface Asked {
  readonly name: WindowName | 'total';
  readonly grains: readonly string[];
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly byStore: boolean;
}

/**
 * Computes the answer by loops over days: the combinations on the days of the range, each with the facts of its days or of
 * its window.
 */
function answer({ name, grains, from, to, byStore }: Asked): readonly string[] {
  const calendar = grains.includes('lunar') ? DAYS : LONGER_DAYS;
  const combinationKey = (names: readonly string[]) => (day: number) =>
    JSON.stringify(names.map((grain) => ALL[grain]?.(day)));
  const [key, periods] = [combinationKey(grains), combinationKey(grains.filter((grain) => grain in GRAINS))];
  const isIn = (day: number) => (from === undefined || day >= from) && (to === undefined || day <= to);
  // Rows are shown `EARLIER.count` days later.
  const later = name === 'earlier' ? EARLIER.count : 0;
  const left = facts.filter(({ day }) => isIn(day + later));
  const answered = new Set(left.map(({ day }) => periods(day + later)));
  const reached = calendar.filter((day) => answered.has(periods(day)));
  const [low, high] = [from ?? reached[0], to ?? reached.at(-1)];
  if (low === undefined || high === undefined) return [];
  const range = calendar.filter((day) => day >= low && day <= high);
  const combinations = [...new Set(range.map(key))];
  const stores = byStore ? ['a', 'b'] : ['all'];
  const sum = (rows: typeof facts) => {
    const amounts = rows.map(({ amount }) => amount);
    if (amounts.length === 0) return null;
    return name.endsWith('amounts') ? new Set(amounts).size : amounts.reduce((all, amount) => all + amount, 0);
  };
  return stores.flatMap((store) => {
    const storeFacts = facts.filter((fact) => !byStore || fact.store === store);
    const rows = combinations.map((one) => {
      const days = calendar.filter((day) => key(day) === one && (to === undefined || day <= to));
      const end = (days.at(name.startsWith('first') ? 0 : -1) ?? Number.NaN) - later;
      const windowAt = (day: number) =>
        name === 'total' ? [] : storeFacts.filter((fact) => fact.day <= day && fact.day >= BEGINS[name](day));
      const inside = storeFacts.filter(({ day }) => isIn(day + later) && key(day + later) === one);
      const means = days.filter(isIn).flatMap((day) => sum(windowAt(day)) ?? []);
      const mean = means.length === 0 ? null : means.reduce((all, each) => all + each, 0) / means.length;
      const value = name === 'total' ? sum(inside) : name === 'mean_week' ? mean : sum(windowAt(end));
      const cells = JSON.parse(one) as readonly (string | number)[];
      return {
        isShown: inside.length > 0 || value !== null,
        row: [...cells, ...(byStore ? [store] : []), rounded(value)],
      };
    });
    const isSeries = !byStore || rows.some(({ isShown }) => isShown);
    return isSeries ? rows.map(({ row }) => JSON.stringify(row)) : [];
  });
}

/** A count of no rows is 0 in an answered row, and null in a filled one. */
const rounded = (cell: unknown) => (cell === 0 ? null : typeof cell === 'number' ? Math.round(cell * 1e6) / 1e6 : cell);

describeEngines('by a loop over days on $engine', (engine) => {
  let shop: Fixture;
  beforeAll(async () => {
    // The periods of the calendar are read once, not with each request.
    shop = await openOn(engine, [RANDOM, CALENDAR], { document, settings: { cacheTtlMs: 600_000 } });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());

  it(`grains of one date have the combinations of its days, each with its window (SEED=${SEED})`, async () => {
    const dates = Object.keys(GRAINS);
    const request = fc
      .record({
        name: fc.constantFrom(...(Object.keys(WINDOWS) as WindowName[]), 'total' as const),
        periods: fc.shuffledSubarray(dates, { minLength: 2, maxLength: 3 }),
        part: fc.option(fc.constantFrom(...Object.keys(PARTS)), { nil: undefined }),
        from: fc.option(fc.integer({ min: 70, max: 190 }), { nil: undefined }),
        days: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
        byStore: fc.boolean(),
        inColumns: fc.boolean(),
      })
      // An offset by days does not fit periods of a table.
      .filter(({ name, periods }) => name !== 'earlier' || !periods.includes('lunar'));
    await fc.assert(
      fc.asyncProperty(request, async ({ name, periods, part, from, days, byStore, inColumns }) => {
        // Windows of parts end with facts of their own.
        const grains = name === 'total' && part !== undefined ? [...periods, part] : periods;
        const to = days === undefined ? undefined : (from ?? 100) + days - 1;
        const groups = grains.map((grain, index) => ({ ...DAY, grain, ...(index === 0 ? { fill: true } : {}) }));
        const others = byStore ? [STORE] : [];
        const table = await shop.numbers({
          rows: inColumns ? groups.slice(0, 1) : [...groups, ...others],
          columns: inColumns ? [...groups.slice(1), ...others] : [],
          values: values(name),
          filters: [
            ...(from === undefined ? [] : [{ ...DAY, op: 'GTE', value: iso(from) }]),
            ...(to === undefined ? [] : [{ ...DAY, op: 'LTE', value: iso(to) }]),
          ],
        });
        const rows = table.map((row) => JSON.stringify(row.map(rounded)));
        expect(rows.toSorted()).toEqual([...answer({ name, grains, from, to, byStore })].toSorted());
      }),
      { seed: SEED, numRuns: runsOn(engine, 75) },
    );
  }, 300_000);
});
