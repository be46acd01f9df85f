/**
 * A small cube with facts in memory, and with roles that see parts of it. Its quarters and months have captions that
 * differ from their names and occur in two years. Towns of one name are in two regions.
 */

export const CUBE = 'test/Trade/Trade/Trade';

interface Town {
  readonly id: number;
  readonly region: string;
  readonly town: string;
}

interface Month {
  readonly id: number;
  readonly year: number;
  readonly quarter: string;
  readonly month: number;
}

export interface Fact {
  readonly town: Town;
  readonly month: Month;
  readonly person: string;
  readonly units: number;
  readonly amount: number;
}

const MONTH_NAMES = ['January', 'February', 'March', 'April', 'May', 'June'];
const SEASONS: Readonly<Record<string, string>> = { Q1: 'Winter', Q2: 'Spring' };
const TOWNS: readonly Town[] = [
  'North/Oslo',
  'North/Bergen',
  'South/Rome',
  'South/Oslo',
  'West/Cork',
  'West/Lisbon',
].map((path, index) => ({ id: index + 1, region: path.split('/')[0] ?? '', town: path.split('/')[1] ?? '' }));
const MONTHS: readonly Month[] = [2025, 2026].flatMap((year) =>
  MONTH_NAMES.map((_, index) => ({
    id: year * 100 + index,
    year,
    quarter: index < 3 ? 'Q1' : 'Q2',
    month: index + 1,
  })),
);
/** Every third combination of town and month, and Lisbon, have no sales. */
export const FACTS: readonly Fact[] = TOWNS.slice(0, 5).flatMap((town) =>
  MONTHS.flatMap((month, index): readonly Fact[] => {
    const seed = town.id * 7 + index * 5;
    if (seed % 3 === 0) return [];
    const person = ['ann', 'bob', 'cat'][seed % 4] ?? 'dan';
    return [{ town, month, person, units: (seed % 11) + 1, amount: ((seed * 13) % 50) + 0.5 }];
  }),
);

export const TRADE_TABLES: readonly string[] = [
  'CREATE TABLE town (id INTEGER, region VARCHAR(20), town VARCHAR(20))',
  `INSERT INTO town VALUES ${TOWNS.map(({ id, region, town }) => `(${id}, '${region}', '${town}')`).join(', ')}`,
  'CREATE TABLE month (id INTEGER, year INTEGER, quarter VARCHAR(2), season VARCHAR(20), month INTEGER, title VARCHAR(20))',
  `INSERT INTO month VALUES ${MONTHS.map(
    ({ id, year, quarter, month }) =>
      `(${id}, ${year}, '${quarter}', '${SEASONS[quarter]}', ${month}, '${MONTH_NAMES[month - 1]}')`,
  ).join(', ')}`,
  'CREATE TABLE trade (town INTEGER, month INTEGER, person VARCHAR(20), units INTEGER, amount DOUBLE PRECISION)',
  `INSERT INTO trade VALUES ${FACTS.map(
    ({ town, month, person, units, amount }) => `(${town.id}, ${month.id}, '${person}', ${units}, ${amount})`,
  ).join(', ')}`,
];

const GRANT = (members: string, attributes = '', rollupPolicy = 'partial') =>
  `<SchemaGrant access="none"><CubeGrant cube="Trade" access="all">
    <HierarchyGrant hierarchy="[Place]" access="custom" rollupPolicy="${rollupPolicy}" ${attributes}>${members}</HierarchyGrant>
  </CubeGrant></SchemaGrant>`;

