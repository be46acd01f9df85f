/** Going down from a saved query's dimensions, and the rows behind its rows, on all engines. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Drill } from '../../../router/capabilities/drilling.ts';
import type { RowsOptions } from '../../../router/capabilities/query-source.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { Fixture, scope } from '../testing/fixture.ts';
import { statementsFor, type Table } from '../testing/tables.ts';

const TABLES: readonly Table[] = [
  {
    name: 'sales',
    columns: [
      ['id', 'integer'],
      ['region', 'text'],
      ['city', 'text'],
      ['day', 'date'],
      ['amount', 'integer'],
    ],
    rows: [
      [1, 'North', 'Oslo', '2025-01-05', 10],
      [2, 'North', 'Oslo', '2025-01-05', 10],
      [3, 'North', 'Bergen', '2025-05-01', 20],
      [4, 'South', 'Rome', '2025-03-31', 30],
      [5, 'South', null, '2024-12-31', 40],
    ],
  },
];
const sql = (expression: string) => `expression: [{ dialect: ANSI_SQL, expression: "${expression}" }]`;
const DOCUMENT = `
semantic_model:
  - name: shop
    datasets:
      - name: sales
        source: sales
        primary_key: [id]
        fields:
          - { name: id, ${sql('id')} }
          - { name: region, ${sql('region')} }
          - { name: city, ${sql('city')} }
          - { name: amount, ${sql('amount')}, custom_extensions: [{ vendor_name: SERVICE, data: '{"roles": {"deny": ["ROLE_GUEST"]}}' }] }
          - { name: day, ${sql('day')}, dimension: { is_time: true } }
    metrics:
      - { name: total, ${sql('SUM(sales.amount)')} }
      - { name: lines, ${sql('COUNT(sales.id)')} }
`;
const dimension = (field: string, grain?: string) => ({
  dataset: 'sales',
  field,
  ...(grain === undefined ? {} : { grain }),
});
const BY_YEAR = {
  connection: 'test',
  rows: [dimension('day', 'year')],
  values: [{ metric: 'total' }],
  sorts: [{ field: 'sales.day.year', direction: 'DESC' }],
};
const BY_REGION = { connection: 'test', rows: [dimension('region')], values: [{ metric: 'total' }] };
const DATES = [{ field: 'sales.day.year' }];
const PLACES = [{ field: 'sales.region', to: ['sales.city', 'sales.day.month'] }];
const from = (field: string, value: string | null) => ({ field, values: { [field]: value } });

describeEngines('a saved query that goes down on $engine', (engine) => {
  let fixture: Fixture;
  let masking: Fixture;
  beforeAll(async () => {
    const warehouse = await startWarehouse(engine, statementsFor(engine, TABLES), { poolSize: 2 });
    const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
    fixture = await Fixture.open({ warehouse, cache, document: DOCUMENT });
    expect(fixture.problems).toEqual([]);
    const settings = { kAnonymity: { threshold: 2, mask: null } };
    masking = await Fixture.open({ warehouse, cache, document: DOCUMENT, settings });
  });
  afterAll(() => fixture.close());

  const run = (request: object, drill: Drill, more: object = {}) =>
    fixture.surface.source.prepare(request).run(scope('ROLE_USER'), { drill, ...more });
  /** Returns the first dimension and the total of each record. */
  const pairs = async (...asked: Parameters<typeof run>) => {
    const { columns, records } = await run(...asked);
    const [first] = columns;
    return records.map((record) => {
      const { total } = record;
      return [record[first?.key ?? ''], typeof total === 'object' ? Number(total?.value) : total];
    });
  };
  const rows = (request: object, options: Partial<RowsOptions>, of = fixture, role = 'ROLE_USER') =>
    of.surface.source.prepare(request).rows(scope(role), { at: {}, limit: 10, ...options });

  it('shows the finer grain of its date, in the order of the date before', async () => {
    const steps = [from('sales.day.year', '2025-01-01')];
    expect(await pairs(BY_YEAR, { down: DATES, steps })).toEqual([
      ['2025-04-01', 20],
      ['2025-01-01', 50],
    ]);
    const twice = [...steps, from('sales.day.quarter', '2025-01-01')];
    const { columns, drilling } = await run(BY_YEAR, { down: DATES, steps: twice });
    expect(columns[0]).toMatchObject({ key: 'sales.day.month', grain: 'month' });
    expect(drilling).toEqual({
      down: [{ field: 'sales.day.month', label: 'day (day)', by: ['sales.day.month'] }],
      trail: [
        { label: 'day (year)', text: '2025' },
        { label: 'day (quarter)', text: 'Q1 2025' },
      ],
      rows: true,
    });
    expect(await pairs(BY_YEAR, { down: DATES, steps: twice })).toEqual([
      ['2025-03-01', 30],
      ['2025-01-01', 20],
    ]);
  });

  it('shows the fields that the author lists, of a group without a value too', async () => {
    const steps = [from('sales.region', 'South')];
    expect(await pairs(BY_REGION, { down: PLACES, steps })).toEqual([
      ['Rome', 30],
      [null, 40],
    ]);
    const missing = [...steps, { field: 'sales.city', values: { 'sales.city': null } }];
    expect(await pairs(BY_REGION, { down: PLACES, steps: missing })).toEqual([['2024-12-01', 40]]);
    expect((await run(BY_REGION, { down: PLACES, steps: missing })).drilling?.down).toEqual([]);
  });

  it('keeps what narrows it, and has the rest and the subtotals of what it shows', async () => {
    const drill = { down: PLACES, steps: [from('sales.region', 'North')] };
    const runtimeFilters = [{ field: 'sales.region', op: 'IN', values: ['North', 'South'] }];
    expect(await pairs(BY_REGION, drill, { runtimeFilters })).toEqual([
      ['Bergen', 20],
      ['Oslo', 20],
    ]);
    const { records } = await run(BY_REGION, drill, { others: { field: 'sales.city', except: ['Oslo'] } });
    expect(records).toMatchObject([{ total: { value: 20 } }]);
    expect((await run(BY_REGION, drill, { without: ['sales.city'] })).records).toMatchObject([
      { total: { value: 40 } },
    ]);
  });

  it('takes no other step than the author allows, and offers none that the model lacks', async () => {
    for (const [down, step] of [
      [DATES, from('sales.region', 'North')],
      [PLACES, from('sales.city', 'Oslo')],
      [[], from('sales.region', 'North')],
      [PLACES, { field: 'sales.region', values: {} }],
      [PLACES, { field: 'sales.region', values: { 'sales.region': 'North', 'sales.id': '1' } }],
    ] as const)
      await expect(run(BY_REGION, { down, steps: [step] })).rejects.toMatchObject({ field: 'drill' });
    const lost = [{ field: 'sales.region', to: ['sales.street'] }];
    expect((await run(BY_REGION, { down: lost, steps: [] })).drilling?.down).toEqual([]);
    // A date has no hours.
    const days = { ...BY_YEAR, rows: [dimension('day', 'day')], sorts: [] };
    expect((await run(days, { down: [{ field: 'sales.day.day' }], steps: [] })).drilling?.down).toEqual([]);
  });

  it('shows each row behind a row, also of equal values, in the fields that it may show', async () => {
    const at = { 'sales.region': 'North' };
    const listed = await rows(BY_REGION, { at, fields: ['sales.city', 'sales.amount'] });
    expect(listed.columns.map(({ key }) => key)).toEqual(['sales.city', 'sales.amount']);
    expect(listed.records.map((record) => [record['sales.city'], Number(record['sales.amount'])]).toSorted()).toEqual([
      ['Bergen', 20],
      ['Oslo', 10],
      ['Oslo', 10],
    ]);
    expect((await rows(BY_REGION, { at })).columns.map(({ key }) => key)).toEqual([
      'sales.id',
      'sales.city',
      'sales.amount',
      'sales.day',
    ]);
    const hidden = await rows(BY_REGION, { at }, fixture, 'ROLE_GUEST').catch((error: unknown) => error);
    // Who may not see the amount may not see its total either.
    expect(hidden).toMatchObject({ field: expect.stringContaining('values') });
    const cut = await rows(BY_REGION, { at, limit: 2 });
    expect([cut.records.length, cut.meta.truncated]).toEqual([2, true]);
  });

  it('shows the rows behind a row below, and behind a whole', async () => {
    const drill = { down: PLACES, steps: [from('sales.region', 'South')] };
    const { records } = await rows(BY_REGION, { drill, at: { 'sales.city': null }, fields: ['sales.day'] });
    expect(records).toMatchObject([{ 'sales.day': '2024-12-31' }]);
    const whole = { connection: 'test', values: [{ metric: 'total' }] };
    expect((await rows(whole, { fields: ['sales.id'] })).records).toHaveLength(5);
    await expect(rows(BY_REGION, { at: {} })).rejects.toMatchObject({ field: 'at' });
    await expect(rows(BY_REGION, { at: { 'sales.region': 'North', 'sales.id': '1' } })).rejects.toMatchObject({
      field: 'at',
    });
  });

  it('shows no rows behind a row that the answer does not have, or masks', async () => {
    expect((await rows(BY_REGION, { at: { 'sales.region': 'East' } })).records).toEqual([]);
    const large = { ...BY_REGION, filters: [{ metric: 'total', op: 'GT', value: 50 }] };
    expect((await rows(large, { at: { 'sales.region': 'North' } })).records).toEqual([]);
    expect((await rows(large, { at: { 'sales.region': 'South' } })).records).toHaveLength(2);
    const counted = { ...BY_REGION, rows: [dimension('city')], values: [{ metric: 'total' }, { metric: 'lines' }] };
    const rome = await rows(counted, { at: { 'sales.city': 'Rome' } }, masking);
    expect([rome.records, rome.columns, rome.meta.suppressed?.count]).toEqual([[], [], 1]);
    expect((await rows(counted, { at: { 'sales.city': 'Oslo' } }, masking)).records).toHaveLength(2);
  });
});
