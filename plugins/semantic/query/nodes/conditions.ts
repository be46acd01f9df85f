/** Walks over conditions that are combined by AND and OR. */
import type { Among, Node, PlacedCondition, PlacedField, SemiJoin } from './plan.ts';
import type { Condition, FieldInRole, ResolvedAmong, ResolvedFilter, ResolvedPlace } from './resolved-query.ts';

/** Returns the filters of conditions, in their order. */
export function filtersOf(conditions: readonly Condition[]): readonly ResolvedFilter[] {
  return conditions.flatMap((one) => {
    if (one.kind === 'filter') return [one.filter];
    return one.kind === 'among' ? [] : filtersOf(one.of);
  });
}

/** Returns the filters of conditions and of the memberships among them. */
export function allFiltersOf(conditions: readonly Condition[]): readonly ResolvedFilter[] {
  const inner = amongsOf(conditions).flatMap(({ query }) => allFiltersOf(query.conditions));
  return [...filtersOf(conditions), ...inner];
}

/** Returns the memberships of conditions, in their order. */
export function amongsOf(conditions: readonly Condition[]): readonly ResolvedAmong[] {
  return conditions.flatMap((one) => {
    if (one.kind === 'among') return [one.among];
    return one.kind === 'filter' ? [] : amongsOf(one.of);
  });
}

/** Returns the fields that conditions read, in their order. */
export function placesOf(conditions: readonly Condition[]): readonly ResolvedPlace[] {
  return conditions.flatMap((one) => {
    if (one.kind === 'filter') return [one.filter];
    return one.kind === 'among' ? one.among.places : placesOf(one.of);
  });
}

/** Returns the tested fields of the subquery's own tree. */
export function testsOf(conditions: readonly PlacedCondition[]): readonly PlacedField[] {
  return conditions.flatMap((one) => {
    if (one.kind === 'test') return [one.filter];
    if (one.kind === 'among') return one.among.places;
    return one.kind === 'match' ? [] : testsOf(one.of);
  });
}

/** Returns the fields that rows are grouped by and tested by, each with its node. */
export function fieldsOf(
  groups: readonly FieldInRole[],
  nodes: readonly Node[],
  where: readonly PlacedCondition[],
): readonly PlacedField[] {
  const grouped = groups.flatMap((group, index) => {
    const node = nodes[index];
    return node === undefined ? [] : [{ ...group, node }];
  });
  return [...grouped, ...testsOf(where)];
}

/** Returns the memberships that decide which rows are kept, including the memberships in semi-joins. */
export function placedAmongsOf(conditions: readonly PlacedCondition[]): readonly Among[] {
  return conditions.flatMap((one) => {
    if (one.kind === 'among') return [one.among];
    if (one.kind === 'match') return placedAmongsOf(one.semiJoin.where);
    return one.kind === 'test' ? [] : placedAmongsOf(one.of);
  });
}

/** Returns the semi-joins that select rows. */
export function semiJoinsOf(conditions: readonly PlacedCondition[]): readonly SemiJoin[] {
  return conditions.flatMap((one) => {
    if (one.kind === 'match') return [one.semiJoin];
    return one.kind === 'test' || one.kind === 'among' ? [] : semiJoinsOf(one.of);
  });
}

/** Returns the conditions with each semi-join changed. */
export function withSemiJoins(
  conditions: readonly PlacedCondition[],
  change: (semiJoin: SemiJoin) => SemiJoin,
): readonly PlacedCondition[] {
  return conditions.map((one): PlacedCondition => {
    if (one.kind === 'match') return { kind: 'match', semiJoin: change(one.semiJoin) };
    return one.kind === 'test' || one.kind === 'among' ? one : { kind: one.kind, of: withSemiJoins(one.of, change) };
  });
}
