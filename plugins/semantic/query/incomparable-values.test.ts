/** Values of any kind, compared with columns of every type, on every engine: an answer or the caller's mistake. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ValidationError } from '../../../router/errors.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { ALL_ENGINES, engineMissing, startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { COLUMNS_OF, thingsDocument, thingsOf } from '../testing/column-types.ts';
import { Fixture } from '../testing/fixture.ts';

const VALUES: readonly (string | number | boolean)[] = [
  -1,
  300,
  1e300,
  5e-324,
  true,
  '',
  'no such thing',
  '1e39',
  '9223372036854775808',
  '9'.repeat(38),
  `-${'9'.repeat(100)}`,
  `0.${'1'.repeat(30)}`,
  `1.${'0'.repeat(60)}1`,
  '0000-01-01',
  '9999-12-31',
  '1899-12-31',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59.999999999-12:00',
  '2300-01-01T10:00:00.1234567891',
  '24:00:00',
  '23:59:59.999999999',
  '0d8a8d2c-3c1e-4b7e-9f0a',
  '1 day',
  '{"a":',
  '\ud800',
];

describe.each(ALL_ENGINES.filter((engine) => engineMissing(engine) === undefined))('on %s', (engine) => {
  let fixture: Fixture;
  beforeAll(async () => {
    const warehouse = await startWarehouse(engine, thingsOf(engine), { poolSize: 2 });
    const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
    fixture = await Fixture.open({ warehouse, cache, document: thingsDocument(engine) });
    expect(fixture.problems).toEqual([]);
  });
  afterAll(() => fixture.close());

  it.each(Object.keys(COLUMNS_OF[engine]))('%s', { timeout: 60_000 }, async (field) => {
    const wrong: unknown[] = [];
    const outcome = async (test: object) => {
      try {
        const table = await fixture.table({
          values: [{ metric: 'things' }],
          filters: [{ dataset: 'things', field, ...test }],
        });
        return table[0]?.[0];
      } catch (error) {
        return error instanceof ValidationError ? error.problems.map((problem) => problem.field).join() : error;
      }
    };
    for (const value of VALUES) {
      const [equal, listed] = await Promise.all([outcome({ op: 'EQ', value }), outcome({ op: 'IN', values: [value] })]);
      const isAnswer = typeof equal === 'number' && equal === listed;
      const isMistake = equal === 'filters[0].value' && listed === 'filters[0].values[0]';
      if (!isAnswer && !isMistake) wrong.push([value, equal, listed]);
    }
    expect(wrong).toEqual([]);
  });
});
