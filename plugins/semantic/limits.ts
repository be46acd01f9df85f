/** Bounds of this surface beside those of `plugins/query-surface/limits.ts`. */

/** Values that the filters of a request compare with, in all. */
export const MAX_VALUES = 10_000;
