/** Limits of every request. A surface's additional limits are in its own `limits.ts`. */

/** Maximum nesting of objects and lists in a JSON body. */
export const MAX_JSON_DEPTH = 50;

/** Maximum number of values in a JSON body: numbers, texts, objects and lists, and the names of members. */
export const MAX_JSON_VALUES = 20_000;

/** Maximum number of members of one object in a JSON body: every copy of an object costs time for all its names. */
export const MAX_JSON_MEMBERS = 10_000;

/** Limit on the characters of one number in a JSON body; a number that does not fit a double is kept as a text of its digits. */
export const MAX_JSON_NUMBER_LENGTH = 1_000;

/** Problems that one answer lists; the others are counted. */
export const MAX_PROBLEMS = 20;

/** Calls in one batch of the typed client or of an agent. */
export const MAX_BATCH_CALLS = 10;

/** Characters of a name: of a dataset, a field, a measure, a cube, a connection. */
export const MAX_NAME_LENGTH = 500;

/** Characters of a path in the repository, and of an identifier that the service has issued. */
export const MAX_PATH_LENGTH = 1_000;
