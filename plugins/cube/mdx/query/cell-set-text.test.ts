import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { readSchema } from '../../schema/read-schema.ts';
import { type MdxCatalog, openCatalog } from '../index.ts';
import { cellSetJson, cellSetTable } from './cell-set-table.ts';
import { resultText } from './cell-set-text.ts';

/** More items than a call accepts as arguments, so a list of this length cannot be spread. */
const PEOPLE = 150_000;
const TABLES = [`CREATE TABLE bought AS SELECT n::INTEGER AS person, 1 AS amount FROM range(${PEOPLE}) t(n)`];
const SCHEMA = `<Schema name="Large">
  <Cube name="Bought">
    <Table name="bought"/>
    <Dimension name="Person">
      <Hierarchy hasAll="true"><Level name="Person" column="person" type="Numeric" uniqueMembers="true"/></Hierarchy>
    </Dimension>
    <Measure name="Amount" column="amount" aggregator="sum"/>
  </Cube>
</Schema>`;

describe('an axis of 150,000 members', () => {
  let started: TestWarehouse;
  let catalog: MdxCatalog;
  beforeAll(async () => {
    started = await startWarehouse('duckdb', TABLES);
    const { schema, problems } = readSchema(SCHEMA);
    if (schema === undefined) throw new Error(JSON.stringify(problems));
    catalog = openCatalog({ schema, warehouse: started.warehouse });
  });
  afterAll(() => started.stop());

  it('is written as text, as a table and as JSON', async () => {
    const result = await catalog.query('SELECT {[Measures].[Amount]} ON 0, [Person].[Person].Members ON 1 FROM Bought');
    const lines = resultText(result).trimEnd().split('\n');
    expect(lines).toHaveLength(5 + 2 * PEOPLE);
    expect(lines.at(5 + PEOPLE)).toBe('Row #0: 1');
    const whole = cellSetTable(result);
    expect(whole).toHaveLength(PEOPLE);
    expect(cellSetTable(result, 3)).toEqual(whole.slice(0, 3));
    expect(cellSetTable(result, 3).map((row) => Object.values(row))).toEqual([
      ['0', '1'],
      ['1', '1'],
      ['2', '1'],
    ]);
    expect(cellSetJson(result).axes[1]?.tuples).toHaveLength(PEOPLE);
  });
});
