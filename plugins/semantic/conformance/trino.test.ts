/** Values that Trino cannot hold, or that are more than a statement takes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { titleNeeding } from '../../../router/testing/not-run.ts';
import { engineMissing } from '../../../server/warehouse/testing/engines.ts';
import { openOn } from '../testing/engine-fixture.ts';
import { type Fixture, scope } from '../testing/fixture.ts';
import { SHOP, SHOP_MODEL } from './shop.ts';

const missing = engineMissing('trino');
describe.skipIf(missing !== undefined)(titleNeeding('on trino', missing), () => {
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn('trino', SHOP, { document: SHOP_MODEL });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());

  it('are refused at their place', async () => {
    const filtered = (field: string, test: object) => ({
      values: [{ metric: 'lines' }],
      filters: [{ dataset: 'sales', field, ...test }],
    });
    const all = scope('ROLE_ADMIN');
    const place = async (field: string, test: object) => (await shop.refusal(filtered(field, test), all)).field;
    expect(await place('amount', { op: 'EQ', value: '9'.repeat(39) })).toBe('filters[0].value');
    expect(await place('amount', { op: 'IN', values: [1, `0.${'1'.repeat(38)}`] })).toBe('filters[0].values[1]');
    expect(await place('day', { op: 'GTE', value: '-000001-01-01' })).toBe('filters[0].value');
    const long = Array.from({ length: 500 }, (_, at) => `${'long '.repeat(200)}${at}`);
    expect(await place('code', { op: 'IN', values: long })).toBe('filters[0].values');
    // Values of several kinds, each as exact as alone: the sales 1 and 8 are of 10.25, 2 is of 20.5.
    const numbers = Array.from({ length: 1_000 }, (_, at) => at + 1_000_000);
    const values = [...numbers, '10.25', 20.5, '0.1000000000000000000000000001'];
    expect(await shop.table(filtered('amount', { op: 'IN', values }), all)).toEqual([[3]]);
  });
});
