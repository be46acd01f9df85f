/** Finds the aggregates whose sums are the same in every order of their rows. */
import type { BoundDataset } from './bound-dataset.ts';
import { isArithmetic } from './number-kind.ts';
import type { Bound, BoundAggregate } from './template.ts';

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

function isExact(expression: Bound, bound: readonly BoundDataset[]): boolean {
  return expression.every((part) => {
    if (typeof part === 'string') return isArithmetic(part);
    if (part.kind !== 'column') return false;
    const columns = bound.find(({ draft }) => draft.name === part.dataset)?.columns ?? [];
    const type = columns.find(({ name }) => name === part.column)?.type;
    return type === 'integer' || type === 'decimal';
  });
}
