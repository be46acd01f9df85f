import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { titleNeeding } from '../../../router/testing/not-run.ts';
import { foodmartDirectory, foodmartMissing, foodmartSchema } from '../testing/foodmart.ts';
import { readSchema } from './read-schema.ts';
import { cubeOf, cubeWith, dimensionWith, hierarchyOf, levelOf, present, problemsOf, read } from './testing/reading.ts';

describe.skipIf(foodmartMissing() !== undefined)(titleNeeding('the FoodMart schema', foodmartMissing()), () => {
  const foodmart = () => read(foodmartSchema(foodmartDirectory() ?? ''));

  it('is read without a problem', () => {
    expect(foodmart().cubes.map(({ name }) => name)).toEqual([
      'Sales',
      'Warehouse',
      'Store',
      'HR',
      'Sales Ragged',
      'Sales 2',
      'Warehouse and Sales',
    ]);
    expect(foodmart().roles.map(({ name }) => name)).toEqual(['California manager', 'No HR Cube', 'Administrator']);
  });

  it('has the dimensions, parents and hidden members of the data set', () => {
    const schema = foodmart();
    const sales = cubeOf(schema);
    expect(sales.dimensions).toHaveLength(12);
    expect(sales.defaultMeasure).toBe('Unit Sales');
    expect(hierarchyOf(sales, '[Time.Weekly]').levels.map(({ name }) => name)).toEqual(['Year', 'Week', 'Day']);
    const employees = levelOf(hierarchyOf(cubeOf(schema, 'HR'), '[Employees]'), 'Employee Id');
    expect(employees.parent?.closure?.table).toMatchObject({ name: 'employee_closure' });
    const ragged = hierarchyOf(cubeOf(schema, 'Sales Ragged'));
    expect(ragged.levels.map(({ hideMemberIf }) => hideMemberIf)).toEqual([
      'never',
      'ifParentsName',
      'ifBlankName',
      'never',
    ]);
    expect(cubeOf(schema, 'Warehouse and Sales').measureGroups.map(({ name }) => name)).toEqual(['Sales', 'Warehouse']);
  });

  it('cannot be changed once it is read', () => {
    const [cube] = foodmart().cubes;
    expect(Object.isFrozen(cube)).toBe(true);
    expect(Object.isFrozen(cube?.dimensions[0]?.hierarchies[0].levels)).toBe(true);
  });
});

