/**
 * Tests fields that are expressions: they have the type of their values on every engine, even if the engine reports none.
 */
import { expect, it } from 'vitest';
import { openCache } from '../../../server/cache/cache.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { Fixture } from '../testing/fixture.ts';
import { statementsFor } from '../testing/tables.ts';

const FIELDS = {
  twice: 'pieces * 2',
  half: 'price / 2',
  size: "CASE WHEN pieces > 3 THEN 'big' ELSE 'small' END",
  flag: 'CASE WHEN pieces > 3 THEN 1 ELSE 0 END',
  marked: 'CASE WHEN pieces > 100 THEN pieces END',
  in_year: 'EXTRACT(YEAR FROM day)',
};
const DOCUMENT = (source: string) => `
semantic_model:
  - name: lots
    datasets:
      - name: lots
        source: ${source}
        primary_key: [id]
        fields:
${Object.entries(FIELDS)
  .map(([name, sql]) => `          - { name: ${name}, expression: [{ dialect: ANSI_SQL, expression: "${sql}" }] }`)
  .join('\n')}
    metrics:
      - { name: lots, expression: [{ dialect: ANSI_SQL, expression: COUNT(lots.id) }] }
`;
const TABLE = {
  name: 'lots',
  columns: [
    ['id', 'integer'],
    ['pieces', 'integer'],
    ['price', 'money'],
    ['day', 'date'],
  ],
  rows: [
    [1, 2, '1.50', '2024-01-01'],
    [2, 5, '10.00', '2024-06-30'],
    [3, 10, '30.00', '2023-01-01'],
  ],
} as const;

/** Filters of a field, and how many of the three lots pass. */
const COUNTED_FILTERS = [
  ['twice', 'GT', 9, 2],
  ['twice', 'LT', '9', 1],
  ['twice', 'GT', '9.5', 2],
  ['half', 'LT', '4', 1],
  ['half', 'GTE', 15, 1],
  ['flag', 'EQ', 1, 2],
  ['size', 'EQ', 'big', 2],
  ['marked', 'GT', 1, 0],
  ['in_year', 'EQ', '2024', 2],
  ['in_year', 'LT', 2024, 1],
] as const;

describeEngines('on $engine', (engine) => {
  it.each([
    { of: 'a table', source: 'lots' },
    { of: 'a query', source: 'SELECT id, pieces, price, day FROM lots' },
  ])('of $of', async ({ source }) => {
    const warehouse = await startWarehouse(engine, statementsFor(engine, [TABLE]));
    const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
    const fixture = await Fixture.open({ warehouse, cache, document: DOCUMENT(source) });
    const counted: unknown[] = [];
    for (const [field, op, value] of COUNTED_FILTERS) {
      const filters = [{ dataset: 'lots', field, op, value }];
      const [row] = await fixture.table({ values: [{ metric: 'lots' }], filters });
      counted.push([field, op, value, row?.[0]]);
    }
    await fixture.close();
    expect(counted).toEqual(COUNTED_FILTERS.map((each) => [...each]));
  });
});
