import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES, startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { readSchema } from '../schema/read-schema.ts';
import { type MdxCatalog, openCatalog } from './index.ts';
import { names } from './testing/ask.ts';

/** Features of schemas, tested through queries over three towns, one of them without a province. */
const TABLES: readonly string[] = [
  'CREATE TABLE town (id INTEGER, country VARCHAR(10), province VARCHAR(10), town VARCHAR(10), rank INTEGER, mayor VARCHAR(10))',
  `INSERT INTO town VALUES (1, 'Italy', 'Lazio', 'Rome', 2, 'Ida'), (2, 'Italy', 'Lazio', 'Ostia', 1, NULL), (3, 'Malta', 'Malta', 'Mdina', 3, 'Leo'), (4, 'Togo', NULL, 'Lome', 4, NULL)`,
  'CREATE TABLE visit (town_id INTEGER, kind INTEGER, day DATE, guest VARCHAR(10), nights INTEGER, price DECIMAL(10,2))',
  `INSERT INTO visit VALUES (1, 1, DATE '2024-01-05', 'ann', 2, 100), (1, 2, DATE '2024-02-05', 'bob', 1, 60.5), (2, 1, DATE '2024-02-06', 'ann', 4, 90),
    (3, 1, DATE '2025-01-05', 'cat', 3, 33), (4, 2, DATE '2025-01-06', 'ann', 5, NULL)`,
];

const MONDRIAN3 = `<Schema name="Visits">
  <Dimension name="Place"><Hierarchy hasAll="true" primaryKey="id"><Table name="town"/>
    <Level name="Country" column="country" uniqueMembers="true"/>
    <Level name="Province" column="province" uniqueMembers="true" hideMemberIf="IfParentsName"/>
    <Level name="Town" column="town" uniqueMembers="false" ordinalColumn="rank">
      <Property name="Mayor" column="mayor"/>
      <Property name="Rank" column="rank" type="Numeric"/>
    </Level>
  </Hierarchy></Dimension>
  <Cube name="Visits" defaultMeasure="Nights"><Table name="visit"/>
    <DimensionUsage name="Place" source="Place" foreignKey="town_id"/>
    <DimensionUsage name="Place again" source="Place" foreignKey="town_id"/>
    <Dimension name="Kind" foreignKey="kind"><Hierarchy hasAll="true" primaryKey="k"><InlineTable alias="kinds">
      <ColumnDefs><ColumnDef name="k" type="Integer"/><ColumnDef name="label" type="String"/></ColumnDefs>
      <Rows><Row><Value column="k">1</Value><Value column="label">Business</Value></Row><Row><Value column="k">2</Value><Value column="label">Joy's</Value></Row></Rows>
    </InlineTable><Level name="Kind" column="k" nameColumn="label" type="Integer" uniqueMembers="true"/></Hierarchy></Dimension>
    <Dimension name="Guest" foreignKey="guest"><Hierarchy hasAll="true" primaryKey="guest"><View alias="guests"><SQL dialect="generic">SELECT DISTINCT guest FROM visit WHERE guest &lt;&gt; 'nobody'</SQL></View>
      <Level name="Guest" column="guest" uniqueMembers="true"/></Hierarchy></Dimension>
    <Dimension name="Time" type="TimeDimension"><Hierarchy hasAll="true">
      <Level name="Year" uniqueMembers="true" type="Integer" levelType="TimeYears"><KeyExpression>
        <SQL dialect="postgres">CAST(DATE_PART('year', "day") AS INTEGER)</SQL><SQL dialect="generic">CAST(EXTRACT(YEAR FROM "day") AS INTEGER)</SQL>
      </KeyExpression></Level>
    </Hierarchy></Dimension>
    <Measure name="Nights" column="nights" aggregator="sum" formatString="#,##0"/>
    <Measure name="Visits" column="town_id" aggregator="count"/>
    <Measure name="Cheapest" column="price" aggregator="min" formatString="0.00"/>
    <Measure name="Dearest" column="price" aggregator="max" formatString="0.00"/>
    <Measure name="Mean" column="price" aggregator="avg" formatString="0.00"/>
    <Measure name="Guests" column="guest" aggregator="distinct-count"/>
    <Measure name="Cost" aggregator="sum"><MeasureExpression><SQL dialect="generic">"nights" * "price"</SQL></MeasureExpression></Measure>
    <CalculatedMember name="Per visit" dimension="Measures"><Formula>[Measures].[Nights] / [Measures].[Visits]</Formula>
      <CalculatedMemberProperty name="FORMAT_STRING" value="0.0"/><CalculatedMemberProperty name="SOLVE_ORDER" value="5"/></CalculatedMember>
    <CalculatedMember name="South" dimension="Place"><Formula>Aggregate({[Place].[Malta], [Place].[Togo]})</Formula></CalculatedMember>
    <NamedSet name="Big"><Formula>Filter([Place].[Country].Members, [Measures].[Nights] &gt; 4)</Formula></NamedSet>
  </Cube>
</Schema>`;

