/** Calendars that are tables: what loading says of them, and how their periods are asked all the same. Figures by hand. */
import { describe, expect, it } from 'vitest';
import { openCache } from '../../../server/cache/cache.ts';
import { ALL_ENGINES, engineMissing, startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { Fixture } from '../testing/fixture.ts';
import { statementsFor, type Table } from '../testing/tables.ts';
import { readExtensions } from './extensions.ts';

const TABLES: readonly Table[] = [
  {
    name: 'events',
    columns: [
      ['id', 'integer'],
      ['day', 'date'],
      ['amount', 'integer'],
    ],
    rows: [
      [1, '2024-02-03', 1],
      [2, '2024-02-04', 2],
      [3, '2024-03-02', 4],
      [4, '2024-03-09', 8],
      [5, null, 16],
    ],
  },
  {
    // The retail month 202401 begins on 4 February and ends on 2 March; 9 March is missing.
    name: 'retail_days',
    columns: [
      ['day', 'date'],
      ['month_id', 'integer'],
      ['month_name', 'text'],
    ],
    rows: [
      ['2024-02-03', 202312, 'Jan of 2023'],
      ['2024-02-04', 202401, 'Feb of 2024'],
      ['2024-03-02', 202401, 'Feb of 2024'],
    ],
  },
];
const RETAIL = {
  dataset: 'retail_days',
  date: 'day',
  grains: [{ name: 'retail_month', field: 'month_id', label: 'month_name' }],
};
const FISCAL = { name: 'fiscal', year_start: { month: 4 } };
const field = (name: string) => `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: ${name} }] }`;
const documentOf = (calendars: readonly object[]) => `
semantic_model:
  - name: shop
    custom_extensions:
      - { vendor_name: SERVICE, data: '${JSON.stringify({ calendars })}' }
    datasets:
      - { name: events, source: events, primary_key: [id], fields: [${field('day')}] }
      - name: retail_days
        source: retail_days
        primary_key: [day]
        fields: [${field('day')}, ${field('month_id')}, ${field('month_name')}]
    relationships:
      - { name: retail_day, from: events, to: retail_days, from_columns: [day], to_columns: [day] }
    metrics:
      - { name: amount, expression: [{ dialect: ANSI_SQL, expression: SUM(events.amount) }] }
`;
const open = async (engine: (typeof ALL_ENGINES)[number], calendars: readonly object[]) =>
  Fixture.open({
    warehouse: await startWarehouse(engine, statementsFor(engine, TABLES), { poolSize: 2 }),
    cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
    document: documentOf(calendars),
  });
const values = [{ metric: 'amount' }];

describe.each(ALL_ENGINES.filter((engine) => engineMissing(engine) === undefined))('on %s', (engine) => {
  it('loading says at its line that the periods are no grains and what is asked instead, which answers', async () => {
    const shop = await open(engine, [FISCAL, RETAIL]);
    try {
      expect(shop.problems).toEqual([
        {
          severity: 'warning',
          line: 4,
          message: expect.stringMatching(
            /retail_month of retail_days\. .* day, week, month, .* fiscal_year, .* retail_days\.day lets requests take retail_days\.month_id/,
          ),
        },
      ]);
      const month = { dataset: 'retail_days', field: 'month_id' };
      const table = async (request: object) => (await shop.table(request)).map((row) => row.map(asNumber));
      // 3 February alone; 4 February and 2 March; 9 March, which the calendar lacks, and no day.
      expect(await table({ rows: [month], values, sorts: [{ field: 'retail_days.month_id' }] })).toEqual([
        [202312, 1],
        [202401, 6],
        [null, 24],
      ]);
      expect(await table({ values, filters: [{ ...month, op: 'EQ', value: 202401 }] })).toEqual([[6]]);
      expect(await table({ values, filters: [{ ...month, op: 'LT', value: 202401 }] })).toEqual([[1]]);
      const refused = await shop.refusal({
        rows: [{ dataset: 'events', field: 'day', grain: 'retail_month' }],
        values,
      });
      expect(refused.problems).toMatchObject([{ available: expect.arrayContaining(['month', 'fiscal_month']) }]);
    } finally {
      await shop.close();
    }
  }, 120_000);
});

it.each([
  ['a dataset', { ...RETAIL, dataset: 'weeks' }, 'the dataset weeks'],
  ['a date', { ...RETAIL, date: 'at' }, 'retail_days.at'],
  ['a label', { ...RETAIL, grains: [{ name: 'm', field: 'month_id', label: 'caption' }] }, 'retail_days.caption'],
])('a calendar with %s that the model lacks is told', async (_, calendar, named) => {
  const shop = await open('duckdb', [calendar]);
  try {
    expect(shop.problems).toEqual([
      expect.objectContaining({ severity: 'warning', line: 4, message: expect.stringContaining(named) }),
    ]);
  } finally {
    await shop.close();
  }
});

it.each([
  ['without a date', { dataset: 'retail_days', grains: RETAIL.grains }, 'calendars.0.date'],
  ['without grains', { ...RETAIL, grains: [] }, 'a calendar has grains'],
])('a calendar %s is refused', (_, calendar, reason) => {
  const data = JSON.stringify({ calendars: [calendar] });
  expect(readExtensions({}, [{ vendor_name: 'SERVICE', data }]).mistakes).toEqual([expect.stringContaining(reason)]);
});

function asNumber(cell: unknown): unknown {
  return typeof cell === 'string' && /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell;
}
