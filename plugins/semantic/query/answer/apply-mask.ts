/** Small-cell masking: finds the masked rows of a result. */
import type { ColumnarResult } from '../../../../router/capabilities/warehouse.ts';
import { isSmall, suppressionReason } from '../../../query-surface/index.ts';
import type { Plan } from '../nodes/plan.ts';
import { countsRows } from '../nodes/subquery-kinds.ts';

/**
 * Returns for each row whether it is masked: a metric that counts, or a hidden count of rows, is below the threshold. A
 * null count (the group does not occur in that dataset) does not mask.
 */
export async function maskedRows(
  { suppression, groups, metrics, subqueries }: Plan,
  result: ColumnarResult,
  yieldTurn: () => Promise<void>,
): Promise<readonly boolean[]> {
  const masked = new Array<boolean>(result.rowCount).fill(false);
  if (suppression === undefined) return masked;
  const { counts, threshold } = suppression;
  const hidden = subqueries
    .filter((subquery) => countsRows(suppression, subquery))
    .map((_, place) => groups.length + metrics.length + place);
  // The statement has already removed groups with a small count that only filters need.
  const shown = counts.filter((index) => index < metrics.length);
  for (const column of [...shown.map((index) => groups.length + index), ...hidden]) {
    const values = result.values[column] ?? [];
    await yieldTurn();
    for (let row = 0; row < result.rowCount; row += 1) {
      if (isSmall(values[row] ?? null, threshold)) masked[row] = true;
    }
  }
  return masked;
}

export function suppressionNote(plan: Plan, masked: readonly boolean[]) {
  return suppressionOf(plan, masked.filter(Boolean).length);
}

/** Describes the masked rows of an answer; `undefined` where there are none. */
export function suppressionOf(plan: Plan, count: number) {
  if (count === 0 || plan.suppression === undefined) return undefined;
  return { count, reason: suppressionReason(plan.suppression.threshold) };
}
