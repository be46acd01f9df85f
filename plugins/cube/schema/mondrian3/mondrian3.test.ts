import { describe, expect, it } from 'vitest';
import {
  cubeOf,
  cubeWith,
  dimensionOf,
  dimensionWith,
  hierarchyOf,
  levelOf,
  present,
  read,
} from '../testing/reading.ts';

describe('a cube', () => {
  it('reads its facts, its measures and its description', () => {
    const cube = cubeOf(
      read(`<Schema name="S" measuresCaption="Figures">
        <Cube name="Sales" caption="Verkauf" description="All of it" visible="false" cache="false" enabled="true"
              defaultMeasure="Units">
          <Annotations><Annotation name="caption.de">Verkauf</Annotation></Annotations>
          <Table name="sales" schema="mart" alias="f"><SQL dialect="generic">f.void = 0</SQL></Table>
          <Measure name="Amount" column="amount" aggregator="sum" formatString="#,##0.00" caption="Betrag"/>
          <Measure name="Units" column="units" aggregator="sum" datatype="Integer" visible="false"/>
          <Measure name="Rows" aggregator="count"/>
          <Measure name="Buyers" column="customer" aggregator="distinct-count"/>
        </Cube></Schema>`),
    );
    expect(cube).toMatchObject({
      caption: 'Verkauf',
      description: 'All of it',
      visible: false,
      cache: false,
      defaultMeasure: 'Units',
      line: 2,
    });
    expect([...cube.annotations]).toEqual([['caption.de', 'Verkauf']]);
    expect(cube.measureGroups).toHaveLength(1);
    expect(cube.measureGroups[0]).toMatchObject({
      name: 'Sales',
      fact: { kind: 'table', schema: 'mart', name: 'sales', alias: 'f' },
      links: [],
    });
    expect(cube.measures.map(({ name, aggregator, type }) => `${name} ${aggregator} ${type}`)).toEqual([
      'Amount sum Numeric',
      'Units sum Integer',
      'Rows count Integer',
      'Buyers distinct-count Integer',
    ]);
    const [amount, units, rows] = cube.measures;
    expect(amount).toMatchObject({
      expression: { kind: 'column', table: 'f', name: 'amount', line: expect.any(Number) },
      formatString: '#,##0.00',
      caption: 'Betrag',
      visible: true,
    });
    expect(units?.visible).toBe(false);
    expect(rows?.expression).toBeUndefined();
  });

  it('has a count of facts that MDX can name, if its author counts nothing', () => {
    const measures = (content: string) => cubeOf(read(cubeWith(content))).measures;
    expect(measures('').at(-1)).toMatchObject({
      name: 'Fact Count',
      aggregator: 'count',
      expression: undefined,
      visible: false,
      implied: false,
    });
    const distinct = '<Measure name="Buyers" column="customer" aggregator="distinct-count"/>';
    expect(measures(distinct).map(({ name }) => name)).toEqual(['Amount', 'Buyers', 'Fact Count']);
    for (const content of [
      '<Measure name="Sales Count" column="id" aggregator="count"/>',
      '<Measure name="fact count" column="id" aggregator="max"/>',
      '<CalculatedMember name="Fact Count" dimension="Measures" formula="1"/>',
    ])
      expect(measures(content).filter(({ isFactCount }) => isFactCount)).toEqual([]);
  });

  it('treats a dimension over the view of its facts as columns of the facts, in any indentation', () => {
    const view = (indent: string) =>
      `<View alias="v"><SQL dialect="generic">${indent}select *${indent}from sales</SQL></View>`;
    const cube = cubeOf(
      read(`<Schema name="S"><Cube name="Sales">${view(' ')}
        <Dimension name="Kind"><Hierarchy hasAll="true">${view('\n    ')}<Level name="Kind" column="kind"/></Hierarchy></Dimension>
        <Measure name="A" column="a" aggregator="sum"/></Cube></Schema>`),
    );
    expect(cube.measureGroups[0]?.links).toEqual([{ kind: 'fact', dimension: 'Kind' }]);
  });

  it('reads facts from a view or from rows of the schema', () => {
    const facts = (relation: string) =>
      present(
        cubeOf(
          read(`<Schema name="S"><Cube name="Sales">${relation}
            <Measure name="A" column="a" aggregator="sum"/></Cube></Schema>`),
        ).measureGroups[0],
        'measure group',
      ).fact;
    expect(facts('<View alias="v"><SQL dialect="generic">select 1 a</SQL></View>')).toMatchObject({
      kind: 'view',
      alias: 'v',
      sql: { variants: [{ dialect: 'generic', parts: ['select 1 a'] }] },
    });
    expect(
      facts(`<InlineTable alias="t">
        <ColumnDefs><ColumnDef name="a" type="Numeric"/><ColumnDef name="b" type="String"/></ColumnDefs>
        <Rows><Row><Value column="a">1</Value><Value column="b">x</Value></Row>
              <Row><Value column="a">2</Value></Row></Rows></InlineTable>`),
    ).toMatchObject({
      kind: 'inline',
      columns: [
        { name: 'a', type: 'integer' },
        { name: 'b', type: 'text' },
      ],
      rows: [
        ['1', 'x'],
        ['2', null],
      ],
    });
  });

  it('aggregates an expression by dialect', () => {
    const cube = cubeOf(
      read(`<Schema name="S"><Cube name="Sales"><Table name="sales"/>
        <Measure name="A" aggregator="sum"><MeasureExpression>
          <SQL dialect="mysql,mariadb">a * 1</SQL><SQL dialect="generic">a * 2</SQL>
        </MeasureExpression><CalculatedMemberProperty name="MEMBER_ORDINAL" value="7"/></Measure></Cube></Schema>`),
    );
    expect(cube.measures[0]).toMatchObject({
      expression: {
        kind: 'sql',
        table: 'sales',
        sql: {
          variants: [
            { dialect: 'mysql', parts: ['a * 1'] },
            { dialect: 'mariadb', parts: ['a * 1'] },
            { dialect: 'generic', parts: ['a * 2'] },
          ],
        },
      },
      properties: [{ name: 'MEMBER_ORDINAL', content: { kind: 'value', value: '7' } }],
    });
  });
});

