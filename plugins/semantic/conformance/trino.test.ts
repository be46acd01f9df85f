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

  it('that have no text are left out, and the rest of their row is drilled by the values as shown', async () => {
    const at = (field: string) => ({ dataset: 'visits', field });
    const fields = ['visitors', 'moment', 'site'];
    const visits = await openOn(
      'trino',
      [
        'CREATE TABLE visits AS SELECT * FROM (VALUES ' +
          "(1, TIMESTAMP '2024-01-01 10:00:00.123456789012', 'shop'), " +
          "(2, TIMESTAMP '2024-01-01 10:00:00.123456789013', 'shop')) AS v (id, moment, site) " +
          'CROSS JOIN (SELECT approx_set(1) AS visitors)',
      ],
      {
        document: `
semantic_model:
  - name: visits
    datasets:
      - name: visits
        source: visits
        primary_key: [id]
        fields: [${fields.map((name) => `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: ${name} }] }`).join(', ')}]
    metrics: [{ name: visits, expression: [{ dialect: ANSI_SQL, expression: COUNT(visits.id) }] }]
`,
      },
    );
    try {
      expect(visits.problems.map(({ message }) => message)).toEqual([
        expect.stringContaining('values of HyperLogLog have no text'),
      ]);
      const rows = [at('site'), at('moment')];
      const groups = await visits.table({ rows, values: [{ metric: 'visits' }] });
      expect(groups).toHaveLength(2);
      for (const [site, moment] of groups) {
        const filters = [
          { ...at('site'), op: 'EQ', value: site },
          { ...at('moment'), op: 'EQ', value: moment },
        ];
        const { records } = await visits.operations().rowDetail({ connection: 'test', rows, filters });
        expect(records.map((record) => Object.values(record))).toEqual([[site, moment]]);
      }
      const asked = visits.operations().rowDetail({ connection: 'test', rows: [at('visitors')] });
      await expect(asked).rejects.toThrow('There is no field "visitors"');
    } finally {
      await visits.close();
    }
  });
});
