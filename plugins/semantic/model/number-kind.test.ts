import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCache } from '../../../server/cache/cache.ts';
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { Fixture } from '../testing/fixture.ts';

const DOCUMENT = `
semantic_model:
  - name: kinds
    datasets:
      - name: lines
        source: lines
        primary_key: [id]
        fields:
          - name: id
            expression: { dialects: [{ dialect: ANSI_SQL, expression: id }] }
          - name: price
            expression: { dialects: [{ dialect: ANSI_SQL, expression: price }] }
    metrics:
      - { name: pieces, expression: { dialects: [{ dialect: ANSI_SQL, expression: 'SUM(lines.pieces)' }] } }
      - { name: weighed, expression: { dialects: [{ dialect: ANSI_SQL, expression: 'SUM(lines.pieces * lines.price)' }] } }
      - { name: filled, expression: { dialects: [{ dialect: ANSI_SQL, expression: 'COALESCE(SUM(lines.price), 0)' }] } }
      - { name: gain, expression: { dialects: [{ dialect: ANSI_SQL, expression: 'SUM(lines.price) - COUNT(lines.id)' }] } }
      - { name: rows, expression: { dialects: [{ dialect: ANSI_SQL, expression: 'COUNT(lines.price)' }] } }
`;

let fixture: Fixture;

beforeAll(async () => {
  const statements = [
    'CREATE TABLE lines (id INTEGER, pieces INTEGER, price DECIMAL(10, 2))',
    'INSERT INTO lines VALUES (1, 1, 4), (2, 2, 2)',
  ];
  const warehouse = await startWarehouse('sqlite', statements);
  const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
  fixture = await Fixture.open({ warehouse, cache, document: DOCUMENT });
});

afterAll(() => fixture?.close());

/** Prices that happen to be whole, in an engine without decimals: the answer must keep its format. */
it.each([
  { value: 'pieces', dataType: 'integer', formatted: '3' },
  { value: 'weighed', dataType: 'float', formatted: '8.00' },
  { value: 'filled', dataType: 'float', formatted: '6.00' },
  { value: 'gain', dataType: 'float', formatted: '4.00' },
  { value: 'rows', dataType: 'integer', formatted: '2' },
  { value: 'rows', aggregation: 'SUM', dataType: 'float', formatted: '6.00' },
  { value: 'pieces', aggregation: 'AVG', dataType: 'float', formatted: '1.50' },
  { value: 'pieces', aggregation: 'MAX', dataType: 'integer', formatted: '2' },
  { value: 'weighed', aggregation: 'COUNT', dataType: 'integer', formatted: '2' },
])('$value by $aggregation is $dataType: $formatted', async ({ value, aggregation, dataType, formatted }) => {
  const { columns, records } = await fixture.run({ rows: [], values: [{ metric: value, aggregation }] });
  expect([columns[0]?.dataType, records[0]?.[value]]).toMatchObject([dataType, { formatted }]);
});
