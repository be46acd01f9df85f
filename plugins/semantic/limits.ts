/** Bounds of this surface beside those of `plugins/query-surface/limits.ts`. */

/** Values that one filter compares with. */
export const MAX_FILTER_VALUES = 1_000;

/** Values that the filters of a request compare with, in all. */
export const MAX_VALUES = 2_000;

/** Characters of a semantic document: some thousands of fields. */
export const MAX_DOCUMENT_LENGTH = 2_000_000;

/** Milliseconds that reading a document may take; it is done by a thread of its own. */
export const DOCUMENT_TIMEOUT_MS = 30_000;
