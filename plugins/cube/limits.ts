/** Bounds of this surface beside those of `plugins/query-surface/limits.ts`. */

/** Members of one item of an axis, or of one filter. */
export const MAX_MEMBERS = 1_000;

/** Members that a request names in all. */
export const MAX_MEMBERS_IN_ALL = 2_000;

/** Changes of a what-if. */
export const MAX_CHANGES = 100;
