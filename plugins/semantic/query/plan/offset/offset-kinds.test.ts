/**
 * Tests metrics of other kinds at an earlier time, on every engine: running values, conversions, balances. Figures by hand.
 */
import { afterAll, beforeAll, expect } from 'vitest';
import { describeEngines } from '../../../../../server/warehouse/testing/describe-engines.ts';
import { testsOn } from '../../../../../server/warehouse/testing/tests-on.ts';
import { openOn } from '../../../testing/engine-fixture.ts';
import type { Fixture } from '../../../testing/fixture.ts';
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
    [1, '2023-01-10', 'a', 'x', 1],
    [2, '2023-01-31', 'b', 'y', 2],
    [3, '2023-02-15', 'a', 'x', 4],
    [4, '2023-03-31', 'a', 'z', 8],
    [5, '2024-01-05', 'a', 'x', 16],
    [6, '2024-02-29', 'b', 'y', 32],
    [7, '2024-03-01', 'a', 'x', 64],
    [8, null, 'a', 'x', 128],
  ],
};
const VISITS: Table = {
  name: 'visits',
  columns: [
    ['id', 'integer'],
    ['day', 'date'],
    ['customer', 'text'],
    ['page', 'text'],
  ],
  rows: [
    [1, '2023-01-09', 'x', 'p'],
    [2, '2023-01-31', 'z', 'q'],
    [3, '2024-02-28', 'y', 'p'],
    [4, '2024-02-29', 'x', 'q'],
  ],
};

const field = (name: string) =>
  `          - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name} }] } }`;
const metric = (name: string, expression: string, kind?: object) =>
  `      - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: "${expression}" }] }${
    kind === undefined ? '' : `, custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify(kind)}' }]`
  } }`;
const by = 'orders.day';
const year = { count: 1, grain: 'year' };
const month = { count: 1, grain: 'month' };
const conversion = {
  base: 'visit_count',
  entity: { base: 'visits.customer', conversion: 'orders.customer' },
  by: { base: 'visits.day', conversion: 'orders.day' },
  window: { count: 3, grain: 'day' },
};
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
        fields:
${['day', 'page'].map(field).join('\n')}
    metrics:
${metric('amount', 'SUM(orders.amount)')}
${metric('ytd', 'SUM(orders.amount)', { cumulative: { by, to_date: 'year' } })}
${metric('ytd_before', 'ytd', { offset: year })}
${metric('ytd_growth', 'ytd - ytd_before')}
${metric('ytd_two_before', 'ytd_before', { offset: { by, ...year } })}
${metric('running', 'SUM(orders.amount)', { cumulative: { by } })}
${metric('running_before', 'running', { offset: month })}
${metric('customers_before', 'COUNT(DISTINCT orders.customer)', { cumulative: { by }, offset: month })}
${metric('days_before', 'SUM(orders.amount)', { cumulative: { by, window: { count: 40, grain: 'day' } }, offset: { count: 10, grain: 'day' } })}
${metric('at_begin', 'running', { offset: { to: 'month' } })}
${metric('first_before', 'SUM(orders.amount)', { cumulative: { by, take: 'first' }, offset: month })}
${metric('mean_before', 'SUM(orders.amount)', { cumulative: { by, to_date: 'year', take: 'average' }, offset: year })}
${metric('mean', 'SUM(orders.amount)', { cumulative: { by, to_date: 'year', take: 'average' } })}
${metric('visit_count', 'COUNT(visits.id)')}
${metric('sold', 'SUM(orders.amount)', { conversion: { ...conversion, take: 'count' } })}
${metric('sold_before', 'sold', { offset: year })}
${metric('rate', 'COUNT(orders.id)', { conversion })}
${metric('rate_before', 'rate', { offset: year })}
${metric('rate_at_once', 'COUNT(orders.id)', { conversion, offset: year })}
${metric('last_amount', 'SUM(orders.amount)', { semi_additive: { by } })}
${metric('last_before', 'last_amount', { offset: month })}
${metric('last_at_once', 'SUM(orders.amount)', { semi_additive: { by }, offset: month })}
${more.join('\n')}
`;
const DAY = { dataset: 'orders', field: 'day' };
const MONTH = { ...DAY, grain: 'month' };
const STORE = { dataset: 'orders', field: 'store' };
const VISIT_MONTH = { dataset: 'visits', field: 'day', grain: 'month' };
const values = (...names: readonly string[]) => names.map((name) => ({ metric: name }));
const between = (low: string, high: string) => [{ ...DAY, op: 'BETWEEN', values: [low, high] }];

