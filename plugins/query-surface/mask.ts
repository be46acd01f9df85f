/** Masking of small cells: the content of a cell with a number that would reveal too small a group. */
import type { MetricCell } from '../../router/capabilities/query-source.ts';
import type { Scalar } from '../../router/capabilities/scalar.ts';

/** The value of masked cells: null, a number such as -1, or a token. */
export type Mask = string | number | null;

export interface KAnonymity {
  /** Rows that count fewer are masked; 0 masks nothing. */
  readonly threshold: number;
  readonly mask: Mask;
  /** True where a count of the rows behind a group masks it even when the request asks for no count. */
  readonly shadow?: boolean | undefined;
}

/** Returns whether a count is a small one. A null count (the group does not occur there) is none. */
export function isSmall(count: Scalar, threshold: number): boolean {
  // Counts may come as exact text where an engine sums them as decimals.
  return count !== null && Number(count) < threshold;
}

export function maskedCell(mask: Mask): MetricCell {
  return { value: mask, formatted: mask === null ? null : String(mask), suppressed: true };
}

/** Returns the reason that an answer gives for its masked cells. */
export function suppressionReason(threshold: number): string {
  return `Metrics of rows that count fewer than ${threshold} are masked (k-anonymity).`;
}
