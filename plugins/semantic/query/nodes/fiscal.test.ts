/**
 * Tests years that begin on another day than January 1, used as grains, on every engine: by hand, and against counting from
 * year to year.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEED } from '../../../../router/testing/seed.ts';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { casesOn, testsOn } from '../../../../server/warehouse/testing/tests-on.ts';
import { readExtensions } from '../../model/extensions.ts';
import { openOn } from '../../testing/engine-fixture.ts';
import type { Fixture } from '../../testing/fixture.ts';
import type { Table } from '../../testing/tables.ts';

/** Figures are powers of two, so that each sum identifies its rows. */
const DAYS: readonly (string | null)[] = [
  '2024-02-29',
  '2024-03-31',
  '2024-04-01',
  '2023-04-01',
  '2025-03-31',
  '2024-04-05',
  '2024-04-06',
  '2024-12-31',
  '2025-01-01',
  null,
];
const EVENTS: Table = {
  name: 'events',
  columns: [
    ['id', 'integer'],
    ['day', 'date'],
    ['at', 'timestamp'],
    ['amount', 'integer'],
  ],
  rows: DAYS.map((day, index) => [index, day, day === null ? null : `${day} 23:30:00`, 2 ** index]),
};

const vendor = (data: object) => `custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify(data)}' }]`;
const kind = (name: string, data: object) =>
  `      - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(events.amount) }] }, ${vendor(data)} }`;
const document = (calendars: readonly object[], ...more: readonly string[]) => `
version: "0.1.1"
semantic_model:
  - name: shop
    ${vendor({ calendars })}
    datasets:
      - name: events
        source: events
        primary_key: [id]
        ${vendor({ time: { main: 'day' } })}
        fields:
          - { name: day, expression: { dialects: [{ dialect: ANSI_SQL, expression: day }] } }
          - { name: at, expression: { dialects: [{ dialect: ANSI_SQL, expression: at }] } }
    metrics:
      - { name: amount, expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(events.amount) }] } }
${kind('to_date', { cumulative: { to_date: 'fiscal_year' } })}
${kind('tax_to_date', { cumulative: { to_date: 'tax_year' } })}
${kind('half', { cumulative: { window: { count: 2, grain: 'fiscal_quarter' } } })}
${kind('quarter_before', { offset: { count: 1, grain: 'fiscal_quarter' } })}
${kind('month_before', { offset: { count: 1, grain: 'month' } })}
${kind('at_begin', { offset: { to: 'fiscal_quarter' } })}
${more.join('\n')}
`;
const CALENDARS = [
  { name: 'fiscal', year_start: { month: 4, day: 1 } },
  { name: 'tax', year_start: { month: 4, day: 6 }, label_year: 'start' },
];
const of = (grain: string, field = 'day') => ({ dataset: 'events', field, grain });
const values = [{ metric: 'amount' }];
const NOW = Date.UTC(2024, 3, 10);

