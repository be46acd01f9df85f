/** Bounds of a typed request, the same on every surface. `docs/reference/limits.md` lists them for callers. */

/** Most rows a request may ask for. */
export const MAX_LIMIT = 100_000;

/** Fields or levels in rows, and in columns. */
export const MAX_AXIS_ITEMS = 50;

/** Metrics or measures. */
export const MAX_METRICS = 100;

/** Conditions of a request. */
export const MAX_FILTERS = 50;

/** Sorts of a request. */
export const MAX_SORTS = 20;

/** Characters of a value that is compared with, or of a member's name. */
export const MAX_VALUE_LENGTH = 2_000;

/** Characters of a question in natural language. */
export const MAX_QUESTION_LENGTH = 4_000;

/** Turns of the conversation before a question, and characters of one. */
export const MAX_HISTORY_TURNS = 50;
export const MAX_TURN_LENGTH = 8_000;
