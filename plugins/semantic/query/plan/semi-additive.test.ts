/**
 * Tests metrics that are taken at the last or first date of each group, on every engine: by hand, and against a loop over
 * the rows.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEED } from '../../../../router/testing/seed.ts';
import { openCache } from '../../../../server/cache/cache.ts';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { runsOn } from '../../../../server/warehouse/testing/runs-on.ts';
import { testsOn } from '../../../../server/warehouse/testing/tests-on.ts';
import { openOn } from '../../testing/engine-fixture.ts';
import { Fixture } from '../../testing/fixture.ts';
import { statementsFor, type Table } from '../../testing/tables.ts';

/** Quantities are powers of two, so that each sum identifies its rows. */
const INVENTORY: Table = {
  name: 'inventory',
  columns: [
    ['id', 'integer'],
    ['day', 'date'],
    ['store', 'text'],
    ['quantity', 'integer'],
    ['delivered', 'date'],
    ['month_number', 'integer'],
  ],
  rows: [
    [1, '2024-01-30', 's1', 1, '2023-12-01', 1],
    [2, '2024-01-31', 's1', 2, '2023-12-01', 1],
    [3, '2024-01-31', 's2', 4, '2023-11-01', 1],
    [4, '2024-02-10', 's1', 8, '2024-02-05', 2],
    [5, '2024-02-10', 's2', 16, '2023-11-01', 2],
    [6, '2024-02-20', 's1', 32, '2023-12-01', 2],
    [7, null, 's1', 64, '2023-12-01', null],
  ],
};
/** A calendar: each day of the counts, and the season that its month is in. */
const DAYS: Table = {
  name: 'days',
  columns: [
    ['day', 'date'],
    ['month', 'text'],
    ['season_id', 'integer'],
  ],
  rows: [
    ['2024-01-30', 'January', 1],
    ['2024-01-31', 'January', 1],
    ['2024-02-10', 'February', 2],
    ['2024-02-20', 'February', 2],
  ],
};
const SEASONS: Table = {
  name: 'seasons',
  columns: [
    ['id', 'integer'],
    ['season', 'text'],
  ],
  rows: [
    [1, 'deep winter'],
    [2, 'late winter'],
  ],
};
const NOTES: Table = {
  name: 'notes',
  columns: [
    ['id', 'integer'],
    ['inventory_id', 'integer'],
    ['tag', 'text'],
  ],
  rows: [
    [1, 2, 'x'],
    [2, 2, 'x'],
    [3, 1, 'x'],
    [4, 3, 'y'],
  ],
};

const field = (name: string, expression = name) =>
  `          - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: "${expression}" }] } }`;
const metric = (name: string, expression: string, taken?: object) =>
  `      - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: "${expression}" }] }${
    taken === undefined
      ? ''
      : `, custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify({ semi_additive: taken, dataset: 'inventory' })}' }]`
  } }`;
const by = 'inventory.day';
const document = (...more: readonly string[]) => `
version: "0.1.1"
semantic_model:
  - name: stock
    datasets:
      - name: inventory
        source: inventory
        primary_key: [id]
        fields:
${['day', 'store', 'delivered'].map((name) => field(name)).join('\n')}
${field('month_begins', "DATE_TRUNC('month', day)")}
          - { name: month_number, dimension: { is_time: true }, expression: { dialects: [{ dialect: ANSI_SQL, expression: month_number }] } }
      - name: days
        source: days
        primary_key: [day]
        fields:
${field('month')}
${field('month_begins', "DATE_TRUNC('month', day)")}
      - name: seasons
        source: seasons
        primary_key: [id]
        fields:
${field('season')}
      - name: notes
        source: notes
        primary_key: [id]
        fields:
${field('tag')}
    relationships:
      - { name: of, from: notes, to: inventory, from_columns: [inventory_id], to_columns: [id] }
      - { name: on, from: inventory, to: days, from_columns: [day], to_columns: [day] }
      - { name: in, from: days, to: seasons, from_columns: [season_id], to_columns: [id] }
    metrics:
