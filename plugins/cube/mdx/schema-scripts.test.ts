import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { readSchema } from '../schema/read-schema.ts';
import type { MdxCatalog } from './index.ts';
import { LARGE_LEVELS, openSchema } from './testing/open-schema.ts';

/** Rome sold 3 and 4, Nice 5; Rome has 7 squares, Nice 2. */
const TABLES = [
  'CREATE TABLE town (id INTEGER, country VARCHAR(10), town VARCHAR(10), squares INTEGER)',
  "INSERT INTO town VALUES (1, 'Italy', 'Rome', 7), (2, 'France', 'Nice', 2)",
  'CREATE TABLE sale (town INTEGER, units INTEGER)',
  'INSERT INTO sale VALUES (1, 3), (1, 4), (2, 5)',
];

const script = (source: string) => `<Script language="JavaScript"><![CDATA[${source}]]></Script>`;
const FUNCTION = `function getParameterTypes() { return [new mondrian.olap.type.NumericType()]; }
  function getReturnType(types) { return new mondrian.olap.type.NumericType(); }
  function execute(evaluator, arguments) { var n = arguments[0].evaluateScalar(evaluator); return n <= 1 ? 1 : n * factorial(n - 1); }
  function factorial(n) { return n <= 1 ? 1 : n * factorial(n - 1); }`;
const NAMING = `function getParameterTypes() { return [new mondrian.olap.type.SetType(mondrian.olap.type.MemberType.Unknown)]; }
  function getReturnType(types) { return new mondrian.olap.type.StringType(); }
  function execute(evaluator, arguments) { return arguments[0].evaluate(evaluator).map(function (m) { return m.getName(); }).join('+'); }`;

const SCHEMA = `<Schema name="S"><Cube name="Sales"><Table name="sale"/>
  <Dimension name="Town" foreignKey="town"><Hierarchy hasAll="true" primaryKey="id"><Table name="town"/>
    <Level name="Country" column="country" uniqueMembers="true"/>
    <Level name="Town" column="town" uniqueMembers="true"><Property name="Squares" column="squares" type="Numeric">
      <PropertyFormatter>${script('return propertyValue + " in " + member.getName();')}</PropertyFormatter></Property>
      <MemberFormatter>${script('return member.getName() + ", " + member.parentMember.name;')}</MemberFormatter></Level>
  </Hierarchy></Dimension>
  <Measure name="Units" column="units" aggregator="sum"/>
  <Measure name="Stars" column="units" aggregator="sum"><CellFormatter>${script('var s = ""; while (s.length < value) s += "*"; return s;')}</CellFormatter></Measure>
  <CalculatedMember name="Twice" dimension="Measures"><Formula>[Measures].[Units] * 2</Formula><CellFormatter>${script('return "2x" + value / 2;')}</CellFormatter></CalculatedMember>
  <CalculatedMember name="Factorial of Units" dimension="Measures"><Formula>Factorial([Measures].[Units])</Formula></CalculatedMember></Cube>
  <UserDefinedFunction name="Factorial">${script(FUNCTION)}</UserDefinedFunction>
  <UserDefinedFunction name="Naming">${script(NAMING)}</UserDefinedFunction>
  <UserDefinedFunction name="Endless">${script('function execute() { for (;;); }')}</UserDefinedFunction></Schema>`;

