/** Small-cell masking, as every query surface does it: what stands where a number would tell of too few. */
import type { MetricCell } from '../../router/capabilities/query-source.ts';
import type { Scalar } from '../../router/capabilities/scalar.ts';

/** What stands in masked cells: nothing, a number such as -1, or a token. */
export type Mask = string | number | null;

export interface KAnonymity {
  /** Rows that count fewer are masked; 0 masks nothing. */
  readonly threshold: number;
  readonly mask: Mask;
  /** True where a count of the rows behind a group masks it even when the request asks for no count. */
  readonly shadow?: boolean | undefined;
}

/** Tells whether a count is a small one. A null count (the group does not occur there) is none. */
export function isSmall(count: Scalar, threshold: number): boolean {
  // Counts may come as exact text where an engine sums them as decimals.
  return count !== null && Number(count) < threshold;
}

export function maskedCell(mask: Mask): MetricCell {
  return { value: mask, formatted: mask === null ? null : String(mask), suppressed: true };
}

/** Writes how an answer tells that it is masked in part. */
export function suppressionReason(threshold: number): string {
  return `Metrics of rows that count fewer than ${threshold} are masked (k-anonymity).`;
}
