import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCache } from '../../../server/cache/cache.ts';
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import type { ModelSchema } from '../schemas.ts';
import { Fixture } from '../testing/fixture.ts';

const DBT = '{"meta":{"owner":"finance"}}';
const DOCUMENT = `
semantic_model:
  - name: retail
    ai_context: { instructions: Money in EUR., synonyms: [shopping], examples: [How much was sold?] }
    custom_extensions: [{ vendor_name: DBT, data: '${DBT}' }, { vendor_name: DBT, data: '{"visibility":"internal"}' }]
    datasets:
      - name: orders
        source: orders
        primary_key: [id]
        ai_context: { instructions: One row for each order., synonyms: [purchases] }
        fields:
          - name: placed
            dimension: { is_time: true }
            expression: [{ dialect: ANSI_SQL, expression: placed }]
            ai_context: { examples: ['2024-01-05'] }
          - { name: id, expression: [{ dialect: ANSI_SQL, expression: id }] }
    metrics:
      - name: total
        expression: [{ dialect: ANSI_SQL, expression: SUM(orders.total) }]
        ai_context: { instructions: Never add it to refunds., examples: [Total of May?] }
`;

let fixture: Fixture;
let schema: ModelSchema;
beforeAll(async () => {
  const warehouse = await startWarehouse('duckdb', [
    'CREATE TABLE orders (id INTEGER, placed DATE, total DECIMAL(10, 2))',
  ]);
  const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
  fixture = await Fixture.open({ warehouse, cache, document: DOCUMENT });
  schema = await fixture.operations().schema({ connection: 'test', model: 'retail' });
});
afterAll(() => fixture.close());

test('the author’s instructions for agents are at their element', () => {
  expect(fixture.problems).toEqual([]);
  expect(schema).toMatchObject({
    instructions: 'Money in EUR.',
    synonyms: ['shopping'],
    aiExamples: ['How much was sold?'],
    datasets: {
      orders: {
        instructions: 'One row for each order.',
        synonyms: ['purchases'],
        fields: { placed: { aiExamples: ['2024-01-05'], isTime: true } },
      },
    },
    metrics: { total: { instructions: 'Never add it to refunds.', aiExamples: ['Total of May?'] } },
  });
});

test('an element without descriptions has none of these members', () => {
  const members = Object.keys(schema.datasets.orders?.fields.id ?? {});
  expect(members.toSorted()).toEqual(['cardinality', 'estimatedDistinct', 'label', 'name', 'sampleValues', 'type']);
});

test("other vendors' blocks are returned unchanged, without internal ones", () => {
  expect(schema.customExtensions).toEqual([{ vendor_name: 'DBT', data: DBT }]);
});
