/** Tests metrics of several facts on one calendar, on every engine: by hand, and against a loop over the rows. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEED } from '../../../../router/testing/seed.ts';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { casesOn, testsOn } from '../../../../server/warehouse/testing/tests-on.ts';
import { openOn } from '../../testing/engine-fixture.ts';
import { type Fixture, scope } from '../../testing/fixture.ts';
import type { Table } from '../../testing/tables.ts';

/** Figures are powers of two, so that each sum identifies its rows. */
const ORDERS: Table = {
  name: 'orders',
  columns: [
    ['id', 'integer'],
    ['day', 'date'],
    ['customer', 'text'],
    ['amount', 'integer'],
  ],
  rows: [
    [1, '2024-01-31', 'ann', 1],
    [2, '2024-02-01', 'ann', 2],
    [3, '2024-02-29', 'bob', 4],
    [4, '2023-02-28', 'bob', 8],
    [5, null, 'ann', 16],
  ],
};
const VISITS: Table = {
  name: 'visits',
  columns: [
    ['id', 'integer'],
    ['arrived', 'timestamp'],
    ['customer', 'text'],
  ],
  rows: [
    [1, '2024-01-31 23:30:00', 'ann'],
    [2, '2024-02-10 10:00:00', 'bob'],
    [3, '2024-04-01 00:30:00', 'ann'],
  ],
};
const RETURNS: Table = {
  name: 'returned',
  columns: [
    ['id', 'integer'],
    ['opened', 'date'],
    ['closed', 'date'],
    ['cost', 'integer'],
  ],
  rows: [[1, '2024-01-01', '2024-02-05', 32]],
};
const DAYS: Table = {
  name: 'days',
  columns: [
    ['id', 'integer'],
    ['day', 'date'],
  ],
  rows: [
    [1, '2024-01-15'],
    [2, '2024-02-29'],
  ],
};
const SHIPMENTS: Table = {
  name: 'shipments',
  columns: [
    ['id', 'integer'],
    ['day_id', 'integer'],
    ['weight', 'integer'],
  ],
  rows: [
    [1, 2, 64],
    [2, 1, 128],
  ],
};
const BUDGETS: Table = {
  name: 'budgets',
  columns: [
    ['id', 'integer'],
    ['starts', 'date'],
    ['ends', 'date'],
    ['planned', 'integer'],
  ],
  rows: [[1, '2024-01-01', '2024-12-31', 256]],
};

const dataset = ({ name, columns }: Table, main?: string) => `
      - name: ${name}
        source: ${name}
        primary_key: [id]
        ${main === undefined ? '' : `custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify({ time: { main } })}' }]`}
        fields:
${columns
  .map(
    ([column]) =>
      `          - { name: ${column}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${column} }] } }`,
  )
  .join('\n')}`;
const metric = (name: string, expression: string, data?: object) =>
  `      - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: "${expression}" }] }${
    data === undefined ? '' : `, custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify(data)}' }]`
  } }`;
const DOCUMENT = `
version: "0.1.1"
semantic_model:
  - name: shop
    datasets:
${[dataset(ORDERS), dataset(VISITS), dataset(RETURNS, 'closed'), dataset(DAYS), dataset(SHIPMENTS, 'days.day'), dataset(BUDGETS)].join('\n')}
    relationships:
      - { name: shipped_on, from: shipments, to: days, from_columns: [day_id], to_columns: [id] }
    metrics:
