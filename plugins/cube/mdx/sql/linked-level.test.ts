import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES, startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import type { MdxCatalog } from '../index.ts';
import { LARGE_LEVELS, openSchema } from '../testing/open-schema.ts';

/** Plan figures by state and year. The tables of shops and months have several rows for each state and year. */
const TABLES = [
  'CREATE TABLE shop (id INTEGER, city VARCHAR(10), state VARCHAR(10), country VARCHAR(10))',
  "INSERT INTO shop VALUES (1, 'Rome', 'Lazio', 'Italy'), (2, 'Ostia', 'Lazio', 'Italy'), (3, 'Nice', 'Var', 'France'), (4, 'Brest', 'Var', 'France')",
  'CREATE TABLE month (id INTEGER, y INTEGER, m INTEGER)',
  'INSERT INTO month VALUES (1, 2023, 1), (2, 2023, 2), (3, 2024, 1)',
  'CREATE TABLE plan (state VARCHAR(10), y INTEGER, target INTEGER)',
  "INSERT INTO plan VALUES ('Lazio', 2023, 60), ('Lazio', 2023, 40), ('Var', 2023, 7), ('Lazio', 2024, 3)",
];

const MONDRIAN3 = `<Schema name="S">
  <Dimension name="Place"><Hierarchy hasAll="true" primaryKey="id"><Table name="shop"/>
    <Level name="Country" column="country" uniqueMembers="true"/><Level name="State" column="state" uniqueMembers="true"/>
    <Level name="City" column="city" uniqueMembers="true"/></Hierarchy></Dimension>
  <Cube name="Plan"><Table name="plan"/><DimensionUsage name="Place" source="Place" foreignKey="state" level="State"/>
    <Measure name="Target" column="target" aggregator="sum" formatString="0"/></Cube>
</Schema>`;

const SCHEMA = `<Schema name="S" metamodelVersion="4.0">
  <PhysicalSchema><Table name="plan"/><Table name="shop" keyColumn="id"/><Table name="month" keyColumn="id"/></PhysicalSchema>
  <Cube name="Plan"><Dimensions>
    <Dimension name="Place" table="shop" key="Id"><Attributes><Attribute name="Country" keyColumn="country" hasHierarchy="false"/>
      <Attribute name="State" keyColumn="state" hasHierarchy="false"/><Attribute name="City" keyColumn="city" hasHierarchy="false"/>
      <Attribute name="Id" keyColumn="id" hasHierarchy="false"/></Attributes>
      <Hierarchies><Hierarchy name="Place"><Level attribute="Country"/><Level attribute="State"/><Level attribute="City"/></Hierarchy></Hierarchies></Dimension>
    <Dimension name="Time" table="month" key="Id"><Attributes><Attribute name="Year" keyColumn="y" datatype="Integer" hasHierarchy="false"/>
      <Attribute name="Id" keyColumn="id" hasHierarchy="false"/></Attributes>
      <Hierarchies><Hierarchy name="Time"><Level attribute="Year"/></Hierarchy></Hierarchies></Dimension></Dimensions>
    <MeasureGroups><MeasureGroup name="Plan" table="plan"><Measures>
      <Measure name="Target" column="target" aggregator="sum" formatString="0"/><Measure name="Mean" column="target" aggregator="avg" formatString="0.0"/>
      <Measure name="Targets" column="target" aggregator="distinct-count" formatString="0"/><Measure name="Rows" aggregator="count" formatString="0"/></Measures>
      <DimensionLinks><ForeignKeyLink dimension="Place" foreignKeyColumn="state" attribute="State"/>
        <ForeignKeyLink dimension="Time" foreignKeyColumn="y" attribute="Year"/></DimensionLinks></MeasureGroup></MeasureGroups>
  </Cube>
  <Role name="italy"><SchemaGrant access="none"><CubeGrant cube="Plan" access="all"><HierarchyGrant hierarchy="[Place].[Place]" access="custom" rollupPolicy="partial">
    <MemberGrant member="[Place].[Place].[Italy]" access="all"/></HierarchyGrant></CubeGrant></SchemaGrant></Role>
</Schema>`;

