/** The base of a comparison: the same query about another time. */
import { plural } from '../../../../router/plural.ts';
import { COMPARE_TARGETS } from '../../compare/compare-targets.ts';
import type { CompareTarget, FieldInRole, ResolvedCompare, ResolvedQuery } from './resolved-query.ts';
import type { PeriodShift, Shift } from './shift.ts';

export interface Comparison {
  readonly compare: ResolvedCompare;
  /** The group with the compared periods; `undefined` where only filters limit the time. */
  readonly axis: number | undefined;
  /** The field with the time. */
  readonly date: FieldInRole;
  readonly shift: Shift | PeriodShift;
  /** The query for the base values. */
  readonly query: ResolvedQuery;
  /** Indexes of the request's values that the query computes, in its order. */
  readonly values: readonly number[];
}

/** Returns the name of a base: `previous year`, `3 months earlier`. */
export function describeTarget(to: CompareTarget): string {
  if (typeof to !== 'object') return COMPARE_TARGETS[to].says;
  const { offset, name } = to;
  const count = Math.abs(offset);
  return `${count} ${plural(count, name)} ${offset < 0 ? 'earlier' : 'later'}`;
}
