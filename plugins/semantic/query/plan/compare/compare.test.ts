/** Tests values beside the values of another time, on every engine: by hand, and against a loop over the rows. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toProblemBody } from '../../../../../router/error-body.ts';
import { SEED } from '../../../../../router/testing/seed.ts';
import { openCache } from '../../../../../server/cache/cache.ts';
import { describeEngines } from '../../../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse } from '../../../../../server/warehouse/testing/engines.ts';
import { runsOn } from '../../../../../server/warehouse/testing/runs-on.ts';
import { testsOn } from '../../../../../server/warehouse/testing/tests-on.ts';
import { openOn } from '../../../testing/engine-fixture.ts';
import { Fixture } from '../../../testing/fixture.ts';
import { statementsFor, type Table } from '../../../testing/tables.ts';

/** Amounts are powers of two, so that each sum identifies its rows. In Berlin, each `at` is on the next local day. */
const DAYS: readonly (readonly [day: string | null, state: string])[] = [
  ['2023-01-31', 'a'],
  ['2023-02-28', 'a'],
  ['2023-03-15', 'b'],
  ['2024-01-31', 'a'],
  ['2024-02-28', 'a'],
  ['2024-02-29', 'a'],
  ['2024-03-15', 'b'],
  ['2024-03-31', 'a'],
  ['2024-12-30', 'a'],
  [null, 'a'],
];
const SALES: Table = {
  name: 'sales',
  columns: [
    ['id', 'integer'],
    ['day', 'date'],
    ['at', 'timestamp'],
    ['state', 'text'],
    ['amount', 'integer'],
    ['price', 'money'],
  ],
  rows: DAYS.map(([day, state], id) => [
    id,
    day,
    day === null ? null : `${day} 23:30:00`,
    state,
    2 ** id,
    (id + 1) / 10,
  ]),
};

const DOCUMENT = `
version: "0.1.1"
semantic_model:
  - name: shop
    datasets:
      - name: sales
        source: sales
        primary_key: [id]
        fields:
          - { name: day, expression: { dialects: [{ dialect: ANSI_SQL, expression: day }] } }
          - { name: at, expression: { dialects: [{ dialect: ANSI_SQL, expression: "sales.at" }] } }
          - { name: state, expression: { dialects: [{ dialect: ANSI_SQL, expression: state }] } }
    metrics:
      - { name: total, label: Total, expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(sales.amount) }] } }
      - { name: revenue, expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(sales.price) }] } }
      - { name: number, expression: { dialects: [{ dialect: ANSI_SQL, expression: COUNT(*) }] } }
      - { name: last_state, expression: { dialects: [{ dialect: ANSI_SQL, expression: MAX(sales.state) }] } }
      - name: year_to_date
        expression: { dialects: [{ dialect: ANSI_SQL, expression: total }] }
        custom_extensions:
          - { vendor_name: SERVICE, data: '{"cumulative": {"by": "sales.day", "to_date": "year"}}' }
`;
const DAY = { dataset: 'sales', field: 'day' };
const AT = { dataset: 'sales', field: 'at' };
const STATE = { dataset: 'sales', field: 'state' };
/** A leap day. */
const NOW = Date.UTC(2024, 1, 29, 12);
const to = (target: unknown, metric = 'total') => [{ metric, compare: { to: target } }];
const by = (grain: string) => ({ ...DAY, grain });