describe('a dimension', () => {
  it('is joined by its foreign key to the primary key of its hierarchies', () => {
    const cube = cubeOf(
      read(
        cubeWith(
          dimensionWith(
            `<Level name="State" column="state" uniqueMembers="true"/>
             <Level name="City" column="city" uniqueMembers="false"/>`,
            'allMemberName="Everywhere" allMemberCaption="All over" allLevelName="Top" defaultMember="[Store].[CA]"',
            'caption="Shop" highCardinality="true"',
          ),
        ),
      ),
    );
    expect(cube.measureGroups[0]?.links).toEqual([
      {
        kind: 'key',
        dimension: 'Store',
        column: { kind: 'column', table: 'sales', name: 'store_id', line: expect.any(Number) },
        countsPerRow: false,
      },
    ]);
    expect(dimensionOf(cube)).toMatchObject({ caption: 'Shop', type: 'standard', highCardinality: true });
    expect(hierarchyOf(cube)).toMatchObject({
      name: 'Store',
      hasAll: true,
      allMemberName: 'Everywhere',
      allMemberCaption: 'All over',
      allLevelName: 'Top',
      defaultMember: '[Store].[CA]',
      primaryKey: { table: 'store', name: 'id' },
      relation: { kind: 'table', alias: 'store' },
    });
    expect(levelOf(hierarchyOf(cube), 'City').uniqueMembers).toBe(false);
  });

  it('names the second hierarchy after the dimension and itself', () => {
    const cube = cubeOf(
      read(
        cubeWith(`<Dimension name="Time" type="TimeDimension" foreignKey="time_id">
          <Hierarchy hasAll="false" primaryKey="id"><Table name="t"/>
            <Level name="Year" column="y" levelType="TimeYears" type="Numeric" uniqueMembers="true"/></Hierarchy>
          <Hierarchy hasAll="true" name="Weekly" primaryKey="id"><Table name="t"/>
            <Level name="Week" column="w" levelType="TimeWeeks"/></Hierarchy></Dimension>`),
      ),
    );
    const { type, hierarchies } = dimensionOf(cube, 'Time');
    expect(type).toBe('time');
    expect(
      hierarchies.map(({ name, uniqueName, hasAll, allMemberName }) => [name, uniqueName, hasAll, allMemberName]),
    ).toEqual([
      ['Time', '[Time]', false, 'All Times'],
      ['Weekly', '[Time.Weekly]', true, 'All Time.Weeklys'],
    ]);
    expect(hierarchies[0].levels[0]).toMatchObject({ levelType: 'TimeYears', type: 'Numeric' });
  });

  it('without a table of its own is read from the facts, without a join', () => {
    const cube = cubeOf(
      read(
        cubeWith(`<Dimension name="Kind"><Hierarchy hasAll="true"><Level name="Kind" column="kind"/></Hierarchy></Dimension>
          <Dimension name="Day"><Hierarchy hasAll="true" primaryKey="id"><Table name="sales"/>
            <Level name="Day" column="day"/></Hierarchy></Dimension>`),
      ),
    );
    expect(cube.measureGroups[0]?.links).toEqual([
      { kind: 'fact', dimension: 'Kind' },
      { kind: 'fact', dimension: 'Day' },
    ]);
    expect(hierarchyOf(cube, '[Kind]')).toMatchObject({ relation: { alias: 'sales' } });
    expect(hierarchyOf(cube, '[Kind]').primaryKey).toBeUndefined();
    expect(hierarchyOf(cube, '[Kind]').levels[0].key).toEqual({
      kind: 'column',
      table: 'sales',
      name: 'kind',
      line: expect.any(Number),
    });
  });

  it('joins several tables, and its levels name their table', () => {
    const cube = cubeOf(
      read(
        cubeWith(`<Dimension name="Product" foreignKey="product_id">
          <Hierarchy hasAll="true" primaryKey="id" primaryKeyTable="product">
            <Join leftKey="class_id" rightAlias="c" rightKey="id"><Table name="product"/>
              <Join leftKey="family_id" rightKey="id"><Table name="class" alias="c"/><Table name="family"/></Join></Join>
            <Level name="Family" table="family" column="name"/>
            <Level name="Product" table="product" column="id" nameColumn="name"/>
          </Hierarchy></Dimension>`),
      ),
    );
    const hierarchy = hierarchyOf(cube, '[Product]');
    expect(hierarchy.relation).toMatchObject({
      kind: 'join',
      leftKey: { table: 'product', name: 'class_id' },
      rightKey: { table: 'c', name: 'id' },
      right: { kind: 'join', leftKey: { table: 'c', name: 'family_id' }, rightKey: { table: 'family', name: 'id' } },
    });
    expect(levelOf(hierarchy, 'Product').nameExpression).toEqual({
      kind: 'column',
      table: 'product',
      name: 'name',
      line: expect.any(Number),
    });
  });
});

