/** What the values of a request are compared with: the same question about another time. */
import { plural } from '../../../../router/plural.ts';
import { COMPARE_TARGETS } from '../../compare/targets.ts';
import type { CompareTarget, FieldInRole, ResolvedCompare, ResolvedQuery } from './resolved-query.ts';
import type { PeriodShift, Shift } from './shift.ts';

export interface Comparison {
  readonly compare: ResolvedCompare;
  /** The group whose periods are compared with others; `undefined` where filters alone say when. */
  readonly axis: number | undefined;
  /** The field that says when. */
  readonly date: FieldInRole;
  readonly shift: Shift | PeriodShift;
  /** The question that gives the base values. */
  readonly query: ResolvedQuery;
  /** Which of the request's values the query has, in its order. */
  readonly values: readonly number[];
}

/** Says what a value is compared with: `previous year`, `3 months earlier`. */
export function describeTarget(to: CompareTarget): string {
  if (typeof to !== 'object') return COMPARE_TARGETS[to].says;
  const { offset, name } = to;
  const count = Math.abs(offset);
  return `${count} ${plural(count, name)} ${offset < 0 ? 'earlier' : 'later'}`;
}
