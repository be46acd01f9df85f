/** Small-cell masking: which rows of a result are masked, and what their metric cells show. */
import type { MetricCell } from '../../../router/capabilities/query-source.ts';
import type { ColumnarResult, Scalar } from '../../../router/capabilities/warehouse.ts';
import type { Plan } from './plan.ts';

/** What stands in masked cells: nothing, a number such as -1, or a token. */
export type Mask = string | number | null;

/**
 * For each row, whether it is masked: a metric that counts is below the threshold. A null count (the group does not
 * occur in that dataset) is no small cell.
 */
export function maskedRows(plan: Plan, result: ColumnarResult): readonly boolean[] {
  const { suppression, groups } = plan;
  const masked = new Array<boolean>(result.rowCount).fill(false);
  for (const index of suppression?.counts ?? []) {
    const counts = result.values[groups.length + index] ?? [];
    counts.forEach((count, row) => {
      if (isBelow(count, suppression?.threshold ?? 0)) masked[row] = true;
    });
  }
  return masked;
}

function isBelow(count: Scalar, threshold: number): boolean {
  // Counts may come as exact text where an engine sums them as decimals.
  return count !== null && Number(count) < threshold;
}

export function maskedCell(mask: Mask): MetricCell {
  return { value: mask, formatted: mask === null ? null : String(mask), suppressed: true };
}

export function suppressionNote(plan: Plan, masked: readonly boolean[]) {
  const count = masked.filter(Boolean).length;
  if (count === 0 || plan.suppression === undefined) return undefined;
  const reason = `Metrics of rows that count fewer than ${plan.suppression.threshold} are masked (k-anonymity).`;
  return { count, reason };
}
