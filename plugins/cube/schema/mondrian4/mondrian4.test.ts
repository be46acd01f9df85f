import { describe, expect, it } from 'vitest';
import { cubeOf, dimensionOf, hierarchyOf, levelOf, problemsOf, read } from '../testing/reading.ts';

const PHYSICAL = `<PhysicalSchema>
  <Table name="sales_fact" alias="sales"/>
  <Table name="product"><Key><Column name="product_id"/></Key></Table>
  <Table name="product_class" keyColumn="class_id"/>
  <Table name="time_by_day" keyColumn="time_id"/>
  <Table name="employee" keyColumn="id"><ColumnDefs>
    <ColumnDef name="id" type="Integer"/>
    <CalculatedColumnDef name="full" type="String"><ExpressionView>
      <SQL dialect="generic"><Column name="first"/> || ' ' || <Column table="employee" name="last"/></SQL>
    </ExpressionView></CalculatedColumnDef></ColumnDefs></Table>
  <Table name="employee_closure"/>
  <Query alias="recent" keyColumn="k"><ExpressionView><SQL dialect="generic">select 1 k</SQL></ExpressionView></Query>
  <Link source="product_class" target="product" foreignKeyColumn="class_id"/>
</PhysicalSchema>`;

const PRODUCT = `<Dimension name="Product" table="product" key="Product Id">
  <Attributes>
    <Attribute name="Family" table="product_class" keyColumn="family"/>
    <Attribute name="Product Id" keyColumn="product_id" nameColumn="name" datatype="Integer" hasHierarchy="false">
      <Property attribute="Brand" caption="Marke"/></Attribute>
    <Attribute name="Brand" keyColumn="brand" hasHierarchy="false"/>
  </Attributes>
  <Hierarchies><Hierarchy name="Products" allMemberName="All Products">
    <Level attribute="Family"/><Level attribute="Product Id" name="Product" caption="Ware"/>
  </Hierarchy></Hierarchies></Dimension>`;

const TIME = `<Dimension name="Time" table="time_by_day" key="Day" type="TIME">
  <Attributes>
    <Attribute name="Year" keyColumn="the_year" levelType="TimeYears" hasHierarchy="false"/>
    <Attribute name="Month" levelType="TimeMonths" hasHierarchy="false">
      <Key><Column name="the_year"/><Column name="month_of_year"/></Key>
      <Name><Column name="the_month"/></Name>
      <OrderBy><Column name="month_of_year"/></OrderBy></Attribute>
    <Attribute name="Day" keyColumn="time_id" levelType="TimeDays" hasHierarchy="false"/>
  </Attributes>
  <Hierarchies><Hierarchy name="Time" hasAll="false"><Level attribute="Year"/><Level attribute="Month"/></Hierarchy></Hierarchies>
</Dimension>`;

const EMPLOYEE = `<Dimension name="Employee" table="employee" key="Id">
  <Attributes>
    <Attribute name="Id" keyColumn="id" nameColumn="full" hasHierarchy="false"/>
    <Attribute name="Boss" keyColumn="boss_id" hasHierarchy="false"/></Attributes>
  <Hierarchies><Hierarchy name="Employees"><Level attribute="Id" parentAttribute="Boss" nullParentValue="0">
    <Closure table="employee_closure" parentColumn="boss_id" childColumn="id"/></Level></Hierarchy></Hierarchies></Dimension>`;

const KIND = `<Dimension name="Kind" table="sales">
  <Attributes><Attribute name="Kind" keyColumn="kind" hierarchyAllMemberName="All kinds"/></Attributes></Dimension>`;

const LINKS = `<DimensionLinks>
  <ForeignKeyLink dimension="Product" foreignKeyColumn="product_id"/>
  <ForeignKeyLink dimension="Sold"><ForeignKey><Column name="sold_id"/></ForeignKey></ForeignKeyLink>
  <ReferenceLink dimension="Employee" viaDimension="Product" viaAttribute="Product Id"/>
  <FactLink dimension="Kind"/></DimensionLinks>`;

function schema(parts: { readonly product?: string; readonly links?: string; readonly extra?: string } = {}): string {
  return `<Schema name="S" metamodelVersion="4.0">${PHYSICAL}${TIME}
<Cube name="Sales" defaultMeasure="Units">
<Dimensions>${parts.product ?? PRODUCT}<Dimension name="Sold" source="Time" caption="Verkauft"/>${EMPLOYEE}${KIND}</Dimensions>
<MeasureGroups>
<MeasureGroup name="Facts" table="sales">
<Measures><Measure name="Units" column="units" aggregator="sum" formatString="#,##0"/>
  <Measure name="Buyers" aggregator="distinct-count"><Arguments><Column name="customer"/></Arguments></Measure></Measures>
${parts.links ?? LINKS}
</MeasureGroup>${parts.extra ?? ''}
</MeasureGroups>
<CalculatedMembers><CalculatedMember name="Twice" dimension="Measures"><Formula>[Measures].[Units] * 2</Formula></CalculatedMember></CalculatedMembers>
<NamedSets><NamedSet name="Top"><Formula>{}</Formula></NamedSet></NamedSets>
</Cube>
<Role name="R"><SchemaGrant access="none"><CubeGrant cube="Sales" access="all">
  <HierarchyGrant hierarchy="[Product].[Products]" access="none"/></CubeGrant></SchemaGrant></Role>
</Schema>`;
}

