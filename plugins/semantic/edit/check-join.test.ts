import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCache } from '../../../server/cache/cache.ts';
import { ENGINES, startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { loadModel } from '../load.ts';
import { statementsFor, type Table } from '../testing/tables.ts';
import { checkJoin, type JoinEnds } from './check-join.ts';

/** One order has no customer, one a customer that is not there, and of the customer b there are two. */
const TABLES: readonly Table[] = [
  {
    name: 'orders',
    columns: [
      ['id', 'integer'],
      ['customer', 'text'],
      ['region', 'integer'],
    ],
    rows: [
      [1, 'a', 1],
      [2, 'a', 1],
      [3, 'b', 2],
      [4, null, 2],
      [5, 'x', 1],
    ],
  },
  {
    name: 'customers',
    columns: [
      ['code', 'text'],
      ['area', 'integer'],
    ],
    rows: [
      ['a', 1],
      ['b', 1],
      ['b', 2],
      ['c', 3],
      [null, 4],
    ],
  },
];
const DOCUMENT = `
semantic_model:
  - name: shop
    datasets:
      - { name: orders, source: orders, primary_key: [id], fields: [{ name: id, expression: [{ dialect: ANSI_SQL, expression: id }] }] }
      - { name: customers, source: customers, fields: [{ name: code, expression: [{ dialect: ANSI_SQL, expression: code }] }] }
    metrics:
      - { name: orders_count, expression: [{ dialect: ANSI_SQL, expression: COUNT(orders.id) }] }
`;

describe.each(ENGINES)('the check of a join on %s', (engine) => {
  let started: TestWarehouse;
  let check: (ends: Partial<JoinEnds>) => ReturnType<typeof checkJoin>;
  beforeAll(async () => {
    started = await startWarehouse(engine, [...statementsFor(engine, TABLES)], { poolSize: 2 });
    const { warehouse } = started;
    const { model } = await loadModel({ schema: undefined }, DOCUMENT, warehouse);
    if (model === undefined) throw new Error('no model');
    const parts = {
      cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
      settings: { cacheTtlMs: 0 },
    };
    check = (ends) =>
      checkJoin(
        { from: 'orders', to: 'customers', fromColumns: ['customer'], toColumns: ['code'], ...ends },
        { model, warehouse, keyPrefix: ['test'] },
        parts,
        undefined,
      );
  });
  afterAll(() => started?.stop());

  it('counts rows, empty keys, keys without a partner and repeated keys', async () => {
    expect(await check({})).toEqual({ rows: 5, emptyKeys: 1, withoutPartner: 1, repeatedKeys: 1 });
  });

  it('takes several columns as one key', async () => {
    expect(await check({ fromColumns: ['customer', 'region'], toColumns: ['code', 'area'] })).toEqual({
      rows: 5,
      emptyKeys: 1,
      withoutPartner: 1,
      repeatedKeys: 0,
    });
  });

  it.each([
    [{ to: 'customer' }, 'to', ['customers', 'orders']],
    [{ fromColumns: ['customr'] }, 'fromColumns[0]', ['customer', 'region', 'id']],
    [{ toColumns: ['code', 'area'] }, 'toColumns', undefined],
  ] as const)('refuses %j at its place', async (ends, field, available) => {
    const error = await check(ends).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ kind: 'VALIDATION', field });
    if (available !== undefined) expect(error).toMatchObject({ available: expect.arrayContaining([...available]) });
  });
});
