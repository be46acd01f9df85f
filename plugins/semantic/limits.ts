/** Limits of this surface in addition to `plugins/query-surface/limits.ts`. */

/** The most values of one filter. */
export const MAX_FILTER_VALUES = 10_000;

/** The most values of all filters of a request together. */
export const MAX_VALUES = 10_000;

/** The most values of a filter that are bound one by one; more values are bound as one list. */
export const MAX_SINGLY_BOUND = 100;

/** The most parameters of a statement; a list counts once. Engines accept some ten thousand. */
export const MAX_PARAMETERS = 12_000;

/** The most values of one filter that are compared one by one, because the engine would convert the values of a list. */
export const MAX_ALTERNATIVES = 1_000;

/** The most rows of an answer that is sent while it comes, where the configuration has no other. */
export const DEFAULT_STREAMED_ROWS = 1_000_000;

/** The most characters of a semantic document: enough for some thousands of fields. */
export const MAX_DOCUMENT_LENGTH = 2_000_000;

/** The time limit for parsing the SQL of a document, in milliseconds. Most of it is for the start of the parser on a busy machine. */
export const SQL_TIMEOUT_MS = 120_000;

/** The time limit for reading a document, in milliseconds. A separate thread reads it. */
export const DOCUMENT_TIMEOUT_MS = 30_000;
