import type { FactSubquery, Suppression } from './plan.ts';

/** Returns whether the values of a subquery come from other rows than the rows of its groups. */
export function isLayered({ windowed, converted }: FactSubquery): boolean {
  return windowed !== undefined || converted !== undefined;
}

/**
 * Returns whether a subquery has a hidden count of its rows: where hidden counts mask, and in windows, because no metric
 * counts the rows of a group that has rows only in its window.
 */
export function countsRows(suppression: Suppression | undefined, { windowed }: FactSubquery): boolean {
  return suppression !== undefined && (suppression.isShadowed || windowed !== undefined);
}
