/** Tests that missing tables and columns of the warehouse are reported at the lines that name them. */
import { expect, it } from 'vitest';
import { readSchema } from '../schema/read-schema.ts';
import { checkTables } from './check-tables.ts';

/** Columns and tables with names such as `…_gone` do not exist. */
const WRONG_3 = `<Schema name="Shop">
  <Dimension name="Place">
    <Hierarchy hasAll="true" primaryKey="place_gone" primaryKeyTable="place">
      <Join leftKey="area_gone" rightKey="id"><Table name="place"/>
        <Table name="area"/></Join>
      <Level name="Area" table="area" column="area" ordinalColumn="rank_gone" uniqueMembers="true"/>
      <Level name="Town" table="place" column="town" nameColumn="name_gone" uniqueMembers="true">
        <Property name="Mayor" column="mayor_gone"/>
      </Level>
    </Hierarchy>
  </Dimension>
  <Cube name="Sales"><Table name="sales"/>
    <DimensionUsage name="Place" source="Place" foreignKey="place_id"/>
    <DimensionUsage name="Home" source="Place"
        foreignKey="home_gone"/>
    <Dimension name="Person" foreignKey="person"><Hierarchy hasAll="true" primaryKey="id"><Table name="person"/>
      <Level name="Person" column="id" parentColumn="boss_gone" uniqueMembers="true">
        <Closure parentColumn="above_gone" childColumn="id"><Table name="closure"/></Closure></Level>
    </Hierarchy></Dimension>
    <Measure name="Units" column="units_gone" aggregator="sum"/>
    <Measure name="Twice"
      column="units_gone" aggregator="max"/>
  </Cube>
  <Cube name="Returns"><Table name="returns_gone"/>
    <DimensionUsage name="Place" source="Place" foreignKey="place_gone"/>
    <Measure name="Units" column="units" aggregator="sum"/>
  </Cube>
</Schema>`;

const WRONG_4 = `<Schema name="Shop" metamodelVersion="4.0">
  <PhysicalSchema>
    <Table name="sales"/>
    <Table name="place" keyColumn="id_gone"/>
    <Table name="area"><Key>
      <Column name="key_gone"/></Key></Table>
    <Link source="area" target="place" foreignKeyColumn="area_gone"/>
  </PhysicalSchema>
  <Dimension name="Place" table="place" key="Town">
    <Attributes>
      <Attribute name="Area" table="area" keyColumn="area" hasHierarchy="false"/>
      <Attribute name="Town" keyColumn="town_gone" hasHierarchy="false">
        <Name><Column name="town"/></Name>
        <OrderBy>
          <Column name="rank_gone"/></OrderBy>
      </Attribute>
    </Attributes>
    <Hierarchies><Hierarchy name="Places"><Level attribute="Area"/><Level attribute="Town"/></Hierarchy></Hierarchies>
  </Dimension>
  <Cube name="Sales">
    <Dimensions><Dimension source="Place"/></Dimensions>
    <MeasureGroups><MeasureGroup name="Sales" table="sales">
      <Measures>
        <Measure name="Units" column="units_gone" aggregator="sum"/>
      </Measures>
      <DimensionLinks>
        <ForeignKeyLink dimension="Place" foreignKeyColumn="place_gone"/>
      </DimensionLinks>
    </MeasureGroup></MeasureGroups>
  </Cube>
</Schema>`;

const info = (name: string) => ({ name, type: 'text', nativeType: 'TEXT', nullable: true }) as const;
const warehouse = {
  columnsByName: async (tables: readonly { readonly name: string }[]) =>
    tables.map(({ name }) =>
      name.endsWith('_gone')
        ? undefined
        : ['id', 'area', 'town', 'units', 'place_id', 'person', 'place', 'home'].map((column) => info(column)),
    ),
};

/** Lists the problems of a schema as `line of the text: message`. */
async function problemLines(text: string): Promise<readonly (readonly [string, string])[]> {
  const { schema, problems } = readSchema(text);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (schema === undefined) throw new Error('the schema was not read');
  const checked = await checkTables(schema, warehouse);
  return checked.problems.map(({ line, message }) => [text.split('\n')[(line ?? 0) - 1]?.trim() ?? '', message]);
}

it('a schema of Mondrian 3 reports each missing column at the element that names it, once for all its usages', async () => {
  expect(await problemLines(WRONG_3)).toEqual([
    [expect.stringMatching(/^<Hierarchy .*"place_gone"/), 'The table place has no column place_gone.'],
    [expect.stringMatching(/^<Join .*"area_gone"/), 'The table place has no column area_gone.'],
    [expect.stringMatching(/^<Level .*"rank_gone"/), 'The table area has no column rank_gone.'],
    [expect.stringMatching(/^<Level .*"name_gone"/), 'The table place has no column name_gone.'],
    [expect.stringMatching(/^<Property .*"mayor_gone"/), 'The table place has no column mayor_gone.'],
    ['<DimensionUsage name="Home" source="Place"', 'The table sales has no column home_gone.'],
    [expect.stringMatching(/^<Level .*"boss_gone"/), 'The table person has no column boss_gone.'],
    [expect.stringMatching(/^<Closure .*"above_gone"/), 'The table closure has no column above_gone.'],
    [expect.stringMatching(/^<Measure name="Units"/), 'The table sales has no column units_gone.'],
    ['<Measure name="Twice"', 'The table sales has no column units_gone.'],
    [expect.stringMatching(/^<Cube name="Returns">/), 'The warehouse has no table returns_gone.'],
  ]);
});

it('a schema of Mondrian 4 reports each missing column at its attribute, link, key or measure', async () => {
  expect(await problemLines(WRONG_4)).toEqual([
    ['<Column name="key_gone"/></Key></Table>', 'The table area has no column key_gone.'],
    [expect.stringMatching(/^<Link .*"area_gone"/), 'The table place has no column area_gone.'],
    [expect.stringMatching(/^<Attribute .*"town_gone"/), 'The table place has no column town_gone.'],
    ['<Column name="rank_gone"/></OrderBy>', 'The table place has no column rank_gone.'],
    [expect.stringMatching(/^<Measure .*"units_gone"/), 'The table sales has no column units_gone.'],
    [expect.stringMatching(/^<ForeignKeyLink .*"place_gone"/), 'The table sales has no column place_gone.'],
  ]);
});

it('the annotations of a schema stay where a column has a type whose values are read differently', async () => {
  const { schema } = readSchema(`<Schema name="Shop"><Cube name="Sales"><Table name="sales"/>
    <Dimension name="When"><Hierarchy hasAll="true"><Level name="When" column="at" uniqueMembers="true">
      <Annotations><Annotation name="service.semantic.pii">true</Annotation></Annotations></Level></Hierarchy></Dimension>
    <Measure name="Units" column="units" aggregator="sum"/></Cube></Schema>`);
  if (schema === undefined) throw new Error('the schema was not read');
  const instants = { name: 'at', type: 'timestamptz', nativeType: 'TIMESTAMPTZ', nullable: true } as const;
  const checked = await checkTables(schema, { columnsByName: async () => [[instants, info('units')]] });
  const levels = (of: typeof schema) => of.cubes[0]?.dimensions[0]?.hierarchies[0]?.levels ?? [];
  expect(checked.schema).not.toBe(schema);
  expect(levels(checked.schema).map(({ annotations }) => annotations)).toEqual(
    levels(schema).map(({ annotations }) => annotations),
  );
  expect(levels(checked.schema)[0]?.annotations).toEqual(new Map([['service.semantic.pii', 'true']]));
});
