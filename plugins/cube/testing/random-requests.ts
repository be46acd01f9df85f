/**
 * Random typed requests to a small cube, and what loops over its rows in memory answer to them. Its quarters
 * and months have captions that are not their names and that two years share; towns of one name lie in two regions.
 */
import fc from 'fast-check';
import type { RuntimeFilter } from '../../../router/capabilities/query-source.ts';
import type { CubeQueryRequest, FilterItem } from '../schemas.ts';

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
const ROLES = Object.keys(SEES);

interface LevelOf {
  readonly name: string;
  /** The caption of a fact's member on the level, and its unique name: in this cube made of the captions above. */
  readonly caption: (fact: Fact) => string;
  readonly uniqueName: (fact: Fact) => string;
  /** Keys of the member and of those above it: what its place in the hierarchy's order is made of. */
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

/** Levels of each dimension, topmost first. */
const DIMENSIONS: Readonly<Record<string, readonly LevelOf[]>> = {
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

/** A condition as a request writes it, and what it means for a fact. */
interface Filtered {
  readonly item: FilterItem;
  readonly holds: (fact: Fact) => boolean;
}

export interface RandomRequest {
  readonly role: string;
  readonly request: CubeQueryRequest;
  readonly shown: readonly {
    readonly key: string;
    readonly level: LevelOf;
    readonly dimension: string;
    readonly list: 'rows' | 'columns';
  }[];
  readonly filters: readonly Pick<Filtered, 'holds'>[];
  /** What an embed narrows the answer by. */
  readonly narrowing: readonly { readonly filter: RuntimeFilter; readonly holds: (fact: Fact) => boolean }[];
}

/** Returns a condition that a fact meets whose member of the level is among these. */
export function isAmong(level: LevelOf, members: readonly string[]): (fact: Fact) => boolean {
  return (fact) => members.includes(level.uniqueName(fact));
}

/** The day on which relative dates are told. */
export const TODAY = Date.UTC(2026, 3, 15);
/** Counted in months since the year 0: April 2026. */
const NOW = 2026 * 12 + 3;
const MONTHS_OF: Readonly<Record<string, number>> = { Year: 12, Quarter: 3, Month: 1 };
const first = (months: number, of: number) => Math.floor(months / of) * of;

/** First and last month in which a meant period begins, by the phrase; each takes a length of the level's periods in months. */
const WINDOWS = {
  last_n_months: { coarsest: 1, window: (n: number) => [NOW - n + 1, NOW] },
  last_n_quarters: { coarsest: 3, window: (n: number) => [first(NOW, 3) - 3 * (n - 1), NOW] },
  last_n_years: { coarsest: 12, window: (n: number) => [first(NOW, 12) - 12 * (n - 1), NOW] },
  ytd: { coarsest: 12, window: () => [first(NOW, 12), NOW] },
  qtd: { coarsest: 3, window: () => [first(NOW, 3), NOW] },
  mtd: { coarsest: 1, window: () => [NOW, NOW] },
  previous_period: { coarsest: 12, window: (n: number, of: number) => [first(NOW, of) - n * of, first(NOW, of) - 1] },
} as const;
const PHRASES = ['last_n_months', 'last_n_quarters', 'last_n_years', 'ytd', 'qtd', 'mtd', 'previous_period'] as const;

interface DrawnFilter {
  readonly dimension: string;
  readonly level: number;
  readonly op: 'in' | 'not_in' | 'between' | 'descendants_of' | 'relative';
  readonly facts: readonly number[];
  readonly phrase: (typeof PHRASES)[number];
  readonly n: number;
}

function filterOf(drawn: DrawnFilter, seen: readonly Fact[]): Filtered | undefined {
  const { op, phrase, n } = drawn;
  const dimension = op === 'relative' ? 'Time' : drawn.dimension;
  const levels = DIMENSIONS[dimension] ?? [];
  const depth = drawn.level % levels.length;
  const level = levels[depth];
  const facts = drawn.facts.flatMap((each) => seen[each % seen.length] ?? []);
  if (level === undefined || facts.length === 0) return undefined;
  const names = (of: LevelOf) => [...new Set(facts.map(of.uniqueName))];
  switch (op) {
    case 'in':
    case 'not_in': {
      const members = names(level);
      const isIn = isAmong(level, members);
      return { item: { dimension, level: level.name, op, members }, holds: (fact) => isIn(fact) === (op === 'in') };
    }
    case 'between': {
      const [low, high] = ends(level, facts);
      const members = [level.uniqueName(low), level.uniqueName(high)];
      return { item: { dimension, level: level.name, op, members }, holds: isBetween(level, low, high) };
    }
    case 'descendants_of': {
      const above = levels[n % (depth + 1)] ?? level;
      const members = names(above);
      return { item: { dimension, level: level.name, op, members }, holds: isAmong(above, members) };
    }
    case 'relative': {
      const of = MONTHS_OF[level.name] ?? 1;
      const { coarsest, window } = WINDOWS[phrase];
      if (of > coarsest) return undefined;
      const [from = 0, to = 0] = window(n, of);
      return {
        item: { dimension, level: level.name, op, value: phrase, n },
        holds: ({ month }) => {
          const begins = first(month.year * 12 + month.month - 1, of);
          return from <= begins && begins <= to;
        },
      };
    }
  }
}

function ends(level: LevelOf, facts: readonly Fact[]): readonly [Fact, Fact] {
  const [low, ...others] = facts.toSorted((left, right) => comparePaths(level.path(left), level.path(right)));
  if (low === undefined) throw new Error('a range needs facts');
  return [low, others.at(-1) ?? low];
}

function isBetween(level: LevelOf, low: Fact, high: Fact): (fact: Fact) => boolean {
  return (fact) =>
    comparePaths(level.path(low), level.path(fact)) <= 0 && comparePaths(level.path(fact), level.path(high)) <= 0;
}

function comparePaths(left: readonly (string | number)[], right: readonly (string | number)[]): number {
  for (const [index, key] of left.entries()) {
    const other = right[index] ?? '';
    if (key !== other) return key < other ? -1 : 1;
  }
  return 0;
}

const place = fc.constantFrom('rows' as const, 'columns' as const, 'nowhere' as const);
/** Which levels of a dimension, by their bits. */
const levels = fc.integer({ min: 1, max: 7 });
const order = fc.uniqueArray(
  fc.record({ by: fc.constantFrom(...Object.keys(MEASURES)), direction: fc.constantFrom('asc', 'desc') }),
  { maxLength: 2, selector: ({ by }) => by },
);

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
        op: fc.constantFrom('in', 'not_in', 'between', 'descendants_of', 'relative'),
        facts: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
        phrase: fc.constantFrom(...PHRASES),
        n: fc.integer({ min: 1, max: 12 }),
      }),
      { maxLength: 3 },
    ),
    order: fc.option(order, { nil: undefined }),
    limit: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
    narrowing: fc.array(
      fc.record({
        at: fc.nat(),
        op: fc.constantFrom('EQ', 'IN', 'NEQ', 'BETWEEN'),
        facts: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
      }),
      { maxLength: 2 },
    ),
  })
  .map((drawn): RandomRequest => {
    const { role, places, measures } = drawn;
    const seen = FACTS.filter(({ town }) => SEES[role]?.(town));
    const all = Object.entries(DIMENSIONS).flatMap(([dimension, own], index) => {
      const list = places[index] ?? 'nowhere';
      if (list === 'nowhere') return [];
      const chosen = own.filter((_, depth) => ((drawn.levels[index] ?? 1) >> depth) & 1);
      return (chosen.length > 0 ? chosen : own.slice(0, 1)).map((level) => {
        return { key: `${dimension}.${level.name}`, level, list, dimension };
      });
    });
    const shown = [...all.filter(({ list }) => list === 'rows'), ...all.filter(({ list }) => list === 'columns')];
    const filters = drawn.filters.flatMap((each) => filterOf(each, seen) ?? []);
    const items = (list: string) =>
      shown.flatMap((each) => (each.list === list ? [{ dimension: each.dimension, level: each.level.name }] : []));
    const rows = items('rows');
    const columns = items('columns');
    // Without rows there is nothing to put in order.
    const sorted = rows.length === 0 ? [] : (drawn.order ?? []);
    return {
      role,
      shown,
      filters,
      narrowing: drawn.narrowing.flatMap(({ at, op, facts }): RandomRequest['narrowing'] => {
        const { key: field, level } = shown[at % Math.max(1, shown.length)] ?? {};
        const picked = facts.flatMap((each) => seen[each % seen.length] ?? []);
        if (field === undefined || level === undefined) return [];
        if (op === 'BETWEEN') {
          const [low, high] = ends(level, picked);
          const values = [level.uniqueName(low), level.uniqueName(high)];
          return [{ filter: { field, op, values }, holds: isBetween(level, low, high) }];
        }
        // As the answer shows them: a caption may be that of several members.
        const values = [...new Set(picked.map(level.caption))].slice(0, op === 'EQ' ? 1 : undefined);
        return [
          { filter: { field, op, values }, holds: (fact) => values.includes(level.caption(fact)) === (op !== 'NEQ') },
        ];
      }),
      request: {
        cube: CUBE,
        measures: measures.map((name) => ({ name })),
        ...(rows.length === 0 ? {} : { rows }),
        ...(columns.length === 0 ? {} : { columns }),
        ...(filters.length === 0 ? {} : { filters: filters.map(({ item }) => item) }),
        ...(sorted.length === 0 ? {} : { order: sorted }),
        ...(drawn.limit === undefined ? {} : { limit: drawn.limit }),
      },
    };
  });

