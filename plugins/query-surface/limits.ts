/** Limits of a typed request, the same on every surface. `docs/reference/limits.md` lists them for callers. */

/** The most rows that a request may name as its limit. */
export const MAX_LIMIT = 100_000;

/** The most fields or levels in rows, and in columns. */
export const MAX_AXIS_ITEMS = 50;

/** The most metrics or measures. */
export const MAX_METRICS = 100;

/** The most filters of a request. */
export const MAX_FILTERS = 50;

/** The most sorts of a request. */
export const MAX_SORTS = 20;

/** The most characters of a filter's value, or of a member's name. */
export const MAX_VALUE_LENGTH = 2_000;

/** The most characters of a question in natural language. */
export const MAX_QUESTION_LENGTH = 4_000;

/** The most characters of a request that a question goes on from, or that is answered in its place, as JSON. */
export const MAX_REQUEST_LENGTH = 20_000;

/** The most turns of the conversation before a question, and the most characters of a turn. */
export const MAX_HISTORY_TURNS = 50;
export const MAX_TURN_LENGTH = 8_000;