it('reads the example of the documentation without a problem', () => {
  const guide = readFileSync(new URL('../../../docs/reference/cube-schema.md', import.meta.url), 'utf8');
  const example = /```xml\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
  expect(cubeOf(read(example)).measures.map(({ name }) => name)).toEqual(['Amount', 'Customers', 'Fact Count']);
});

describe('a text that is not a schema', () => {
  it.each([
    ['nothing', '', '1 error: This is not well-formed XML: document must contain a root element.'],
    ['an open element', '<Schema name="S">\n<Cube>', '2 error: This is not well-formed XML: unclosed tag: Cube'],
    ['another root', '\n<dataSource/>', '2 error: The root element of a cube schema is <Schema>, not <dataSource>.'],
    [
      'a document type',
      '<?xml version="1.0"?>\n<!DOCTYPE Schema [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<Schema name="&b;"/>',
      '2 error: A document type declaration (<!DOCTYPE …>) is not allowed.',
    ],
    ['an unknown entity', '<Schema\n name="&x;"/>', '2 error: This is not well-formed XML: undefined entity.'],
  ])('is refused: %s', (_, source, problem) => {
    expect(problemsOf(source)).toEqual([problem]);
    expect(readSchema(source).schema).toBeUndefined();
  });

  it('is refused if it is nested too deeply', () => {
    const deep = `${'<Join>'.repeat(50_000)}${'</Join>'.repeat(50_000)}`;
    expect(problemsOf(deep)).toEqual(['1 error: Elements are nested deeper than 100.']);
  });
});

describe('problems are reported with their line', () => {
  const STATE = '<Level name="State" column="state" uniqueMembers="true"/>';

  it.each<readonly [string, string, readonly string[]]>([
    [
      'an unknown element',
      cubeWith('<Measur name="B"/>'),
      ['4 error: <Measur> is not allowed in <Cube>. Did you mean "Measure"?'],
    ],
    [
      'an element in the wrong place',
      cubeWith('<Level name="B"/>'),
      [
        '4 error: <Level> is not allowed in <Cube>. Legal here: Annotations, Table, View, Join, InlineTable, Dimension, DimensionUsage, Measure, CalculatedMember, NamedSet, DrillThroughAction.',
      ],
    ],
    [
      'an unknown attribute, in the line where it stands',
      cubeWith('<Measure name="B" column="b" aggregator="sum"\n formatSting="0"/>'),
      ['5 warning: <Measure> has no attribute "formatSting"; it is ignored. Did you mean "formatString"?'],
    ],
    ['text that nobody reads', cubeWith('what?'), ['3 warning: <Cube> has no text; "what?" is ignored.']],
    [
      'a value that is not legal',
      cubeWith('<Measure name="B" column="b" aggregator="summ"/>'),
      ['4 error: "summ" is not a legal value of "aggregator". Did you mean "sum"?'],
    ],
    [
      'what is neither true nor false',
      cubeWith('<Measure name="B" column="b" aggregator="sum" visible="yes"/>'),
      ['4 error: "visible" is true or false, not "yes".'],
    ],
    [
      'a measure of nothing',
      cubeWith('<Measure name="B" aggregator="sum"/>'),
      ['4 error: A <Measure> needs "column" or a <MeasureExpression>.'],
    ],
    [
      'a measure without a name',
      cubeWith('<Measure aggregator="count"/>'),
      ['4 error: <Measure> needs the attribute "name".'],
    ],
    [
      'two measures of one name, also calculated ones',
      cubeWith('<CalculatedMember name="Amount" dimension="Measures" formula="1"/>'),
      ['4 warning: There are two measures in the cube "Sales" with the name "Amount". The first one counts.'],
    ],
    [
      'a default measure that is not there',
      '<Schema name="S">\n<Cube name="C" defaultMeasure="Amout"><Table name="t"/><Measure name="Amount" column="a" aggregator="sum"/></Cube></Schema>',
      [
        '2 warning: The default measure "Amout" is not in the cube. The first measure, "Amount", takes its place. Did you mean "Amount"?',
      ],
    ],
    [
      'a default measure that is calculated',
      cubeWith('<CalculatedMember name="Half" dimension="Measures" formula="1"/>').replace(
        'name="Sales"',
        'name="Sales" defaultMeasure="Half"',
      ),
      [
        '2 warning: The default measure "Half" is calculated; only a stored measure can be the default. The first measure, "Amount", takes its place.',
      ],
    ],
    [
      'a function that names neither a class nor a script',
      cubeWith('').replace('</Schema>', '\n<UserDefinedFunction name="F"/></Schema>'),
      ['6 error: The function "F" needs "className" or a <Script>.'],
    ],
    [
      'functions that cannot run here',
      cubeWith('').replace(
        '</Schema>',
        '\n<UserDefinedFunction name="F" className="a.B"/>\n<UserDefinedFunction name="G"><Script language="Groovy">1</Script></UserDefinedFunction></Schema>',
      ),
      [
        '6 warning: The function "F" is a Java class, which cannot run here; it is ignored.',
        '7 warning: The function "G" is a script in Groovy; only JavaScript runs here. It is ignored.',
      ],
    ],
    [
      'a cube without facts',
      '<Schema name="S">\n<Cube name="C"/></Schema>',
      [
        '1 warning: This schema has no cube.',
        '2 error: The cube "C" needs a <Table>, <View> or <InlineTable> with its facts.',
      ],
    ],
    [
      'a usage of a dimension that is not shared',
      cubeWith('<DimensionUsage name="T"\n source="Tme"\n foreignKey="t"/>', '<Dimension name="Time"/>'),
      [
        '1 error: The dimension "Time" needs a <Hierarchy>.',
        '5 error: There is no shared dimension "Tme". Did you mean "Time"?',
      ],
    ],
    [
      'a dimension that nothing joins',
      cubeWith(dimensionWith(STATE).replace('foreignKey="store_id"', '')),
      [
        '4 error: The dimension "Store" has its own table, so it needs "foreignKey": the column of the facts that joins it.',
      ],
    ],
    [
      'a hierarchy that nothing can join',
      cubeWith(dimensionWith(STATE).replace('primaryKey="id"', '')),
      ['5 error: A hierarchy with its own table needs "primaryKey", which facts join.'],
    ],
    [
      'a level without a column',
      cubeWith(dimensionWith('<Level name="State"/>')),
      ['6 error: The level "State" needs "column" or a <KeyExpression>.'],
    ],
    [
      'a level in a table that is not there',
      cubeWith(dimensionWith('<Level name="State" table="stor" column="s"/>')),
      ['6 error: There is no table "stor" in this hierarchy. Did you mean "store"?'],
    ],
    [
      'two levels of one name',
      cubeWith(dimensionWith(`${STATE}\n${STATE}`)),
      ['7 error: There are two levels in the hierarchy [Store] with the name "State".'],
    ],
    [
      'a default member that is no name',
      cubeWith(dimensionWith(STATE, 'defaultMember="[Store].[CA"')),
      ['5 error: The default member "[Store].[CA" is not a name such as [Store].[USA].'],
    ],
    [
      'two tables of one name in a join',
      cubeWith(`<Dimension name="D" foreignKey="d"><Hierarchy hasAll="true" primaryKey="id" primaryKeyTable="a">
<Join leftKey="x" rightKey="y"><Table name="a"/><Table name="a"/></Join><Level name="L" table="a" column="l"/></Hierarchy></Dimension>`),
      ['5 error: Two tables are called "a" here. Give one of them another name with "alias".'],
    ],
    [
      'a join whose side does not say which table it means',
      cubeWith(`<Dimension name="D" foreignKey="d"><Hierarchy hasAll="true" primaryKey="id" primaryKeyTable="a">
<Join leftKey="x" rightKey="y"><Table name="a"/><Join leftKey="x" rightKey="y"><Table name="b"/><Table name="c"/></Join></Join>
<Level name="L" table="a" column="l"/></Hierarchy></Dimension>`),
      [
        '5 warning: The right side of this join has several tables and "rightAlias" does not say which one; its first, "b", is joined.',
      ],
    ],
    [
      'SQL that is not there',
      cubeWith('<Measure name="B" aggregator="sum">\n<MeasureExpression/></Measure>'),
      ['5 error: <MeasureExpression> needs a <SQL dialect="…"> element.'],
    ],
    [
      'a calculated member of no hierarchy of the cube',
      cubeWith(`${dimensionWith(STATE)}\n<CalculatedMember name="B" dimension="Stor" formula="1"/>`),
      [
        '8 error: The calculated member "B" is of the hierarchy [Stor], which the cube "Sales" does not have. Did you mean "[Store]"?',
      ],
    ],
    [
      'a calculated member without a formula',
      cubeWith('<CalculatedMember name="B" dimension="Measures"/>'),
      ['4 error: <CalculatedMember> needs a formula.'],
    ],
    [
      'classes of another platform',
      cubeWith('<Measure name="B" column="b" aggregator="sum"><CellFormatter className="x.Y"/></Measure>'),
      ['4 warning: <CellFormatter> is a Java class, which cannot run here; it is ignored.'],
    ],
    [
      'a hierarchy that does not say whether it has an all member',
      cubeWith(dimensionWith(STATE).replace('hasAll="true"', '')),
      ['5 warning: The hierarchy "Store" has no "hasAll", so it has an all member.'],
    ],
  ])('%s', (_, source, problems) => {
    expect(problemsOf(source)).toEqual(problems);
  });

  it('are reported once for a shared dimension that several cubes use', () => {
    const usage = '<DimensionUsage name="Store" source="Store" foreignKey="s"/>';
    const shared = dimensionWith('<Level name="State"/>').replace('foreignKey="store_id"', '');
    expect(
      problemsOf(cubeWith(`${usage}<DimensionUsage name="Other" source="Store" foreignKey="s"/>`, shared)),
    ).toEqual(['3 error: The level "State" needs "column" or a <KeyExpression>.']);
  });

  it('are reported in linear time', () => {
    const many = (count: number) =>
      cubeWith(
        Array.from({ length: count }, (_, index) => `<Measure name="M${index}" x="" aggregator="count"/>`).join('\n'),
      );
    const millis = (source: string): number => {
      const started = performance.now();
      readSchema(source);
      return performance.now() - started;
    };
    expect(readSchema(many(2_000)).problems).toHaveLength(2_000);
    // Ten times as many take about ten times as long, on any machine. Quadratic time would be a hundred times as long.
    expect(millis(many(20_000))).toBeLessThan(50 * Math.max(millis(many(2_000)), 50));
  });

  it('a duplicate name means the first element', () => {
    const second = dimensionWith('<Level name="Other" column="other"/>').replace('store_id', 'other_id');
    const { schema, problems } = readSchema(
      cubeWith(`${dimensionWith('<Level name="State" column="state"/>')}
${second}
<Measure name="Amount" column="other" aggregator="max"/>
<CalculatedMember name="Amount" dimension="Measures" formula="1"/>
<NamedSet name="Best" formula="{[Store].[1]}"/><NamedSet name="Best" formula="{[Store].[2]}"/>`),
    );
    expect(problems.map(({ line, severity }) => `${line} ${severity}`)).toEqual([
      '8 warning',
      '12 warning',
      '13 warning',
      '14 warning',
    ]);
    const cube = cubeOf(present(schema, 'schema'));
    expect(cube.dimensions.map(({ line }) => line)).toEqual([4]);
    expect(cube.measureGroups[0]?.links).toMatchObject([{ column: { name: 'store_id' } }]);
    expect(cube.measures.map(({ name, aggregator }) => `${name} ${aggregator}`)).toEqual([
      'Amount sum',
      'Fact Count count',
    ]);
    expect(cube.calculatedMembers).toEqual([]);
    expect(cube.namedSets.map(({ formula }) => formula)).toEqual(['{[Store].[1]}']);
  });

  it('a default measure is found in every spelling of its name', () => {
    for (const written of ['amount', '[Amount]', '[Measures].[Amount]', 'Measures.AMOUNT']) {
      const source = cubeWith('').replace('name="Sales"', `name="Sales" defaultMeasure="${written}"`);
      expect(cubeOf(read(source)).defaultMeasure).toBe('Amount');
    }
  });

  it('a schema with only warnings is served', () => {
    expect(readSchema(cubeWith('<Measure name="B" column="b" aggregator="sum" colour="red"/>')).schema).toBeDefined();
  });
});

describe('roles must name existing elements', () => {
  const withRole = (role: string) =>
    cubeWith(dimensionWith('<Level name="State" column="state"/>')).replace('</Schema>', `\n${role}</Schema>`);
  const inCube = (grant: string) =>
    withRole(`<Role name="R"><SchemaGrant access="none"><CubeGrant cube="Sales" access="all">
${grant}</CubeGrant></SchemaGrant></Role>`);

  it.each<readonly [string, string, readonly string[]]>([
    [
      'cubes',
      withRole('<Role name="R"><SchemaGrant access="none"><CubeGrant cube="Sale" access="all"/></SchemaGrant></Role>'),
      ['9 error: There is no cube "Sale". Did you mean "Sales"?'],
    ],
    [
      'dimensions',
      inCube('<DimensionGrant dimension="[Stor]" access="none"/>'),
      ['10 error: The cube "Sales" has no dimension "[Stor]". Did you mean "[Store]"?'],
    ],
    [
      'hierarchies',
      inCube('<HierarchyGrant hierarchy="[Stores]" access="none"/>'),
      ['10 error: The cube "Sales" has no hierarchy "[Stores]". Did you mean "[Store]"?'],
    ],
    [
      'levels',
      inCube('<HierarchyGrant hierarchy="[Store]" access="custom" topLevel="[Store].[Stat]"/>'),
      ['10 error: The hierarchy [Store] has no level "[Store].[Stat]". Did you mean "State"?'],
    ],
    [
      'members only where access is custom',
      inCube(
        '<HierarchyGrant hierarchy="[Store]" access="all"><MemberGrant member="[Store].[CA]" access="none"/></HierarchyGrant>',
      ),
      ['10 error: Levels and members are granted only in a <HierarchyGrant> with access="custom".'],
    ],
    [
      'other roles, and never themselves',
      withRole(`<Role name="R"><Union><RoleUsage roleName="Q"/></Union></Role>
<Role name="Q"><Union><RoleUsage roleName="R"/><RoleUsage roleName="X"/></Union></Role>`),
      [
        '9 error: The role "R" uses the role "Q", which must be defined before it.',
        '10 error: There is no role "X". Did you mean "R"?',
      ],
    ],
  ])('%s', (_, source, problems) => {
    expect(problemsOf(source)).toEqual(problems);
  });

  it('the default role must exist', () => {
    expect(problemsOf('<Schema name="S" defaultRole="Boss"/>')).toEqual([
      '1 warning: This schema has no cube.',
      '1 error: There is no role "Boss" to be the default.',
    ]);
  });
});