describe.each(LARGE_LEVELS)('scripts of a schema, levels of more than %i members read in parts', (largeLevel) => {
  let on: TestWarehouse;
  let catalog: MdxCatalog;
  beforeAll(async () => {
    on = await startWarehouse('duckdb', TABLES);
    catalog = openSchema(SCHEMA, on.warehouse, { largeLevel });
  });
  afterAll(async () => {
    await catalog?.close();
    await on?.stop();
  });

  async function texts(mdx: string): Promise<readonly string[]> {
    return (await catalog.query(mdx)).cells.map(({ formatted }) => formatted);
  }
  const value = (expression: string) =>
    texts(`with member Measures.X as ${expression} select {Measures.X} on 0 from Sales`);

  it('format cells of stored and calculated measures', async () => {
    expect(
      await texts(
        'select {[Measures].[Stars], [Measures].[Twice], [Measures].[Units]} on 0, [Town].[Country].Members on 1 from Sales',
      ),
    ).toEqual(['*****', '2x5', '5', '*******', '2x7', '7']);
    const { cells } = await catalog.query('select {[Measures].[Stars]} on 0 from Sales');
    expect(cells[0]).toMatchObject({ value: 12, formatted: '************' });
  });

  it('format the captions of members and leave their names', async () => {
    const { axes } = await catalog.query('select [Town].[Italy].Children on 0 from Sales');
    expect(axes[0]?.tuples[0]?.[0]).toMatchObject({
      caption: 'Rome, Italy',
      name: 'Rome',
      uniqueName: '[Town].[Italy].[Rome]',
    });
    expect(await value('[Town].[France].[Nice].Caption')).toEqual(['Nice, France']);
    expect(await value('[Town].[France].Caption')).toEqual(['France']);
  });

  it('format shown properties, while formulas use the value', async () => {
    const { axes } = await catalog.query(
      'select [Town].[Town].Members dimension properties [Town].[Town].[Squares] on 0 from Sales',
    );
    expect(axes[0]?.memberValues).toEqual([[['2 in Nice']], [['7 in Rome']]]);
    expect(await value('[Town].[France].[Nice].Properties("Squares") + 1')).toEqual(['3']);
  });

  it('are functions in formulas and queries, called with the arguments of each cell', async () => {
    expect(await value('Factorial(4 + 2)')).toEqual(['720']);
    expect(
      await texts('select {[Measures].[Factorial of Units]} on 0, [Town].[Country].Members on 1 from Sales'),
    ).toEqual(['120', '5,040']);
    expect(await value('Naming({[Town].[Italy], [Town].[France]})')).toEqual(['Italy+France']);
    expect(await value('Sum([Town].[Country].Members, Factorial([Measures].[Units]))')).toEqual(['5,160']);
    const filtered = 'select Filter([Town].[Country].Members, Factorial([Measures].[Units]) > 200) on 0 from Sales';
    expect((await catalog.query(filtered)).axes[0]?.tuples.map(([member]) => member?.name)).toEqual(['Italy']);
  });

  it('depend on their arguments only', async () => {
    await expect(value('Factorial("six")')).rejects.toThrow("No function matches signature 'Factorial(<String>)'");
    await expect(value('Factorial(1, 2)')).rejects.toThrow(/No function matches signature/);
  });

  it('report failures as errors of cells', async () => {
    expect(await value('Endless()')).toEqual([
      '#ERR: MdxEvaluationError: The function "Endless" of the schema failed: it takes too long.',
    ]);
  });
});

it('the check of a schema reports invalid scripts, and functions that MDX has', async () => {
  const on = await startWarehouse('duckdb', TABLES);
  const wrong = SCHEMA.replace('return "2x" + value / 2;', 'return "2x" +').replace('name="Endless"', 'name="Sum"');
  const catalog = openSchema(wrong, on.warehouse);
  const { mistakes } = await catalog.check({ hasData: true, timeMs: 10_000 });
  expect(mistakes.map(({ message }) => message)).toEqual([
    'MDX has a function "Sum"; the function of the schema is ignored.',
    expect.stringMatching(/^The script of the measure "Twice" fails: SyntaxError: /),
  ]);
  await catalog.close();
  await on.stop();
});

it.each([
  [
    '<UserDefinedFunction name="F" className="a.B"/><UserDefinedFunction name="f"><Script>1</Script></UserDefinedFunction>',
    'There are two functions with the name "f".',
  ],
  [
    '<UserDefinedFunction name="F" className="a.B"><Script>1</Script></UserDefinedFunction>',
    'The function "F" has either "className" or a <Script>, not both.',
  ],
  ['<UserDefinedFunction name="F"/>', 'The function "F" needs "className" or a <Script>.'],
])('%s is refused', (functions, message) => {
  const { schema, problems } = readSchema(SCHEMA.replace('</Schema>', `${functions}</Schema>`));
  expect(schema).toBeUndefined();
  expect(problems.map((problem) => problem.message)).toContain(message);
});