const MONDRIAN4 = `<Schema name="Visits" metamodelVersion="4.0">
  <PhysicalSchema><Table name="visit"/><Table name="town"><Key><Column name="id"/></Key></Table></PhysicalSchema>
  <Cube name="Visits"><Dimensions>
    <Dimension name="Place" table="town" key="Town Id">
      <Attributes>
        <Attribute name="Country" keyColumn="country"/>
        <Attribute name="Town" keyColumn="town" orderByColumn="rank"/>
        <Attribute name="Town Id" keyColumn="id"/>
        <Attribute name="Mayor" keyColumn="mayor"/>
      </Attributes>
      <Hierarchies><Hierarchy name="Places" hasAll="true"><Level attribute="Country"/><Level attribute="Town"/></Hierarchy></Hierarchies>
    </Dimension></Dimensions>
    <MeasureGroups><MeasureGroup name="Visits" table="visit">
      <Measures><Measure name="Nights" column="nights" aggregator="sum" formatString="#,##0"/></Measures>
      <DimensionLinks><ForeignKeyLink dimension="Place" foreignKeyColumn="town_id"/></DimensionLinks>
    </MeasureGroup></MeasureGroups>
  </Cube>
  <Role name="italy"><SchemaGrant access="none"><CubeGrant cube="Visits" access="all">
    <HierarchyGrant hierarchy="[Place].[Places]" access="custom" rollupPolicy="partial"><MemberGrant member="[Place].[Places].[Italy]" access="all"/></HierarchyGrant>
  </CubeGrant></SchemaGrant></Role>
</Schema>`;

