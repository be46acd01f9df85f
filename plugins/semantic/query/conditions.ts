/** Walks over conditions that are held together by AND and OR. */
import type { PlacedCondition, PlacedFilter, SemiJoin } from './plan.ts';
import type { Condition, Junction, ResolvedFilter } from './resolved.ts';

/** Returns the filters of conditions, in the order in which they stand. */
export function filtersOf(conditions: readonly Condition[]): readonly ResolvedFilter[] {
  return conditions.flatMap((one) => (one.kind === 'filter' ? [one.filter] : filtersOf(one.of)));
}

/** Returns the filters that test rows of the subquery's own tree. */
export function testsOf(conditions: readonly PlacedCondition[]): readonly PlacedFilter[] {
  return conditions.flatMap((one) => {
    if (one.kind === 'test') return [one.filter];
    return one.kind === 'match' ? [] : testsOf(one.of);
  });
}

/** Returns the semi-joins that select rows. */
export function semiJoinsOf(conditions: readonly PlacedCondition[]): readonly SemiJoin[] {
  return conditions.flatMap((one) => {
    if (one.kind === 'match') return [one.semiJoin];
    return one.kind === 'test' ? [] : semiJoinsOf(one.of);
  });
}

/** Returns the conditions with each semi-join changed. */
export function withSemiJoins(
  conditions: readonly PlacedCondition[],
  change: (semiJoin: SemiJoin) => SemiJoin,
): readonly PlacedCondition[] {
  return conditions.map((one): PlacedCondition => {
    if (one.kind === 'match') return { kind: 'match', semiJoin: change(one.semiJoin) };
    return one.kind === 'test' ? one : { kind: one.kind, of: withSemiJoins(one.of, change) };
  });
}

/** Says in words how conditions hang together: `sales.channel or (stores.region and sales.date)`. */
export function describeConditions(
  conditions: readonly Condition[],
  name: (filter: ResolvedFilter) => string,
  junction: Junction = 'all',
): string {
  return conditions
    .map((one) => {
      if (one.kind === 'filter') return name(one.filter);
      const inner = describeConditions(one.of, name, one.kind);
      return one.of.length === 1 ? inner : `(${inner})`;
    })
    .join(junction === 'any' ? ' or ' : ' and ');
}
