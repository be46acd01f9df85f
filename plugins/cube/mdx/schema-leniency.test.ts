import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { readSchema } from '../schema/read-schema.ts';
import { type MdxCatalog, MdxError, openCatalog } from './index.ts';

/**
 * Schemas that omit, repeat or move elements, tested through queries.
 *
 * | shop (state, country) | kind | units | plan of the state |
 * | --- | --- | ---: | ---: |
 * | 1 Rome (Lazio, Italy) | new | 10 | 100 |
 * | 2 Ostia (Lazio, Italy) | old | 20 | 100 |
 * | 3 Nice (Var, France) | new | 5 | 7 |
 */
const TABLES = [
  'CREATE TABLE shop (id INTEGER, city VARCHAR(10), state VARCHAR(10), country VARCHAR(10), zone INTEGER)',
  "INSERT INTO shop VALUES (1, 'Rome', 'Lazio', 'Italy', 1), (2, 'Ostia', 'Lazio', 'Italy', 2), (3, 'Nice', 'Var', 'France', 2)",
  'CREATE TABLE zone (id INTEGER, name VARCHAR(10))',
  "INSERT INTO zone VALUES (1, 'inner'), (2, 'outer')",
  'CREATE TABLE sales (shop_id INTEGER, buyer_zone INTEGER, kind VARCHAR(10), units INTEGER)',
  "INSERT INTO sales VALUES (1, 2, 'new', 10), (2, 2, 'old', 20), (3, 1, 'new', 5)",
  'CREATE TABLE plan (state VARCHAR(10), units INTEGER)',
  "INSERT INTO plan VALUES ('Lazio', 100), ('Var', 7)",
];

const PLACE = `<Dimension name="Place"><Hierarchy hasAll="true" primaryKey="id"><Table name="shop"/>
  <Level name="Country" column="country" uniqueMembers="true"/><Level name="State" column="state" uniqueMembers="true"/>
  <Level name="City" column="city" uniqueMembers="true"/></Hierarchy></Dimension>`;
const zone = (name: string, foreignKey: string, table: string, key: string) =>
  `<Dimension name="${name}" foreignKey="${foreignKey}"><Hierarchy hasAll="true" primaryKey="${key}" primaryKeyTable="${table}">
   ${table === 'zone' ? '<Table name="zone"/>' : '<Join leftKey="zone" rightKey="id"><Table name="shop"/><Table name="zone"/></Join>'}
   <Level name="Zone" table="zone" column="name" uniqueMembers="true"/></Hierarchy></Dimension>`;
const sales = (content: string, attributes = '') => `<Cube name="Sales" ${attributes}><Table name="sales"/>
  <DimensionUsage name="Place" source="Place" foreignKey="shop_id"/>${content}
  <Measure name="Units" column="units" aggregator="sum" formatString="0"/></Cube>`;
const PLAN = `<Cube name="Plan"><Table name="plan"/><DimensionUsage name="Place" source="Place" foreignKey="state" level="State"/>
  <Measure name="Planned" column="units" aggregator="max" formatString="0"/></Cube>`;
const BOTH = `<VirtualCube name="Both"><VirtualCubeDimension name="Place"/><VirtualCubeMeasure cubeName="Sales" name="[Measures].[Units]"/>
  <VirtualCubeMeasure cubeName="Plan" name="[Measures].[Planned]"/></VirtualCube>`;

let on: TestWarehouse;
const opened: MdxCatalog[] = [];
beforeAll(async () => {
  on = await startWarehouse('duckdb', TABLES);
});
afterAll(async () => {
  for (const catalog of opened) await catalog.close();
  await on?.stop();
});

function open(cubes: string, shared = PLACE, largeLevel?: number): MdxCatalog {
  const { schema, problems } = readSchema(`<Schema name="S">${shared}${cubes}</Schema>`);
  if (schema === undefined) throw new Error(JSON.stringify(problems));
  const catalog = openCatalog({ schema, warehouse: on.warehouse, ...(largeLevel === undefined ? {} : { largeLevel }) });
  opened.push(catalog);
  return catalog;
}

/** Lists `name value` for each position of the first axis. */
async function cells(catalog: MdxCatalog, mdx: string): Promise<readonly string[]> {
  const { axes, cells } = await catalog.query(mdx);
  return (axes[0]?.tuples ?? []).map(
    (tuple, index) => `${tuple.map(({ name }) => name).join(' ')} ${cells[index]?.formatted}`,
  );
}

describe('the count of facts', () => {
  it('is the last stored measure of a cube that counts nothing, and the default measure if it is the only one', async () => {
    expect(await cells(open(sales('')), 'select [Measures].Members on 0 from Sales')).toEqual([
      'Units 35',
      'Fact Count 3',
    ]);
    const calculated = `<Cube name="Sales"><Table name="sales"/><DimensionUsage name="Place" source="Place" foreignKey="shop_id"/>
      <CalculatedMember name="One" dimension="Measures" formula="1"/></Cube>`;
    expect(
      await cells(open(calculated), 'select {[Measures].DefaultMember} on 0 from Sales where [Place].[Italy]'),
    ).toEqual(['Fact Count 2']);
  });
});

