import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES, startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { readSchema } from '../schema/read-schema.ts';
import { type MdxCatalog, openCatalog } from './index.ts';
import { resultText } from './query/cell-set-text.ts';
import { names } from './testing/ask.ts';

/** Goods in two tables. The upper table has kinds without goods. Sales are by goods, shipments by depot. */
const TABLES: readonly string[] = [
  'CREATE TABLE kind (kind_id INTEGER, family VARCHAR(10), kind VARCHAR(10), sort VARCHAR(10))',
  `INSERT INTO kind VALUES (1, 'Drink', 'Tea', 'Green'), (2, 'Drink', 'Coffee', 'Beans'), (3, 'Food', 'Bread', 'Rye')`,
  'CREATE TABLE goods (goods_id INTEGER, kind_id INTEGER, name VARCHAR(10))',
  `INSERT INTO goods VALUES (1, 1, 'Sencha'), (2, 3, 'Loaf')`,
  'CREATE TABLE sale (goods_id INTEGER, units INTEGER)',
  'INSERT INTO sale VALUES (1, 5), (2, 7)',
  'CREATE TABLE depot (depot_id INTEGER, name VARCHAR(10))',
  `INSERT INTO depot VALUES (1, 'East'), (2, 'West')`,
  'CREATE TABLE shipment (depot_id INTEGER, boxes INTEGER)',
  'INSERT INTO shipment VALUES (1, 3)',
];

const SCHEMA = `<Schema name="Goods">
  <Dimension name="Goods"><Hierarchy hasAll="true" primaryKey="goods_id" primaryKeyTable="goods">
    <Join leftKey="kind_id" rightKey="kind_id"><Table name="goods"/><Table name="kind"/></Join>
    <Level name="Family" table="kind" column="family" uniqueMembers="true"/>
    <Level name="Kind" table="kind" column="kind" uniqueMembers="false"/>
    <Level name="Sort" table="kind" column="sort" uniqueMembers="false"/>
    <Level name="Goods" table="goods" column="name" uniqueMembers="true"/>
  </Hierarchy></Dimension>
  <Dimension name="Depot"><Hierarchy hasAll="true" primaryKey="depot_id"><Table name="depot"/>
    <Level name="Depot" column="name" uniqueMembers="true"/>
  </Hierarchy></Dimension>
  <Cube name="Sales"><Table name="sale"/>
    <DimensionUsage name="Goods" source="Goods" foreignKey="goods_id"/>
    <Measure name="Units" column="units" aggregator="sum"/>
  </Cube>
  <Cube name="Shipments"><Table name="shipment"/>
    <DimensionUsage name="Depot" source="Depot" foreignKey="depot_id"/>
    <Measure name="Boxes" column="boxes" aggregator="sum"/>
  </Cube>
  <VirtualCube name="All"><VirtualCubeDimension cubeName="Sales" name="Goods"/><VirtualCubeDimension cubeName="Shipments" name="Depot"/>
    <VirtualCubeMeasure cubeName="Sales" name="[Measures].[Units]"/><VirtualCubeMeasure cubeName="Shipments" name="[Measures].[Boxes]"/>
  </VirtualCube>
  <Role name="food"><SchemaGrant access="all"><CubeGrant cube="Sales" access="all"><HierarchyGrant hierarchy="[Goods]" access="custom">
    <MemberGrant member="[Goods].[Food]" access="all"/>
  </HierarchyGrant></CubeGrant></SchemaGrant></Role>
</Schema>`;

// Names, sets and cells are the product's own work; `dialects.test.ts` runs the statements of MDX on every engine, for roles too.
describe.each(ENGINES)('a snowflake on %s', (engine) => {
  let started: TestWarehouse;
  let open: (largeLevel?: number) => MdxCatalog;
  beforeAll(async () => {
    started = await startWarehouse(engine, TABLES);
    const { schema, problems } = readSchema(SCHEMA);
    if (schema === undefined) throw new Error(JSON.stringify(problems));
    open = (largeLevel) => openCatalog({ schema, warehouse: started.warehouse, ...(largeLevel ? { largeLevel } : {}) });
  });
  afterAll(() => started.stop());

  const set = async (catalog: MdxCatalog, text: string, roles?: readonly string[]) =>
    names(await catalog.query(`select {${text}} on 0 from Sales`, roles === undefined ? {} : { roles }));

  it('lists the members with rows in lower tables, and finds others by their full name', async () => {
    // Levels are read whole, and in parts as large levels are.
    for (const catalog of [open(), open(1)]) {
      expect(await set(catalog, 'Descendants([Goods].[Drink], [Goods].[Sort], SELF_AND_BEFORE)')).toBe(
        'Goods.Drink Goods.Drink.Tea Goods.Drink.Tea.Green',
      );
      expect(await set(catalog, '[Goods].[Drink].[Coffee].[Beans], [Goods].[drink].[coffee]')).toBe(
        'Goods.Drink.Coffee.Beans Goods.Drink.Coffee',
      );
      expect(await set(catalog, '[Goods].[Drink].[Coffee].Children')).toBe('');
      expect(await set(catalog, '[Goods].[Drink].[Coffee].[Beans].Children')).toBe('');
      expect(await set(catalog, '[Goods].[Drink].[Coffee].[Beans].Parent.Parent')).toBe('Goods.Drink');
      expect(await set(catalog, '[Goods].[Drink].[Coffee].Siblings')).toBe('Goods.Drink.Tea');
      await expect(set(catalog, '[Goods].[Food].[Coffee]')).rejects.toThrow(/\[Coffee\].*not found/);
      await catalog.close();
    }
  });

  it('has no facts at a member of the upper table only', async () => {
    const catalog = open();
    const result = await catalog.query('select {[Goods].[Drink].[Coffee], [Goods].[Drink].[Tea]} on 0 from Sales');
    expect(result.cells.map(({ value }) => value)).toEqual([null, 5]);
    await catalog.close();
  });

  it('keeps such a member from a role that does not see its parent', async () => {
    const catalog = open();
    await expect(set(catalog, '[Goods].[Drink].[Coffee]', ['food'])).rejects.toThrow(/not found/);
    await catalog.close();
  });

  it("ignores a measure that is constant along an axis when it drops the axis's empty positions", async () => {
    const catalog = open();
    const text = async (measures: string) =>
      resultText(
        await catalog.query(`with member Measures.V as 'ValidMeasure(Measures.Units)'
          select NON EMPTY [Depot].[Depot].Members on 0, {${measures}} on 1 from [All]`),
      ).split('\n');
    // Only East has shipments. The sales of 12 units are the same for both depots.
    expect(await text('Measures.Boxes, Measures.V')).toEqual(
      expect.arrayContaining(['{[Depot].[East]}', 'Row #0: 3', 'Row #1: 12']),
    );
    expect(await text('Measures.Boxes, Measures.V')).not.toContain('{[Depot].[West]}');
    // Without another measure, it decides.
    expect(await text('Measures.V')).toContain('{[Depot].[West]}');
    await catalog.close();
  });
});
