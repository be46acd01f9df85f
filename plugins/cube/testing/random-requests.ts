/** Random typed requests to the cube of `trade.ts`, with their answers by loops over its rows in memory. */
import fc from 'fast-check';
import type { RuntimeFilter } from '../../../router/capabilities/query-source.ts';
import type { CubeQueryRequest, FilterItem } from '../api/schemas.ts';
import { CUBE, DIMENSIONS, FACTS, type Fact, type LevelOf, MEASURES, ROLES, SEES } from './trade.ts';

/** A condition as a request writes it, and its test of a fact. */
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
  /** The filters that an embed adds to the answer. */
  readonly narrowing: readonly { readonly filter: RuntimeFilter; readonly holds: (fact: Fact) => boolean }[];
}

/** Returns the test whether a fact's member of a level is among the given members. */
export function isAmong(level: LevelOf, members: readonly string[]): (fact: Fact) => boolean {
  return (fact) => members.includes(level.uniqueName(fact));
}

/** The day that relative dates refer to. */
export const TODAY = Date.UTC(2026, 3, 15);
/** The current month, in months since the year 0: April 2026. */
const NOW = 2026 * 12 + 3;
const MONTHS_OF: Readonly<Record<string, number>> = { Year: 12, Quarter: 3, Month: 1 };
const first = (months: number, of: number) => Math.floor(months / of) * of;

/**
 * The first and last month in which a selected period begins, by phrase. The argument is the length of the level's
 * periods in months.
 */
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
/** The levels of a dimension, as bits. */
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
    const all = Object.entries(DIMENSIONS).flatMap(([dimension, dimensionLevels], index) => {
      const list = places[index] ?? 'nowhere';
      if (list === 'nowhere') return [];
      const chosen = dimensionLevels.filter((_, depth) => ((drawn.levels[index] ?? 1) >> depth) & 1);
      return (chosen.length > 0 ? chosen : dimensionLevels.slice(0, 1)).map((level) => {
        return { key: `${dimension}.${level.name}`, level, list, dimension };
      });
    });
    const shown = [...all.filter(({ list }) => list === 'rows'), ...all.filter(({ list }) => list === 'columns')];
    const filters = drawn.filters.flatMap((each) => filterOf(each, seen) ?? []);
    const items = (list: string) =>
      shown.flatMap((each) => (each.list === list ? [{ dimension: each.dimension, level: each.level.name }] : []));
    const rows = items('rows');
    const columns = items('columns');
    // Without rows, there is nothing to sort.
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
        // Values as the answer shows them. Several members may have one caption.
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

/** Groups facts by their members of the lowest shown level of each dimension, in hierarchy order. */
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
 * Returns one record for each combination of members with sales: captions by key, then measures. Rows are in the
 * requested order, and ties in hierarchy order.
 */
export function expectedRecords(
  { role, request, shown, filters }: RandomRequest,
  narrowing: readonly Pick<Filtered, 'holds'>[] = [],
): readonly (readonly unknown[])[] {
  const facts = FACTS.filter(
    (fact) => SEES[role]?.(fact.town) && [...filters, ...narrowing].every(({ holds }) => holds(fact)),
  );
  // A total over no facts is empty in MDX, even if it is a count.
  if (shown.length === 0 && facts.length === 0) return [request.measures.map(() => null)];
  const down = shown.filter(({ list }) => list === 'rows');
  const across = shown.filter(({ list }) => list === 'columns');
  const rows = (request.order ?? []).toReversed().reduce(
    (groups, { by, direction }) => {
      const sign = direction === 'desc' ? -1 : 1;
      const value = ({ facts: groupFacts }: Group) => sign * (MEASURES[by]?.(groupFacts) ?? 0);
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
