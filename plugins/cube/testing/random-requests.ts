/**
 * Random typed requests to a small cube, and what loops over its rows in memory answer to them. Its quarters
 * and months have captions that are not their names and that two years share; towns of one name lie in two regions.
 */
import fc from 'fast-check';
import type { CubeQueryRequest } from '../schemas.ts';

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

interface Fact {
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
/** Every third combination of town and month has sold nothing; Lisbon never has. */
const FACTS: readonly Fact[] = TOWNS.slice(0, 5).flatMap((town) =>
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

const SEES: Readonly<Record<string, (town: Town) => boolean>> = {
  everything: () => true,
  north: ({ region }) => region === 'North',
  towns: ({ town, region }) => town === 'Oslo' && region !== 'West',
};
export const ROLES = Object.keys(SEES);

interface LevelOf {
  readonly name: string;
  /** The caption of a fact's member on the level, and its unique name: in this cube made of the captions above. */
  readonly caption: (fact: Fact) => string;
  readonly uniqueName: (fact: Fact) => string;
}

export const REGION_LEVEL: LevelOf = {
  name: 'Region',
  caption: ({ town }) => town.region,
  uniqueName: ({ town }) => `[Place].[${town.region}]`,
};
export const MONTH_LEVEL: LevelOf = {
  name: 'Month',
  caption: ({ month }) => MONTH_NAMES[month.month - 1] ?? '',
  uniqueName: ({ month }) => `[Time].[${month.year}].[${month.quarter}].[${month.month}]`,
};
export const TOWN_LEVEL: LevelOf = {
  name: 'Town',
  caption: ({ town }) => town.town,
  uniqueName: ({ town }) => `[Place].[${town.region}].[${town.town}]`,
};

/** Levels of each dimension, topmost first. */
const DIMENSIONS: Readonly<Record<string, readonly LevelOf[]>> = {
  Place: [REGION_LEVEL, TOWN_LEVEL],
  Time: [
    { name: 'Year', caption: ({ month }) => String(month.year), uniqueName: ({ month }) => `[Time].[${month.year}]` },
    {
      name: 'Quarter',
      caption: ({ month }) => SEASONS[month.quarter] ?? '',
      uniqueName: ({ month }) => `[Time].[${month.year}].[${month.quarter}]`,
    },
    MONTH_LEVEL,
  ],
  Buyer: [{ name: 'Person', caption: ({ person }) => person, uniqueName: ({ person }) => `[Buyer].[${person}]` }],
};

const MEASURES: Readonly<Record<string, (facts: readonly Fact[]) => number>> = {
  Units: (facts) => sum(facts.map(({ units }) => units)),
  Amount: (facts) => sum(facts.map(({ amount }) => amount)),
  Sales: (facts) => facts.length,
  Buyers: (facts) => new Set(facts.map(({ person }) => person)).size,
  Price: (facts) => sum(facts.map(({ amount }) => amount)) / sum(facts.map(({ units }) => units)),
};

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

interface Filtered {
  readonly dimension: string;
  readonly level: LevelOf;
  readonly op: 'in' | 'not_in';
  readonly members: readonly string[];
}

export interface RandomRequest {
  readonly role: string;
  readonly request: CubeQueryRequest;
  readonly shown: readonly { readonly key: string; readonly level: LevelOf }[];
  readonly filters: readonly Filtered[];
}

const place = fc.constantFrom('rows', 'columns', 'nowhere');
/** Which levels of a dimension, by their bits. */
const levels = fc.integer({ min: 1, max: 7 });

export const randomRequests: fc.Arbitrary<RandomRequest> = fc
  .record({
    role: fc.constantFrom(...ROLES),
    places: fc.tuple(place, place, place),
    levels: fc.tuple(levels, levels, levels),
    measures: fc.uniqueArray(fc.constantFrom(...Object.keys(MEASURES)), { minLength: 1, maxLength: 3 }),
    filters: fc.array(
      fc.record({
        dimension: fc.constantFrom(...Object.keys(DIMENSIONS)),
        level: fc.nat(),
        op: fc.constantFrom('in' as const, 'not_in' as const),
        facts: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ role, places, levels, measures, filters: drawn }): RandomRequest => {
    const seen = FACTS.filter(({ town }) => SEES[role]?.(town));
    const shown: { key: string; level: LevelOf; list: string; dimension: string }[] = [];
    for (const [index, [dimension, all]] of Object.entries(DIMENSIONS).entries()) {
      const list = places[index] ?? 'nowhere';
      if (list === 'nowhere') continue;
      const chosen = all.filter((_, depth) => ((levels[index] ?? 1) >> depth) & 1);
      for (const level of chosen.length > 0 ? chosen : all.slice(0, 1))
        shown.push({ key: `${dimension}.${level.name}`, level, list, dimension });
    }
    const filters = drawn.map(({ dimension, level: at, op, facts }): Filtered => {
      const own = DIMENSIONS[dimension] ?? [];
      const level = own[at % own.length] ?? own[0];
      if (level === undefined) throw new Error('a dimension has levels');
      const members = facts.flatMap((each) => {
        const fact = seen[each % seen.length];
        return fact === undefined ? [] : [level.uniqueName(fact)];
      });
      return { dimension, level, op, members: [...new Set(members)] };
    });
    const items = (list: string) =>
      shown.flatMap((each) => (each.list === list ? [{ dimension: each.dimension, level: each.level.name }] : []));
    const rows = items('rows');
    const columns = items('columns');
    return {
      role,
      shown: [...shown.filter(({ list }) => list === 'rows'), ...shown.filter(({ list }) => list === 'columns')],
      filters,
      request: {
        cube: CUBE,
        measures: measures.map((name) => ({ name })),
        ...(rows.length === 0 ? {} : { rows }),
        ...(columns.length === 0 ? {} : { columns }),
        ...(filters.length === 0
          ? {}
          : {
              filters: filters.map(({ dimension, level, op, members }) => {
                return { dimension, level: level.name, op, members: [...members] };
              }),
            }),
      },
    };
  });

/** One record for each member, or combination of members, of which something was sold: captions by key, then measures. */
export function expectedRecords({ role, request, shown, filters }: RandomRequest): readonly (readonly unknown[])[] {
  const facts = FACTS.filter(
    (fact) =>
      SEES[role]?.(fact.town) &&
      filters.every(({ level, op, members }) => members.includes(level.uniqueName(fact)) === (op === 'in')),
  );
  const groups = new Map<string, { readonly of: Fact; readonly facts: Fact[] }>();
  for (const fact of facts) {
    // Members of the lowest level that is shown of each dimension make the groups; a caption may stand for several.
    const lowest = new Map(shown.map((each) => [each.key.split('.')[0], each.level]));
    const key = [...lowest.values()].map((level) => level.uniqueName(fact)).join(' ');
    const group = groups.get(key) ?? { of: fact, facts: [] };
    group.facts.push(fact);
    groups.set(key, group);
  }
  // A total over nothing is an empty cell, of counts too: so MDX has it.
  if (shown.length === 0 && facts.length === 0) return [request.measures.map(() => null)];
  return [...groups.values()].map((group) => [
    ...shown.map(({ level }) => level.caption(group.of)),
    ...request.measures.map(({ name }) => MEASURES[name]?.(group.facts)),
  ]);
}
