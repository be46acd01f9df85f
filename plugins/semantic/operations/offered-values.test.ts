import { afterAll, beforeAll, expect, it } from 'vitest';
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
      [2, 'North', 'Bergen', '2025-02-01', 20],
      [3, 'South', 'Rome', '2025-03-31', 30],
      [4, 'South', null, '2024-12-31', 40],
      [5, 'East', 'Osaka', '2025-01-01', 50],
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
          - { name: region, ${sql('region')} }
          - { name: city, ${sql('city')} }
          - { name: amount, ${sql('amount')} }
          - { name: day, ${sql('day')}, dimension: { is_time: true } }
    metrics:
      - { name: total, ${sql('SUM(sales.amount)')} }
`;
const BY_REGION = {
  connection: 'test',
  rows: [{ dataset: 'sales', field: 'region' }],
  values: [{ metric: 'total' }],
  filters: [{ dataset: 'sales', field: 'region', op: 'NEQ', value: 'East' }],
  sorts: [{ field: 'sales.region' }],
};

describeEngines('values to filter by on $engine', (engine) => {
  let fixture: Fixture;
  beforeAll(async () => {
    const warehouse = await startWarehouse(engine, statementsFor(engine, TABLES), { poolSize: 2 });
    const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
    fixture = await Fixture.open({ warehouse, cache, document: DOCUMENT });
    expect(fixture.problems).toEqual([]);
  });
  afterAll(() => fixture.close());

  const offer = (field: string, more: object = {}, request: object = BY_REGION) =>
    fixture.surface.source.prepare(request).offer(scope('ROLE_USER'), { field, limit: 50, ...more });
  const labels = async (...asked: Parameters<typeof offer>) => (await offer(...asked)).values.map(({ label }) => label);

  it('are those of the answer for a field that it shows, without its figures', async () => {
    expect(await offer('sales.region')).toMatchObject({
      dataType: 'text',
      values: [
        { value: 'North', label: 'North' },
        { value: 'South', label: 'South' },
      ],
      truncated: false,
    });
    expect(await labels('sales.region', {}, { ...BY_REGION, limit: 1 })).toEqual(['North']);
    expect(await offer('sales.region', { limit: 1 })).toMatchObject({ values: [{ value: 'North' }], truncated: true });
  });

  it('are for another field those of the rows that the author and the page leave', async () => {
    expect(await labels('sales.city')).toEqual(['Bergen', 'Oslo', 'Rome']);
    const runtimeFilters = [{ field: 'sales.region', op: 'IN', values: ['South'] }];
    expect(await labels('sales.city', { runtimeFilters })).toEqual(['Rome']);
  });

  it('are found by a part of their text, among these rows only', async () => {
    expect(await labels('sales.city', { text: 'OS' })).toEqual(['Oslo']);
    expect(await labels('sales.city', { text: 'saka' })).toEqual([]);
    expect(await labels('sales.region', { text: 'out' })).toEqual(['South']);
  });

  it('have their ends for numbers and dates', async () => {
    expect((await offer('sales.amount')).range).toEqual({ least: 10, greatest: 40 });
    expect((await offer('sales.day')).range).toEqual({ least: '2024-12-31', greatest: '2025-03-31' });
  });

  it('are periods for a date with a grain', async () => {
    const { values, grain, range } = await offer('sales.day.quarter');
    expect([grain, range, values.map(({ value }) => value)]).toEqual([
      'quarter',
      undefined,
      ['2024-10-01', '2025-01-01'],
    ]);
  });
});