describeEngines('on $engine', (engine) => {
  const test = testsOn(engine);
  let shop: Fixture;
  /** The same fixture, which reads at most four groups at once. */
  let small: Fixture;
  beforeAll(async () => {
    const warehouse = await startWarehouse(engine, statementsFor(engine, [SALES]), { poolSize: 2 });
    const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
    shop = await Fixture.open({ warehouse, cache, document: DOCUMENT, clock: () => NOW });
    small = await Fixture.open({ warehouse, cache, document: DOCUMENT, clock: () => NOW, settings: { maxRows: 4 } });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());
  const table = (request: object) => shop.numbers(request);
  /** Returns the groups, the value and its base. */
  const bases = async (request: object) => (await table(request)).map((row) => row.slice(0, -2));

  test('months with the month before: base, difference, ratio', async () => {
    expect(await table({ rows: [by('month')], values: to('previous_period') })).toEqual([
      ['2023-01-01', 1, null, null, null],
      ['2023-02-01', 2, 1, 1, 2],
      ['2023-03-01', 4, 2, 2, 2],
      ['2024-01-01', 8, null, null, null],
      ['2024-02-01', 48, 8, 40, 6],
      ['2024-03-01', 192, 48, 144, 4],
      ['2024-12-01', 256, null, null, null],
      [null, 512, null, null, null],
    ]);
  });

  test('months with the year before, and with others', async () => {
    const filters = [{ ...by('year'), op: 'EQ', value: '2024' }];
    const rows = [by('month')];
    expect(await bases({ rows, values: to('previous_year'), filters })).toEqual([
      ['2024-01-01', 8, 1],
      ['2024-02-01', 48, 2],
      ['2024-03-01', 192, 4],
      ['2024-12-01', 256, null],
    ]);
    const months = (offset: number) => to({ offset, grain: 'month' });
    expect((await bases({ rows, values: months(-13), filters })).map((row) => row[2])).toEqual([null, 1, 2, null]);
    expect((await bases({ rows, values: months(1), filters })).map((row) => row[2])).toEqual([48, 192, null, null]);
  });

  test('days: a day that a month lacks becomes its last one', async () => {
    const filters = [{ ...DAY, op: 'BETWEEN', values: ['2024-02-28', '2024-03-31'] }];
    const rows = [by('day')];
    expect(await bases({ rows, values: to({ offset: -1, grain: 'month' }), filters })).toEqual([
      ['2024-02-28', 16, null],
      ['2024-02-29', 32, null],
      ['2024-03-15', 64, null],
      ['2024-03-31', 128, 32],
    ]);
    expect((await bases({ rows, values: to('previous_year'), filters })).map((row) => row[2])).toEqual([2, 2, 4, null]);
    expect((await bases({ rows, values: to('previous_period'), filters })).map((row) => row[2])).toEqual([
      null,
      16,
      null,
      null,
    ]);
  });

  test('weeks have the week 52 before, with the same weekdays', async () => {
    const filters = [{ ...DAY, op: 'LT', value: '2024-02-01' }];
    // The week of 29 January 2024 and that of 30 January 2023.
    expect((await bases({ rows: [by('week')], values: to('previous_year'), filters })).at(-1)).toEqual([
      '2024-01-29',
      8,
      1,
    ]);
  });

  it.each([
    ['a month, with the one before', [{ ...by('month'), op: 'EQ', value: '2024-02' }], 'previous_period', 48, 8],
    ['a month, with that of the year before', [{ ...by('month'), op: 'EQ', value: '2024-02' }], 'previous_year', 48, 2],
    [
      'a month, with the whole one a year later',
      [{ ...by('month'), op: 'EQ', value: '2023-02' }],
      { offset: 1, grain: 'year' },
      2,
      48,
    ],
    [
      'the same by its days',
      [{ ...DAY, op: 'BETWEEN', values: ['2023-02-01', '2023-02-28'] }],
      { offset: 1, grain: 'year' },
      2,
      48,
    ],
    ['a year', [{ ...by('year'), op: 'EQ', value: '2024' }], 'previous_period', 504, 7],
    ['a quarter', [{ ...by('quarter'), op: 'EQ', value: '2024-Q1' }], 'previous_year', 248, 7],
    ['a day', [{ ...DAY, op: 'EQ', value: '2024-02-29' }], 'previous_period', 32, 16],
    [
      'two days',
      [
        { ...DAY, op: 'BETWEEN', values: ['2024-03-01', '2024-03-31'] },
        { ...DAY, op: 'GTE', value: '2024-03-30' },
      ],
      { offset: -1, grain: 'month' },
      128,
      32,
    ],
    [
      'from and to by two filters',
      [
        { ...DAY, op: 'GT', value: '2024-01-31' },
        { ...DAY, op: 'LTE', value: '2024-02-29' },
      ],
      'previous_period',
      48,
      8,
    ],
    ['this month to date: to the same day', [{ ...DAY, op: 'RELATIVE', value: 'mtd' }], 'previous_period', 48, null],
    ['this year to date', [{ ...DAY, op: 'RELATIVE', value: 'ytd' }], 'previous_period', 56, 3],
    [
      'the last thirty days, a year before',
      [{ ...DAY, op: 'RELATIVE', value: 'last_n_days', n: 30 }],
      'previous_year',
      56,
      3,
    ],
    ['the last thirty days', [{ ...DAY, op: 'RELATIVE', value: 'last_n_days', n: 30 }], 'previous_period', 56, null],
    [
      'the last two months',
      [{ ...DAY, op: 'RELATIVE', value: 'last_n_months', n: 2 }],
      { offset: -12, grain: 'month' },
      56,
      3,
    ],
    ['some months', [{ ...by('month'), op: 'IN', values: ['2024-01', '2024-03'] }], 'previous_year', 200, 5],
    [
      'all months but one',
      [
        { ...by('year'), op: 'EQ', value: '2024' },
        { ...by('month'), op: 'NEQ', value: '2024-02' },
      ],
      'previous_year',
      456,
      5,
    ],
    [
      'either',
      [
        { ...by('year'), op: 'EQ', value: '2024' },
        {
          any: [
            { ...by('month'), op: 'EQ', value: '2024-02' },
            { ...STATE, op: 'EQ', value: 'b' },
          ],
        },
      ],
      'previous_year',
      112,
      6,
    ],
    [
      'a part of the date',
      [
        { ...by('year'), op: 'EQ', value: '2024' },
        { ...by('month_of_year'), op: 'EQ', value: 2 },
      ],
      'previous_year',
      48,
      2,
    ],
  ])('a total of %s', async (_, filters, target, value, base) => {
    expect(await bases({ values: to(target), filters })).toEqual([[value, base]]);
  });

  test('months in the local time of a zone', async () => {
    const filters = [{ ...AT, grain: 'month', op: 'EQ', value: '2024-03' }];
    const request = { values: to('previous_period'), filters };
    expect(await bases({ ...request, timezone: 'Europe/Berlin' })).toEqual([[96, 24]]);
    expect(await bases(request)).toEqual([[192, 48]]);
    const moments = [{ ...AT, op: 'BETWEEN', values: ['2024-02-29T23:30:00', '2024-02-29T23:30:00'] }];
    expect(await bases({ values: to('previous_year'), filters: moments })).toEqual([[32, 2]]);
  });

  test('rows and columns, with other fields', async () => {
    expect(await bases({ rows: [STATE], columns: [by('year')], values: to('previous_period') })).toEqual([
      ['a', '2023-01-01', 3, null],
      ['a', '2024-01-01', 440, 3],
      ['a', null, 512, null],
      ['b', '2023-01-01', 4, null],
      ['b', '2024-01-01', 64, 4],
    ]);
    const filters = [{ ...by('year'), op: 'EQ', value: '2024' }];
    expect(await bases({ rows: [STATE], values: to('previous_year'), filters })).toEqual([
      ['a', 440, 3],
      ['b', 64, 4],
    ]);
    expect(await bases({ rows: [by('month_of_year')], values: to('previous_year'), filters })).toEqual([
      [1, 8, 1],
      [2, 48, 2],
      [3, 192, 4],
      [12, 256, null],
    ]);
  });

  test('limits and sorts apply to the values; filled periods have their base', async () => {
    const filters = [{ ...by('year'), op: 'EQ', value: '2024' }];
    const sorts = [{ metric: 'total', direction: 'DESC' }];
    expect(await bases({ rows: [by('month')], values: to('previous_year'), filters, sorts, limit: 2 })).toEqual([
      ['2024-12-01', 256, null],
      ['2024-03-01', 192, 4],
    ]);
    const filled = await table({ rows: [{ ...by('month'), fill: 'zero' }], values: to('previous_period'), filters });
    expect(filled[3]).toEqual(['2024-04-01', 0, 192, -192, 0]);
    expect(filled[4]).toEqual(['2024-05-01', 0, 0, 0, null]);
  });

  test('with zeros for periods without rows, a base without rows is 0 between the ends of the time', async () => {
    const months = [{ ...by('month'), fill: 'zero' }];
    const filters = [{ ...by('quarter'), op: 'EQ', value: '2024-Q1' }];
    // December 2023 has no rows, and the filter moved by a month names it.
    expect(await table({ rows: months, values: to('previous_period'), filters })).toEqual([
      ['2024-01-01', 8, 0, 8, null],
      ['2024-02-01', 48, 8, 40, 6],
      ['2024-03-01', 192, 48, 144, 4],
    ]);
    // Each state has each month of its answer: b has rows in March only, of both years.
    expect(await bases({ rows: [STATE, ...months], values: to('previous_year'), filters })).toEqual([
      ['a', '2024-01-01', 8, 1],
      ['a', '2024-02-01', 48, 2],
      ['a', '2024-03-01', 128, 0],
      ['b', '2024-01-01', 0, 0],
      ['b', '2024-02-01', 0, 0],
      ['b', '2024-03-01', 64, 4],
    ]);
    // Without a filter the time has the ends of the data: nothing is known about December 2022.
    const all = await bases({ rows: months, values: to('previous_period') });
    expect([all[0], all[1], all[3], all[4]]).toEqual([
      ['2023-01-01', 1, null],
      ['2023-02-01', 2, 1],
      ['2023-04-01', 0, 4],
      ['2023-05-01', 0, 0],
    ]);
    expect(all.find(([month]) => month === null)).toEqual([null, 512, null]);
    // A largest text of no rows is none, and with `true` nothing is 0.
    expect(await bases({ rows: months, values: to('previous_period', 'last_state'), filters })).toEqual([
      ['2024-01-01', 'a', null],
      ['2024-02-01', 'a', 'a'],
      ['2024-03-01', 'b', 'a'],
    ]);
    const empty = [{ ...by('month'), fill: true }];
    expect((await bases({ rows: empty, values: to('previous_period'), filters }))[0]).toEqual(['2024-01-01', 8, null]);
  });

  test('filled periods of a running total have its value at the other time', async () => {
    const filters = [{ ...by('quarter'), op: 'EQ', value: '2024-Q2' }];
    // 1, 2 and 4 until March 2023; 8, 48 and 192 until March 2024.
    expect(
      await bases({ rows: [{ ...by('month'), fill: 'zero' }], values: to('previous_year', 'year_to_date'), filters }),
    ).toEqual([
      ['2024-04-01', 248, 7],
      ['2024-05-01', 248, 7],
      ['2024-06-01', 248, 7],
    ]);
  });

  test('decimals are subtracted exactly, with several times and metrics side by side', async () => {
    const values = [...to('previous_year', 'revenue'), { metric: 'number' }, ...to('previous_period')];
    const filters = [{ ...by('month'), op: 'EQ', value: '2024-03' }];
    // 0.7 and 0.8 of 2024, 0.3 of 2023.
    expect(await table({ values, filters })).toEqual([[1.5, 0.3, 1.2, 5, 2, 192, 48, 144, 4]]);
  });

  test('if the base has more groups than are read at once, only the groups of the answer are read', async () => {
    const queries = fc.record({
      grain: fc.constantFrom('day', 'month', 'quarter'),
      unit: fc.constantFrom('quarter', 'year'),
      offset: fc.constantFrom(-1, 1),
      state: fc.boolean(),
      only: fc.constantFrom(undefined, '2024'),
      limit: fc.constantFrom(1, 3, 4),
      isCrosstab: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(queries, async ({ grain, unit, offset, state, only, limit, isCrosstab }) => {
        const others = state ? [STATE] : [];
        const request = {
          ...(isCrosstab ? { rows: [by(grain)], columns: others } : { rows: [...others, by(grain)] }),
          values: to({ offset, grain: unit }),
          filters: only === undefined ? [] : [{ ...by('year'), op: 'EQ', value: only }],
          sorts: [{ metric: 'total', direction: 'DESC' }],
          limit,
        };
        expect(await small.table(request)).toEqual(await shop.table(request));
      }),
      { seed: SEED, numRuns: runsOn(engine, 40) },
    );
    // The four groups of the year before are not in February.
    const months = {
      rows: [STATE],
      values: to('previous_year'),
      filters: [{ ...by('month'), op: 'EQ', value: '2024-02' }],
    };
    expect(await small.table(months)).toEqual(await shop.table(months));
    const filters = [{ ...DAY, op: 'BETWEEN', values: ['2024-02-28', '2024-03-02'] }];
    const filled = { rows: [{ ...by('day'), fill: true }], values: to({ offset: 1, grain: 'month' }), filters };
    expect(await small.table(filled)).toEqual(await shop.table(filled));
  });

  test('random periods have the values that a loop over the rows computes', async () => {
    const queries = fc.record({
      grain: fc.constantFrom('day', 'month', 'quarter', 'year'),
      unit: fc.constantFrom('month', 'quarter', 'year'),
      offset: fc.constantFrom(-12, -4, -2, -1, 1, 3),
      state: fc.boolean(),
      only: fc.constantFrom(undefined, '2023', '2024'),
    });
    const months = { month: 1, quarter: 3, year: 12 };
    await fc.assert(
      fc.asyncProperty(queries, async ({ grain, unit, offset, state, only }) => {
        if (grain !== 'day' && months[unit] % months[grain as 'month'] !== 0) return;
        const sums = new Map<string, number>();
        const groupsByKey = new Map<string, readonly (string | null)[]>();
        DAYS.forEach(([day, ownState], id) => {
          const group = [...(state ? [ownState] : []), day === null ? null : startOf(day, grain)];
          const key = JSON.stringify(group);
          sums.set(key, (sums.get(key) ?? 0) + 2 ** id);
          if (only === undefined || day?.startsWith(only) === true) groupsByKey.set(key, group);
        });
        const expected = [...groupsByKey].map(([key, group]) => {
          const period = group.at(-1) ?? null;
          const other =
            period === null ? '' : JSON.stringify([...group.slice(0, -1), earlier(period, offset * months[unit])]);
          return JSON.stringify([...group, sums.get(key) ?? null, sums.get(other) ?? null]);
        });
        const rows = await bases({
          rows: [...(state ? [STATE] : []), by(grain)],
          values: to({ offset, grain: unit }),
          filters: only === undefined ? [] : [{ ...by('year'), op: 'EQ', value: only }],
        });
        expect(rows.map((row) => JSON.stringify(row)).toSorted()).toEqual(expected.toSorted());
      }),
      { seed: SEED, numRuns: runsOn(engine, 80) },
    );
  });
});

function startOf(day: string, grain: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  const first = { day, month: `${day.slice(0, 7)}-01`, year: `${year}-01-01` };
  if (grain in first) return first[grain as keyof typeof first];
  return `${year}-${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`;
}

/** Moves a day by months, to the last day of a month that lacks it. */
function earlier(period: string, months: number): string {
  const [year = 0, month = 0, day = 0] = period.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))).toISOString().slice(0, 10);
}