describe('a default measure', () => {
  it.each([
    ['[Measures].[units]', 'Units 35'],
    ['Unknown', 'Fact Count 3'],
  ])('%s is used if a query names none', async (written, cell) => {
    const count = '<Measure name="Fact Count" aggregator="count"/>';
    const catalog = open(sales(count, `defaultMeasure="${written}"`));
    expect(await cells(catalog, 'select {[Measures].DefaultMember} on 0 from Sales')).toEqual([cell]);
  });
});

describe('facts that join a dimension at a level', () => {
  it.each([[undefined], [0]])('have no values below it (levels beyond %s members in parts)', async (largeLevel) => {
    const catalog = open(`${sales('')}${PLAN}${BOTH}`, PLACE, largeLevel);
    expect(await cells(catalog, 'select [Place].Members on 0 from Plan')).toEqual([
      'All Places 100',
      'France 7',
      'Var 7',
      'Nice ',
      'Italy 100',
      'Lazio 100',
      'Ostia ',
      'Rome ',
    ]);
    expect(await cells(catalog, 'select NON EMPTY [Place].[City].Members on 0 from Plan')).toEqual([]);
    expect(
      await cells(
        catalog,
        'select NON EMPTY {[Measures].[Units], [Measures].[Planned]} * [Place].[Italy].[Lazio].Children on 0 from Both',
      ),
    ).toEqual(['Units Ostia 20', 'Units Rome 10']);
  });

  it('have no values in totals over members below it, in a slicer and in a drill-through', async () => {
    const catalog = open(PLAN);
    const some = '{[Place].[Italy].[Lazio].[Rome], [Place].[France].[Var]}';
    expect(
      await cells(catalog, `with member [Place].[Some] as Aggregate(${some}) select {[Place].[Some]} on 0 from Plan`),
    ).toEqual(['Some 7']);
    expect(await cells(catalog, `select {[Measures].[Planned]} on 0 from Plan where ${some}`)).toEqual(['Planned 7']);
    expect(
      await cells(catalog, 'select {[Measures].[Planned]} on 0 from Plan where {[Place].[Italy].[Lazio].[Rome]}'),
    ).toEqual(['Planned ']);
    const { rows } = await catalog.drillthrough(
      'drillthrough select {[Measures].[Planned]} on 0 from Plan where [Place].[Italy].[Lazio].[Rome]',
      { maxRows: 10 },
    );
    expect(rows).toEqual([]);
  });
});

describe('a virtual cube', () => {
  // Kinds belong to the sales, zones to the visits: 2 guests in zone 1, one of them also in zone 2.
  const visits = `<Cube name="Visits"><View alias="v"><SQL dialect="generic">SELECT 1 AS zone, 'ann' AS guest, 3 AS nights UNION ALL SELECT 1, 'bob', 4 UNION ALL SELECT 2, 'ann', 5</SQL></View>
    <Dimension name="Zone" foreignKey="zone"><Hierarchy hasAll="true" primaryKey="id"><Table name="zone"/><Level name="Zone" column="name" uniqueMembers="true"/></Hierarchy></Dimension>
    <Measure name="Nights" column="nights" aggregator="sum" formatString="0"/><Measure name="Guests" column="guest" aggregator="distinct-count" formatString="0"/></Cube>`;
  const kind =
    '<Dimension name="Kind"><Hierarchy hasAll="true"><Level name="Kind" column="kind" uniqueMembers="true"/></Hierarchy></Dimension>';
  const measures = ['Nights', 'Guests']
    .map((name) => `<VirtualCubeMeasure cubeName="Visits" name="[Measures].[${name}]"/>`)
    .join('');
  const virtual = (ignores: boolean) =>
    open(`${sales(kind)}${visits}<VirtualCube name="Both"><CubeUsages><CubeUsage cubeName="Visits" ignoreUnrelatedDimensions="${ignores}"/></CubeUsages>
      <VirtualCubeDimension cubeName="Sales" name="Kind"/><VirtualCubeDimension cubeName="Visits" name="Zone"/>
      <VirtualCubeMeasure cubeName="Sales" name="[Measures].[Units]"/>${measures}</VirtualCube>`);

  it.each([
    ['{[Kind].[new], [Kind].[old]}', ['Units 35', 'Nights ', 'Guests '], ['Units 35', 'Nights 12', 'Guests 2']],
    ['{[Kind].[new]}', ['Units 15', 'Nights ', 'Guests '], ['Units 15', 'Nights 12', 'Guests 2']],
    ['{[Kind].[All Kinds]}', ['Units 35', 'Nights 12', 'Guests 2'], ['Units 35', 'Nights 12', 'Guests 2']],
    [
      '{([Kind].[All Kinds], [Zone].[outer]), ([Kind].[new], [Zone].[inner])}',
      ['Units ', 'Nights 5', 'Guests 1'],
      ['Units ', 'Nights 12', 'Guests 2'],
    ],
  ])('adds up over %s only what its facts reach, unless they ignore the rest', async (set, strict, ignoring) => {
    const mdx = `with member [Kind].[X] as Aggregate(${set}) select [Measures].Members on 0 from Both where [Kind].[X]`;
    expect(await cells(virtual(false), mdx)).toEqual(strict);
    expect(await cells(virtual(true), mdx)).toEqual(ignoring);
  });

  it('without measures has the facts of the cubes it names', async () => {
    const catalog = open(`${sales(kind)}<VirtualCube name="Own"><VirtualCubeDimension cubeName="Sales" name="Kind"/>
      <CalculatedMember name="One" dimension="Measures" formula="1"/></VirtualCube>
      <VirtualCube name="None"><VirtualCubeDimension name="Place"/><CalculatedMember name="One" dimension="Measures" formula="1"/></VirtualCube>`);
    expect(await cells(catalog, 'select [Kind].[Kind].Members on 0 from Own where [Measures].[One]')).toEqual([
      'new 1',
      'old 1',
    ]);
    await expect(cells(catalog, 'select {[Measures].[One]} on 0 from None')).rejects.toThrow(MdxError);
    expect(() => catalog.describe('None')).toThrow(MdxError);
  });
});

