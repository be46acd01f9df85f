/** A number beyond what a double holds finds exactly its row: from the text of a body to the warehouse. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readJson } from '../../../router/json.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { type AnyEngineName, ENGINES, startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { Fixture } from '../testing/fixture.ts';

const TABLES = [
  'CREATE TABLE things (id BIGINT, price DECIMAL(30,20), label VARCHAR(20))',
  `INSERT INTO things VALUES (9007199254740992, 0.12345678901234567890, 'before'),
     (9007199254740993, 0.12345678901234567891, 'meant'), (9007199254740994, 0.12345678901234567892, 'after')`,
];
const DOCUMENT = `
semantic_model:
  - name: things
    datasets:
      - name: things
        source: things
        primary_key: [id]
        fields:
          - { name: id, expression: [{ dialect: ANSI_SQL, expression: id }] }
          - { name: price, expression: [{ dialect: ANSI_SQL, expression: price }] }
          - { name: label, expression: [{ dialect: ANSI_SQL, expression: label }] }
`;

// ClickHouse has other statements for its tables, and SQLite no such decimals; `shown-numbers.test.ts` runs on every engine.
describeEngines('on $engine', suite, { engines: [...ENGINES, 'mariadb', 'trino'] });

function suite(engine: AnyEngineName): void {
  let fixture: Fixture;
  beforeAll(async () => {
    const warehouse = await startWarehouse(engine, TABLES);
    const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
    fixture = await Fixture.open({ warehouse, cache, document: DOCUMENT });
    expect(fixture.problems).toEqual([]);
  });
  afterAll(() => fixture.close());

  it.each([
    ['"field": "id", "op": "EQ", "value": 9007199254740993', ['meant']],
    ['"field": "id", "op": "IN", "values": [9007199254740993, 9007199254740991]', ['meant']],
    ['"field": "id", "op": "GT", "value": 9007199254740993', ['after']],
    ['"field": "id", "op": "NEQ", "value": 9007199254740993', ['after', 'before']],
    ['"field": "id", "op": "BETWEEN", "values": [9007199254740993, 9007199254740993]', ['meant']],
    ['"field": "price", "op": "EQ", "value": 0.12345678901234567891', ['meant']],
  ])('%s', async (filter, labels) => {
    const body = readJson(`{"rows": [{"dataset": "things", "field": "label"}], "sorts": [{"field": "things.label"}],
      "filters": [{"dataset": "things", ${filter}}]}`);
    expect(await fixture.table(body as object)).toEqual(labels.map((label) => [label]));
  });
}
