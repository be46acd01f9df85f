import { describe, expect, it } from 'vitest';
import { cubeOf, dimensionOf, problemsOf, read } from '../testing/reading.ts';

const SHARED = `<Dimension name="Time" type="TimeDimension"><Hierarchy hasAll="false" primaryKey="id"><Table name="t"/>
  <Level name="Year" column="y" levelType="TimeYears"/></Hierarchy></Dimension>`;
const dimension = (name: string) => `<Dimension name="${name}" foreignKey="${name.toLowerCase()}_id">
  <Hierarchy hasAll="true" primaryKey="id"><Table name="${name.toLowerCase()}"/><Level name="${name}" column="name"/></Hierarchy></Dimension>`;

const BASES = `${SHARED}
<Cube name="Sales"><Table name="sales"/>
  <DimensionUsage name="Time" source="Time" foreignKey="time_id"/>${dimension('Customer')}
  <Measure name="Amount" column="amount" aggregator="sum"/><Measure name="Cost" column="cost" aggregator="sum"/>
  <CalculatedMember name="Profit" dimension="Measures" formula="[Measures].[Amount] - [Measures].[Cost]"/>
  <CalculatedMember name="Growth" dimension="Measures" formula="[Measures].[Profit] / 2"/>
</Cube>
<Cube name="Stock"><Table name="stock"/>
  <DimensionUsage name="Day" source="Time" foreignKey="day_id"/>${dimension('Warehouse')}
  <Measure name="Units" column="units" aggregator="sum"/>
</Cube>`;

const schema = (content: string) =>
  `<Schema name="S">${BASES}<VirtualCube name="Both">${content}</VirtualCube></Schema>`;

const BOTH = schema(`
  <CubeUsages><CubeUsage cubeName="Stock" ignoreUnrelatedDimensions="true"/></CubeUsages>
  <VirtualCubeDimension name="Time" caption="Zeit"/>
  <VirtualCubeDimension cubeName="Sales" name="Customer"/>
  <VirtualCubeDimension cubeName="Stock" name="Warehouse"/>
  <VirtualCubeMeasure cubeName="Sales" name="[Measures].[Growth]"/>
  <VirtualCubeMeasure cubeName="Stock" name="[Measures].[Units]" caption="Pieces" visible="false"/>
  <VirtualCubeMeasure cubeName="Sales" name="[Measures].[Amount]"/>
  <CalculatedMember name="Per Unit" dimension="Measures" formula="[Measures].[Growth] / [Measures].[Units]"/>`);

