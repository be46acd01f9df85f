/** Bounds of this surface beside those of `plugins/query-surface/limits.ts`. */

/** Members of one item of an axis, or of one filter. */
export const MAX_MEMBERS = 500;

/** Members that a request names in all. Some forms of a filter cost the square of it: minutes for thousands. */
export const MAX_MEMBERS_IN_ALL = 500;

/** Columns of an answer that hold cells: combinations of what stands in columns, by measures. An answer's rows are objects. */
export const MAX_DATA_COLUMNS = 20_000;

/** Characters of a cube schema. */
export const MAX_SCHEMA_LENGTH = 2_000_000;

/** Characters up to which the calling thread reads a cube schema itself: some 10 ms, sooner than a thread starts. */
export const MAX_LENGTH_READ_AT_ONCE = 30_000;

/** Milliseconds that reading a cube schema may take; it is done by a thread of its own. */
export const SCHEMA_TIMEOUT_MS = 30_000;

/** Changes of a what-if. */
export const MAX_CHANGES = 100;
