/** Masks small cells: the content of a cell whose number would reveal too small a group. */
import type { MetricCell } from '../../router/capabilities/query-source.ts';
import type { Scalar } from '../../router/capabilities/scalar.ts';

/** The value of masked cells: null, a number such as -1, or a token. */
export type Mask = string | number | null;

export interface KAnonymity {
  /** Rows with a smaller count are masked; 0 masks nothing. */
  readonly threshold: number;
  readonly mask: Mask;
  /** True where the number of rows behind a group masks it even if the request has no count. */
  readonly shadow?: boolean | undefined;
}

/** Returns whether a count is small. A null count (the group does not occur there) is not small. */
export function isSmall(count: Scalar, threshold: number): boolean {
  // Counts may be exact texts, where an engine sums them as decimals.
  return count !== null && Number(count) < threshold;
}

export function maskedCell(mask: Mask): MetricCell {
  return { value: mask, formatted: mask === null ? null : String(mask), suppressed: true };
}

/** Returns the text that explains masked cells in an answer. */
export function suppressionReason(threshold: number): string {
  return `Metrics of rows that count fewer than ${threshold} are masked (k-anonymity).`;
}