// Names, sets and cells are the product's own work; `dialects.test.ts` runs the statements of MDX on every engine, for roles too.
describe.each(ENGINES)('facts that join a level on %s', (engine) => {
  let on: TestWarehouse;
  const catalogs: MdxCatalog[] = [];
  beforeAll(async () => {
    on = await startWarehouse(engine, TABLES);
    catalogs.push(...LARGE_LEVELS.map((largeLevel) => openSchema(SCHEMA, on.warehouse, { largeLevel })));
  });
  afterAll(() => on?.stop());

  const MEASURES = '{[Measures].[Target], [Measures].[Mean], [Measures].[Targets], [Measures].[Rows]}';
  it.each([
    // Sums, averages and counts of the plan's rows. The number of rows in the dimension tables does not matter.
    [`${MEASURES} on 0 from Plan`, '110 27.5 4 4'],
    [
      `${MEASURES} on 0, [Place].[Place].Members on 1 from Plan where [Time].[Time].[2023]`,
      '107 35.7 3 3 | 7 7.0 1 1 | 7 7.0 1 1 | | | 100 50.0 2 2 | 100 50.0 2 2 | |',
    ],
    [
      `{[Measures].[Target]} on 0, [Time].[Time].[Year].Members on 1 from Plan where [Place].[Place].[Italy]`,
      '100 | 3',
    ],
    [
      '{[Measures].[Target]} on 0, NON EMPTY [Place].[Place].[State].Members * [Time].[Time].[Year].Members on 1 from Plan',
      '7 | 100 | 3',
    ],
    [
      '{[Measures].[Target]} on 0, Filter([Place].[Place].[Country].Members, [Measures].[Rows] > 1) on 1 from Plan',
      '103',
    ],
    [
      '{[Measures].[Target]} on 0, TopCount([Place].[Place].[State].Members, 1, [Measures].[Target]) on 1 from Plan',
      '103',
    ],
    // Several members at once, of one level and of two levels.
    [`${MEASURES} on 0 from Plan where {[Place].[Place].[Italy], [Place].[Place].[France]}`, '110 27.5 4 4'],
    [`${MEASURES} on 0 from Plan where {[Place].[Place].[Italy].[Lazio], [Place].[Place].[France]}`, '110 27.5 4 4'],
    [
      `${MEASURES} on 0 from Plan where {([Place].[Place].[Italy], [Time].[Time].[2024]), ([Place].[Place].[France], [Time].[Time].[2023])}`,
      '10 5.0 2 2',
    ],
  ])('%s', async (clauses, expected) => {
    for (const catalog of catalogs) {
      const { axes, cells } = await catalog.query(`select ${clauses}`);
      const [columns = { tuples: [] }] = axes;
      const width = columns.tuples.length;
      const rows = Array.from({ length: cells.length / width }, (_, row) =>
        cells.slice(row * width, (row + 1) * width),
      );
      const shown = rows
        .map((row) =>
          row
            .map(({ formatted }) => formatted ?? '')
            .join(' ')
            .trim(),
        )
        .join(' | ');
      expect(shown.replaceAll(/ +/g, ' ').trim()).toBe(expected);
    }
  });

  it('shows a role only its members, and lists each fact of a cell once', async () => {
    for (const catalog of catalogs) {
      const { cells } = await catalog.query(`select ${MEASURES} on 0 from Plan`, { roles: ['italy'] });
      expect(cells.map(({ formatted }) => formatted)).toEqual(['103', '34.3', '3', '3']);
      const query = 'drillthrough select {[Measures].[Target]} on 0 from Plan where [Place].[Place].[Italy]';
      const { columns, rows } = await catalog.drillthrough(query, { maxRows: 10 });
      expect(columns.map(({ caption }) => caption)).toEqual(['Country', 'State', 'Year', 'Target']);
      expect(rows.map((row) => Number(row.at(-1))).sort((left, right) => left - right)).toEqual([3, 40, 60]);
      const city = catalog.drillthrough(`${query} return [Place].[Place].[City]`, { maxRows: 10 });
      await expect(city).rejects.toThrow("The facts of 'Plan' are not related to '[Place].[Place].[City]'.");
    }
  });

  it('counts rows as Mondrian 3 does: a fact counts once for each dimension row that has its key', async () => {
    for (const largeLevel of LARGE_LEVELS) {
      const { cells } = await openSchema(MONDRIAN3, on.warehouse, { largeLevel }).query(
        'select [Place].Members on 0 from Plan',
      );
      // Italy has two shops of Lazio (103 each), France two of Var (7 each). Levels below states have nothing.
      expect(cells.map(({ value }) => value)).toEqual([110, 14, 14, null, null, 206, 206, null, null]);
    }
  });
});
