import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES, startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import type { MdxCatalog } from './index.ts';
import { openSchema } from './testing/open-schema.ts';

/**
 * Sales have a shop and a buyer; stock has a shop and a depot.
 *
 * | shop | buyer | units | price |   | shop | depot | pieces |
 * | --- | --- | ---: | ---: | --- | --- | --- | ---: |
 * | Rome | Ann | 3 | 30 |   | Rome | East | 7 |
 * | Rome | Bob | 4 | 60 |   | Nice | East | 5 |
 * | Nice | Ann | 5 | 10 |   | Nice | West | 1 |
 */
const TABLES = [
  'CREATE TABLE sales (shop VARCHAR(10), buyer VARCHAR(10), units INTEGER, price INTEGER)',
  "INSERT INTO sales VALUES ('Rome', 'Ann', 3, 30), ('Rome', 'Bob', 4, 60), ('Nice', 'Ann', 5, 10)",
  'CREATE TABLE stock (shop VARCHAR(10), depot VARCHAR(10), pieces INTEGER)',
  "INSERT INTO stock VALUES ('Rome', 'East', 7), ('Nice', 'East', 5), ('Nice', 'West', 1)",
  'CREATE TABLE shop (id VARCHAR(10))',
  "INSERT INTO shop VALUES ('Rome'), ('Nice')",
  'CREATE TABLE depot (id VARCHAR(10))',
  "INSERT INTO depot VALUES ('East'), ('West')",
  'CREATE TABLE buyer (id VARCHAR(10))',
  "INSERT INTO buyer VALUES ('Ann'), ('Bob')",
];

const dimension = (
  name: string,
  attributes = '',
  defaults = 'hasAll="true"',
) => `<Dimension name="${name}" ${attributes}>
  <Hierarchy ${defaults} primaryKey="id"><Table name="${name.toLowerCase()}"/><Level name="${name}" column="id" uniqueMembers="true"/></Hierarchy></Dimension>`;
const sum = (column: string) =>
  `<Measure name="${column[0]?.toUpperCase()}${column.slice(1)}" column="${column}" aggregator="sum" formatString="0"/>`;
const listed = (cube: string, ...names: readonly string[]) =>
  names.map((name) => `<VirtualCubeMeasure cubeName="${cube}" name="[Measures].[${name}]"/>`).join('');

function virtual(attributes: string, usages = '', depot = ''): string {
  return `<Schema name="S">${dimension('Shop')}
    <Cube name="Sales"><Table name="sales"/><DimensionUsage name="Shop" source="Shop" foreignKey="shop"/>${dimension('Buyer', 'foreignKey="buyer"')}
      ${sum('units')}${sum('price')}<Measure name="Buyers" column="buyer" aggregator="distinct-count" formatString="0"/>
      <CalculatedMember name="Each" dimension="Measures"><Formula>[Measures].[Price] / [Measures].[Units]</Formula></CalculatedMember></Cube>
    <Cube name="Stock"><Table name="stock"/><DimensionUsage name="Shop" source="Shop" foreignKey="shop"/>${dimension('Depot', 'foreignKey="depot"', depot || undefined)}${sum('pieces')}</Cube>
    <VirtualCube name="Both" ${attributes}>${usages}<VirtualCubeDimension name="Shop"/><VirtualCubeDimension cubeName="Sales" name="Buyer"/><VirtualCubeDimension cubeName="Stock" name="Depot"/>
      ${listed('Stock', 'Pieces')}${listed('Sales', 'Units', 'Price', 'Buyers', 'Each')}
      <CalculatedMember name="Share" dimension="Measures"><Formula>[Measures].[Units] / [Measures].[Pieces]</Formula></CalculatedMember></VirtualCube></Schema>`;
}

const IGNORING =
  '<CubeUsages><CubeUsage cubeName="Sales" ignoreUnrelatedDimensions="true"/><CubeUsage cubeName="Stock"/></CubeUsages>';

// Names, sets and cells are the product's own work; `dialects.test.ts` runs the statements of MDX on every engine, for roles too.
describe.each(ENGINES)('a virtual cube on %s', (engine) => {
  let on: TestWarehouse;
  const opened: MdxCatalog[] = [];
  beforeAll(async () => {
    on = await startWarehouse(engine, TABLES);
  });
  afterAll(async () => {
    for (const catalog of opened) await catalog.close();
    await on?.stop();
  });

  async function cells(schema: string, mdx: string): Promise<string> {
    const catalog = openSchema(schema, on.warehouse);
    opened.push(catalog);
    const { cells } = await catalog.query(mdx);
    return cells.map(({ value }) => value ?? '-').join(' ');
  }

  it.each([
    ['', '7 6', 'Pieces'],
    ['defaultMeasure="Units"', '7 5', 'Units'],
    // 90 / 7 has no short decimal form, so the test reads the shop that has one: 10 / 5.
    ['defaultMeasure="Each"', `${90 / 7} 2`, 'Each'],
    ['defaultMeasure="[Measures].[share]"', `1 ${5 / 6}`, 'Share'],
  ])('has the default measure that it names, also a calculated one: %s', async (attributes, byShop, name) => {
    const schema = virtual(attributes);
    expect(await cells(schema, 'select {[Shop].[Rome], [Shop].[Nice]} on 0 from Both')).toBe(byShop);
    const named = 'with member Measures.N as [Measures].DefaultMember.Name select {Measures.N} on 0 from Both';
    expect(await cells(schema, named)).toBe(name);
  });

  it('adds up facts that ignore a dimension once, however many of its members are aggregated', async () => {
    const both = virtual('', IGNORING);
    const measures = '{[Measures].[Pieces], [Measures].[Units], [Measures].[Buyers]}';
    expect(await cells(both, `select ${measures} on 0 from Both where {[Depot].[East], [Depot].[West]}`)).toBe(
      '13 12 2',
    );
    const total = `with member [Depot].[X] as Aggregate([Depot].[Depot].Members * {[Shop].[Nice]}) select ${measures} on 0 from Both where [Depot].[X]`;
    expect(await cells(both, total)).toBe('6 5 1');
    // Facts that do not ignore it have no value there.
    expect(await cells(virtual(''), `select ${measures} on 0 from Both where {[Depot].[East], [Depot].[West]}`)).toBe(
      '13 - -',
    );
  });

  it('has figures of all cubes at a default member that one of them does not reach', async () => {
    const east = virtual('', '', 'hasAll="false" defaultMember="[East]"');
    expect(await cells(east, 'select {[Measures].[Pieces], [Measures].[Units]} on 0 from Both')).toBe('12 12');
    expect(
      await cells(east, 'select {[Measures].[Pieces], [Measures].[Units]} on 0 from Both where [Depot].[West]'),
    ).toBe('1 -');
  });
});
