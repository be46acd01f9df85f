/** Tests periods without facts on every engine: by hand, and against a loop over days. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toProblemBody } from '../../../../router/error-body.ts';
import { SEED } from '../../../../router/testing/seed.ts';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { runsOn } from '../../../../server/warehouse/testing/runs-on.ts';
import { openOn } from '../../testing/engine-fixture.ts';
import type { Fixture } from '../../testing/fixture.ts';
import type { Table } from '../../testing/tables.ts';

const SALES: Table = {
  name: 'sales',
  columns: [
    ['id', 'integer'],
    ['day', 'date'],
    ['at', 'timestamp'],
    ['state', 'text'],
    ['amount', 'integer'],
  ],
  rows: [
    [1, '2024-01-15', '2024-10-27 00:30:00', 'a', 1],
    [2, '2024-03-02', '2024-10-27 01:30:00', 'a', 2],
    [3, '2024-03-31', '2024-10-27 20:00:00', 'b', 4],
    [4, '2024-05-01', '2024-12-01 00:00:00', 'a', 8],
    [5, null, null, 'b', 16],
  ],
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
      - { name: total, expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(sales.amount) }] } }
      - { name: number, expression: { dialects: [{ dialect: ANSI_SQL, expression: COUNT(*) }] } }
      - { name: mean, expression: { dialects: [{ dialect: ANSI_SQL, expression: AVG(sales.amount) }] } }
${[
  ['total_of_a', 'total'],
  ['number_of_a', 'number'],
  ['mean_of_a', 'mean'],
  ['whole_of_a', '"COALESCE(total, 0)"'],
  ['less_of_a', '"COALESCE(mean, 0)"'],
  ['twice_of_a', 'total * 2'],
]
  .map(
    ([name, expression]) =>
      `      - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${expression} }] }, custom_extensions: [{ vendor_name: SERVICE, data: '{"filter": "sales.state = ''a''"}' }] }`,
  )
  .join('\n')}
`;
const DAY = { dataset: 'sales', field: 'day' };
const AT = { dataset: 'sales', field: 'at' };
const STATE = { dataset: 'sales', field: 'state' };
const month = (fill: boolean | 'zero') => ({ ...DAY, grain: 'month', fill });
const total = [{ metric: 'total' }];

const numbers = (table: readonly (readonly unknown[])[]) =>
  table.map((row) => row.map((cell) => (typeof cell === 'string' && /^\d+$/.test(cell) ? Number(cell) : cell)));

describeEngines('on $engine', (engine) => {
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn(engine, [SALES], { document: DOCUMENT });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());
  const table = async (request: object) => numbers(await shop.table(request));

  it('months without facts are null, and rows without a month come last', async () => {
    const values = [{ metric: 'total' }, { metric: 'number' }, { metric: 'mean' }];
    expect(await table({ rows: [month(true)], values })).toEqual([
      ['2024-01-01', 1, 1, 1],
      ['2024-02-01', null, null, null],
      ['2024-03-01', 6, 2, 3],
      ['2024-04-01', null, null, null],
      ['2024-05-01', 8, 1, 8],
      [null, 16, 1, 16],
    ]);
    expect((await table({ rows: [month('zero')], values }))[1]).toEqual(['2024-02-01', 0, 0, null]);
    expect(await table({ rows: [month(false)], values })).toHaveLength(4);
  });

  it('a filtered sum or count is zero too, and so is a COALESCE', async () => {
    const values = ['total', 'number', 'mean', 'whole', 'less', 'twice'].map((name) => ({ metric: `${name}_of_a` }));
    const rows = await table({ rows: [month('zero')], values });
    expect(rows[0]).toEqual(['2024-01-01', 1, 1, 1, 1, 1, 2]);
    expect(rows[1]).toEqual(['2024-02-01', 0, 0, null, 0, null, null]);
    const nulls = await table({ rows: [month(true)], values });
    expect(nulls[1]).toEqual(['2024-02-01', null, null, null, null, null, null]);
  });

  it('a descending answer is filled, and then cut by its limit', async () => {
    const sorts = [{ field: 'sales.day.month', direction: 'DESC' }];
    const falling = await table({ rows: [month(true)], values: total, sorts });
    expect(falling.map(([first]) => String(first).slice(5, 7))).toEqual(['05', '04', '03', '02', '01', '']);
    const cut = await shop.run({ rows: [month(true)], values: total, sorts, limit: 2 });
    expect(cut.records.map((record) => record['sales.day.month'])).toEqual(['2024-05-01', '2024-04-01']);
    expect(cut.columns[0]?.labels).toMatchObject({ '2024-04-01': 'Apr 2024' });
  });

  it('each state that appears has every month', async () => {
    const months = ['2024-01-01', '2024-02-01', '2024-03-01', '2024-04-01', '2024-05-01'];
    const amounts: Record<string, readonly (number | null)[]> = {
      a: [1, null, 2, null, 8],
      b: [null, null, 4, null, null],
    };
    const series = (state: string) => months.map((one, index) => [one, state, amounts[state]?.[index]]);
    expect(await table({ rows: [STATE, month(true)], values: total })).toEqual([
      ...series('a').map(([one, state, amount]) => [state, one, amount]),
      ...series('b').map(([one, state, amount]) => [state, one, amount]),
      ['b', null, 16],
    ]);
    const byMonth = months.flatMap((_, index) => [series('a')[index], series('b')[index]]);
    expect(await table({ rows: [month(true), STATE], values: total })).toEqual([...byMonth, [null, 'b', 16]]);
    expect(await table({ rows: [month(true)], columns: [STATE], values: total })).toEqual([
      ...byMonth,
      [null, 'b', 16],
    ]);
  });

  it('a matrix has a line for each month', async () => {
    const request = { connection: 'test', rows: [month('zero')], columns: [STATE], values: total };
    const matrix = await shop.operations().query({ ...request, format: 'matrix' } as never);
    if (!('cellSetBody' in matrix)) throw new Error('no matrix');
    expect(matrix.cellSetBody.map((line) => line.map(({ value }) => value))).toEqual([
      ['Jan 2024', '1', '0'],
      ['Feb 2024', '0', '0'],
      ['Mar 2024', '2', '4'],
      ['Apr 2024', '0', '0'],
      ['May 2024', '8', '0'],
      [null, null, '16'],
    ]);
  });

  it.each([
    ['a year', [{ ...DAY, grain: 'year', op: 'EQ', value: '2024' }], '2024-01-01', 12],
    ['from and to', [{ ...DAY, op: 'BETWEEN', values: ['2023-12-31', '2024-06-01'] }], '2023-12-01', 7],
    ['from, to the last fact', [{ ...DAY, op: 'GTE', value: '2023-11-30' }], '2023-11-01', 7],
    ['before, from the first fact', [{ ...DAY, op: 'LT', value: '2024-08-01' }], '2024-01-01', 7],
    ['after a month', [{ ...DAY, grain: 'month', op: 'GT', value: '2024-01' }], '2024-02-01', 4],
    ['in a group of all', [{ all: [{ ...DAY, op: 'GTE', value: '2023-11-30' }] }], '2023-11-01', 7],
    [
      'the first and the last of a list of months',
      [{ ...DAY, grain: 'month', op: 'IN', values: ['2024-04', '2023-11', '2024-02'] }],
      '2023-11-01',
      6,
    ],
    ['a list of years', [{ ...DAY, grain: 'year', op: 'IN', values: ['2025', '2024'] }], '2024-01-01', 24],
    ['a list of days', [{ ...DAY, op: 'IN', values: ['2024-03-02', '2024-06-30'] }], '2024-03-01', 4],
    [
      'a list, cut by another filter',
      [
        { ...DAY, grain: 'month', op: 'IN', values: ['2023-11', '2024-07'] },
        { ...DAY, op: 'GTE', value: '2024-01-01' },
      ],
      '2024-01-01',
      7,
    ],
    ['no end of a part', [{ ...DAY, grain: 'month_of_year', op: 'IN', values: [1, 5] }], '2024-01-01', 5],
    ['a year without facts', [{ ...DAY, grain: 'year', op: 'EQ', value: '2022' }], '2022-01-01', 12],
  ])('between the ends of %s', async (_, filters, first, count) => {
    const rows = await table({ rows: [month(true)], values: total, filters });
    expect(rows[0]?.[0]).toBe(first);
    expect(rows).toHaveLength(count);
  });

  it('a day on which clocks are turned back has 25 hours', async () => {
    const filters = [{ ...AT, grain: 'day', op: 'EQ', value: '2024-10-27' }];
    const rows = [{ ...AT, grain: 'hour', fill: true }];
    const answered = await table({ rows, values: total, filters, timezone: 'Europe/Berlin' });
    expect(answered).toHaveLength(25);
    // Half past midnight UTC is half past two by summer time; an hour later it is half past two again.
    expect(answered.slice(1, 5)).toEqual([
      ['2024-10-27T01:00:00+02:00', null],
      ['2024-10-27T02:00:00+02:00', 1],
      ['2024-10-27T02:00:00+01:00', 2],
      ['2024-10-27T03:00:00+01:00', null],
    ]);
    expect(answered.at(-1)).toEqual(['2024-10-27T23:00:00+01:00', null]);
  });

  it('random ranges have the periods that a loop over their days finds', async () => {
    const queries = fc.record({
      grain: fc.constantFrom('day', 'week', 'month', 'quarter', 'year'),
      from: fc.integer({ min: 0, max: 200 }),
      length: fc.integer({ min: 0, max: 200 }),
      descending: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(queries, async ({ grain, from, length, descending }) => {
        const first = Date.UTC(2023, 10, 1) + from * 86_400_000;
        const days = Array.from({ length: length + 1 }, (_, index) => new Date(first + index * 86_400_000));
        const periods = [...new Set(days.map((date) => startOf(date, grain)))];
        const sums = new Map<string, number>();
        for (const [, day, , , amount] of SALES.rows) {
          const date = days.find((one) => one.toISOString().slice(0, 10) === day);
          if (date !== undefined)
            sums.set(startOf(date, grain), (sums.get(startOf(date, grain)) ?? 0) + Number(amount));
        }
        const expected = periods.map((period) => [period, sums.get(period) ?? 0]);
        const [low = '', high = ''] = [days[0], days.at(-1)].map((date) => date?.toISOString().slice(0, 10));
        const rows = await table({
          rows: [{ ...DAY, grain, fill: 'zero' }],
          values: total,
          filters: [{ ...DAY, op: 'BETWEEN', values: [low, high] }],
          sorts: [{ field: `sales.day.${grain}`, direction: descending ? 'DESC' : 'ASC' }],
        });
        expect(rows).toEqual(descending ? expected.toReversed() : expected);
      }),
      { seed: SEED, numRuns: runsOn(engine, 60) },
    );
  });
});

/** Returns the first day of the period that holds a date, without the product's calendar. */
function startOf(date: Date, grain: string): string {
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const back = (date.getUTCDay() + 6) % 7;
  const starts: Record<string, number> = {
    day: date.getTime(),
    week: date.getTime() - back * 86_400_000,
    month: Date.UTC(year, month, 1),
    quarter: Date.UTC(year, month - (month % 3), 1),
    year: Date.UTC(year, 0, 1),
  };
  return new Date(starts[grain] ?? 0).toISOString().slice(0, 10);
}

