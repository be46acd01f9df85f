/** Tests relative periods on every engine. Amounts are powers of two, so that each sum identifies its rows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toProblemBody } from '../../../../router/error-body.ts';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { openOn } from '../../testing/engine-fixture.ts';
import type { Fixture } from '../../testing/fixture.ts';
import type { Table } from '../../testing/tables.ts';

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
    // In Berlin half past midnight of 1 April, by summer time.
    [1, '2024-04-01', '2024-03-31 22:30:00', 1, 'x'],
    [2, '2024-03-31', '2024-03-31 21:30:00', 2, 'x'],
    [3, '2024-03-02', '2024-03-02 00:00:00', 4, 'x'],
    [4, '2024-03-01', '2024-02-29 23:30:00', 8, 'x'],
    [5, '2024-02-29', '2024-02-29 12:00:00', 16, 'x'],
    [6, '2023-12-31', '2023-12-31 23:30:00', 32, 'x'],
    [7, '2023-04-01', '2023-04-01 00:00:00', 64, 'x'],
    [8, null, null, 128, 'x'],
    [9, '2024-04-30', '2024-04-30 10:00:00', 256, 'x'],
  ],
};

const DOCUMENT = `
version: "0.1.1"
semantic_model:
  - name: shop
    datasets:
      - name: orders
        source: orders
        primary_key: [id]
        fields:
          - { name: day, expression: { dialects: [{ dialect: ANSI_SQL, expression: day }] } }
          - { name: at, expression: { dialects: [{ dialect: ANSI_SQL, expression: "orders.at" }] } }
          - { name: state, expression: { dialects: [{ dialect: ANSI_SQL, expression: state }] } }
    metrics:
      - { name: total, expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(orders.amount) }] } }
`;

/** Still 31 March in UTC, 1 April in Berlin. */
const NOW = Date.UTC(2024, 2, 31, 23, 30);
const values = [{ metric: 'total' }];

describeEngines('on $engine', (engine) => {
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn(engine, [ORDERS], { document: DOCUMENT, clock: () => NOW });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());

  const total = async (filter: object, timezone?: string) => {
    const filters = [{ dataset: 'orders', field: 'day', op: 'RELATIVE', ...filter }];
    return (await shop.table({ values, filters, timezone }))[0]?.[0];
  };

  it.each([
    [{ value: 'last_n_days', n: 1 }, 2],
    [{ value: 'last_n_days', n: 30 }, 6],
    [{ value: 'last_n_days', n: 31 }, 14],
    [{ value: 'mtd' }, 14],
    [{ value: 'qtd' }, 30],
    [{ value: 'ytd' }, 30],
    [{ value: 'last_n_months', n: 2 }, 30],
    [{ value: 'last_n_quarters', n: 2 }, 62],
    [{ value: 'last_n_years', n: 2 }, 383],
    [{ value: 'previous_period' }, null],
    [{ value: 'previous_period', grain: 'week' }, null],
    [{ value: 'previous_period', grain: 'week', n: 5 }, 28],
    [{ value: 'previous_period', grain: 'month' }, 16],
    [{ value: 'previous_period', grain: 'quarter' }, 32],
    [{ value: 'previous_period', grain: 'year' }, 96],
  ])('%j of dates, where it is 31 March', async (filter, expected) => {
    expect(await total(filter)).toBe(expected);
  });

  it.each([
    [{ value: 'mtd' }, 1],
    [{ value: 'last_n_months', n: 1 }, 257],
    [{ value: 'previous_period', grain: 'month' }, 14],
    [{ field: 'at', value: 'last_n_days', n: 1 }, 1],
    [{ field: 'at', value: 'previous_period', grain: 'month' }, 14],
    [{ field: 'at', value: 'ytd' }, 63],
  ])('%j in Berlin, where it is 1 April', async (filter, expected) => {
    expect(await total(filter, 'Europe/Berlin')).toBe(expected);
  });

  it('timestamps without a zone are read as UTC', async () => {
    expect(await total({ field: 'at', value: 'ytd' })).toBe(31);
  });

  it('the filter of a host page names a period and its number', async () => {
    const run = (field: string, filterValues: readonly string[]) =>
      shop.surface.source
        .prepare({ connection: 'test', rows: [{ dataset: 'orders', field: 'day', grain: 'month' }], values })
        .run(
          { tenant: 'default' as never, user: 'ann', roles: [] },
          { runtimeFilters: [{ field, op: 'RELATIVE', values: filterValues }] },
        );
    const { records } = await run('orders.day.month', ['last_n_months', '2']);
    expect(records.map((record) => record['orders.day.month'])).toEqual(['2024-02-01', '2024-03-01']);
    await expect(run('orders.day.month', ['last_n_months'])).rejects.toMatchObject({ field: 'filter' });
  });
});

describe('refused', () => {
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn('duckdb', [ORDERS], { document: DOCUMENT, clock: () => NOW });
  });
  afterAll(() => shop?.close());

  it.each([
    [{ value: 'last_n_moons', n: 1 }, 'filters[0].value', 'last_n_months'],
    [{}, 'filters[0].value', 'last_n_days'],
    [{ value: 'last_n_days' }, 'filters[0].n', undefined],
    [{ value: 'ytd', n: 2 }, 'filters[0].n', undefined],
    [{ value: 'last_n_years', n: 10_000 }, 'filters[0].n', undefined],
    [{ values: ['ytd'] }, 'filters[0].values', undefined],
    [{ field: 'state', value: 'ytd' }, 'filters[0].op', 'EQ'],
    [{ value: 'previous_period', grain: 'day_of_week' }, 'filters[0].grain', 'month'],
    [{ op: 'EQ', value: '2024-01-01', n: 2 }, 'filters[0].n', undefined],
  ])('%j at %s', async (filter, field, available) => {
    const refusal = await shop.refusal({
      values,
      filters: [{ dataset: 'orders', field: 'day', op: 'RELATIVE', ...filter }],
    });
    const problem = refusal.problems.find((one) => toProblemBody(one).field === field);
    expect(problem).toBeDefined();
    if (available !== undefined) expect(problem?.available).toContain(available);
  });
});
