/** Which subqueries need layers of their own, and what nothing is there. */
import type { AggregateRef, FactSubquery } from './plan.ts';

/** Tells whether the values of a subquery are not those of the rows of its groups. */
export function isLayered({ windowed, converted }: FactSubquery): boolean {
  return windowed !== undefined || converted !== undefined;
}

/** Tells whether an aggregate of nothing is 0, and not null. */
export function isCounting({ call, aggregation }: AggregateRef): boolean {
  return aggregation === undefined ? call.counts || call.aggregation.startsWith('count') : aggregation === 'COUNT';
}
