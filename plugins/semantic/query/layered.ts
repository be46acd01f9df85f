/** Which subqueries need layers of their own, and what nothing is there. */
import { leavesOf } from '../model/template.ts';
import type { AggregateRef, FactSubquery, Suppression } from './plan.ts';

/** Tells whether the values of a subquery are not those of the rows of its groups. */
export function isLayered({ windowed, converted }: FactSubquery): boolean {
  return windowed !== undefined || converted !== undefined;
}

/**
 * Tells whether the rows of a subquery are counted without being shown: where hidden counts mask, and of windows, because
 * no metric counts the rows of a group that has some in its window alone.
 */
export function countsRows(suppression: Suppression | undefined, { windowed }: FactSubquery): boolean {
  return suppression !== undefined && (suppression.isShadowed || windowed !== undefined);
}

/** Tells whether an aggregate of nothing is 0, and not null. */
export function isCounting({ call, aggregation }: AggregateRef): boolean {
  return aggregation === undefined ? call.counts || call.aggregation.startsWith('count') : aggregation === 'COUNT';
}

/** Aggregates of days whose values make the value of a window. */
const OF_PARTS: ReadonlySet<string> = new Set(['sum', 'count', 'min', 'max', 'avg']);

/**
 * Tells which aggregates of a window are computed together: those that are made of the values of its days, those that
 * count the same distinct values, and those that need each row.
 */
export function kindOfWindow(aggregate: AggregateRef): string {
  if (isOfParts(aggregate)) return 'days';
  return aggregate.call.distinct === undefined ? 'rows' : `distinct ${JSON.stringify(aggregate.call.distinct)}`;
}

/** Tells whether the value of a window can be made of values of its days: not of distinct values, nor of places among values. */
export function isOfParts({ call, aggregation }: AggregateRef): boolean {
  if (call.percentile !== undefined) return false;
  const isOfAllRows = call.aggregation === 'count' && leavesOf(call.call).length === 0;
  if (call.argument === undefined) return isOfAllRows;
  return OF_PARTS.has(aggregation?.toLowerCase() ?? call.aggregation);
}