describeEngines('on $engine', (engine) => {
  const test = testsOn(engine);
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn(engine, [EVENTS], { document: document(CALENDARS), clock: () => NOW });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());
  const table = (request: object) => shop.numbers(request);
  /** Returns the values of a grain with their labels and the amount. */
  const labelled = async (request: object) => {
    const { columns, records } = await shop.run(request);
    const [column] = columns;
    const rows = await table(request);
    expect(rows).toHaveLength(records.length);
    return rows.map(([value, ...rest]) => [value, column?.labels?.[String(value)] ?? null, ...rest]);
  };

  it.each<[string, readonly (readonly unknown[])[]]>([
    [
      'fiscal_year',
      [
        ['2023-04-01', 'FY2024', 11],
        ['2024-04-01', 'FY2025', 500],
        [null, null, 512],
      ],
    ],
    [
      'fiscal_quarter',
      [
        ['2023-04-01', 'Q1 FY2024', 8],
        ['2024-01-01', 'Q4 FY2024', 3],
        ['2024-04-01', 'Q1 FY2025', 100],
        ['2024-10-01', 'Q3 FY2025', 128],
        ['2025-01-01', 'Q4 FY2025', 272],
        [null, null, 512],
      ],
    ],
    [
      'tax_year',
      [
        ['2022-04-06', 'FY2022', 8],
        ['2023-04-06', 'FY2023', 39],
        ['2024-04-06', 'FY2024', 464],
        [null, null, 512],
      ],
    ],
    [
      'tax_month',
      [
        ['2023-03-06', 'M12 FY2022', 8],
        ['2024-02-06', 'M11 FY2023', 1],
        ['2024-03-06', 'M12 FY2023', 38],
        ['2024-04-06', 'M01 FY2024', 64],
        ['2024-12-06', 'M09 FY2024', 384],
        ['2025-03-06', 'M12 FY2024', 16],
        [null, null, 512],
      ],
    ],
    [
      'fiscal_quarter_of_year',
      [
        [1, 'Q1', 108],
        [3, 'Q3', 128],
        [4, 'Q4', 275],
        [null, null, 512],
      ],
    ],
  ])('%s is a grain, in order, with labels', async (grain, expected) => {
    expect(await labelled({ rows: [of(grain)], values })).toEqual(expected);
    expect((await shop.run({ rows: [of(grain)], values })).columns[0]).toMatchObject({
      key: `events.day.${grain}`,
      grain,
      label: `day (${grain.replaceAll('_', ' ')})`,
    });
  });

  test('timestamps belong to the local years of a zone', async () => {
    const request = { rows: [of('fiscal_year', 'at')], values, timezone: 'Europe/Berlin' };
    expect(await labelled(request)).toEqual([
      ['2023-04-01', 'FY2024', 9],
      ['2024-04-01', 'FY2025', 486],
      ['2025-04-01', 'FY2026', 16],
      [null, null, 512],
    ]);
  });

  it.each(
    casesOn<[string, string, string, unknown, number]>(engine, [
      ['fiscal_year', 'EQ', 'value', 'FY2025', 500],
      ['fiscal_year', 'EQ', 'value', '2025', 500],
      ['fiscal_year', 'EQ', 'value', '2024-05-05', 500],
      ['fiscal_year', 'LT', 'value', 'FY2025', 11],
      ['fiscal_quarter', 'IN', 'values', ['Q1 FY2025', 'FY2024-Q4'], 103],
      ['fiscal_quarter', 'EQ', 'value', '2025-Q1', 100],
      ['tax_month', 'EQ', 'value', 'M12 FY2023', 38],
      ['tax_month', 'BETWEEN', 'values', ['FY2023-M11', 'FY2024-M01'], 103],
      ['fiscal_quarter_of_year', 'EQ', 'value', 4, 275],
      ['fiscal_year', 'RELATIVE', 'value', 'ytd', 100],
      ['tax_year', 'RELATIVE', 'value', 'ytd', 64],
      ['tax_quarter', 'RELATIVE', 'value', 'previous_period', 39],
    ]),
  )('a filter by %s %s %s %j', async (grain, op, member, value, expected) => {
    expect(await table({ values, filters: [{ ...of(grain), op, [member]: value }] })).toEqual([[expected]]);
  });

  test('periods without facts are filled, and periods are sorted and used as columns', async () => {
    const filters = [{ ...of('fiscal_year'), op: 'EQ', value: 'FY2025' }];
    const sorts = [{ field: 'events.day.fiscal_quarter', direction: 'DESC' }];
    expect(await labelled({ rows: [{ ...of('fiscal_quarter'), fill: true }], values, filters, sorts })).toEqual([
      ['2025-01-01', 'Q4 FY2025', 272],
      ['2024-10-01', 'Q3 FY2025', 128],
      ['2024-07-01', 'Q2 FY2025', null],
      ['2024-04-01', 'Q1 FY2025', 100],
    ]);
    const tax = [{ ...of('tax_month'), op: 'BETWEEN', values: ['FY2023-M11', 'FY2024-M02'] }];
    expect(await table({ rows: [{ ...of('tax_month'), fill: 'zero' }], values, filters: tax })).toEqual([
      ['2024-02-06', 1],
      ['2024-03-06', 38],
      ['2024-04-06', 64],
      ['2024-05-06', 0],
    ]);
    expect(
      await table({ rows: [of('fiscal_quarter_of_year')], columns: [of('fiscal_year')], values, filters }),
    ).toEqual([
      [1, '2024-04-01', 100],
      [3, '2024-04-01', 128],
      [4, '2024-04-01', 272],
    ]);
  });

  test('periods are compared with the period before', async () => {
    const compared = [{ metric: 'amount', compare: { to: 'previous_period' } }];
    const total = async (grain: string, value: string) =>
      (await table({ values: compared, filters: [{ ...of(grain), op: 'EQ', value }] }))[0]?.slice(0, 3);
    expect(await total('fiscal_year', 'FY2025')).toEqual([500, 11, 489]);
    expect(await total('tax_year', 'FY2024')).toEqual([464, 39, 425]);
    const filters = [{ ...of('fiscal_year'), op: 'EQ', value: 'FY2025' }];
    const rows = await table({ rows: [of('fiscal_quarter')], values: compared, filters });
    expect(rows.map((row) => row.slice(0, 3))).toEqual([
      ['2024-04-01', 100, 3],
      ['2024-10-01', 128, null],
      ['2025-01-01', 272, 128],
    ]);
    const years = [{ metric: 'amount', compare: { to: 'previous_year' } }];
    expect((await table({ rows: [of('tax_month')], values: years })).map((row) => row.slice(0, 3))).toEqual([
      ['2023-03-06', 8, null],
      ['2024-02-06', 1, null],
      ['2024-03-06', 38, 8],
      ['2024-04-06', 64, null],
      ['2024-12-06', 384, null],
      ['2025-03-06', 16, 38],
      [null, 512, null],
    ]);
  });

  test('windows, offsets and comparisons count fiscal periods', async () => {
    const metrics = ['to_date', 'half', 'quarter_before'].map((metric) => ({ metric }));
    expect(await table({ rows: [of('fiscal_quarter')], values: metrics })).toEqual([
      ['2023-04-01', 8, 8, null],
      ['2023-07-01', 8, 8, 8],
      ['2024-01-01', 11, 3, null],
      ['2024-04-01', 100, 103, 3],
      ['2024-07-01', 100, 100, 100],
      ['2024-10-01', 228, 128, null],
      ['2025-01-01', 500, 400, 128],
      ['2025-04-01', null, 272, 272],
    ]);
    const months = [{ ...of('month'), op: 'BETWEEN', values: ['2024-03', '2024-04'] }];
    expect(await table({ rows: [of('month')], values: [{ metric: 'tax_to_date' }], filters: months })).toEqual([
      ['2024-03-01', 3],
      ['2024-04-01', 64],
    ]);
    expect(await table({ rows: [of('month')], values: [{ metric: 'at_begin' }], filters: months })).toEqual([
      ['2024-04-01', 4],
    ]);
    // 31 March, 1 and 5 April are of the month that begins on 6 March.
    expect(await table({ rows: [of('tax_month')], values: [{ metric: 'month_before' }] })).toEqual([
      ['2023-04-06', 8],
      ['2024-03-06', 1],
      ['2024-04-06', 38],
      ['2024-05-06', 64],
      ['2025-01-06', 384],
      ['2025-04-06', 16],
    ]);
    const compared = [{ metric: 'amount', compare: { to: { offset: -1, grain: 'fiscal_year' } } }];
    const filters = [{ ...of('fiscal_year'), op: 'EQ', value: 'FY2025' }];
    const rows = await table({ rows: [of('fiscal_quarter')], values: compared, filters });
    expect(rows.map((row) => row.slice(0, 3))).toEqual([
      ['2024-04-01', 100, 8],
      ['2024-10-01', 128, null],
      ['2025-01-01', 272, 3],
    ]);
  });

  test('random beginnings have the years that counting finds', async () => {
    const starts = fc.record({ month: fc.integer({ min: 1, max: 12 }), day: fc.integer({ min: 1, max: 28 }) });
    const two = (value: number) => String(value).padStart(2, '0');
    await fc.assert(
      fc.asyncProperty(starts, async ({ month, day }) => {
        await shop.reload(document([{ name: 'own', year_start: { month, day } }]));
        for (const [grain, step] of [
          ['own_year', 12],
          ['own_quarter', 3],
          ['own_month', 1],
        ] as const) {
          // Every beginning from long before to long after; the last that is not after a day is the day's.
          const begins = Array.from({ length: (6 * 12) / step }, (_, index) => {
            const at = 2021 * 12 + (month - 1) + index * step;
            return `${Math.floor(at / 12)}-${two((at % 12) + 1)}-${two(day)}`;
          });
          const sums = new Map<string | null, number>();
          for (const [index, one] of DAYS.entries()) {
            const begin = one === null ? null : (begins.findLast((each) => each <= one) ?? null);
            sums.set(begin, (sums.get(begin) ?? 0) + 2 ** index);
          }
          const expected = [...sums].toSorted(([a], [b]) => ((a ?? '9') < (b ?? '9') ? -1 : 1));
          expect(await table({ rows: [of(grain)], values }), `${grain} from ${month}/${day}`).toEqual(expected);
        }
      }),
      { numRuns: 4, seed: SEED },
    );
    await shop.reload(document(CALENDARS));
  });

  if (engine !== 'duckdb') return;

  test('the schema lists the grains, and each listed grain is answered', async () => {
    const schema = (await shop.operations().schema({ connection: 'test', model: 'shop' })) as {
      time: { grains: readonly string[] };
      datasets: Record<string, { fields: Record<string, { grains?: readonly string[] }> }>;
      requestSchema: object;
    };
    const grains = schema.datasets.events?.fields.day?.grains ?? [];
    expect(grains.slice(-10)).toEqual(
      ['fiscal', 'tax'].flatMap((name) =>
        ['month', 'quarter', 'year', 'month_of_year', 'quarter_of_year'].map((grain) => `${name}_${grain}`),
      ),
    );
    expect(JSON.stringify(schema.requestSchema)).toContain('"tax_month_of_year"');
    expect(schema.time.grains).toEqual(grains);
    for (const grain of grains) {
      for (const reference of [of(grain), { dataset: 'time', field: 'date', grain }]) {
        expect((await shop.run({ rows: [reference], values })).records.length).toBeGreaterThan(0);
      }
    }
  });

  test('an unknown period is reported with the legal periods', async () => {
    const periods = ['day', 'week', 'month', 'quarter', 'year', 'fiscal_month', 'fiscal_quarter', 'fiscal_year'];
    const compared = [{ metric: 'amount', compare: { to: { offset: -1, grain: 'fiscal_week' } } }];
    const refusal = await shop.refusal({ rows: [of('fiscal_year')], values: compared });
    expect(refusal).toMatchObject({ field: 'values[0].compare.to.grain' });
    expect(refusal.available).toEqual(expect.arrayContaining([...periods, 'tax_year']));
    expect(refusal.available).not.toContain('fiscal_quarter_of_year');
    const [earlier] = CALENDARS;
    const messages = await shop.reload(
      document(
        [earlier ?? {}],
        kind('odd', { cumulative: { to_date: 'decade' } }),
        kind('odder', { offset: { count: 1, grain: 'fiscal_week' } }),
      ),
    );
    await shop.reload(document(CALENDARS));
    expect(messages.map(({ message }) => message)).toEqual([
      expect.stringContaining(
        'metric tax_to_date: left out: its expression has to_date tax_year, which is not a period',
      ),
      expect.stringContaining(`has to_date decade, which is not a period (there is ${periods.join(', ')})`),
      expect.stringContaining('has an offset of the grain fiscal_week, which is not a period'),
    ]);
  });

  test('a matrix shows the labels, and an unknown name or period is refused with the legal ones', async () => {
    expect(await shop.refusal({ rows: [of('fiscal_week')], values })).toMatchObject({
      field: 'rows[0].grain',
      available: expect.arrayContaining(['fiscal_year', 'week']),
    });
    for (const value of ['FY25', 'FY2025-Q5', 'M13 FY2025', '2025-13']) {
      expect(await shop.refusal({ values, filters: [{ ...of('fiscal_quarter'), op: 'EQ', value }] })).toMatchObject({
        field: 'filters[0].value',
        message: expect.stringContaining('FY2025-Q1'),
      });
    }
  });
});

it.each([
  ['29 February', { year_start: { month: 2, day: 29 } }, '29 February'],
  ['a day that not every month has', { year_start: { month: 1, day: 31 } }, '1 to 28'],
  ['no month', { year_start: { month: 13 } }, '1 to 12'],
  ['a name of a grain', { name: 'month_of', year_start: { month: 4 } }, 'month_of_year'],
])('a calendar from %s is refused', (_, calendar, reason) => {
  const data = JSON.stringify({ calendars: [{ name: 'fiscal', ...calendar }] });
  expect(readExtensions({}, [{ vendor_name: 'SERVICE', data }]).mistakes).toEqual([expect.stringContaining(reason)]);
});