describe('on duckdb alone', () => {
  let shop: Fixture;
  beforeAll(async () => {
    const settings = { maxRows: 50, kAnonymity: { threshold: 2, mask: null } };
    shop = await openOn('duckdb', [SALES], { document: DOCUMENT, settings });
  });
  afterAll(() => shop?.close());

  it('filled rows are not masked, and masked rows are not filled', async () => {
    const rows = await shop.run({ rows: [month('zero')], values: [{ metric: 'number' }] });
    const cells = rows.records.map((record) => record.number);
    expect(cells[0]).toEqual({ value: null, formatted: null, suppressed: true });
    expect(cells[1]).toEqual({ value: 0, formatted: '0' });
    expect(cells[2]).toMatchObject({ value: 2 });
    expect(rows.meta.suppressed?.count).toBe(3);
  });

  it('a filled answer is cut like other answers, and is marked as cut', async () => {
    const { records, meta } = await shop.run({ rows: [{ ...DAY, grain: 'day', fill: true }], values: total });
    expect(records).toHaveLength(50);
    expect(meta.truncated).toBe(true);
  });

  const rows = [month(true)];
  it.each([
    ['without a grain', { rows: [{ ...DAY, fill: true }] }, 'rows[0].fill'],
    ['of a part', { rows: [{ ...DAY, grain: 'day_of_week', fill: true }] }, 'rows[0].fill'],
    ['of a text', { rows: [{ ...STATE, fill: true }] }, 'rows[0].fill'],
    ['of two', { rows: [month(true), { ...DAY, grain: 'year', fill: true }] }, 'rows[1].fill'],
    ['in columns', { rows: [STATE], columns: [month(true)] }, 'columns[0].fill'],
    ['beside a sort by a metric', { rows, sorts: [{ metric: 'total' }] }, 'rows[0].fill'],
    ['beside a filter by a metric', { rows, filters: [{ metric: 'total', op: 'GT', value: 1 }] }, 'rows[0].fill'],
    ['of rows that are limited beside columns', { rows, columns: [STATE], limit: 2 }, 'rows[0].fill'],
    [
      'of too many',
      {
        rows: [{ ...AT, grain: 'second', fill: true }],
        filters: [{ ...AT, op: 'BETWEEN', values: ['2024-10-27', '2024-10-28'] }],
      },
      'rows[0].fill',
    ],
  ])('filling %s is refused at its place', async (_, request, place) => {
    const refusal = await shop.refusal({ values: total, ...request });
    expect(refusal.problems.map((problem) => toProblemBody(problem).field)).toContain(place);
  });

  it('the plan names the filled date', async () => {
    const { plan } = await shop.operations().preview({ connection: 'test', rows, values: total } as never);
    expect(plan.steps).toContain(
      'Every sales.day.month from the first to the last is answered; where there is no row, metrics are null.',
    );
  });
});
