/** Limits of this surface in addition to `plugins/query-surface/limits.ts`. */

/** Values that one filter compares with. */
export const MAX_FILTER_VALUES = 10_000;

/** Values that the filters of a request compare with, in all. */
export const MAX_VALUES = 10_000;

/** Values of a filter that are bound one by one; more of them are bound as one list. */
export const MAX_SINGLY_BOUND = 100;

/** Parameters of a statement, in which a list counts once: engines take some ten thousand, and read each. */
export const MAX_PARAMETERS = 12_000;

/** Values of one filter that are compared one by one, because the engine would convert the values of a list. */
export const MAX_ALTERNATIVES = 1_000;

/** Characters of a semantic document: some thousands of fields. */
export const MAX_DOCUMENT_LENGTH = 2_000_000;

/** Milliseconds that reading a document may take; it is done by a thread of its own. */
export const DOCUMENT_TIMEOUT_MS = 30_000;
