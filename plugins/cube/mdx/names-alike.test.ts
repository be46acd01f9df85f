import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES, startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import type { MdxCatalog, QueryOptions } from './index.ts';
import { tupleText } from './query/cell-set-text.ts';
import { LARGE_LEVELS, openSchema } from './testing/open-schema.ts';

/**
 * A region has the name of its level, and its cities have the names of levels and of the dimension. Hierarchies have
 * the name of their dimension, of their level, or the dimension's name with a dot and another name.
 *
 * | region | city | gender | week | n |
 * | --- | --- | --- | --- | ---: |
 * | Region | City | F | 2024, 1 | 1 |
 * | Region | Oslo | M | 2024, 1 | 2 |
 * | North | City | F | 2024, 20 | 4 |
 * | North | Members | M | 2025, 2 | 8 |
 * | City | Region | F | 2025, 2 | 16 |
 * | Geo | Geo | M | 2024, 20 | 32 |
 */
const TABLES = [
  'CREATE TABLE geo (id INTEGER, region VARCHAR(10), city VARCHAR(10))',
  "INSERT INTO geo VALUES (1, 'Region', 'City'), (2, 'Region', 'Oslo'), (3, 'North', 'City'), (4, 'North', 'Members'), (5, 'City', 'Region'), (6, 'Geo', 'Geo')",
  'CREATE TABLE day (id INTEGER, yr INTEGER, q VARCHAR(4), wk INTEGER)',
  "INSERT INTO day VALUES (1, 2024, 'Q1', 1), (2, 2024, 'Q2', 20), (3, 2025, 'Q1', 2)",
  'CREATE TABLE f (geo INTEGER, day INTEGER, g VARCHAR(2), n INTEGER)',
  "INSERT INTO f VALUES (1, 1, 'F', 1), (2, 1, 'M', 2), (3, 2, 'F', 4), (4, 3, 'M', 8), (5, 3, 'F', 16), (6, 2, 'M', 32)",
];

/** The parts that both schemas share, with the unique names of the hierarchies of places, weeks and genders. */
const calculated = (geo: string, weekly: string, gender: string) => `
  <CalculatedMembers>
    <CalculatedMember name="Coast" hierarchy="${geo}" parent="${geo}.[Region]"><Formula>${geo}.[Region].[Oslo] * 100</Formula></CalculatedMember>
    <CalculatedMember name="Any" hierarchy="${gender}"><Formula>${gender}.[F] + ${gender}.[M]</Formula></CalculatedMember>
    <CalculatedMember name="Early" hierarchy="${weekly}"><Formula>[Time].[Weekly].[Week].[1] + [Time.Weekly].[2024].[1]</Formula></CalculatedMember>
  </CalculatedMembers>
  <NamedSets><NamedSet name="Few"><Formula>{${geo}.[Region], ${geo}.[Region].[Coast], ${geo}.[Geo]}</Formula></NamedSet></NamedSets>`;
const role = (name: string, hierarchy: string, member: string) => `
  <Role name="${name}"><SchemaGrant access="none"><CubeGrant cube="C" access="all">
    <HierarchyGrant hierarchy="${hierarchy}" access="custom" rollupPolicy="partial"><MemberGrant member="${member}" access="all"/></HierarchyGrant>
  </CubeGrant></SchemaGrant></Role>`;
const roles = (geo: string, weekly: string) =>
  [
    role('region', geo, `${geo}.[Region]`),
    role('oslo', geo, `${geo}.[Region].[Oslo]`),
    role('city in city', geo, '[Geo].[City].[Region]'),
    role('north', geo, '[Geo].[Region].[North]'),
    role('geo', geo, `${geo}.[Geo].[Geo]`),
    role('weeks', weekly, '[Time].[Weekly].[2024].[1]'),
    role('weeks too', '[Time.Weekly]', '[Time.Weekly].[2024].[1]'),
  ].join('');

