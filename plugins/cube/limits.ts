/** Limits of this surface alone. `plugins/query-surface/limits.ts` has the limits of every surface. */

/** Maximum of members in one item of an axis, or in one filter. */
export const MAX_MEMBERS = 500;

/** Maximum of members in a request. Some filters need time proportional to its square: minutes for thousands. */
export const MAX_MEMBERS_IN_ALL = 500;

/**
 * Maximum of columns with cells in an answer: the combinations of the columns with the measures. The rows of an answer
 * are objects.
 */
export const MAX_DATA_COLUMNS = 20_000;

/** Maximum of characters of a cube schema. */
export const MAX_SCHEMA_LENGTH = 2_000_000;

/** Length up to which the calling thread reads a cube schema itself, in about 10 ms. Starting a thread takes longer. */
export const MAX_LENGTH_READ_AT_ONCE = 30_000;

/** Milliseconds that a thread may take to read a cube schema. */
export const SCHEMA_TIMEOUT_MS = 30_000;

/** Maximum of changes of a what-if. */
export const MAX_CHANGES = 100;
