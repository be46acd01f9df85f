/** A part of a double finds it in the form that answers show, on every engine. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { openOn } from '../../testing/engine-fixture.ts';
import type { Fixture } from '../../testing/fixture.ts';

const NUMBERS = [56000.91, 3, -120.5, 100, 0, 1e15, 1e16, 1.5e20, 0.1, 0.00025, 0.000015, 1234567.25, 1e21, 2.5e-20];
const DOCUMENT = `
semantic_model:
  - name: things
    datasets: [{ name: things, source: things, primary_key: [id], fields: [{ name: ratio, expression: [{ dialect: ANSI_SQL, expression: ratio }] }] }]
`;

describeEngines('on $engine', (engine) => {
  let shop: Fixture;
  beforeAll(async () => {
    const type = engine === 'clickhouse' ? 'Nullable(Float64)' : 'DOUBLE PRECISION';
    const storage = engine === 'clickhouse' ? ' ENGINE = MergeTree ORDER BY tuple()' : '';
    shop = await openOn(
      engine,
      [
        `CREATE TABLE things (id INTEGER, ratio ${type})${storage}`,
        `INSERT INTO things VALUES ${NUMBERS.map((value, id) => `(${id}, ${value.toExponential()})`).join(', ')}`,
      ],
      { document: DOCUMENT },
    );
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());

  const matchesOf = async (q: string) =>
    (await shop.operations().searchValues({ connection: 'test', dataset: 'things', field: 'ratio', q })).matches;

  it('finds what contains a part', async () => {
    const shown = NUMBERS.toSorted((left, right) => left - right).map(String);
    expect(await matchesOf('')).toEqual(shown);
    for (const q of ['6000.9', '000', '20.5', '.25', '0.0', '25', '-1', 'e', 'E4', '1e+', '0000000000', '5e']) {
      // A text also finds the number that it means: 000 is 0.
      const isFound = (text: string) => text.includes(q.toLowerCase()) || Number(text) === Number(q);
      expect([q, await matchesOf(q)]).toEqual([q, shown.filter(isFound)]);
    }
  });
});
