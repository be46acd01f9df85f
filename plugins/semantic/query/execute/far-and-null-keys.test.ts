/** Tests that keys of periods find their periods: from columns, in embeds, of far years, and of null. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { casesOn } from '../../../../server/warehouse/testing/tests-on.ts';
import { openOn } from '../../testing/engine-fixture.ts';
import { type Fixture, scope } from '../../testing/fixture.ts';
import type { Table } from '../../testing/tables.ts';

/** The far dates that each engine supports. */
const FAR: Readonly<Record<string, readonly string[]>> = {
  duckdb: ['0987-05-05', '0001-01-01', '12024-02-03'],
  postgresql: ['0987-05-05', '0001-01-01', '12024-02-03'],
  sqlite: ['0987-05-05', '0001-01-01'],
  mariadb: ['1001-05-05', '9999-12-31'],
  clickhouse: ['1910-05-05', '2290-12-31'],
  trino: ['0987-05-05', '0001-01-01', '12024-02-03'],
};
const field = (name: string) =>
  `          - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name} }] } }`;
const document = `
version: "0.1.1"
semantic_model:
  - name: shop
    datasets:
      - name: sales
        source: sales
        primary_key: [id]
        fields:
${['day', 'kind'].map(field).join('\n')}
    metrics:
      - { name: number, expression: { dialects: [{ dialect: ANSI_SQL, expression: COUNT(sales.id) }] } }
      - { name: running, expression: { dialects: [{ dialect: ANSI_SQL, expression: COUNT(sales.id) }] }, custom_extensions: [{ vendor_name: SERVICE, data: '{"dataset": "sales", "cumulative": {"by": "sales.day"}}' }] }
`;
const GRAINS = [['day'], ['week'], ['month'], ['quarter'], ['year'], ['day_of_week'], ['month_of_year']] as const;

describeEngines('on $engine', (engine) => {
  let shop: Fixture;
  const days = ['2024-02-29', '2023-12-31', null, ...(FAR[engine] ?? [])];
  const sales: Table = {
    name: 'sales',
    columns: [
      ['id', 'integer'],
      ['day', 'date'],
      ['kind', 'text'],
    ],
    rows: days.map((day, id) => [id, day, id % 2 === 0 ? 'even' : null]),
  };
  beforeAll(async () => {
    shop = await openOn(engine, [sales], { document });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());

  // Only for engines with such years.
  if (days.includes('12024-02-03'))
    it('windows end with days of years beyond 9999, filled and filtered', async () => {
      const date = { dataset: 'sales', field: 'day', grain: 'day' };
      const filters = [{ ...date, op: 'BETWEEN', values: ['+012024-02-02', '+012024-02-03'] }];
      const request = { rows: [{ ...date, fill: true }], values: [{ metric: 'running' }], filters };
      // Four days before: two of our time, and two long ago.
      expect(await shop.numbers(request)).toEqual([
        ['+012024-02-02', 4],
        ['+012024-02-03', 5],
      ]);
    });

  it.each(casesOn(engine, GRAINS))(
    'keys of %s find their periods in rows, columns and embeds, also in far years and for null',
    async (grain) => {
      const date = { dataset: 'sales', field: 'day', grain };
      const values = [{ metric: 'number' }];
      const request = { rows: [{ dataset: 'sales', field: 'kind' }], columns: [date], values };
      const byKey = new Map<unknown, unknown[]>();
      for (const [kind, key, number] of await shop.numbers(request)) {
        byKey.set(key, [...(byKey.get(key) ?? []), [kind, key, number]]);
      }
      expect(byKey.size).toBeGreaterThan(2);
      for (const [key, cells] of byKey) {
        // `shown-keys.test.ts` asks Trino for keys of our time.
        if (engine === 'trino' && String(key).startsWith('202')) continue;
        const test = key === null ? { op: 'IS_NULL' as const } : { op: 'EQ' as const, value: key as string | number };
        expect([key, await shop.numbers({ ...request, filters: [{ ...date, ...test }] })]).toEqual([key, cells]);
        const source = shop.surface.source.prepare({ connection: 'test', ...request });
        const narrowing = { field: `sales.day.${grain}`, op: test.op, values: key === null ? [] : [String(key)] };
        const { records } = await source.run(scope('ROLE_USER'), { runtimeFilters: [narrowing] });
        expect([key, records.length]).toEqual([key, cells.length]);
        if (key === null) continue;
        const [low] = await shop.numbers({
          rows: [date],
          values,
          filters: [{ ...date, op: 'BETWEEN', values: [key, key] }],
        });
        expect(low?.[0]).toEqual(key);
      }
    },
  );
});
