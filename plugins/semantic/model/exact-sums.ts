/** Finds the aggregates whose sums are the same in every order of their rows. */
import { AGGREGATIONS, type Aggregation } from './aggregations.ts';
import type { BoundDataset } from './bound-dataset.ts';
import { isArithmetic } from './number-kind.ts';
import { type Bound, type BoundAggregate, leavesOf } from './template.ts';

/**
 * Returns whether the sum of a call's argument has the same digits in every order of rows: a sum of ones and zeros, or
 * arithmetic of whole numbers and decimals. Sums of doubles are rounded at each step.
 */
export function sumsExactly(
  { aggregation, counts, argument = [] }: BoundAggregate,
  bound: readonly BoundDataset[],
): boolean {
  const isSumOfOnes = aggregation === 'sum' && counts;
  return isSumOfOnes || (argument.length > 0 && isExact(argument, bound));
}

/**
 * Returns whether the value of a whole is the sum, the least or the greatest of the values of its parts, to the last digit.
 *
 * @param aggregation the aggregation of the call's argument; a request may replace the call's own
 */
export function addsUp(call: BoundAggregate, aggregation: Aggregation): boolean {
  if (call.percentile !== undefined) return false;
  if (call.argument === undefined) return call.aggregation === 'count' && leavesOf(call.call).length === 0;
  const { wholeOfParts: whole } = AGGREGATIONS[aggregation];
  if (whole === 'SUM') return aggregation === 'count' || call.sumsExactly === true;
  return whole === 'MIN' || whole === 'MAX';
}

function isExact(expression: Bound, bound: readonly BoundDataset[]): boolean {
  return expression.every((part) => {
    if (typeof part === 'string') return isArithmetic(part);
    if (part.kind !== 'column') return false;
    const columns = bound.find(({ draft }) => draft.name === part.dataset)?.columns ?? [];
    const type = columns.find(({ name }) => name === part.column)?.type;
    return type === 'integer' || type === 'decimal';
  });
}