${metric('last', 'SUM(inventory.quantity)', { by })}
${metric('first', 'SUM(inventory.quantity)', { by, take: 'first' })}
${metric('last_each', 'SUM(inventory.quantity)', { by, per: 'inventory.store' })}
${metric('first_each', 'SUM(inventory.quantity)', { by, take: 'first', per: 'inventory.store' })}
${metric('last_rows', 'COUNT(*)', { by })}
${metric('moved', 'SUM(inventory.quantity)')}
${metric('share', 'last / moved')}
${more.join('\n')}
`;
const MONTH = { dataset: 'inventory', field: 'day', grain: 'month' };
const STORE = { dataset: 'inventory', field: 'store' };
const TAG = { dataset: 'notes', field: 'tag' };
const values = (...names: readonly string[]) => names.map((name) => ({ metric: name }));

describeEngines('on $engine', (engine) => {
  const test = testsOn(engine);
  let stock: Fixture;
  beforeAll(async () => {
    stock = await openOn(engine, [INVENTORY, NOTES, DAYS, SEASONS], { document: document() });
    expect(stock.problems.filter(({ message }) => !message.includes('counts rows'))).toEqual([]);
  });
  afterAll(() => stock?.close());
  const table = (request: object) => stock.numbers(request);
  const all = values('last', 'first', 'last_each', 'moved');

  test('months have the value at their end, and a total the value at the end of all, not the sum of the months', async () => {
    expect(await table({ rows: [MONTH], values: all })).toEqual([
      ['2024-01-01', 6, 1, 6, 7],
      ['2024-02-01', 32, 24, 48, 56],
      [null, null, null, null, 64],
    ]);
    expect(await table({ values: all })).toEqual([[32, 1, 48, 127]]);
    expect(await table({ rows: [STORE], values: all })).toEqual([
      ['s1', 32, 1, 32, 107],
      ['s2', null, null, 16, 20],
    ]);
  });

  test('all groups of a period have one date: a group that was last counted before it has no value', async () => {
    expect(await table({ rows: [MONTH, STORE], values: values('last', 'last_each') })).toEqual([
      ['2024-01-01', 's1', 2, 2],
      ['2024-01-01', 's2', 4, 4],
      ['2024-02-01', 's1', 32, 32],
      ['2024-02-01', 's2', null, 16],
    ]);
    expect(await table({ rows: [STORE], values: values('last') })).toEqual([['s1', 32]]);
    expect(await table({ rows: [STORE], columns: [MONTH], values: values('first') })).toEqual([
      ['s1', '2024-01-01', 1],
      ['s1', '2024-02-01', 8],
      ['s2', '2024-02-01', 16],
    ]);
    // The last date is the last date of the rows that pass the filter.
    const filters = [{ ...STORE, op: 'EQ', value: 's2' }];
    expect(await table({ rows: [STORE], values: values('last'), filters })).toEqual([['s2', 16]]);
  });

  test('periods are the groups that belong to the date: its parts, fields computed from it, its time fields, and fields of the calendar that it leads to', async () => {
    const byField = (dataset: string, name: string, grain?: string) =>
      table({ rows: [{ dataset, field: name, grain }], values: values('last') });
    const months = [32, 6];
    for (const [dataset, name, grain] of [
      ['inventory', 'day', 'month'],
      ['inventory', 'month_begins'],
      ['inventory', 'month_number'],
      ['inventory', 'day', 'month_of_year'],
      ['days', 'month'],
      ['days', 'month_begins'],
      ['seasons', 'season'],
    ] as const) {
      const rows = (await byField(dataset, name, grain)).map((row) => Number(row.at(-1))).toSorted((a, b) => b - a);
      expect([name, grain, rows]).toEqual([name, grain, months]);
    }
    // A day that is another date of the row is a category: nothing was delivered on the date of the last count but by s1.
    expect(await byField('inventory', 'delivered', 'month')).toEqual([['2023-12-01', 32]]);
  });

  test('one alone, a count, a ratio, with filters', async () => {
    expect(await table({ values: values('last') })).toEqual([[32]]);
    expect(await table({ values: values('last_rows', 'share') })).toEqual([[1, 32 / 127]]);
    const filters = [{ ...MONTH, op: 'EQ', value: '2024-01' }];
    expect(await table({ values: values('last', 'last_rows'), filters })).toEqual([[6, 2]]);
    const many = [{ metric: 'last', op: 'GT', value: 6 }];
    expect(await table({ rows: [MONTH], values: values('last'), filters: many })).toEqual([['2024-02-01', 32]]);
  });

  test('rows that joins repeat count once', async () => {
    expect(await table({ rows: [TAG], values: all })).toEqual([
      ['x', null, 1, null, 3],
      ['y', null, null, null, 4],
      [null, 32, null, 48, 120],
    ]);
  });

  test('row groups of a crosstab are sorted by the value at the end of all, and groups without a value come last', async () => {
    const request = { rows: [STORE], columns: [MONTH], values: values('last') };
    const sorted = { ...request, sorts: [{ metric: 'last', direction: 'ASC' }] };
    const cells = [
      ['s1', '2024-01-01', 2],
      ['s1', '2024-02-01', 32],
      ['s2', '2024-01-01', 4],
    ];
    expect(await table(sorted)).toEqual(cells);
    expect(await table({ ...sorted, limit: 1 })).toEqual(cells.slice(0, 2));
    expect(await table({ ...request, limit: 2 })).toEqual(cells);
  });

  test('a filter by the metric per store tests the last count of all stores', async () => {
    const filters = [{ metric: 'last', op: 'GT', value: 0, per: [STORE] }];
    expect(await table({ rows: [STORE], values: values('moved'), filters })).toEqual([['s1', 107]]);
  });

  test('parts of first and last add up to the total in every period', async () => {
    const queries = fc.record({
      name: fc.constantFrom('last', 'first', 'last_each', 'first_each'),
      period: fc.constantFrom(undefined, 'day', 'week', 'month', 'year', 'day_of_week'),
      by: fc.subarray([STORE, { dataset: 'inventory', field: 'delivered', grain: 'month' }], { minLength: 1 }),
      inColumns: fc.boolean(),
      since: fc.option(fc.constantFrom('2024-01-31', '2024-02-01', '2024-02-11')),
    });
    await fc.assert(
      fc.asyncProperty(queries, async ({ name, period, by, inColumns, since }) => {
        const date = { dataset: 'inventory', field: 'day' };
        const dates = period === undefined ? [] : [{ ...date, grain: period }];
        const base = {
          values: values(name),
          filters: [{ ...date, op: 'IS_NOT_NULL' }, ...(since === null ? [] : [{ ...date, op: 'GTE', value: since }])],
        };
        const parts = await table(
          inColumns && period !== undefined
            ? { ...base, rows: dates, columns: by }
            : { ...base, rows: [...dates, ...by] },
        );
        const sums = new Map<unknown, number>();
        for (const row of parts) {
          const key = period === undefined ? '' : row[0];
          sums.set(key, (sums.get(key) ?? 0) + Number(row.at(-1)));
        }
        const totals = await table(period === undefined ? base : { ...base, rows: dates });
        const written = totals.map((row) => [period === undefined ? '' : row[0], Number(row.at(-1))] as const);
        expect([...sums].toSorted()).toEqual(written.toSorted());
      }),
      { seed: SEED, numRuns: runsOn(engine, 60) },
    );
  });

  test('a comparison with the month before has the value at the end of that month', async () => {
    const compared = [{ metric: 'last', compare: { to: 'previous_period' } }];
    const filters = [{ ...MONTH, op: 'EQ', value: '2024-02' }];
    expect((await table({ rows: [MONTH], values: compared, filters }))[0]?.slice(0, 4)).toEqual([
      '2024-02-01',
      32,
      6,
      26,
    ]);
  });

  test('random groups have the values that a loop over the rows computes', async () => {
    const queries = fc.record({
      keys: fc.subarray(['month', 'store', 'tag'] as const),
      name: fc.constantFrom('last', 'first', 'last_each'),
      only: fc.constantFrom(undefined, 's1', 's2'),
    });
    await fc.assert(
      fc.asyncProperty(queries, async ({ keys, name, only }) => {
        const groups = new Map<string, Set<Table['rows'][number]>>();
        for (const row of INVENTORY.rows) {
          if (row[1] === null || (only !== undefined && row[2] !== only)) continue;
          const tags = NOTES.rows.filter(([, id]) => id === row[0]).map(([, , tag]) => tag);
          for (const tag of !keys.includes('tag') || tags.length === 0 ? [null] : tags) {
            const parts = { month: `${String(row[1]).slice(0, 7)}-01`, store: row[2], tag };
            const key = JSON.stringify(keys.map((each) => parts[each]));
            groups.set(key, (groups.get(key) ?? new Set()).add(row));
          }
        }
        const monthOf = (row: Table['rows'][number]) => (keys.includes('month') ? String(row[1]).slice(0, 7) : '');
        const left = INVENTORY.rows.filter((row) => row[1] !== null && (only === undefined || row[2] === only));
        const expected = [...groups].flatMap(([key, rows]) => {
          const kept = [...rows].filter((row) => {
            const alike = left.filter((other) => monthOf(other) === monthOf(row));
            const days = alike
              .filter((other) => name !== 'last_each' || other[2] === row[2])
              .map((other) => String(other[1]))
              .toSorted();
            return row[1] === (name === 'first' ? days[0] : days.at(-1));
          });
          if (kept.length === 0) return [];
          return JSON.stringify([...JSON.parse(key), kept.reduce((sum, row) => sum + Number(row[3]), 0)]);
        });
        const references = { month: MONTH, store: STORE, tag: TAG };
        const rows = await table({
          rows: keys.map((each) => references[each]),
          values: values(name),
          filters: only === undefined ? [] : [{ ...STORE, op: 'EQ', value: only }],
        });
        expect(rows.map((row) => JSON.stringify(row)).toSorted()).toEqual(expected.toSorted());
      }),
      { seed: SEED, numRuns: runsOn(engine, 60) },
    );
  });
});

it('an invalid metric is left out and reported, and the plan describes the others', async () => {
  const warehouse = await startWarehouse('duckdb', statementsFor('duckdb', [INVENTORY, NOTES, DAYS, SEASONS]));
  const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
  const more = [
    metric('elsewhere', 'SUM(inventory.quantity)', { by: 'notes.tag' }),
    metric('nowhere', 'SUM(inventory.quantity)', { by: 'inventory.week' }),
    metric('bare', 'SUM(inventory.quantity)', { by: 'day' }),
    metric('twice', 'last + 1', { by }),
  ];
  const stock = await Fixture.open({ warehouse, cache, document: document(...more) });
  try {
    const messages = stock.problems.map(({ message }) => message).join('\n');
    expect(messages).toContain(
      'metric elsewhere: left out: its expression is of inventory, and what it is taken by is of notes.',
    );
    expect(messages).toContain(
      'metric nowhere: left out: its expression names inventory.week, which is neither a field nor a column (there is',
    );
    expect(messages).toContain(
      'metric bare: left out: its expression is taken by day, which is not written dataset.field.',
    );
    expect(messages).toContain(
      'metric twice: left out: its expression is made of a metric that is taken at a date of its own.',
    );
    const { plan } = await stock.operations().preview({ connection: 'test', values: values('last', 'moved') } as never);
    expect(plan.steps).toContain('last takes of each period the rows of its last inventory.day, one for all groups.');
  } finally {
    await stock.close();
  }
});