describe('a Mondrian 4 schema', () => {
  const cube = () => cubeOf(read(schema()));

  it('is the same kind of cube: measures, calculated members, sets', () => {
    expect(read(schema()).language).toBe('mondrian4');
    expect(cube()).toMatchObject({
      defaultMeasure: 'Units',
      measures: [
        { name: 'Units', group: 'Facts', expression: { table: 'sales', name: 'units' }, formatString: '#,##0' },
        {
          name: 'Buyers',
          aggregator: 'distinct-count',
          expression: { table: 'sales', name: 'customer' },
          type: 'Integer',
        },
        { name: 'Fact Count', group: 'Facts', isFactCount: true },
      ],
      calculatedMembers: [{ name: 'Twice', formula: '[Measures].[Units] * 2' }],
      namedSets: [{ name: 'Top' }],
    });
    expect(cube().measureGroups[0]?.fact).toMatchObject({ kind: 'table', name: 'sales_fact', alias: 'sales' });
  });

  it('has a count of facts if it counts nothing and has one measure group', () => {
    const group = (name: string, measure: string) =>
      `<MeasureGroup name="${name}" table="sales"><Measures>${measure}</Measures></MeasureGroup>`;
    const names = (groups: string, calculated = '') =>
      cubeOf(
        read(`<Schema name="S" metamodelVersion="4.0">${PHYSICAL}<Cube name="Sales"><Dimensions/>
          <MeasureGroups>${groups}</MeasureGroups>${calculated}</Cube></Schema>`),
      ).measures.map(({ name }) => name);
    const units = '<Measure name="Units" column="units" aggregator="sum"/>';
    expect(names(group('A', units))).toEqual(['Units', 'Fact Count']);
    expect(names(group('A', `${units}<Measure name="Rows" aggregator="count"/>`))).toEqual(['Units', 'Rows']);
    const calculated = '<CalculatedMember name="fact count" dimension="Measures" formula="1"/>';
    expect(names(group('A', units), calculated)).toEqual(['Units']);
    expect(names(group('A', units) + group('B', '<Measure name="Plan" column="plan" aggregator="sum"/>'))).toEqual([
      'Units',
      'Plan',
    ]);
  });

  it('links the facts to dimensions by key, through another one, or not at all', () => {
    const column = (table: string, name: string) => ({ kind: 'column', table, name, line: expect.any(Number) });
    expect(cube().measureGroups[0]?.links).toEqual([
      { kind: 'key', dimension: 'Product', column: column('sales', 'product_id'), countsPerRow: false },
      { kind: 'key', dimension: 'Sold', column: column('sales', 'sold_id'), countsPerRow: false },
      { kind: 'reference', dimension: 'Employee', via: 'Product', column: column('product', 'product_id') },
      { kind: 'fact', dimension: 'Kind' },
    ]);
  });

  it('joins the tables of attributes along the links, from the key of the dimension', () => {
    expect(hierarchyOf(cube(), '[Product].[Products]')).toMatchObject({
      allMemberName: 'All Products',
      primaryKey: { table: 'product', name: 'product_id' },
      relation: {
        kind: 'join',
        left: { alias: 'product' },
        right: { alias: 'product_class' },
        leftKey: { table: 'product', name: 'class_id' },
        rightKey: { table: 'product_class', name: 'class_id' },
      },
    });
  });

  it('makes levels of attributes, with other attributes as properties', () => {
    const hierarchy = hierarchyOf(cube(), '[Product].[Products]');
    expect(levelOf(hierarchy, 'Family').key).toEqual({
      kind: 'column',
      table: 'product_class',
      name: 'family',
      line: expect.any(Number),
    });
    expect(levelOf(hierarchy, 'Product')).toMatchObject({
      caption: 'Ware',
      type: 'Integer',
      uniqueMembers: true,
      nameExpression: { table: 'product', name: 'name' },
      properties: [{ name: 'Brand', caption: 'Marke', expression: { table: 'product', name: 'brand' } }],
    });
  });

  it('reads a key of several columns as a key below the levels above', () => {
    const { source, caption, type, hierarchies } = dimensionOf(cube(), 'Sold');
    expect({ source, caption, type }).toEqual({ source: 'Time', caption: 'Verkauft', type: 'time' });
    const [hierarchy] = hierarchies;
    expect(hierarchy).toMatchObject({ uniqueName: '[Sold].[Time]', hasAll: false });
    expect(levelOf(hierarchy, 'Month')).toMatchObject({
      key: { name: 'month_of_year' },
      uniqueMembers: false,
      nameExpression: { name: 'the_month' },
      ordinals: [{ expression: { name: 'month_of_year' } }],
      levelType: 'TimeMonths',
    });
  });

  it('reads parents, closures and calculated columns', () => {
    expect(hierarchyOf(cube(), '[Employee].[Employees]').levels[0]).toMatchObject({
      nameExpression: {
        kind: 'sql',
        table: 'employee',
        sql: {
          variants: [
            {
              parts: [
                { kind: 'column', table: 'employee', name: 'first', line: expect.any(Number) },
                " || ' ' || ",
                { kind: 'column', table: 'employee', name: 'last', line: expect.any(Number) },
              ],
            },
          ],
        },
      },
      parent: {
        expression: { table: 'employee', name: 'boss_id' },
        nullParentValue: '0',
        closure: { table: { name: 'employee_closure' }, childColumn: { table: 'employee_closure', name: 'id' } },
      },
    });
  });

  it('makes a separate hierarchy for an attribute', () => {
    expect(dimensionOf(cube(), 'Kind').hierarchies).toMatchObject([
      {
        name: 'Kind',
        uniqueName: '[Kind].[Kind]',
        allMemberName: 'All kinds',
        ofAttribute: true,
        levels: [{ name: 'Kind' }],
      },
    ]);
  });

  it('ignores aggregate measure groups and reads facts from a query', () => {
    const extra = `<MeasureGroup table="product" type="aggregate"><Measures><MeasureRef name="Units" aggColumn="u"/></Measures>
        <DimensionLinks><CopyLink dimension="Product" attribute="Family"><Column aggColumn="f" name="family"/></CopyLink></DimensionLinks></MeasureGroup>
      <MeasureGroup name="Recent" table="recent" ignoreUnrelatedDimensions="true"><Measures><Measure name="N" aggregator="count"/></Measures>
        <DimensionLinks><NoLink dimension="Product"/><NoLink dimension="Sold"/><NoLink dimension="Employee"/><NoLink dimension="Kind"/></DimensionLinks></MeasureGroup>`;
    expect(cubeOf(read(schema({ extra }))).measureGroups).toMatchObject([
      { name: 'Facts' },
      { name: 'Recent', fact: { kind: 'view', alias: 'recent' }, links: [], ignoreUnrelatedDimensions: true },
    ]);
  });
});