const MONDRIAN3 = `<Schema name="S"><Cube name="C" defaultMeasure="N"><Table name="f"/>
  <Dimension name="Geo" foreignKey="geo"><Hierarchy hasAll="true" primaryKey="id"><Table name="geo"/><Level name="Region" column="region" uniqueMembers="true"/><Level name="City" column="city" uniqueMembers="false"/></Hierarchy></Dimension>
  <Dimension name="Time" type="TimeDimension" foreignKey="day"><Hierarchy hasAll="false" primaryKey="id" defaultMember="[Time].[Year].[2024]"><Table name="day"/><Level name="Year" column="yr" type="Numeric" uniqueMembers="true" levelType="TimeYears"/><Level name="Quarter" column="q" uniqueMembers="false" levelType="TimeQuarters"/></Hierarchy>
    <Hierarchy name="Weekly" hasAll="true" primaryKey="id" defaultMember="[Time].[Weekly].[All Weeklys]"><Table name="day"/><Level name="Year" column="yr" type="Numeric" uniqueMembers="true" levelType="TimeYears"/><Level name="Week" column="wk" type="Numeric" uniqueMembers="false" levelType="TimeWeeks"/></Hierarchy></Dimension>
  <Dimension name="Gender"><Hierarchy name="Gender" hasAll="true" allMemberName="All Gender"><Level name="Gender" column="g" uniqueMembers="true"/></Hierarchy></Dimension>
  <Measure name="N" column="n" aggregator="sum" formatString="0"/>
  ${calculated('[Geo]', '[Time.Weekly]', '[Gender]').replaceAll(/<\/?(?:CalculatedMembers|NamedSets)>/g, '')}
</Cube>${roles('[Geo]', '[Time.Weekly]')}</Schema>`;

const noHierarchy = 'hasHierarchy="false"';
const MONDRIAN4 = `<Schema name="S" metamodelVersion="4.0"><PhysicalSchema><Table name="f"/><Table name="geo"><Key><Column name="id"/></Key></Table><Table name="day"><Key><Column name="id"/></Key></Table></PhysicalSchema>
<Cube name="C"><Dimensions>
  <Dimension name="Geo" table="geo" key="Id"><Attributes><Attribute name="Region" keyColumn="region" ${noHierarchy}/><Attribute name="City" ${noHierarchy}><Key><Column name="region"/><Column name="city"/></Key><Name><Column name="city"/></Name></Attribute><Attribute name="Id" keyColumn="id" ${noHierarchy}/></Attributes>
    <Hierarchies><Hierarchy name="Geo" hasAll="true"><Level attribute="Region"/><Level attribute="City"/></Hierarchy></Hierarchies></Dimension>
  <Dimension name="Time" type="TIME" table="day" key="Id"><Attributes><Attribute name="Year" keyColumn="yr" levelType="TimeYears" ${noHierarchy}/><Attribute name="Quarter" levelType="TimeQuarters" ${noHierarchy}><Key><Column name="yr"/><Column name="q"/></Key><Name><Column name="q"/></Name></Attribute><Attribute name="Week" levelType="TimeWeeks" ${noHierarchy}><Key><Column name="yr"/><Column name="wk"/></Key><Name><Column name="wk"/></Name></Attribute><Attribute name="Id" keyColumn="id" ${noHierarchy}/></Attributes>
    <Hierarchies><Hierarchy name="Time" hasAll="false" defaultMember="[Time].[Time].[Year].[2024]"><Level attribute="Year"/><Level attribute="Quarter"/></Hierarchy><Hierarchy name="Weekly" hasAll="true" defaultMember="[Time.Weekly].[All Time.Weeklys]"><Level attribute="Year"/><Level attribute="Week"/></Hierarchy></Hierarchies></Dimension>
  <Dimension name="Gender" table="f"><Attributes><Attribute name="Gender" keyColumn="g" hierarchyAllMemberName="All Gender"/></Attributes></Dimension>
</Dimensions><MeasureGroups><MeasureGroup name="F" table="f"><Measures><Measure name="N" column="n" aggregator="sum" formatString="0"/></Measures>
  <DimensionLinks><ForeignKeyLink dimension="Geo" foreignKeyColumn="geo"/><ForeignKeyLink dimension="Time" foreignKeyColumn="day"/><FactLink dimension="Gender"/></DimensionLinks></MeasureGroup></MeasureGroups>
  ${calculated('[Geo].[Geo]', '[Time].[Weekly]', '[Gender].[Gender]')}
</Cube>${roles('[Geo].[Geo]', '[Time].[Weekly]')}</Schema>`;

const MODES = [
  ['Mondrian 3', MONDRIAN3, { geo: '[Geo]', time: '[Time]', weekly: '[Time.Weekly]', gender: '[Gender]' }],
  [
    'Mondrian 4',
    MONDRIAN4,
    { geo: '[Geo].[Geo]', time: '[Time].[Time]', weekly: '[Time].[Weekly]', gender: '[Gender].[Gender]' },
  ],
] as const;
// Names, sets and cells are the product's own work; `dialects.test.ts` runs the statements of MDX on every engine, for roles too.
const RUNS = ENGINES.flatMap((engine) =>
  MODES.flatMap(([mode, text, printed]) => LARGE_LEVELS.map((large) => ({ engine, mode, text, printed, large }))),
);

