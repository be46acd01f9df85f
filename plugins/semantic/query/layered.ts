/** Which subqueries need layers of their own, and what nothing is there. */
import type { AggregateRef, FactSubquery } from './plan.ts';

/** Whether the values of a subquery are not those of the rows of its groups. */
export function isLayered({ windowed, converted }: FactSubquery): boolean {
  return windowed !== undefined || converted !== undefined;
}

/** Whether nothing is 0 of an aggregate, and not null. */
export function isCounting({ call, aggregation }: AggregateRef): boolean {
  return aggregation === undefined ? call.counts || call.aggregation.startsWith('count') : aggregation === 'COUNT';
}