export const TRADE_SCHEMA = `<Schema name="Trade">
  <Cube name="Trade"><Table name="trade"/>
    <Dimension name="Place" foreignKey="town"><Hierarchy hasAll="true" primaryKey="id"><Table name="town"/>
      <Level name="Region" column="region" uniqueMembers="true"/><Level name="Town" column="town" uniqueMembers="false"/>
    </Hierarchy></Dimension>
    <Dimension name="Time" type="TimeDimension" foreignKey="month"><Hierarchy hasAll="true" primaryKey="id"><Table name="month"/>
      <Level name="Year" column="year" type="Numeric" uniqueMembers="true" levelType="TimeYears"/>
      <Level name="Quarter" column="quarter" captionColumn="season" uniqueMembers="false" levelType="TimeQuarters"/>
      <Level name="Month" column="month" type="Numeric" captionColumn="title" uniqueMembers="false" levelType="TimeMonths"/>
    </Hierarchy><Hierarchy name="Codes" hasAll="true" primaryKey="id"><Table name="month"/>
      <Level name="Code" column="id" type="Numeric" uniqueMembers="true" levelType="TimeMonths"/>
    </Hierarchy><Hierarchy name="Numbers" hasAll="true" primaryKey="id"><Table name="month"/>
      <Level name="Number" column="id" type="Numeric" uniqueMembers="true" levelType="TimeMonths"/>
      <Level name="Title" column="title" uniqueMembers="false" levelType="TimeMonths"/>
    </Hierarchy><Hierarchy name="Titles" hasAll="true" primaryKey="id"><Table name="month"/>
      <Level name="Title" column="title" uniqueMembers="true" levelType="TimeMonths"/>
    </Hierarchy></Dimension>
    <Dimension name="Buyer"><Hierarchy hasAll="true"><Level name="Person" column="person" uniqueMembers="true"/></Hierarchy></Dimension>
    <Measure name="Units" column="units" aggregator="sum"/>
    <Measure name="Amount" column="amount" aggregator="sum"/>
    <Measure name="Sales" column="units" aggregator="count"/>
    <Measure name="Buyers" column="person" aggregator="distinct-count"/>
    <CalculatedMember name="Price" dimension="Measures" formula="[Measures].[Amount] / [Measures].[Units]"/>
  </Cube>
  <Role name="everything"><SchemaGrant access="all"/></Role>
  <Role name="north">${GRANT('<MemberGrant member="[Place].[North]" access="all"/>')}</Role>
  <Role name="towns">${GRANT('<MemberGrant member="[Place].[North].[Oslo]" access="all"/><MemberGrant member="[Place].[South].[Oslo]" access="all"/>')}</Role>
  <Role name="regions">${GRANT('<MemberGrant member="[Place].[North]" access="all"/>', 'bottomLevel="[Place].[Region]"')}</Role>
  <Role name="without regions">${GRANT('<MemberGrant member="[Place].[North]" access="all"/>', 'topLevel="[Place].[Town]"')}</Role>
  <Role name="full">${GRANT('<MemberGrant member="[Place].[North]" access="all"/>', '', 'full')}</Role>
  <Role name="hidden">${GRANT('<MemberGrant member="[Place].[North]" access="all"/>', '', 'hidden')}</Role>
  <Role name="no place"><SchemaGrant access="none"><CubeGrant cube="Trade" access="all">
    <HierarchyGrant hierarchy="[Place]" access="none"/></CubeGrant></SchemaGrant></Role>
  <Role name="no one">${GRANT('<MemberGrant member="[Place].[East]" access="all"/>')}</Role>
</Schema>`;

export const SEES: Readonly<Record<string, (town: Town) => boolean>> = {
  everything: () => true,
  north: ({ region }) => region === 'North',
  towns: ({ town, region }) => town === 'Oslo' && region !== 'West',
};
export const ROLES = Object.keys(SEES);

export interface LevelOf {
  readonly name: string;
  /**
   * Returns the caption of a fact's member on the level; its unique name is made of the captions above in this cube.
   */
  readonly caption: (fact: Fact) => string;
  readonly uniqueName: (fact: Fact) => string;
  /** Returns the keys of the member and its ancestors, which determine its position in the hierarchy. */
  readonly path: (fact: Fact) => readonly (string | number)[];
}

export const REGION_LEVEL: LevelOf = {
  name: 'Region',
  caption: ({ town }) => town.region,
  uniqueName: ({ town }) => `[Place].[${town.region}]`,
  path: ({ town }) => [town.region],
};
export const MONTH_LEVEL: LevelOf = {
  name: 'Month',
  caption: ({ month }) => MONTH_NAMES[month.month - 1] ?? '',
  uniqueName: ({ month }) => `[Time].[${month.year}].[${month.quarter}].[${month.month}]`,
  path: ({ month }) => [month.year, month.quarter, month.month],
};
export const TOWN_LEVEL: LevelOf = {
  name: 'Town',
  caption: ({ town }) => town.town,
  uniqueName: ({ town }) => `[Place].[${town.region}].[${town.town}]`,
  path: ({ town }) => [town.region, town.town],
};

/** The levels of each dimension from the topmost. */
export const DIMENSIONS: Readonly<Record<string, readonly LevelOf[]>> = {
  Place: [REGION_LEVEL, TOWN_LEVEL],
  Time: [
    {
      name: 'Year',
      caption: ({ month }) => String(month.year),
      uniqueName: ({ month }) => `[Time].[${month.year}]`,
      path: ({ month }) => [month.year],
    },
    {
      name: 'Quarter',
      caption: ({ month }) => SEASONS[month.quarter] ?? '',
      uniqueName: ({ month }) => `[Time].[${month.year}].[${month.quarter}]`,
      path: ({ month }) => [month.year, month.quarter],
    },
    MONTH_LEVEL,
  ],
  Buyer: [
    {
      name: 'Person',
      caption: ({ person }) => person,
      uniqueName: ({ person }) => `[Buyer].[${person}]`,
      path: ({ person }) => [person],
    },
  ],
};

export const MEASURES: Readonly<Record<string, (facts: readonly Fact[]) => number>> = {
  Units: (facts) => sum(facts.map(({ units }) => units)),
  Amount: (facts) => sum(facts.map(({ amount }) => amount)),
  Sales: (facts) => facts.length,
  Buyers: (facts) => new Set(facts.map(({ person }) => person)).size,
  Price: (facts) => sum(facts.map(({ amount }) => amount)) / sum(facts.map(({ units }) => units)),
};

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