describe('on duckdb alone', () => {
  let shop: Fixture;
  beforeAll(async () => {
    const settings = { maxRows: 7, kAnonymity: { threshold: 2, mask: null } };
    shop = await openOn('duckdb', [SALES], { document: DOCUMENT, settings });
  });
  afterAll(() => shop?.close());

  it('columns have labels for people and members for programs', async () => {
    const filters = [{ ...by('month'), op: 'EQ', value: '2024-02' }];
    const { columns, records } = await shop.run({ values: to('previous_year'), filters });
    expect(columns.map(({ key, label, compare }) => [key, label, compare?.part])).toEqual([
      ['total', 'Total', undefined],
      ['total.base', 'Total (previous year)', 'base'],
      ['total.difference', 'Total, difference (previous year)', 'difference'],
      ['total.ratio', 'Total, ratio (previous year)', 'ratio'],
    ]);
    expect(records[0]?.['total.ratio']).toEqual({ value: 24, formatted: '2,400.0%' });
    const later = await shop.run({ values: to({ offset: 1, grain: 'week' }), filters });
    expect(later.columns[1]?.label).toBe('Total (1 week later)');
  });

  it('a change of a rate is in points, in its text and in its metadata', async () => {
    const display = JSON.stringify(JSON.stringify({ display: { format: '0.0%' } }));
    const rate = `{ name: rate, expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(sales.price) / SUM(sales.amount) }] }, custom_extensions: [{ vendor_name: SERVICE, data: ${display} }] }`;
    const rates = await openOn('duckdb', [SALES], { document: `${DOCUMENT.trimEnd()}\n      - ${rate}\n` });
    const filters = [{ ...by('month'), op: 'EQ', value: '2024-02' }];
    const values = [...to('previous_year', 'rate'), ...to('previous_year', 'total')];
    const { columns, records } = await rates.run({ values, filters });
    await rates.close();
    // 1.1 of 48 after 0.2 of 2: 2.3% after 10%.
    const written = ({ key }: { readonly key: string }) => {
      const cell = records[0]?.[key];
      return typeof cell === 'object' ? cell?.formatted : cell;
    };
    expect(columns.map((column) => [column.key, written(column), column.change])).toEqual([
      ['rate', '2.3%', 'points'],
      ['rate.base', '10.0%', 'points'],
      ['rate.difference', '-7.7 points', 'points'],
      ['rate.ratio', '22.9%', undefined],
      ['total', '48', undefined],
      ['total.base', '2', undefined],
      ['total.difference', '46', undefined],
      ['total.ratio', '2,400.0%', undefined],
    ]);
  });

  it('a masked base hides the difference, and a masked value does not hide the base', async () => {
    const values = [{ metric: 'number', compare: { to: 'previous_period' } }];
    const filters = [{ ...by('month'), op: 'BETWEEN', values: ['2024-02', '2024-03'] }];
    const { records } = await shop.run({ rows: [by('month')], values, filters });
    // One row in January, two in February, two in March.
    const shown = records.map((record) =>
      ['number', 'number.base', 'number.difference', 'number.ratio'].map((key) => {
        const cell = record[key];
        return typeof cell === 'object' && cell?.suppressed === true
          ? 'masked'
          : typeof cell === 'object'
            ? cell?.value
            : cell;
      }),
    );
    expect(shown).toEqual([
      [2, 'masked', 'masked', 'masked'],
      [2, 2, 0, 1],
    ]);
  });

  const filters = [{ ...by('month'), op: 'EQ', value: '2024-02' }];
  it.each([
    ['an unknown target', { values: to('last_year'), filters }, 'values[0].compare.to'],
    ['a step of nothing', { values: to({ offset: 0, grain: 'month' }), filters }, 'values[0].compare.to'],
    ['no date at all', { rows: [STATE], values: to('previous_year') }, 'values[0].compare'],
    ['two dates in rows', { rows: [by('month'), by('year')], values: to('previous_year') }, 'values[0].compare'],
    [
      'two dates in filters',
      { values: to('previous_year'), filters: [...filters, { ...AT, op: 'GT', value: '2024-01-01' }] },
      'values[0].compare',
    ],
    ['hours', { rows: [{ ...AT, grain: 'hour' }], values: to('previous_period') }, 'values[0].compare'],
    ['months by days', { rows: [by('month')], values: to({ offset: -7, grain: 'day' }) }, 'values[0].compare.to.grain'],
    [
      'what has no beginning',
      { values: to('previous_period'), filters: [{ ...DAY, op: 'LT', value: '2024-02-01' }] },
      'values[0].compare.to',
    ],
  ])('comparing with %s is refused at its place', async (_, request, place) => {
    const refusal = await shop.refusal(request);
    expect(refusal.problems.map((problem) => toProblemBody(problem).field).join()).toContain(place);
  });

  it('the plan describes the comparison, and all statements are shown', async () => {
    const request = { connection: 'test', rows: [by('month')], values: to('previous_year') };
    const { plan, generatedSql } = await shop.operations().preview(request as never);
    expect(plan.steps).toContain(
      'total is compared with what it was 12 months earlier (previous year): each sales.day.month is computed again for that time, null where it has no rows.',
    );
    expect(generatedSql.split(';\n\n')).toHaveLength(2);
  });
});
