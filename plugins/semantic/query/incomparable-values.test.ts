/**
 * Tests values of any kind against columns of every type on every engine: the result is an answer or the caller's mistake.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toProblemBody } from '../../../router/error-body.ts';
import { ValidationError } from '../../../router/errors.ts';
import { titleNeeding } from '../../../router/testing/not-run.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { engineMissing, startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { COLUMNS_OF, thingsDocument, thingsOf } from '../testing/column-types.ts';
import { openOn } from '../testing/engine-fixture.ts';
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
  '漢😀',
];

describeEngines('on $engine', (engine) => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await openOn(engine, thingsOf(engine), { document: thingsDocument(engine) });
    expect(fixture.problems).toEqual([]);
  });
  afterAll(() => fixture.close());

  it.each(Object.keys(COLUMNS_OF[engine]))('%s', { timeout: 300_000 }, async (field) => {
    const at = { dataset: 'things', field };
    /** Returns the number of rows, or the places that are refused. Any other error fails the test. */
    const outcome = async (filter: object): Promise<unknown> => {
      try {
        return (await fixture.table({ values: [{ metric: 'things' }], filters: [filter] }))[0]?.[0];
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error;
        return error.problems.map((problem) => toProblemBody(problem).field);
      }
    };
    const lists = (values: readonly unknown[]) => outcome({ ...at, op: 'IN', values });
    const equals = (values: readonly unknown[]) =>
      outcome({ any: values.map((value) => ({ ...at, op: 'EQ', value })) });
    /** Leaves out values that are refused, until the others are accepted together. */
    const accepted = async (
      ask: (values: readonly unknown[]) => Promise<unknown>,
      placeOf: (index: number) => string,
    ): Promise<readonly [values: readonly unknown[], rows: unknown]> => {
      let left: readonly unknown[] = VALUES;
      for (;;) {
        const rows = left.length === 0 ? 0 : await ask(left);
        if (!Array.isArray(rows)) return [left, rows];
        const kept = left.filter((_, index) => !rows.includes(placeOf(index)));
        expect([rows, kept.length]).toEqual([rows, left.length - rows.length]);
        left = kept;
      }
    };
    const listed = await accepted(lists, (index) => `filters[0].values[${index}]`);
    expect(listed).toEqual([expect.anything(), expect.any(Number)]);
    // A value alone is refused where the list refuses it, and the accepted ones find the same rows.
    expect(await accepted(equals, (index) => `filters[0].any[${index}].value`)).toEqual(listed);
  });
});

describe.skipIf(engineMissing('mariadb') !== undefined)(titleNeeding('on mariadb', engineMissing('mariadb')), () => {
  it('each value with a character that the column’s character set lacks is refused at its place', {
    timeout: 300_000,
  }, async () => {
    const warehouse = await startWarehouse('mariadb', thingsOf('mariadb'), { poolSize: 2 });
    const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
    const fixture = await Fixture.open({ warehouse, cache, document: thingsDocument('mariadb') });
    try {
      const at = { dataset: 'things', field: 'latin' };
      const fieldsOf = async (filters: readonly object[]) =>
        (await fixture.refusal({ values: [{ metric: 'things' }], filters })).problems.map(
          (problem) => toProblemBody(problem).field,
        );
      const many = Array.from({ length: 5_000 }, (_, index) => (index === 3_217 ? '漢' : `é${index}`));
      const list = { ...at, op: 'IN', values: many };
      const range = { ...at, op: 'BETWEEN', values: ['é', '😀'] };
      const word = { dataset: 'things', field: 'word', op: 'EQ', value: '😀' };
      expect(await fieldsOf([list, word])).toEqual(['filters[0].values[3217]']);
      expect(await fieldsOf([word, { any: [range, { ...at, op: 'NEQ', value: '漢' }] }, list])).toEqual([
        'filters[1].any[0].values[1]',
        'filters[1].any[1].value',
        'filters[2].values[3217]',
      ]);
    } finally {
      await fixture.close();
    }
  });
});

describe('on postgresql', () => {
  it('days with years of five digits, before Christ or infinite find their rows as filters, or are not values', async () => {
    const warehouse = await startWarehouse('postgresql', [
      'CREATE TABLE things (id INTEGER, day DATE, instant TIMESTAMP, zoned TIMESTAMPTZ)',
      `INSERT INTO things VALUES (1, '10000-01-01', '12345-06-07 08:09:10', '12345-06-07 08:09:10+00'),
         (2, '0044-03-15 BC', '0001-01-01 00:00:00 BC', '0044-03-15 10:00:00+00 BC'),
         (3, 'infinity', '-infinity', 'infinity'), (4, '0001-01-01', '0001-01-01 00:00:00', '9999-12-31 23:59:59+00')`,
    ]);
    const fields = ['day', 'instant', 'zoned'].map(
      (name) => `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: ${name} }] }`,
    );
    const document = `
semantic_model:
  - name: things
    datasets: [{ name: things, source: things, primary_key: [id], fields: [${fields.join(', ')}] }]
    metrics: [{ name: things, expression: [{ dialect: ANSI_SQL, expression: COUNT(things.id) }] }]
`;
    const fixture = await Fixture.open({
      warehouse,
      cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
      document,
    });
    try {
      for (const field of ['day', 'instant', 'zoned']) {
        const at = { dataset: 'things', field };
        const { matches } = await fixture.operations().searchValues({ connection: 'test', ...at });
        expect(matches).toHaveLength(4);
        let answered = 0;
        for (const value of matches) {
          try {
            const table = await fixture.table({
              values: [{ metric: 'things' }],
              filters: [{ ...at, op: 'EQ', value }],
            });
            expect([value, table]).toEqual([value, [[1]]]);
            answered++;
          } catch (error) {
            expect(error).toBeInstanceOf(ValidationError);
            expect(error).toMatchObject({ field: 'filters[0].value' });
          }
          expect(
            (await fixture.operations().searchValues({ connection: 'test', ...at, q: value })).matches.length,
          ).toBeGreaterThanOrEqual(0);
        }
        expect(answered).toBeGreaterThanOrEqual(1);
      }
    } finally {
      await fixture.close();
    }
  });
});