describe('members that differ in letter case', () => {
  it('are neighbours in the order of names', async () => {
    const names = ['Mack', 'MacBride', 'mack', 'Zoe', 'Ärger', 'zebra', 'Maca'];
    const rows = names.map((name) => `<Row><Value column="n">${name}</Value></Row>`).join('');
    const people = `<Dimension name="Person" foreignKey="kind"><Hierarchy hasAll="true" primaryKey="n"><InlineTable alias="p">
      <ColumnDefs><ColumnDef name="n" type="String"/></ColumnDefs><Rows>${rows}</Rows></InlineTable><Level name="Person" column="n" uniqueMembers="true"/></Hierarchy></Dimension>`;
    const catalog = open(sales(people));
    const sorted = ['Maca', 'MacBride', 'Mack', 'mack', 'zebra', 'Zoe', 'Ärger'];
    const set = '[Person].[Person].Members';
    for (const each of [set, `Order(${set}, [Person].CurrentMember.Name, BASC)`])
      expect(await cells(catalog, `select ${each} on 0 from Sales`)).toEqual(sorted.map((name) => `${name} `));
  });
});

describe('a table that several dimensions join', () => {
  it('is joined for each of them without an alias', async () => {
    const catalog = open(sales(`${zone('Buyer', 'buyer_zone', 'zone', 'id')}${zone('Shop', 'shop_id', 'shop', 'id')}`));
    expect(
      await cells(catalog, 'select NON EMPTY [Buyer].[Zone].Members * [Shop].[Zone].Members on 0 from Sales'),
    ).toEqual(['inner outer 5', 'outer inner 10', 'outer outer 20']);
  });

  it("is the first table of a join's side that does not name one", async () => {
    const join = `<Dimension name="Shop" foreignKey="shop_id"><Hierarchy hasAll="true" primaryKey="id" primaryKeyTable="shop">
      <Join leftKey="zone" rightKey="id"><Table name="shop"/><Join leftKey="id" rightKey="buyer_zone"><Table name="zone"/><Table name="sales" alias="s"/></Join></Join>
      <Level name="Zone" table="zone" column="name" uniqueMembers="true"/></Hierarchy></Dimension>`;
    expect(await cells(open(sales(join)), 'select [Shop].[Zone].Members on 0 from Sales')).toEqual([
      'inner 10',
      'outer 25',
    ]);
  });
});

describe('a default member', () => {
  const withDefault = (name: string) =>
    open(sales(''), PLACE.replace('hasAll="true"', `hasAll="true" defaultMember="${name}"`));

  it.each([
    ['Italy', '30'],
    ['[Italy]', '30'],
    ['[Place].[Italy]', '30'],
    ['[Place].[All Places].[Italy].[Lazio]', '30'],
    ['[Place].[Italy].[Lazio].[Rome]', '10'],
    ['[Place].[State].[Var]', '5'],
    ['[State].[Var]', '5'],
    ['[Place].[City].[Ostia]', '20'],
  ])('may be written %s', async (name, units) => {
    expect(await cells(withDefault(name), 'select {[Measures].[Units]} on 0 from Sales')).toEqual([`Units ${units}`]);
  });

  it.each(['[Place].[Spain]', '[Place].[Italy].[Var]', 'Spain'])(
    'that does not exist, %s, is reported',
    async (name) => {
      await expect(cells(withDefault(name), 'select {[Measures].[Units]} on 0 from Sales')).rejects.toThrow(
        `The default member '${name}' of the hierarchy '[Place]' (line 1 of the schema) is not one of its members.`,
      );
    },
  );
});

describe('a hierarchy with the name of its dimension', () => {
  it('is found by both names in one pair of brackets', async () => {
    const catalog = open(sales(''), PLACE.replace('<Hierarchy', '<Hierarchy name="Place"'));
    for (const name of ['[Place]', '[Place.Place]', '[Place].[Place]'])
      expect(await cells(catalog, `select ${name}.[State].Members on 0 from Sales`)).toEqual(['Var 5', 'Lazio 30']);
  });
});
