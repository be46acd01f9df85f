/** A model over two catalogs of one Trino. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { titleNeeding } from '../../router/testing/not-run.ts';
import { openCache } from '../../server/cache/cache.ts';
import { engineMissing, startWarehouse } from '../../server/warehouse/testing/engines.ts';
import { Fixture } from './testing/fixture.ts';

const missing = engineMissing('trino');
const dataset = (name: string, source: string, key: string, fields: readonly string[]) =>
  `{ name: ${name}, source: ${source}, primary_key: [${key}], fields: [${fields
    .map((field) => `{ name: ${field}, expression: [{ dialect: ANSI_SQL, expression: ${field} }] }`)
    .join(', ')}] }`;

describe.skipIf(missing !== undefined)(titleNeeding('tables of other catalogs of a Trino', missing), () => {
  let fixture: Fixture;
  const document = (nation: string) => `
semantic_model:
  - name: trade
    datasets:
      - ${dataset('orders', 'orders', 'id', ['id', 'nation'])}
      - ${dataset('nations', nation, 'nationkey', ['nationkey', 'name'])}
    relationships: [{ name: of, from: orders, to: nations, from_columns: [nation], to_columns: [nationkey] }]
    metrics: [{ name: amount, expression: [{ dialect: ANSI_SQL, expression: SUM(orders.amount) }] }]
`;
  beforeAll(async () => {
    const warehouse = await startWarehouse('trino', [
      'CREATE TABLE orders (id INTEGER, nation BIGINT, amount DECIMAL(10,2))',
      'INSERT INTO orders VALUES (1, 6, 10), (2, 6, 5), (3, 7, 1)',
    ]);
    fixture = await Fixture.open({
      warehouse,
      cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
      document: document('tpch.tiny.nation'),
    });
  });
  afterAll(() => fixture?.close());

  it('are joined and filtered', async () => {
    expect(fixture.problems).toEqual([]);
    const name = { dataset: 'nations', field: 'name' };
    const request = { rows: [name], values: [{ metric: 'amount' }] };
    expect(await fixture.numbers(request)).toEqual([
      ['FRANCE', 15],
      ['GERMANY', 1],
    ]);
    expect(await fixture.numbers({ ...request, filters: [{ ...name, op: 'EQ', value: 'GERMANY' }] })).toEqual([
      ['GERMANY', 1],
    ]);
  });

  it.each(['tpch.tiny.nowhere', 'tpch.nowhere.nation', 'nowhere.tiny.nation'])('are missing as %s', async (source) => {
    expect(await fixture.reload(document(source))).toMatchObject([
      { severity: 'error', message: expect.stringContaining(`the warehouse has no table ${source}`) },
    ]);
  });
});