// Names, sets and cells are the product's own work; `dialects.test.ts` runs the statements of MDX on every engine, for roles too.
describe.each(ENGINES)('a schema on %s', (engine) => {
  let started: TestWarehouse;
  beforeAll(async () => {
    started = await startWarehouse(engine, TABLES);
  });
  afterAll(() => started.stop());

  const opened = new Map<string, MdxCatalog>();
  function catalog(text: string): MdxCatalog {
    const existing = opened.get(text);
    if (existing !== undefined) return existing;
    const { schema, problems } = readSchema(text);
    if (schema === undefined) throw new Error(JSON.stringify(problems));
    const made = openCatalog({ schema, warehouse: started.warehouse });
    opened.set(text, made);
    return made;
  }
  async function ask(mdx: string, schema = MONDRIAN3, role?: string): Promise<string> {
    const result = await catalog(schema).query(mdx, { roles: role === undefined ? undefined : [role] });
    const short = names(result).replaceAll(/(?:Place again|Place|Kind|Guest|Time|Places)\./g, '');
    return `${short}: ${result.cells.map(({ formatted }) => formatted || '-').join(' ')}`;
  }

  it.each([
    [
      'ragged levels leave members out and lead around them',
      'select Descendants([Place].[Malta]) on 0 from Visits',
      'Malta Malta.Malta.Mdina: 3 3',
    ],
    [
      'ragged members have the nearest visible parent',
      'select {[Place].[Malta].[Malta].[Mdina].Parent} on 0 from Visits',
      'Malta: 3',
    ],
    [
      'ragged levels hide nameless members too',
      'select [Place].[Togo].Children on 0 from Visits',
      'Togo.#null.Lome: 5',
    ],
    [
      'members are ordered by their ordinal column',
      'select [Place].[Italy].[Lazio].Children on 0 from Visits',
      'Italy.Lazio.Ostia Italy.Lazio.Rome: 4 3',
    ],
    [
      'a usage has the members of its dimension under its own name',
      'select {[Place again].[Italy]} on 0 from Visits where [Place].[Italy].[Lazio].[Rome]',
      'Italy: 3',
    ],
    ['an inline table is a table', 'select [Kind].Members on 0 from Visits', "All Kinds Business Joy's: 15 9 6"],
    ['a view is a table', 'select [Guest].[Guest].Members on 0 from Visits', 'ann bob cat: 11 1 3'],
    [
      'a level is made by an SQL expression of the engine',
      'select [Time].[Year].Members on 0 from Visits',
      '2024 2025: 7 8',
    ],
    [
      'measures are aggregated each in its way',
      'select {[Measures].[Nights], [Measures].[Visits], [Measures].[Cheapest], [Measures].[Dearest], [Measures].[Mean], [Measures].[Guests], [Measures].[Cost]} on 0 from Visits',
      'Nights Visits Cheapest Dearest Mean Guests Cost: 15 5 33.00 100.00 70.88 3 719.5',
    ],
    [
      'distinct counts are not added up',
      'select [Kind].Members on 0 from Visits where [Measures].[Guests]',
      "All Kinds Business Joy's: 3 2 2",
    ],
    [
      'averages of several members are of their rows',
      'select {[Measures].[Mean]} on 0 from Visits where {[Place].[Italy].[Lazio].[Rome], [Place].[Malta]}',
      'Mean: 64.50',
    ], // (100 + 60.5 + 33) / 3
    [
      'the schema has calculated measures with their format',
      'select {[Measures].[Per visit]} on 0 from Visits where [Place].[Italy]',
      'Per visit: 2.3',
    ],
    [
      'the schema has calculated members of other dimensions',
      'select {[Place].[South]} on 0, {[Measures].[Nights], [Measures].[Per visit]} on 1 from Visits',
      'South: 8 4.0',
    ],
    ['the schema has named sets', 'select [Big] on 0 from Visits', 'Italy Togo: 7 5'],
  ])('%s', async (_, mdx, expected) => {
    expect(await ask(mdx)).toBe(expected);
  });

  it('has member properties', async () => {
    const { axes } = await catalog(MONDRIAN3).query(
      'select [Place].[Town].Members dimension properties [Place].[Town].[Mayor], [Place].[Town].[Rank] on 0 from Visits',
    );
    expect(axes[0]?.memberValues.map(([values]) => values)).toEqual([
      [null, 1],
      ['Ida', 2],
      ['Leo', 3],
      [null, 4],
    ]);
  });

  it.each([
    [
      'has the hierarchies that are written',
      'select [Place].[Places].Members on 0 from Visits',
      'All Placess Italy Italy.Ostia Italy.Rome Malta Malta.Mdina Togo Togo.Lome: 15 7 4 3 3 3 5 5',
    ],
    [
      'has a hierarchy of each attribute',
      'select [Place].[Mayor].[Mayor].Members on 0 from Visits',
      'Mayor.#null Mayor.Ida Mayor.Leo: 9 3 3',
    ],
    [
      'crosses an attribute with a hierarchy',
      'select {[Place].[Places].[Italy]} on 0 from Visits where [Place].[Mayor].[Ida]',
      'Italy: 3',
    ],
  ])('of Mondrian 4 %s', async (_, mdx, expected) => {
    expect(await ask(mdx, MONDRIAN4)).toBe(expected);
  });

  it('of Mondrian 4 has roles', async () => {
    expect(await ask('select [Place].[Places].[Country].Members on 0 from Visits', MONDRIAN4, 'italy')).toBe(
      'Italy: 7',
    );
    expect(await ask('select {[Place].[Places].[All Placess]} on 0 from Visits', MONDRIAN4, 'italy')).toBe(
      'All Placess: 7',
    );
  });
});