${metric('amount', 'SUM(orders.amount)')}
${metric('visits_made', 'COUNT(*)', { dataset: 'visits' })}
${metric('cost', 'SUM(returned.cost)')}
${metric('weight', 'SUM(shipments.weight)')}
${metric('planned', 'SUM(budgets.planned)')}
${metric('per_visit', 'amount / visits_made')}
`;

const TIME = { dataset: 'time', field: 'date' };
const MONTH = { ...TIME, grain: 'month' as const };
const values = (...names: readonly string[]) => names.map((name) => ({ metric: name }));
const ALL = values('amount', 'visits_made', 'cost', 'weight');
const NOW = Date.UTC(2024, 2, 15);

describeEngines('on $engine', (engine) => {
  const test = testsOn(engine);
  let shop: Fixture;
  beforeAll(async () => {
    const tables = [ORDERS, VISITS, RETURNS, DAYS, SHIPMENTS, BUDGETS];
    shop = await openOn(engine, tables, { document: DOCUMENT, clock: () => NOW });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());
  const table = (request: object) => shop.numbers(request);

  test('metrics of four facts meet on the months of their main dates: default dates, declared dates, and a date of a joined dataset', async () => {
    const answer = await shop.run({ rows: [MONTH], values: ALL });
    expect(answer.columns[0]).toMatchObject({ key: 'time.date.month', label: 'Date (month)', grain: 'month' });
    expect(answer.columns[0]?.labels).toMatchObject({ '2024-02-01': 'Feb 2024' });
    expect(await table({ rows: [MONTH], values: ALL })).toEqual([
      ['2023-02-01', 8, null, null, null],
      ['2024-01-01', 1, 1, null, 128],
      ['2024-02-01', 6, 1, 32, 64],
      ['2024-04-01', null, 1, null, null],
      [null, 16, null, null, null],
    ]);
  });

  test('a time zone moves only timestamps', async () => {
    const request = { rows: [MONTH], values: values('amount', 'visits_made'), timezone: 'Europe/Berlin' };
    expect(await table(request)).toEqual([
      ['2023-02-01', 8, null],
      ['2024-01-01', 1, null],
      ['2024-02-01', 6, 2],
      ['2024-04-01', null, 1],
      [null, 16, null],
    ]);
  });

  test('the calendar’s date without a grain is the day', async () => {
    const request = { rows: [TIME], values: ALL, sorts: [{ field: 'time.date', direction: 'DESC' }], limit: 3 };
    expect((await shop.run(request)).columns[0]).toMatchObject({ key: 'time.date', label: 'Date', grain: 'day' });
    expect(await table(request)).toEqual([
      ['2024-04-01', null, 1, null, null],
      ['2024-02-29', 4, null, null, 64],
      ['2024-02-10', null, 1, null, null],
    ]);
  });

  it.each(
    casesOn<[string, object, readonly unknown[]]>(engine, [
      ['from a day on', { op: 'GTE', value: '2024-02-01' }, [6, 2, 32, 64]],
      ['to a day with all of it', { op: 'LTE', value: '2024-01-31' }, [9, 1, null, 128]],
      ['between days', { op: 'BETWEEN', values: ['2024-01-31', '2024-02-05'] }, [3, 1, 32, null]],
      ['of a quarter', { grain: 'quarter', op: 'EQ', value: '2024-Q1' }, [7, 2, 32, 192]],
      ['of a part', { grain: 'month_of_year', op: 'IN', values: [2] }, [14, 1, 32, 64]],
      ['last month', { grain: 'month', op: 'RELATIVE', value: 'previous_period' }, [6, 1, 32, 64]],
      ['this quarter to today', { op: 'RELATIVE', value: 'qtd' }, [7, 2, 32, 192]],
      ['without a date', { op: 'IS_NULL' }, [16, 0, null, null]],
    ]),
  )('a filter %s applies to every fact', async (_, filter, expected) => {
    expect(await table({ values: ALL, filters: [{ ...TIME, ...filter }] })).toEqual([expected]);
  });

  test('filters on the calendar work in groups and in filters by metrics', async () => {
    const any = [
      { ...MONTH, op: 'EQ', value: '2023-02' },
      { ...MONTH, op: 'EQ', value: '2024-04' },
    ];
    expect(await table({ values: values('amount', 'visits_made'), filters: [{ any }] })).toEqual([[8, 1]]);
    const per = { metric: 'amount', op: 'BETWEEN', values: [6, 8], per: [MONTH] };
    expect(await table({ rows: [MONTH], values: values('amount', 'visits_made'), filters: [per] })).toEqual([
      ['2023-02-01', 8, null],
      ['2024-02-01', 6, 1],
    ]);
  });

  test('all periods are filled, sorted and used as columns', async () => {
    const filters = [{ ...MONTH, op: 'BETWEEN', values: ['2024-01', '2024-04'] }];
    const rows = [{ ...MONTH, fill: 'zero' }];
    const sorts = [{ field: 'time.date.month', direction: 'DESC' }];
    expect(await table({ rows, values: values('amount', 'visits_made'), filters, sorts })).toEqual([
      ['2024-04-01', null, 1],
      ['2024-03-01', 0, 0],
      ['2024-02-01', 6, 1],
      ['2024-01-01', 1, 1],
    ]);
    const across = { rows: [{ dataset: 'orders', field: 'customer' }], columns: [MONTH], values: values('amount') };
    expect(await table({ ...across, filters })).toEqual([
      ['ann', '2024-01-01', 1],
      ['ann', '2024-02-01', 2],
      ['bob', '2024-02-01', 4],
    ]);
  });

  test('every fact is compared with its own other time', async () => {
    const compared = ['amount', 'visits_made'].map((name) => ({ metric: name, compare: { to: 'previous_period' } }));
    const filters = [{ ...MONTH, op: 'EQ', value: '2024-02' }];
    const expected = [6, 1, 5, 6, 1, 1, 0, 1];
    expect(await table({ rows: [MONTH], values: compared, filters })).toEqual([['2024-02-01', ...expected]]);
    expect(await table({ values: compared, filters })).toEqual([expected]);
    const year = { metric: 'amount', compare: { to: 'previous_year' } };
    expect(await table({ rows: [MONTH], values: [year], filters })).toEqual([['2024-02-01', 6, 8, -2, 0.75]]);
  });

  test('a filter on a fact’s own main date limits the same date', async () => {
    const filters = [{ dataset: 'orders', field: 'day', grain: 'month', op: 'EQ', value: '2024-02' }];
    const year = { metric: 'amount', compare: { to: 'previous_year' } };
    expect(await table({ rows: [MONTH], values: [year], filters })).toEqual([['2024-02-01', 6, 8, -2, 0.75]]);
  });

  test('metrics computed from metrics of several facts meet there too', async () => {
    const filters = [{ ...MONTH, op: 'IN', values: ['2024-01', '2024-02'] }];
    expect(await table({ rows: [MONTH], values: values('per_visit'), filters })).toEqual([
      ['2024-01-01', 1],
      ['2024-02-01', 6],
    ]);
  });

  test('hours exist for facts with a time of day', async () => {
    const rows = [{ ...TIME, grain: 'hour_of_day' }];
    expect(await table({ rows, values: values('visits_made') })).toEqual([
      [0, 1],
      [10, 1],
      [23, 1],
    ]);
    expect(await shop.refusal({ rows, values: values('visits_made', 'amount') })).toMatchObject({
      field: 'rows[0].grain',
      available: expect.arrayContaining(['day_of_week']),
    });
  });

  test('random queries have the values that a loop over the rows computes', async () => {
    const facts: readonly (readonly [string, readonly (readonly [string | null, number])[]])[] = [
      ['amount', ORDERS.rows.map(([, day, , amount]) => [day as string | null, Number(amount)])],
      ['visits_made', VISITS.rows.map(([, arrived]) => [String(arrived).slice(0, 10), 1])],
      ['cost', RETURNS.rows.map(([, , closed, cost]) => [String(closed), Number(cost)])],
      ['weight', SHIPMENTS.rows.map(([, day, weight]) => [day === 2 ? '2024-02-29' : '2024-01-15', Number(weight)])],
    ];
    const grains: Readonly<Record<string, (day: string) => string | number>> = {
      day: (day) => day,
      month: (day) => `${day.slice(0, 7)}-01`,
      year: (day) => `${day.slice(0, 4)}-01-01`,
      day_of_month: (day) => Number(day.slice(8)),
    };
    const queries = fc.record({
      names: fc.subarray(['amount', 'visits_made', 'cost', 'weight'], { minLength: 1 }),
      grain: fc.constantFrom('day', 'month', 'year', 'day_of_month'),
      from: fc.constantFrom(undefined, '2024-01-31', '2024-02-05', '2024-03-01'),
    });
    await fc.assert(
      fc.asyncProperty(queries, async ({ names, grain, from }) => {
        const groups = new Map<string | number | null, Map<string, number>>();
        for (const [name, rows] of facts.filter(([each]) => names.includes(each))) {
          for (const [day, figure] of rows) {
            if (from !== undefined && (day === null || day < from)) continue;
            const group = day === null ? null : (grains[grain]?.(day) ?? null);
            const sums = groups.get(group) ?? new Map<string, number>();
            groups.set(group, sums.set(name, (sums.get(name) ?? 0) + figure));
          }
        }
        const expected = [...groups].map(([group, sums]) => [group, ...names.map((name) => sums.get(name) ?? null)]);
        const filters = from === undefined ? [] : [{ ...TIME, op: 'GTE', value: from }];
        const answered = await table({ rows: [{ ...TIME, grain }], values: values(...names), filters });
        const sorted = (rows: readonly (readonly unknown[])[]) => rows.map((row) => JSON.stringify(row)).toSorted();
        expect(sorted(answered)).toEqual(sorted(expected));
      }),
      { numRuns: 6, seed: SEED },
    );
  });

  if (engine !== 'duckdb') return;

  test('a fact without a main date is refused, with the dataset and how to declare one', async () => {
    const refused = await shop.refusal({ rows: [MONTH], values: values('amount', 'planned') });
    expect(refused).toMatchObject({ field: 'rows[0].dataset' });
    expect(refused.message).toContain('The metric planned is of budgets, which has no main date');
    expect(refused.message).toContain('"time": {"main": "…"}');
    expect(refused.available).toContain('budgets');
    const filtered = { values: values('planned'), filters: [{ ...TIME, op: 'GTE', value: '2024-01-01' }] };
    expect(await shop.refusal(filtered)).toMatchObject({ field: 'filters[0].dataset' });
  });

  test('the date of another fact is refused with the calendar first, where both have a main date', async () => {
    const ordered = { dataset: 'orders', field: 'day', grain: 'month' };
    const { field, available } = await shop.refusal({ rows: [ordered], values: values('visits_made') });
    expect([field, available?.[0]]).toEqual(['rows[0].dataset', 'time']);
    expect((await shop.refusal({ rows: [ordered], values: values('planned') })).available).not.toContain('time');
  });

  test('grains that the calendar lacks are refused', async () => {
    expect(await shop.refusal({ rows: [{ dataset: 'time', field: 'day' }], values: ALL })).toMatchObject({
      field: 'rows[0].field',
      available: ['date'],
    });
    expect(await shop.refusal({ rows: [{ ...MONTH, via: 'shipped_on' }], values: ALL })).toMatchObject({
      field: 'rows[0].via',
    });
  });

  test('without metrics the calendar’s date is the date of the one dataset that leads to the other fields', async () => {
    expect(
      await table({
        rows: [
          { ...TIME, grain: 'year' },
          { dataset: 'orders', field: 'customer' },
        ],
      }),
    ).toEqual([
      ['2023-01-01', 'bob'],
      ['2024-01-01', 'ann'],
      ['2024-01-01', 'bob'],
      [null, 'ann'],
    ]);
    expect(await table({ rows: [{ ...TIME, grain: 'year' }] })).toEqual([['2023-01-01'], ['2024-01-01'], [null]]);
  });

  test('the plan names the dates that it represents', async () => {
    const body = { connection: 'test', rows: [MONTH], values: values('amount', 'weight') };
    const preview = (await shop.operations().preview(body)) as { plan: { steps: readonly string[] } };
    expect(preview.plan.steps.join(' ')).toContain('time.date is orders.day for orders and days.day for shipments.');
  });

  test('the host page of an embed filters the calendar’s date by its key', async () => {
    const { records } = await shop.surface.source
      .prepare({ connection: 'test', rows: [MONTH], values: values('amount') })
      .run(scope('ROLE_USER'), { runtimeFilters: [{ field: 'time.date.month', op: 'EQ', values: ['2024-02-01'] }] });
    expect(records.map((record) => record['time.date.month'])).toEqual(['2024-02-01']);
  });

  test('each grain that the schema lists is answered', async () => {
    const schema = (await shop.operations().schema({ connection: 'test', model: 'shop' })) as {
      time: { dataset: string; field: string; grains: readonly string[] };
      datasets: Record<string, { mainDate?: string }>;
      examples: Record<string, { body: object }>;
    };
    expect(schema.time).toMatchObject({ dataset: 'time', field: 'date' });
    for (const grain of schema.time.grains) {
      const request = { rows: [{ dataset: 'time', field: 'date', grain }], values: values('visits_made') };
      expect((await shop.run(request)).columns[0]?.key).toBe(`time.date.${grain}`);
    }
    expect(Object.entries(schema.datasets).map(([name, { mainDate }]) => [name, mainDate])).toEqual([
      ['orders', 'orders.day'],
      ['visits', 'visits.arrived'],
      ['returned', 'returned.closed'],
      ['days', 'days.day'],
      ['shipments', 'days.day'],
      ['budgets', undefined],
    ]);
    const { body } = schema.examples.acrossFacts ?? { body: {} };
    expect((await shop.run(body)).columns.map(({ key }) => key)).toEqual(['time.date.month', 'amount', 'visits_made']);
  });

  test('a dataset of the model that is called time wins', async () => {
    const documentWithTime = DOCUMENT.replace('name: days\n', 'name: time\n')
      .replaceAll('to: days', 'to: time')
      .replace('days.day', 'time.day');
    expect(await shop.reload(documentWithTime)).toEqual([]);
    const request = { rows: [{ dataset: 'time', field: 'day', grain: 'month' }], values: values('weight') };
    expect(await table(request)).toEqual([
      ['2024-01-01', 128],
      ['2024-02-01', 64],
    ]);
    expect(await shop.refusal({ rows: [MONTH], values: values('amount') })).toMatchObject({
      field: 'rows[0].field',
      available: ['day', 'id'].toSorted(),
    });
    await shop.reload(DOCUMENT);
  });

  it.each(
    casesOn(engine, [
      ['no field', 'nothing', 'is no field of returned and no dataset.field'],
      ['no date', 'cost', 'is neither a date nor a timestamp'],
      ['of a dataset that it does not lead to', 'orders.day', 'to which no relationship leads'],
    ]),
  )('a main date that is %s is reported and left out', async (_, main, reason) => {
    const problems = await shop.reload(DOCUMENT.replace('"main":"closed"', `"main":"${main}"`));
    expect(problems.map(({ message, severity }) => [severity, message])).toEqual([
      ['warning', expect.stringContaining(reason)],
    ]);
    expect(await shop.refusal({ rows: [MONTH], values: values('cost') })).toMatchObject({ field: 'rows[0].dataset' });
    await shop.reload(DOCUMENT);
  });
});