describe('a Mondrian 4 schema reports', () => {
  it.each<readonly [string, string, readonly string[]]>([
    [
      'that there is no physical schema',
      '<Schema name="S" metamodelVersion="4.0"/>',
      ['A schema of metamodelVersion 4 needs a <PhysicalSchema>.', 'This schema has no cube.'],
    ],
    [
      'a missing table',
      schema({ product: PRODUCT.replace('table="product_class"', 'table="product_clas"') }),
      ['There is no table "product_clas" in the <PhysicalSchema>. Did you mean "product_class"?'],
    ],
    [
      'a table without a link',
      schema({ product: PRODUCT.replace('table="product_class"', 'table="recent"') }),
      ['No <Link> connects "product" with "recent", which this hierarchy also reads.'],
    ],
    [
      'a missing attribute',
      schema({ product: PRODUCT.replace('attribute="Family"', 'attribute="Famly"') }),
      ['There is no attribute "Famly" in this dimension. Did you mean "Family"?'],
    ],
    [
      'that a key of several columns is not below its levels',
      schema({
        product: PRODUCT.replace(
          'keyColumn="family"/>',
          '><Key><Column name="a"/><Column name="b"/></Key><Name><Column name="c"/></Name></Attribute>',
        ),
      }),
      [
        'The key of "Family" has several columns, so it has no hierarchy of its own. Write hasHierarchy="false".',
        'The key of "Family" has several columns; all but one of them must be keys of the levels above.',
      ],
    ],
    [
      'that a measure group says nothing of a dimension',
      schema({ links: LINKS.replace('<FactLink dimension="Kind"/>', '') }),
      [
        'This measure group has no link to the dimension "Kind". Write <NoLink dimension="Kind"/> if they are unrelated.',
      ],
    ],
    [
      'that a fact link is none',
      schema({
        links: LINKS.replace('<FactLink dimension="Kind"/>', '<NoLink dimension="Kind"/>').replace(
          /<ForeignKeyLink dimension="Product"[^>]*>/,
          '<FactLink dimension="Product"/>',
        ),
      }),
      ['A <FactLink> is for a dimension whose attributes are all in "sales".'],
    ],
    [
      'that an element is of the other language',
      schema({ extra: '<DimensionUsage name="x"/>' }),
      ['<DimensionUsage> is not allowed in <MeasureGroups>. Legal here: MeasureGroup.'],
    ],
  ])('%s', (_, source, expected) => {
    const problems = problemsOf(source);
    const messages = problems.map((problem) => problem.replace(/^\d+ \w+: /, ''));
    expect(new Set(messages)).toEqual(new Set(expected));
  });
});

it('a Mondrian 4 schema reports the line, too', () => {
  const source = schema({ product: PRODUCT.replace('attribute="Family"', 'attribute="Famly"') });
  const line = source.split('\n').findIndex((text) => text.includes('Famly')) + 1;
  expect(problemsOf(source)).toEqual([
    `${line} error: There is no attribute "Famly" in this dimension. Did you mean "Family"?`,
  ]);
});