interface Group {
  readonly of: Fact;
  readonly facts: Fact[];
}

/** Groups facts by their members of the lowest of the levels of each dimension, in the order of the hierarchies. */
function grouped(facts: readonly Fact[], shown: RandomRequest['shown']): readonly Group[] {
  const lowest = [...new Map(shown.map((each) => [each.dimension, each.level])).values()];
  const groups = new Map<string, Group>();
  for (const fact of facts) {
    const key = lowest.map((level) => level.uniqueName(fact)).join(' ');
    const group = groups.get(key) ?? { of: fact, facts: [] };
    group.facts.push(fact);
    groups.set(key, group);
  }
  const path = ({ of }: Group) => lowest.flatMap((level) => level.path(of));
  return [...groups.values()].toSorted((left, right) => comparePaths(path(left), path(right)));
}

/**
 * Returns one record for each member, or combination of members, of which something was sold: captions by key, then measures.
 * Rows stand in the order that is asked for, ties in that of the hierarchies.
 */
export function expectedRecords(
  { role, request, shown, filters }: RandomRequest,
  narrowing: readonly Pick<Filtered, 'holds'>[] = [],
): readonly (readonly unknown[])[] {
  const facts = FACTS.filter(
    (fact) => SEES[role]?.(fact.town) && [...filters, ...narrowing].every(({ holds }) => holds(fact)),
  );
  // A total over nothing is an empty cell, of counts too: so MDX has it.
  if (shown.length === 0 && facts.length === 0) return [request.measures.map(() => null)];
  const down = shown.filter(({ list }) => list === 'rows');
  const across = shown.filter(({ list }) => list === 'columns');
  const rows = (request.order ?? []).toReversed().reduce(
    (groups, { by, direction }) => {
      const sign = direction === 'desc' ? -1 : 1;
      const value = ({ facts: own }: Group) => sign * (MEASURES[by]?.(own) ?? 0);
      return groups.toSorted((left, right) => value(left) - value(right));
    },
    grouped(facts, down),
  );
  return rows
    .slice(0, request.limit)
    .flatMap((row) =>
      grouped(row.facts, across).map((group) => [
        ...down.map(({ level }) => level.caption(row.of)),
        ...across.map(({ level }) => level.caption(group.of)),
        ...request.measures.map(({ name }) => MEASURES[name]?.(group.facts)),
      ]),
    );
}