describe.each(RUNS)('names with several meanings, $mode on $engine, large from $large', (run) => {
  const { geo, weekly, gender, time } = run.printed;
  let on: TestWarehouse;
  let shop: MdxCatalog;
  beforeAll(async () => {
    on = await startWarehouse(run.engine, TABLES);
    shop = openSchema(run.text, on.warehouse, { largeLevel: run.large });
  });
  afterAll(async () => {
    await shop.close();
    await on.stop();
  });
  const members = async (set: string, options: QueryOptions = {}, where = '[Measures].[N]') => {
    const { axes, cells } = await shop.query(`select ${set} on 0 from C where ${where}`, options);
    const tuples = (axes[0]?.tuples ?? []).map((tuple) => tupleText(tuple).slice(1, -1));
    return { tuples, cells: cells.map(({ formatted }) => formatted) };
  };
  const expected = (names: readonly string[], cells: readonly number[]) => ({
    tuples: names,
    cells: cells.map(String),
  });

  it('finds every member by the unique name of the result', async () => {
    for (const hierarchy of Object.values(run.printed)) {
      const { tuples } = await members(`${hierarchy}.AllMembers`);
      for (const name of tuples) {
        expect((await members(`{${name}}`)).tuples).toEqual([name]);
        expect((await members(name)).tuples).toEqual([name]);
      }
      const results = await shop.findMembers({ cube: 'C', names: tuples });
      expect(results.map((each) => (each.kind === 'one' ? each.member.uniqueName : each.kind))).toEqual(tuples);
    }
  });

  it.each([
    ['{[Geo].[Region]}', ['[Region]'], [3]],
    ['[Geo].[Region].Members', ['[City]', '[Geo]', '[North]', '[Region]'], [16, 32, 12, 3]],
    ['[Geo].[Region].Children', ['[Region].[City]', '[Region].[Oslo]'], [1, 2]],
    ['[Geo].[Region].[Oslo]', ['[Region].[Oslo]'], [2]],
    ['[Geo].[Region].[Oslo].Parent', ['[Region]'], [3]],
    ['[Geo].[Region].[North]', ['[North]'], [12]],
    ['[Geo].[Region].[Coast]', ['[Region].[Coast]'], [200]],
    ['[Geo].[All Geos].[Region]', ['[Region]'], [3]],
    ['Descendants([Geo].[Region], [Geo].[City])', ['[Region].[City]', '[Region].[Oslo]'], [1, 2]],
    ['Descendants([Geo].[North], [Geo].[Region])', ['[North]'], [12]],
    ['{Ancestor([Geo].[Region].[Oslo], [Geo].[Region])}', ['[Region]'], [3]],
    ['{[Geo].[Region] : [Geo].[Region]}', ['[Region]'], [3]],
    ['Filter([Geo].[Region].Members, [Geo].CurrentMember IS [Geo].[Region])', ['[Region]'], [3]],
    ['Except([Geo].[Region].Members, {[Geo].[Region], [Geo].[City]})', ['[Geo]', '[North]'], [32, 12]],
    [
      'DrilldownMember({[Geo].[Region]}, {[Geo].[Region]})',
      ['[Region]', '[Region].[City]', '[Region].[Oslo]'],
      [3, 1, 2],
    ],
    ['Few', ['[Region]', '[Region].[Coast]', '[Geo]'], [3, 200, 32]],
    ['{IIf(1 = 1, [Geo].[Region], [Geo].[North])}', ['[Region]'], [3]],
    ['{IIf(1 = 0, [Geo].[City], [Geo].[Region])}', ['[Region]'], [3]],
    ['{CASE WHEN 1 = 0 THEN [Geo].[North] ELSE [Geo].[Region] END}', ['[Region]'], [3]],
    ['{StrToMember("[Geo].[Region]")}', ['[Region]'], [3]],
  ] as const)('means the level where a level is expected, and otherwise the member: %s', async (set, names, cells) => {
    const result = await members(set, {}, '{([Measures].[N], [Time].[2024]), ([Measures].[N], [Time].[2025])}');
    const unique = names.map((name) => `${geo}.${name}`);
    expect(result).toEqual(expected(unique, cells));
  });

  it('declares a calculated member below a member with the name of a level', async () => {
    const mdx = `with member [Geo].[Region].[Inland] as [Geo].[Region] * 10 member [Measures].[It] as [Geo].[Region]
      select {[Geo].[Region].[Inland], [Geo].[North]} on 0, {[Measures].[N], [Measures].[It]} on 1 from C where [Time].[2024]`;
    const { axes, cells } = await shop.query(mdx);
    expect(axes[0]?.tuples.map((tuple) => tupleText(tuple))).toEqual([
      `{${geo}.[Region].[Inland]}`,
      `{${geo}.[North]}`,
    ]);
    expect(cells.map(({ formatted }) => formatted)).toEqual(['30', '4', '3', '3']);
  });

  it.each([
    ['[Time].[Weekly].[All Weeklys]', weekly, 'all'],
    ['[Time].[Weekly].[All Time.Weeklys]', weekly, 'all'],
    ['[Time.Weekly].[All Weeklys]', weekly, 'all'],
    ['[Time.Weekly].[All Time.Weeklys]', weekly, 'all'],
    ['[Time].[Weekly].[Week].Members', weekly, '[2024].[1] [2024].[20] [2025].[2]'],
    ['[Time.Weekly].[Week].Members', weekly, '[2024].[1] [2024].[20] [2025].[2]'],
    ['[Time].[Time.Weekly].[Week].[20]', weekly, '[2024].[20]'],
    ['[Time].[Weekly].[2025]', weekly, '[2025]'],
    ['[Time].[Time].[2025].[Q1]', time, '[2025].[Q1]'],
    ['[Time.Time].[Quarter].Members', time, '[2024].[Q1] [2024].[Q2] [2025].[Q1]'],
    ['[Time].[2025].[Q1]', time, '[2025].[Q1]'],
    ['[Gender].[Gender].[Gender].Members', gender, '[F] [M]'],
    ['[Gender].[Gender].Members', gender, '[F] [M]'],
    ['[Gender.Gender].[Gender].Members', gender, '[F] [M]'],
    ['[Gender].[Gender].[All Gender]', gender, '[All Gender]'],
    ['[Gender].[All Gender]', gender, '[All Gender]'],
    ['[Gender].[Gender].[F]', gender, '[F]'],
    ['[Gender].[Gender].[Gender].[F]', gender, '[F]'],
    ['[Gender].[Any]', gender, '[Any]'],
    ['[Gender].[Gender].[Any]', gender, '[Any]'],
  ])('names a hierarchy with its dimension and a dot, or as two names: %s', async (set, hierarchy, names) => {
    const all = run.mode === 'Mondrian 3' ? '[All Time.Weeklys]' : '[All Weeklys]';
    const listed = names === 'all' ? [all] : names.split(/ (?=\[)/);
    expect((await members(set)).tuples).toEqual(listed.map((name) => `${hierarchy}.${name}`));
  });

  it.each([
    ['region', '[Geo].Members', ['All Geos', 'Region', 'City', 'Oslo'], [3, 3, 1, 2]],
    ['oslo', '[Geo].Members', ['All Geos', 'Region', 'Oslo'], [2, 2, 2]],
    ['north', '[Geo].[Region].Members', ['North'], [4]],
    ['geo', '[Geo].[City].Members', ['Geo'], [32]],
    ['weeks', '[Time.Weekly].Members', ['', '2024', '1'], [3, 3, 3]],
    ['weeks too', '[Time].[Weekly].Members', ['', '2024', '1'], [3, 3, 3]],
  ] as const)('grants the member that a role names: %s', async (name, set, names, cells) => {
    const result = await members(set, { roles: [name] });
    expect(result.cells).toEqual(cells.map(String));
    const last = result.tuples.map((tuple) => tuple.split('].[').at(-1)?.slice(0, -1));
    expect(last.map((each, index) => (names[index] === '' ? '' : each))).toEqual(names);
  });

  it('returns the name of a hierarchy', async () => {
    const mdx = 'with member [Measures].[X] as [Time].[Weekly].CurrentMember.Hierarchy.Name';
    const { cells } = await shop.query(`${mdx} select {[Measures].[X]} on 0 from C`);
    expect(cells[0]?.value).toBe(run.mode === 'Mondrian 3' ? 'Time.Weekly' : 'Weekly');
  });

  it('starts at the default members of the schema', async () => {
    expect(await members(`{[Time].DefaultMember}`)).toEqual(expected([`${time}.[2024]`], [39]));
    const all = run.mode === 'Mondrian 3' ? '[All Time.Weeklys]' : '[All Weeklys]';
    expect(await members(`{[Time].[Weekly].DefaultMember}`)).toEqual(expected([`${weekly}.${all}`], [39]));
    expect(await members('{[Time].[Weekly].[Early]}')).toEqual(expected([`${weekly}.[Early]`], [6]));
  });
});
