import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES, startWarehouse, type TestWarehouse } from '../../../../../server/warehouse/testing/engines.ts';
import { readSchema } from '../../../schema/read-schema.ts';
import { type DrillthroughOptions, type DrillthroughResult, type MdxCatalog, openCatalog } from '../../index.ts';
import { openShop, SHOP_TABLES } from '../../testing/shop.ts';

const VIRTUAL = `<Schema name="Shop">
  <Dimension name="Store"><Hierarchy hasAll="true" primaryKey="store_id"><Table name="store"/>
    <Level name="Region" column="region" uniqueMembers="true"/><Level name="Name" column="name" uniqueMembers="true"/></Hierarchy></Dimension>
  <Cube name="Sales"><Table name="sales"/><DimensionUsage name="Store" source="Store" foreignKey="store_id"/>
    <Dimension name="Customer"><Hierarchy hasAll="true"><Level name="Customer" column="customer" uniqueMembers="true"/></Hierarchy></Dimension>
    <Measure name="Units" column="units" aggregator="sum"/></Cube>
  <Cube name="Stock"><Table name="store"/><DimensionUsage name="Store" source="Store" foreignKey="store_id"/>
    <Measure name="Stores" aggregator="count" column="store_id"/></Cube>
  <VirtualCube name="Both"><VirtualCubeDimension name="Store"/><VirtualCubeDimension cubeName="Sales" name="Customer"/>
    <VirtualCubeMeasure cubeName="Sales" name="[Measures].[Units]"/><VirtualCubeMeasure cubeName="Stock" name="[Measures].[Stores]"/></VirtualCube>
</Schema>`;