describeEngines('on $engine', (engine) => {
  const test = testsOn(engine);
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn(engine, [ORDERS, VISITS], { document: document() });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());
  const table = (request: object) => shop.numbers(request);

  test('the year to date is beside the year before to the same month, and beside metrics of both', async () => {
    const metrics = values('ytd', 'ytd_before', 'ytd_growth', 'ytd_two_before');
    expect(await table({ rows: [MONTH], values: metrics })).toEqual([
      ['2023-01-01', 3, null, null, null],
      ['2023-02-01', 7, null, null, null],
      ['2023-03-01', 15, null, null, null],
      ['2024-01-01', 16, 3, 13, null],
      ['2024-02-01', 48, 7, 41, null],
      ['2024-03-01', 112, 15, 97, null],
      ['2025-01-01', null, 16, null, 3],
      ['2025-02-01', null, 48, null, 7],
      ['2025-03-01', null, 112, null, 15],
      ['2026-01-01', null, null, null, 16],
      ['2026-02-01', null, null, null, 48],
      ['2026-03-01', null, null, null, 112],
    ]);
    const filters = [{ ...DAY, grain: 'year', op: 'EQ', value: '2024' }];
    expect(await table({ rows: [MONTH], values: values('ytd_growth'), filters })).toEqual([
      ['2024-01-01', 13],
      ['2024-02-01', 41],
      ['2024-03-01', 97],
    ]);
    // A total is the value of the range a year earlier.
    expect(await table({ values: values('ytd', 'ytd_before'), filters })).toEqual([[112, 15]]);
    const quarters = { rows: [{ ...DAY, grain: 'quarter' }], values: values('ytd_before'), filters };
    expect(await table(quarters)).toEqual([['2024-01-01', 15]]);
  });

  test('a month earlier: the whole month; a day that a month lacks becomes its last', async () => {
    const metrics = values('running', 'running_before', 'customers_before');
    const filters = between('2024-01-01', '2024-04-30');
    expect(await table({ rows: [MONTH], values: metrics, filters })).toEqual([
      ['2024-01-01', 31, 15, 3],
      ['2024-02-01', 63, 31, 3],
      ['2024-03-01', 127, 63, 3],
      ['2024-04-01', 127, 127, 3],
    ]);
    // 28 and 29 February are shown from 28 to 31 March.
    const days = between('2024-03-27', '2024-03-31');
    expect(await table({ rows: [DAY], values: values('running_before'), filters: days })).toEqual([
      ['2024-03-29', 63],
      ['2024-03-30', 63],
      ['2024-03-31', 63],
    ]);
    const filled = { rows: [{ ...DAY, grain: 'day', fill: true }], values: values('running_before'), filters: days };
    expect((await table(filled)).map(([, value]) => value)).toEqual([31, 31, 63, 63, 63]);
    // Where the filter ends within a month, so does the month before.
    const half = between('2024-03-01', '2024-03-28');
    expect(await table({ rows: [MONTH], values: values('running_before'), filters: half })).toEqual([]);
    const both = { rows: [MONTH], values: values('running', 'running_before'), filters: half };
    expect(await table(both)).toEqual([['2024-03-01', 127, 31]]);
  });

  test('days earlier, the first day of a period, the first day and the mean of the period before', async () => {
    // To 10 February minus ten days before 40 days, and so on: windows end on 21 January, 19 February and 21 March.
    const filters = between('2023-01-01', '2023-03-31');
    expect(await table({ rows: [MONTH], values: values('amount', 'days_before'), filters })).toEqual([
      ['2023-01-01', 3, 1],
      ['2023-02-01', 4, 7],
      ['2023-03-01', 8, 4],
    ]);
    expect(await table({ rows: [MONTH], values: values('amount', 'at_begin'), filters })).toEqual([
      ['2023-01-01', 3, null],
      ['2023-02-01', 4, 3],
      ['2023-03-01', 8, 7],
    ]);
    const days = between('2024-02-28', '2024-03-01');
    expect(await table({ rows: [DAY], values: values('amount', 'at_begin'), filters: days })).toEqual([
      ['2024-02-29', 32, 31],
      ['2024-03-01', 64, 127],
    ]);
    expect(await table({ values: values('at_begin'), filters: days })).toEqual([[31]]);
    expect(await table({ values: values('at_begin') })).toEqual([[null]]);
    expect(await table({ rows: [MONTH], values: values('first_before'), filters })).toEqual([
      ['2023-02-01', null],
      ['2023-03-01', 3],
    ]);
    const march = between('2024-03-01', '2024-03-31');
    const [row] = await table({ rows: [MONTH], values: values('mean_before', 'mean'), filters: march });
    // 30 days of 7 and one of 15; 31 days of 112.
    expect(row?.[1]).toBeCloseTo((30 * 7 + 15) / 31, 9);
    expect(row?.[2]).toBeCloseTo(112, 9);
    const [[total] = []] = await table({ values: values('mean_before'), filters: march });
    expect(total).toBeCloseTo(15, 9);
  });

  test('by other fields, in crosstabs, sorted, tested, with `per`, and beside another time', async () => {
    const filters = [{ ...DAY, grain: 'year', op: 'EQ', value: '2024' }];
    const crosstab = { rows: [STORE], columns: [MONTH], values: values('ytd_before'), filters };
    const sorts = [{ metric: 'ytd_before', direction: 'DESC' }];
    expect(await table({ ...crosstab, sorts, limit: 1 })).toEqual([
      ['a', '2024-01-01', 1],
      ['a', '2024-02-01', 5],
      ['a', '2024-03-01', 13],
    ]);
    const many = [...filters, { metric: 'ytd_before', op: 'GT', value: 5 }];
    expect(await table({ rows: [MONTH], values: values('ytd'), filters: many })).toEqual([
      ['2024-02-01', 48],
      ['2024-03-01', 112],
    ]);
    // Of all time, stores a and b have 80 and 32 in the year of the last order.
    const per = [...filters, { metric: 'ytd_before', op: 'GT', value: 40, per: [STORE] }];
    expect(await table({ values: values('amount'), filters: per })).toEqual([[80]]);
    const compared = [{ metric: 'ytd_before', compare: { to: 'previous_period' } }];
    const march = [{ ...MONTH, op: 'EQ', value: '2024-03' }];
    const [row] = await table({ rows: [MONTH], values: compared, filters: march });
    expect(row?.slice(0, 4)).toEqual(['2024-03-01', 15, 7, 8]);
    const parts = [{ ...DAY, grain: 'month_of_year' }];
    expect(await table({ rows: parts, values: values('running_before'), filters })).toEqual([
      [2, 31],
      [3, 63],
      [4, 127],
    ]);
  });

  test('conversions a year earlier, in the group of their base events', async () => {
    // In 2023 order 1 is of visit 1; in 2024 orders 6 and 7 of the visits 3 and 4.
    const metrics = values('visit_count', 'sold', 'sold_before', 'rate', 'rate_before', 'rate_at_once');
    expect(await table({ rows: [VISIT_MONTH], values: metrics })).toEqual([
      ['2023-01-01', 2, 1, null, 1 / 2, null, null],
      ['2024-01-01', null, null, 1, null, 1 / 2, 1 / 2],
      ['2024-02-01', 2, 96, null, 1, null, null],
      ['2025-02-01', null, null, 96, null, 1, 1],
    ]);
    const day = { dataset: 'visits', field: 'day' };
    const filters = [{ ...day, op: 'BETWEEN', values: ['2025-02-27', '2025-02-28'] }];
    // A year before 28 February 2025 was that of 2024; all February ends with its 29th.
    expect(await table({ rows: [day], values: values('sold_before'), filters })).toEqual([['2025-02-28', 32]]);
    expect(await table({ values: values('sold_before', 'rate_before'), filters })).toEqual([[96, 1]]);
  });

  test('balances a month earlier', async () => {
    const metrics = values('last_amount', 'last_before', 'last_at_once');
    const filters = between('2023-01-01', '2023-04-30');
    expect(await table({ rows: [MONTH], values: metrics, filters })).toEqual([
      ['2023-01-01', 2, null, null],
      ['2023-02-01', 4, 2, 2],
      ['2023-03-01', 8, 4, 4],
      ['2023-04-01', null, 8, 8],
    ]);
    expect(await table({ values: metrics, filters })).toEqual([[8, 8, 8]]);
  });
});