describe('a usage of a shared dimension', () => {
  const shared = `<Dimension name="Time" type="TimeDimension" caption="Zeit"><Hierarchy hasAll="true" allMemberName="All Time" primaryKey="id">
      <Table name="t"/><Level name="Year" column="y" levelType="TimeYears"/></Hierarchy>
    <Hierarchy name="Weekly" hasAll="true" primaryKey="id"><Table name="t"/>
      <Level name="Week" column="w" levelType="TimeWeeks"/></Hierarchy></Dimension>`;
  const cube = () =>
    cubeOf(
      read(
        cubeWith(
          `<DimensionUsage name="Time" source="Time" foreignKey="sold_id"/>
           <DimensionUsage name="Ship Time" source="Time" foreignKey="shipped_id" caption="Versand" level="Year"/>`,
          shared,
        ),
      ),
    );

  it('is the whole dimension under the name of the usage', () => {
    const [sold, shipped] = cube().dimensions;
    expect(sold).toMatchObject({ name: 'Time', source: 'Time', caption: 'Zeit', type: 'time' });
    expect(shipped).toMatchObject({ name: 'Ship Time', source: 'Time', caption: 'Versand', type: 'time' });
    expect(shipped?.hierarchies.map(({ uniqueName, allMemberName }) => [uniqueName, allMemberName])).toEqual([
      ['[Ship Time]', 'All Ship Time'],
      ['[Ship Time.Weekly]', 'All Ship Time.Weeklys'],
    ]);
  });

  it('has its own foreign key, and may join at a level', () => {
    expect(cube().measureGroups[0]?.links).toEqual([
      {
        kind: 'key',
        dimension: 'Time',
        column: { kind: 'column', table: 'sales', name: 'sold_id', line: expect.any(Number) },
        countsPerRow: false,
      },
      {
        kind: 'key',
        dimension: 'Ship Time',
        column: { kind: 'column', table: 'sales', name: 'shipped_id', line: expect.any(Number) },
        level: 'Year',
        countsPerRow: true,
      },
    ]);
  });
});

