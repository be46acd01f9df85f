/** Small-cell masking: which rows of a result are masked. */
import type { ColumnarResult } from '../../../router/capabilities/warehouse.ts';
import { isSmall, suppressionReason } from '../../query-surface/index.ts';
import type { Plan } from './plan.ts';

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
      if (isSmall(count, suppression?.threshold ?? 0)) masked[row] = true;
    });
  }
  return masked;
}

export function suppressionNote(plan: Plan, masked: readonly boolean[]) {
  const count = masked.filter(Boolean).length;
  if (count === 0 || plan.suppression === undefined) return undefined;
  return { count, reason: suppressionReason(plan.suppression.threshold) };
}