/** The rows behind the cells of the shop; see `testing/shop.ts` for its six sales. */
// Names, sets and cells are the product's own work; `dialects.test.ts` runs the statements of MDX on every engine, for roles too.
describe.each(ENGINES)('DRILLTHROUGH on %s', (engine) => {
  let started: TestWarehouse;
  let shop: MdxCatalog;
  beforeAll(async () => {
    started = await startWarehouse(engine, SHOP_TABLES);
    shop = openShop(started.warehouse);
  });
  afterAll(() => started.stop());

  const run = (mdx: string, options: Partial<DrillthroughOptions> = {}): Promise<DrillthroughResult> =>
    shop.drillthrough(mdx, { maxRows: 100, ...options });
  /** Returns the rows as sorted texts. */
  const rows = async (mdx: string, options: Partial<DrillthroughOptions> = {}): Promise<readonly string[]> =>
    (await run(mdx, options)).rows.map((row) => row.join(' ')).toSorted();

  it('lists all levels and the measure without RETURN', async () => {
    const result = await run(
      'drillthrough select {[Measures].[Units]} on 0 from Sales where ([Store].[North].[Oslo], [Time].[2023])',
    );
    expect(result.columns).toEqual([
      { name: '[Store].[Region]', caption: 'Region', type: 'text' },
      { name: '[Store].[Name]', caption: 'Name', type: 'text' },
      { name: '[Time].[Year]', caption: 'Year', type: 'integer' },
      { name: '[Time].[Quarter]', caption: 'Quarter', type: 'text' },
      { name: '[Customer].[Customer]', caption: 'Customer', type: 'text' },
      { name: '[Measures].[Units]', caption: 'Units', type: 'integer' },
    ]);
    expect(result.rows.map((row) => row.join(' ')).toSorted()).toEqual([
      'North Oslo 2023 Q1 ann 10',
      'North Oslo 2023 Q2 bob 20',
    ]);
    expect(result.truncated).toBe(false);
  });

  it('returns the named levels, properties, keys and measures, one row for each fact', async () => {
    expect(
      await rows(
        'drillthrough select from Sales where [Time].[2023].[Q1] return [Store].[Name], [Store].[Name].[Size], KEY([Time].[Year]), [Measures].[Amount], [Measures].[Customers]',
      ),
    ).toEqual(['Bergen 200 2023 50 ann', 'Oslo 300 2023 100.5 ann', 'Rome  2023 70 cat']);
  });

  it('accepts a plain SELECT, with a position if it has several cells', async () => {
    const query = 'select [Store].[Region].Members on 0, {[Time].[2023], [Time].[2024]} on 1 from Sales';
    expect(await rows(query, { position: [1, 1] })).toEqual(['South Rome 2024 Q1 ann 1']);
    await expect(run(query)).rejects.toThrow('The query has 2 x 2 cells');
    await expect(run(query, { position: [1] })).rejects.toThrow('The position has 1 numbers and the query 2 axes.');
    await expect(run(query, { position: [2, 0] })).rejects.toThrow('Axis 0 has 2 positions; there is no position 2.');
  });

  it('counts positions after NON EMPTY', async () => {
    const query = 'select non empty [Time].[Quarter].Members on 0 from Sales where [Store].[South]';
    expect(await rows(query, { position: [1] })).toEqual(['South Rome 2024 Q1 ann 1']);
  });

  it('returns each row of a slicer with several tuples once', async () => {
    expect(
      await rows(
        'drillthrough select from Sales where {([Store].[North], [Time].[2024]), ([Store].[South], [Time].[2023]), ([Store].[South], [Time].[2023].[Q1])} return [Store].[Name], [Measures].[Units]',
      ),
    ).toEqual(['Bergen 4', 'Rome 7']);
    expect(await rows('drillthrough select from Sales where {} return [Measures].[Units]')).toEqual([]);
  });

  it('follows MAXROWS and FIRSTROWSET, in a stable order', async () => {
    const page = async (first: number) =>
      run(`drillthrough maxrows 3 firstrowset ${first} select from Sales return [Measures].[Units]`);
    expect((await page(1)).rows).toEqual([[5], [7], [10]]);
    expect((await page(1)).truncated).toBe(true);
    expect((await page(4)).rows).toEqual([[20]]);
    expect((await page(4)).truncated).toBe(false);
    expect((await run('drillthrough maxrows 50 select from Sales', { maxRows: 2 })).rows).toHaveLength(2);
  });

  it('returns the people below a member of a parent-child hierarchy, with and without a closure table', async () => {
    for (const cube of ['Staff', 'Staff without closure']) {
      const below = (member: string) =>
        rows(`drillthrough select from [${cube}] where ${member} return [Employee].[Person], [Measures].[Salary]`);
      expect(await below('[Employee].[Ada].[Bo]')).toEqual(['Bo 50', 'Di 10']);
      expect(await below('[Employee].[Ada]')).toEqual(['Ada 100', 'Bo 50', 'Cy 40', 'Di 10']);
      expect(await below('[Employee].[Ada].DataMember')).toEqual(['Ada 100']);
    }
  });

  it('returns the facts of the measure in a virtual cube, and none if they are unrelated to a dimension', async () => {
    const { schema } = readSchema(VIRTUAL);
    if (schema === undefined) throw new Error('The schema is wrong.');
    const both = openCatalog({ schema, warehouse: started.warehouse });
    const ask = async (mdx: string) =>
      (await both.drillthrough(mdx, { maxRows: 9 })).rows.map((row) => row.join(' ')).toSorted();
    expect(await ask('select {[Measures].[Stores]} on 0 from Both where [Store].[North]')).toEqual([
      'North Bergen 2',
      'North Oslo 1',
    ]);
    expect(await ask('select {[Measures].[Units]} on 0 from Both where ([Store].[South], [Customer].[cat])')).toEqual([
      'South Rome cat 7',
    ]);
    expect(await ask('select {[Measures].[Stores]} on 0 from Both where [Customer].[cat]')).toEqual([]);
    await expect(
      ask('drillthrough select {[Measures].[Stores]} on 0 from Both return [Measures].[Units]'),
    ).rejects.toThrow("'[Measures].[Units]' is not a measure of the facts of 'Stock'.");
  });

  it('shows a role only the rows of its members', async () => {
    expect(
      await rows('drillthrough select from Sales return [Store].[Name], [Measures].[Units]', { roles: ['north'] }),
    ).toEqual(['Oslo 10', 'Oslo 20']);
    const columns = (await run('drillthrough select from Sales', { roles: ['north'] })).columns.map(({ name }) => name);
    expect(columns).not.toContain('[Customer].[Customer]');
    await expect(
      run('drillthrough select from Sales return [Customer].[Customer]', { roles: ['north'] }),
    ).rejects.toThrow("MDX object '[Customer].[Customer]' not found");
  });

  it.each([
    ['select {[Measures].[Price]} on 0 from Sales', "'[Measures].[Price]' is calculated"],
    ['with member [Store].[X] as 1 select {[Store].[X]} on 0 from Sales', "'[Store].[X]' is a calculated member"],
    ['drillthrough select from Sales return [Store].[Nme]', "MDX object '[Store].[Nme]' not found in cube 'Sales'"],
    [
      'drillthrough select from Sales return [Measures].[Price]',
      "'[Measures].[Price]' is calculated; RETURN takes stored measures.",
    ],
    ['drillthrough select from Sales return FOO([Store].[Name])', 'There is no function FOO in RETURN.'],
    ['drillthrough select from Sales return [Store].[North]', 'is not a level, measure or property'],
  ])('refuses %s', async (mdx, message) => {
    await expect(run(mdx)).rejects.toThrow(message);
  });

  it('reports the position of a wrong name and the nearest names', async () => {
    const error: unknown = await run('drillthrough select from Sales return [Store].[Nme]').catch(
      (each: unknown) => each,
    );
    expect(error).toMatchObject({
      position: { line: 1, column: 39 },
      available: expect.arrayContaining(['[Store].[Name]']),
    });
    expect(error).toHaveProperty('available.0', '[Store].[Name]');
  });
});
