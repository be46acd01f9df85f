import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { readSchema } from '../../schema/read-schema.ts';
import { type MdxCatalog, openCatalog } from '../index.ts';

const SCHEMA = `<Schema name="Wrong">
  <Cube name="Sales"><Table name="sales"/>
    <Dimension name="Customer"><Hierarchy hasAll="true"><Level name="Customer" column="customer" uniqueMembers="true"/></Hierarchy></Dimension>
    <Measure name="Units" column="units" aggregator="sum"/>
    <CalculatedMember name="Good" dimension="Measures" formula="[Measures].[Units] * 2"/>
    <CalculatedMember name="Bad" dimension="Measures" formula="[Measures].[Unitz] * 2"/>
    <NamedSet name="Nobody" formula="Head([Customers].Members)"/>
  </Cube>
</Schema>`;

describe('a mistake in a formula of the schema', () => {
  let started: TestWarehouse;
  let catalog: MdxCatalog;
  beforeAll(async () => {
    started = await startWarehouse('duckdb', [
      'CREATE TABLE sales (customer VARCHAR(5), units INTEGER)',
      "INSERT INTO sales VALUES ('ann', 3)",
    ]);
    const { schema } = readSchema(SCHEMA);
    if (schema === undefined) throw new Error('The schema cannot be read.');
    catalog = openCatalog({ schema, warehouse: started.warehouse });
  });
  afterAll(() => started.stop());

  it('does not affect other queries', async () => {
    const result = await catalog.query('select {[Measures].[Good]} on 0 from Sales');
    expect(result.cells[0]?.value).toBe(6);
  });

  it.each([
    [
      'select [Nobody] on 0 from Sales',
      "In named set 'Nobody' of the schema, line 7: MDX object '[Customers].Members' not found in cube 'Sales'",
    ],
    [
      'with member Measures.X as [Measures].[Bad] select {Measures.X} on 0 from Sales',
      "In calculated member '[Measures].[Bad]' of the schema, line 6: MDX object '[Measures].[Unitz]' not found in cube 'Sales'",
    ],
  ])('is reported with its line: %s', async (mdx, message) => {
    const result = await catalog.query(mdx).then(
      ({ cells }) => cells[0]?.error,
      (error: Error) => error.message,
    );
    expect(result).toBe(message);
  });
});
