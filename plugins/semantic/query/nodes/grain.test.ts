/** Tests grains of dates in requests on every engine. All figures are added up by hand from the rows below. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCache } from '../../../../server/cache/cache.ts';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { openOn } from '../../testing/engine-fixture.ts';
import { Fixture } from '../../testing/fixture.ts';
import { statementsFor, type Table } from '../../testing/tables.ts';

const ORDERS: Table = {
  name: 'orders',
  columns: [
    ['id', 'integer'],
    ['day', 'date'],
    ['at', 'timestamp'],
    ['amount', 'integer'],
    ['state', 'text'],
  ],
  rows: [
    [1, '2024-01-15', '2024-01-15 10:00:00', 10, 'paid'],
    // In Berlin half an hour into February.
    [2, '2024-01-31', '2024-01-31 23:30:00', 20, 'paid'],
    [3, '2024-02-29', '2024-02-29 12:00:00', 5, 'open'],
    // The clocks of Berlin show half past two twice.
    [4, '2024-10-27', '2024-10-27 00:30:00', 1, 'paid'],
    [5, '2024-10-27', '2024-10-27 01:30:00', 2, 'open'],
    // Days of one week, the 53rd of 2020.
    [6, '2020-12-31', '2020-12-31 12:00:00', 100, 'paid'],
    [7, '2021-01-03', '2021-01-03 12:00:00', 200, 'paid'],
    [8, null, null, 7, 'open'],
  ],
};

const documentOf = (time: object) => `
version: "0.1.1"
semantic_model:
  - name: shop
    custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify({ time })}' }]
    datasets:
      - name: orders
        source: orders
        primary_key: [id]
        fields:
          - { name: id, expression: { dialects: [{ dialect: ANSI_SQL, expression: id }] } }
          - { name: day, label: Order date, expression: { dialects: [{ dialect: ANSI_SQL, expression: day }] } }
          - { name: at, expression: { dialects: [{ dialect: ANSI_SQL, expression: "orders.at" }] } }
          - name: wall
            expression: { dialects: [{ dialect: ANSI_SQL, expression: "orders.at" }] }
            custom_extensions: [{ vendor_name: SERVICE, data: '{"time": {"local": true}}' }]
          - { name: state, expression: { dialects: [{ dialect: ANSI_SQL, expression: state }] } }
    metrics:
      - { name: total, expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(orders.amount) }] } }
      - { name: order_count, expression: { dialects: [{ dialect: ANSI_SQL, expression: COUNT(*) }] } }
`;

const of = (field: string, grain?: string) => ({ dataset: 'orders', field, ...(grain === undefined ? {} : { grain }) });
const values = [{ metric: 'total' }];

describeEngines('on $engine', (engine) => {
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn(engine, [ORDERS], { document: documentOf({}) });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());

  it('months of a date are first days, in their order, with labels and their own key', async () => {
    const { columns, records } = await shop.run({ rows: [of('day', 'month')], values });
    expect(records.map((record) => record['orders.day.month'])).toEqual([
      '2020-12-01',
      '2021-01-01',
      '2024-01-01',
      '2024-02-01',
      '2024-10-01',
      null,
    ]);
    expect(records.map(({ total }) => (typeof total === 'object' ? total?.value : total))).toEqual([
      100, 200, 30, 5, 3, 7,
    ]);
    expect(columns[0]).toEqual({
      key: 'orders.day.month',
      label: 'Order date (month)',
      type: 'dimension',
      dataType: 'date',
      grain: 'month',
      labels: {
        '2020-12-01': 'Dec 2020',
        '2021-01-01': 'Jan 2021',
        '2024-01-01': 'Jan 2024',
        '2024-02-01': 'Feb 2024',
        '2024-10-01': 'Oct 2024',
      },
    });
  });

  it('weeks begin on Monday and are numbered as ISO 8601 does', async () => {
    const { columns } = await shop.run({ rows: [of('day', 'week')], values });
    expect(columns[0]?.labels).toMatchObject({ '2020-12-28': 'W53 2020', '2024-10-21': 'W43 2024' });
    expect(await shop.table({ rows: [of('day', 'week')], values })).toEqual([
      ['2020-12-28', 300],
      ['2024-01-15', 10],
      ['2024-01-29', 20],
      ['2024-02-26', 5],
      ['2024-10-21', 3],
      [null, 7],
    ]);
  });

  it('the day, the quarter, the year and the parts', async () => {
    const by = (field: string, grain: string) => shop.table({ rows: [of(field, grain)], values });
    expect(await by('at', 'day')).toEqual([
      ['2020-12-31', 100],
      ['2021-01-03', 200],
      ['2024-01-15', 10],
      ['2024-01-31', 20],
      ['2024-02-29', 5],
      ['2024-10-27', 3],
      [null, 7],
    ]);
    expect(await by('day', 'quarter')).toEqual([
      ['2020-10-01', 100],
      ['2021-01-01', 200],
      ['2024-01-01', 35],
      ['2024-10-01', 3],
      [null, 7],
    ]);
    expect(await by('day', 'year')).toEqual([
      ['2020-01-01', 100],
      ['2021-01-01', 200],
      ['2024-01-01', 38],
      [null, 7],
    ]);
    // Mondays 15 January; Wednesday 31 January; Thursdays 29 February and 31 December; Sundays the rest.
    expect(await by('day', 'day_of_week')).toEqual([
      [1, 10],
      [3, 20],
      [4, 105],
      [7, 203],
      [null, 7],
    ]);
    expect(await by('day', 'week_of_year')).toEqual([
      [3, 10],
      [5, 20],
      [9, 5],
      [43, 3],
      [53, 300],
      [null, 7],
    ]);
    expect(await by('day', 'day_of_year')).toEqual([
      [3, 200],
      [15, 10],
      [31, 20],
      [60, 5],
      [301, 3],
      [366, 100],
      [null, 7],
    ]);
    expect(await by('at', 'hour_of_day')).toEqual([
      [0, 1],
      [1, 2],
      [10, 10],
      [12, 305],
      [23, 20],
      [null, 7],
    ]);
  });

  it('parts have labels in the language of the request', async () => {
    const labels = async (locale: string) =>
      (await shop.run({ rows: [of('day', 'day_of_week')], values, locale })).columns[0]?.labels;
    expect(await labels('en-GB')).toEqual({ '1': 'Monday', '3': 'Wednesday', '4': 'Thursday', '7': 'Sunday' });
    expect(await labels('de-DE')).toMatchObject({ '1': 'Montag', '7': 'Sonntag' });
  });

  it('a time zone moves timestamps, and neither dates nor local times', async () => {
    const by = (field: string, timezone?: string) =>
      shop.table({
        rows: [of(field, 'month')],
        values,
        timezone,
        filters: [{ ...of('day', 'year'), op: 'EQ', value: 2024 }],
      });
    expect(await by('at')).toEqual([
      ['2024-01-01', 30],
      ['2024-02-01', 5],
      ['2024-10-01', 3],
    ]);
    expect(await by('at', 'Europe/Berlin')).toEqual([
      ['2024-01-01', 10],
      ['2024-02-01', 25],
      ['2024-10-01', 3],
    ]);
    expect(await by('day', 'Europe/Berlin')).toEqual(await by('day'));
    expect(await by('wall', 'Europe/Berlin')).toEqual(await by('at'));
  });

  it('an hour that clocks show twice is two periods, and each is found by its value', async () => {
    const request = {
      rows: [of('at', 'hour')],
      values,
      timezone: 'Europe/Berlin',
      filters: [{ ...of('at', 'day'), op: 'EQ', value: '2024-10-27' }],
    };
    const table = await shop.table(request);
    expect(table).toEqual([
      ['2024-10-27T02:00:00+02:00', 1],
      ['2024-10-27T02:00:00+01:00', 2],
    ]);
    for (const [hour, total] of table) {
      const filters = [{ ...of('at', 'hour'), op: 'EQ', value: hour }];
      expect(await shop.table({ values, timezone: 'Europe/Berlin', filters })).toEqual([[total]]);
    }
    const both = { ...of('at', 'hour'), op: 'IN', values: table.map(([hour]) => hour) };
    expect(await shop.table({ values, timezone: 'Europe/Berlin', filters: [both] })).toEqual([[3]]);
  });

  it.each([
    ['EQ', 'month', ['2024-01'], 30],
    ['EQ', 'month', ['2024-01-20'], 30],
    ['NEQ', 'year', ['2024'], 300],
    ['GT', 'quarter', ['2024-Q1'], 3],
    ['GTE', 'quarter', ['2024-Q1'], 38],
    ['LT', 'month', ['2024-01-31'], 300],
    ['IN', 'week', ['2020-W53', '2024-10-22'], 303],
    ['BETWEEN', 'month', ['2024-01', '2024-02'], 35],
    ['IN', 'day_of_week', [7, 1], 213],
    ['IS_NULL', 'month', [], 7],
    ['IS_NOT_NULL', 'day_of_month', [], 338],
  ])('a filter %s by the %s of %j', async (op, grain, operands, total) => {
    const isList = op === 'IN' || op === 'BETWEEN';
    const compared = operands.length === 0 ? {} : isList ? { values: operands } : { value: operands[0] };
    expect(await shop.table({ values, filters: [{ ...of('day', grain), op, ...compared }] })).toEqual([[total]]);
  });

  it('long lists of days and of hours', async () => {
    const start = Date.UTC(2024, 0, 1);
    // Through 26 October, a day before the last two orders.
    const days = Array.from({ length: 300 }, (_, index) => new Date(start + index * 86_400_000).toISOString());
    expect(await shop.table({ values, filters: [{ ...of('day', 'day'), op: 'IN', values: days }] })).toEqual([[35]]);
    const hours = Array.from({ length: 50 }, (_, index) =>
      new Date(Date.UTC(2024, 9, 26) + index * 3_600_000).toISOString(),
    );
    const filters = [{ ...of('at', 'hour'), op: 'IN', values: hours }];
    for (const timezone of [undefined, 'UTC', 'Europe/Berlin']) {
      expect(await shop.table({ values, filters, timezone })).toEqual([[3]]);
    }
  });

  it('columns across, sorted by key or by name, limited by rows', async () => {
    const request = {
      rows: [of('day', 'year')],
      columns: [of('day', 'quarter_of_year')],
      values,
      filters: [{ ...of('day'), op: 'IS_NOT_NULL' }],
    };
    const years = [
      ['2024-01-01', 1, 35],
      ['2024-01-01', 4, 3],
      ['2021-01-01', 1, 200],
      ['2020-01-01', 4, 100],
    ];
    for (const sort of [{ field: 'orders.day.year' }, of('day', 'year'), { dataset: 'orders', field: 'day.year' }]) {
      expect(await shop.table({ ...request, sorts: [{ ...sort, direction: 'DESC' }] })).toEqual(years);
    }
    const top = { ...request, sorts: [{ metric: 'total', direction: 'DESC' }], limit: 2 };
    expect(await shop.table(top)).toEqual([years[2], years[3]]);
  });

  it('a matrix has the labels in its headers, with the values behind them', async () => {
    const answer = await shop.operations().query({
      connection: 'test',
      rows: [of('day', 'month_of_year')],
      columns: [of('day', 'year')],
      values,
      filters: [{ ...of('day'), op: 'GTE', value: '2024-02-01' }],
      format: 'matrix',
    } as never);
    if (!('cellSetHeaders' in answer)) throw new Error('no matrix');
    expect(answer.cellSetHeaders[0]?.at(-1)).toEqual({ value: '2024', type: 'COLUMN_HEADER', raw: '2024-01-01' });
    expect(answer.cellSetBody.map(([head]) => head)).toEqual([
      { value: 'February', type: 'ROW_HEADER', raw: 2 },
      { value: 'October', type: 'ROW_HEADER', raw: 10 },
    ]);
  });

  it('the filter of a host page names the grain by its key', async () => {
    const run = (field: string, value: string) =>
      shop.surface.source
        .prepare({ connection: 'test', rows: [of('at', 'month')], values, timezone: 'Europe/Berlin' })
        .run(
          { tenant: 'default' as never, user: 'ann', roles: [] },
          { runtimeFilters: [{ field, op: 'IN', values: [value] }] },
        );
    expect((await run('orders.at.month', '2024-02-01')).records).toEqual([
      { 'orders.at.month': '2024-02-01', total: { value: 25, formatted: '25' } },
    ]);
    await expect(run('orders.at.month', 'soon')).rejects.toMatchObject({ field: 'filter' });
  });

  it('row detail shows grains', async () => {
    const { records } = await shop.operations().rowDetail({
      connection: 'test',
      rows: [of('id'), of('at', 'quarter')],
      filters: [{ ...of('id'), op: 'LTE', value: 2 }],
    } as never);
    expect(records).toEqual([
      { 'orders.id': 1, 'orders.at.quarter': '2024-01-01' },
      { 'orders.id': 2, 'orders.at.quarter': '2024-01-01' },
    ]);
  });
});

describe('on duckdb alone', () => {
  let shop: Fixture;
  beforeAll(async () => {
    const warehouse = await startWarehouse('duckdb', statementsFor('duckdb', [ORDERS]), { poolSize: 2 });
    const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
    const time = { timezone: 'Europe/Berlin', week_start: 'sunday', locale: 'fr-FR' };
    shop = await Fixture.open({ warehouse, cache, document: documentOf(time) });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());

  it('a model sets the zone, the first day of the week and the language', async () => {
    expect(await shop.table({ rows: [of('day', 'week')], values, limit: 3 })).toEqual([
      ['2020-12-27', 100],
      ['2021-01-03', 200],
      ['2024-01-14', 10],
    ]);
    expect(await shop.table({ rows: [of('at', 'month')], values, limit: 4 })).toContainEqual(['2024-02-01', 25]);
    expect((await shop.run({ rows: [of('at', 'month')], values })).columns[0]?.labels?.['2024-02-01']).toBe(
      'févr. 2024',
    );
    expect(await shop.table({ rows: [of('at', 'month')], values, timezone: 'UTC' })).toContainEqual(['2024-01-01', 30]);
  });

  it('an unknown grain, zone or language is refused with the legal ones', async () => {
    expect(await shop.refusal({ rows: [of('day', 'hour')], values })).toMatchObject({
      field: 'rows[0].grain',
      available: expect.arrayContaining(['day', 'month', 'day_of_week']),
    });
    expect((await shop.refusal({ rows: [of('day', 'hour')], values })).available).not.toContain('minute');
    expect(await shop.refusal({ rows: [of('state', 'month')], values })).toMatchObject({ available: [] });
    expect(await shop.refusal({ rows: [of('day', 'months')], values })).toMatchObject({
      field: 'rows[0].grain',
      available: expect.arrayContaining(['month']),
    });
    const zone = await shop.refusal({ rows: [of('at', 'day')], values, timezone: 'Europe/Berlim' });
    expect(zone).toMatchObject({ field: 'timezone' });
    expect(zone.available?.[0]).toBe('Europe/Berlin');
    for (const timezone of ["'; DROP TABLE orders; --", '+02:00', '']) {
      expect(await shop.refusal({ rows: [of('at', 'day')], values, timezone })).toMatchObject({ field: 'timezone' });
    }
    expect(await shop.refusal({ rows: [of('at', 'day')], values, locale: 'not a language' })).toMatchObject({
      field: 'locale',
    });
    expect(
      await shop.refusal({ values, filters: [{ ...of('day', 'month'), op: 'EQ', value: 'January' }] }),
    ).toMatchObject({ field: 'filters[0].value' });
    expect(
      await shop.refusal({ rows: [of('day', 'month')], values, sorts: [{ field: 'orders.day.year' }] }),
    ).toMatchObject({ field: 'sorts[0].field', available: ['orders.day.month'] });
    expect(await shop.refusal({ rows: [of('day', 'month'), of('day', 'month')], values })).toMatchObject({
      field: 'rows[1]',
    });
  });

  it('the schema lists the grains of fields, and its examples use one', async () => {
    const schema = await shop.operations().schema({ connection: 'test', model: 'shop' });
    const { day, at, state } = schema.datasets.orders?.fields ?? {};
    expect(day?.grains?.slice(0, 5)).toEqual(['day', 'week', 'month', 'quarter', 'year']);
    expect(at?.grains?.slice(0, 3)).toEqual(['second', 'minute', 'hour']);
    expect(state?.grains).toBeUndefined();
    expect(schema.time).toEqual({ timezone: 'Europe/Berlin', weekStart: 'sunday', locale: 'fr-FR' });
    const example = Object.values(schema.examples).find(({ body }) =>
      body.rows?.some(({ grain }) => grain !== undefined),
    );
    expect(example?.description).toContain('by month');
    const { connection: _, ...body } = example?.body ?? { connection: '' };
    expect((await shop.table(body)).length).toBeGreaterThan(0);
  });

  it('the plan describes a grain', async () => {
    const { plan, generatedSql } = await shop.operations().preview({
      connection: 'test',
      rows: [{ ...of('at'), grain: 'week' }],
      values,
    });
    expect(plan.grain).toEqual(['orders.at.week']);
    expect(plan.steps).toContain(
      'orders.at.week is the first day of the week, by the clocks of Europe/Berlin, weeks from Sunday on.',
    );
    expect(generatedSql).toContain('Europe/Berlin');
  });

  it('a time axis is named by its key', async () => {
    const answer = await shop.operations().forecast({
      query: { connection: 'test', rows: [of('day', 'year')], values, filters: [{ ...of('day'), op: 'IS_NOT_NULL' }] },
      timeAxis: 'orders.day.year',
      horizon: 2,
    } as never);
    expect(answer.records).toHaveLength(3);
  });
});