describe('a level', () => {
  const level = (attributes: string, children = '') =>
    hierarchyOf(cubeOf(read(cubeWith(dimensionWith(`<Level name="L" ${attributes}>${children}</Level>`))))).levels[0];
  const column = (name: string) => ({ kind: 'column', table: 'store', name, line: expect.any(Number) });

  it('reads key, name, caption and order from columns', () => {
    expect(
      level('column="k" nameColumn="n" captionColumn="c" ordinalColumn="o" type="Integer" approxRowCount="12"'),
    ).toMatchObject({
      key: column('k'),
      nameExpression: column('n'),
      captionExpression: column('c'),
      ordinals: [{ expression: column('o'), descending: false }],
      type: 'Integer',
      approxRowCount: 12,
    });
  });

  it('reads each of them from SQL, too', () => {
    const sql = (text: string) => ({
      kind: 'sql',
      table: 'store',
      sql: { variants: [{ dialect: 'generic', parts: [text] }] },
    });
    const element = (name: string, text: string) => `<${name}><SQL dialect="generic">${text}</SQL></${name}>`;
    expect(
      level(
        '',
        element('KeyExpression', 'k') +
          element('NameExpression', 'n') +
          element('CaptionExpression', 'c') +
          element('OrdinalExpression', 'o') +
          element('ParentExpression', 'p'),
      ),
    ).toMatchObject({
      key: sql('k'),
      nameExpression: sql('n'),
      captionExpression: sql('c'),
      ordinals: [{ expression: sql('o') }],
      parent: { expression: sql('p') },
    });
  });

  it('defaults to text keys, no order of its own and no hidden members', () => {
    const made = level('column="k"');
    expect(made).toMatchObject({
      type: 'String',
      ordinals: [],
      hideMemberIf: 'never',
      levelType: 'Regular',
      properties: [],
    });
    expect([made.nameExpression, made.captionExpression, made.parent]).toEqual([undefined, undefined, undefined]);
    // Members of the topmost level have no parents that distinguish them.
    expect(made.uniqueMembers).toBe(true);
  });

  it('of a parent-child hierarchy has a closure table', () => {
    expect(
      level(
        'column="id" parentColumn="boss" nullParentValue="0" type="Numeric"',
        '<Closure parentColumn="boss" childColumn="id"><Table name="closure"/></Closure>',
      ).parent,
    ).toMatchObject({
      expression: column('boss'),
      nullParentValue: '0',
      closure: {
        table: { name: 'closure' },
        parentColumn: { table: 'closure', name: 'boss' },
        childColumn: { table: 'closure', name: 'id' },
      },
    });
  });

  it.each([
    ['Never', 'never'],
    ['IfBlankName', 'ifBlankName'],
    ['IfParentsName', 'ifParentsName'],
  ])('hides members %s', (written, expected) => {
    expect(level(`column="k" hideMemberIf="${written}"`).hideMemberIf).toBe(expected);
  });

  it('has properties of its members', () => {
    expect(
      level(
        'column="k"',
        '<Property name="Size" column="sqft" type="Numeric" caption="m²" dependsOnLevelValue="true"/>',
      ).properties,
    ).toMatchObject([
      { name: 'Size', caption: 'm²', expression: column('sqft'), type: 'Numeric', dependsOnLevelValue: true },
    ]);
  });
});

it('reads hints, and ignores them', () => {
  const schema = read(`<Schema name="S"><Cube name="Sales"><Table name="sales"><Hint type="force_index">x</Hint></Table>
    <Measure name="A" column="a" aggregator="sum"/></Cube></Schema>`);
  expect(cubeOf(schema).measureGroups[0]?.fact).toMatchObject({ kind: 'table', name: 'sales' });
});
