/**
 * Classifies the aggregates of subqueries and the metrics of plans: how they are computed, and which are 0 without rows.
 */
import { AGGREGATIONS, aggregationFacts } from '../../model/aggregations.ts';
import { aggregatesOf, leavesOf } from '../../model/template.ts';
import type { AggregateRef, MetricColumn } from './plan.ts';

/** Returns whether an aggregate without rows is 0, and not null. */
export function isCounting({ call, aggregation }: AggregateRef): boolean {
  return aggregation === undefined ? call.counts : AGGREGATIONS[aggregation].result === 'count';
}

/**
 * Groups the aggregates of a window that are computed together: aggregates of the values of its days, aggregates that count
 * the same distinct values, and aggregates that need each row.
 */
export function kindOfWindow(aggregate: AggregateRef): string {
  if (isOfParts(aggregate)) return 'days';
  return aggregate.call.distinct === undefined ? 'rows' : `distinct ${JSON.stringify(aggregate.call.distinct)}`;
}

/**
 * Returns whether the value of a window can be computed from values of its days. Distinct counts and percentiles cannot.
 */
export function isOfParts({ call, aggregation }: AggregateRef): boolean {
  if (call.percentile !== undefined) return false;
  const isOfAllRows = call.aggregation === 'count' && leavesOf(call.call).length === 0;
  if (call.argument === undefined) return isOfAllRows;
  return AGGREGATIONS[aggregation ?? call.aggregation].wholeOfParts !== null;
}

/**
 * Returns whether a metric without rows is 0. Counts and sums are 0, also where another metric refers to them; so is a
 * metric in `COALESCE(…, 0)`. Means, means over days and extremes are null.
 */
export function isZeroWhenEmpty({ metric, aggregation }: MetricColumn): boolean {
  const parts = metric.expression.filter((part) => typeof part !== 'string' || !isZeroOfNull(part));
  const [only, ...others] = parts;
  const isOne = others.length === 0 && typeof only === 'object' && only.kind === 'aggregate';
  // Without rows there is no day to take the mean of, whatever the days count or sum.
  if (aggregatesOf(metric.expression).some(({ scope }) => scope?.window?.take === 'average')) return false;
  const aggregationKind = isOne ? only.aggregation : metric.aggregationKind;
  return aggregationFacts(aggregation ?? aggregationKind)?.ofNoRows === 0;
}

/** Returns whether a part of an expression is the text before or behind the call in `COALESCE(…, 0)`. */
function isZeroOfNull(part: string): boolean {
  return /^\s*COALESCE\s*\(\s*$/i.test(part) || /^\s*,\s*0(?:\.0*)?\s*\)\s*$/.test(part);
}