describe('a virtual cube', () => {
  const both = () => cubeOf(read(BOTH), 'Both');

  it('has a measure group for each base cube, linked to the dimensions that cube has', () => {
    expect(both().virtual).toBe(true);
    const groups = both().measureGroups.map(({ name, links, ignoreUnrelatedDimensions }) => ({
      name,
      ignoreUnrelatedDimensions,
      links: links.map((link) => `${link.dimension} ${link.kind === 'key' ? link.column.name : link.kind}`),
    }));
    expect(groups).toEqual([
      { name: 'Sales', ignoreUnrelatedDimensions: false, links: ['Time time_id', 'Customer customer_id'] },
      // The stock's only usage of the shared dimension is meant, although it has another name there.
      { name: 'Stock', ignoreUnrelatedDimensions: true, links: ['Time day_id', 'Warehouse warehouse_id'] },
    ]);
  });

  it('lists the measures it names, in its order and with its names', () => {
    expect(both().measures.filter(({ implied }) => !implied)).toMatchObject([
      { name: 'Units', group: 'Stock', caption: 'Pieces', visible: false },
      { name: 'Amount', group: 'Sales', caption: undefined, visible: true },
    ]);
    expect(dimensionOf(both(), 'Time').caption).toBe('Zeit');
  });

  it('takes calculated members from its base cubes, with the measures of their formulas', () => {
    expect(both().calculatedMembers.map(({ name, fromCube, implied }) => [name, fromCube, implied])).toEqual([
      ['Growth', 'Sales', false],
      ['Profit', 'Sales', true],
      ['Per Unit', undefined, false],
    ]);
    expect(
      both()
        .measures.filter(({ implied }) => implied)
        .map(({ name }) => name),
    ).toEqual(['Cost']);
  });

  it('takes the count of facts of a base cube if it lists it, and shows it', () => {
    const listed = '<VirtualCubeMeasure cubeName="Stock" name="[Measures].[Fact Count]"/>';
    expect(cubeOf(read(schema(`<VirtualCubeDimension name="Time"/>${listed}`)), 'Both').measures).toMatchObject([
      { name: 'Fact Count', group: 'Stock', visible: true, isFactCount: false },
    ]);
  });

  it('takes a dimension of its base cubes if no base cube uses a shared one of that name', () => {
    const content = `<VirtualCubeDimension name="Warehouse"/>
      <VirtualCubeMeasure cubeName="Stock" name="[Measures].[Units]"/>`;
    const beside = dimension('Warehouse').replace('foreignKey="warehouse_id"', '').replaceAll('"warehouse"', '"other"');
    for (const shared of ['', beside]) {
      const source = schema(content).replace('<Schema name="S">', `<Schema name="S">${shared}`);
      const { dimensions, measureGroups } = cubeOf(read(source), 'Both');
      expect(dimensions[0]?.hierarchies[0].relation).toMatchObject({ name: 'warehouse' });
      expect(measureGroups[0]?.links).toMatchObject([{ dimension: 'Warehouse', column: { name: 'warehouse_id' } }]);
    }
  });

  it('links a usage to all base cubes that use the same shared dimension under its name', () => {
    const base = (name: string, source: string) => `<Cube name="${name}"><Table name="${name.toLowerCase()}"/>
      <DimensionUsage name="Shipped" source="${source}" foreignKey="${name.toLowerCase()}_day"/>
      <Measure name="${name} units" column="units" aggregator="sum"/></Cube>`;
    const measure = (cube: string) => `<VirtualCubeMeasure cubeName="${cube}" name="[Measures].[${cube} units]"/>`;
    const linked = (attributes: string) =>
      cubeOf(
        read(`<Schema name="S">${SHARED}${SHARED.replace('"Time"', '"Day"')}${base('A', 'Time')}${base('B', 'Time')}${base('C', 'Day')}
          <VirtualCube name="All"><VirtualCubeDimension ${attributes}/>${['A', 'B', 'C'].map(measure).join('')}</VirtualCube></Schema>`),
        'All',
      ).measureGroups.map(({ links }) => links.map((link) => (link.kind === 'key' ? link.column.name : link.kind)));
    // In the third cube, another dimension has this name.
    expect(linked('name="Shipped"')).toEqual([['a_day'], ['b_day'], []]);
    expect(linked('cubeName="B" name="Shipped"')).toEqual([['a_day'], ['b_day'], []]);
  });

  it('must name existing cubes, dimensions and measures', () => {
    expect(
      problemsOf(
        schema(`
<VirtualCubeDimension name="Tyme"/>
<VirtualCubeDimension cubeName="Sale" name="Customer"/>
<VirtualCubeDimension cubeName="Sales" name="Custom"/>
<VirtualCubeMeasure cubeName="Stock" name="[Measures].[Unit]"/>`),
      ).map((problem) => problem.replace(/^\d+ /, '')),
    ).toEqual([
      'warning: The cube "Both" has no measure of its own.',
      'error: There is no shared dimension "Tyme". Did you mean "Time"? One of a cube needs "cubeName".',
      'error: There is no cube "Sale". Did you mean "Sales"?',
      'error: The cube "Sales" has no dimension "Custom". Did you mean "Customer"?',
      'error: The cube "Stock" has no measure "[Measures].[Unit]". Did you mean "Units"?',
    ]);
  });
});
