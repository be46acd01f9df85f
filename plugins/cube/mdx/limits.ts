/**
 * Limits of the MDX engine. Texts are parsed and compiled recursively, so each limit of a text is well below what the
 * stack allows.
 */

/** Maximum nesting of brackets, arguments and formulas. */
export const MAX_NESTING = 200;

/** Maximum of operations that work on each other's results, such as the terms of a sum. */
export const MAX_OPERATIONS = 800;

/** Maximum of parts of a compound name, or of a compound key: `[Time].[1997].Parent` has three parts. */
export const MAX_NAME_PARTS = 200;

/** Maximum of arguments of a function, or parts of a tuple. */
export const MAX_ARGUMENTS = 1_000;

/** Maximum of axes of a query. */
export const MAX_AXES = 100;

/** Maximum nesting of queries in FROM. */
export const MAX_SUBSELECTS = 20;

/** Maximum of characters of a query or formula. */
export const MAX_TEXT_LENGTH = 200_000;

// ── a query: work, memory, statements ──

/** Maximum of tuples on an axis of a query in FROM. */
export const MAX_SUBSELECT_TUPLES = 10_000;

/** Number of sub-cubes (cubes restricted by queries in FROM) that each cube keeps. */
export const MAX_SUBCUBES = 8;

/** Maximum of keys that a condition lists. If there are more, the whole level is read. */
export const MAX_LISTED_KEYS = 2_000;

/** Number of results that are remembered for one expression. Beyond it, they are all dropped. */
export const MAX_REMEMBERED_RESULTS = 10_000;

/** Maximum nesting of aggregates that are resolved to their parts. */
export const MAX_AGGREGATE_DEPTH = 20;

/** Maximum of loads in one computation. No query needs nearly as many. */
export const MAX_LOADS = 10_000;

/**
 * Number of checkpoints after which finished iterations lose theirs. An iteration without a checkpoint starts again.
 */
export const MAX_CHECKPOINTS = 1_000;

/** Maximum of attempts to run a query whose data changes meanwhile. */
export const MAX_SNAPSHOT_ATTEMPTS = 3;

/** Maximum of candidates in a message about a mistake in a schema. */
export const MAX_SUGGESTIONS = 3;

/** Milliseconds that a look-up of members may take. */
export const MAX_LOOK_UP_MS = 60_000;

/** Milliseconds that a search for members may take. */
export const MAX_SEARCH_MS = 60_000;

/** Number of columns below which a row is computed in one go. */
export const MAX_ROW_AT_ONCE = 50;

/** Maximum of members that a name finds. If there are as many, each member of the set is tested instead. */
export const MAX_MEMBERS_BY_NAME = 1_000;

/**
 * Maximum of listed tuples that a statement names. If there are more, the statement reads all, and the engine selects.
 */
export const MAX_LISTED_TUPLES = 1_000;

/**
 * Maximum of combinations of a set that is computed in memory. For a larger set, the warehouse finds the tuples that
 * are needed.
 */
export const MAX_SET_MADE_WHOLE = 30_000;

/** Maximum of measures, numbers and operations in arithmetic by which the warehouse ranks tuples. */
export const MAX_ARITHMETIC_NODES = 24;

/** Maximum of products and quotients in such arithmetic, so that no result is larger than a double can be. */
export const MAX_ARITHMETIC_PRODUCTS = 4;

/** Largest value of a measure or number in such arithmetic. Divisors are at least one divided by it. */
export const MAX_ARITHMETIC_NUMBER = 1e30;

/**
 * Maximum of combinations that a non-empty cross join tests one by one. For more, the warehouse first finds the
 * combinations that have facts.
 */
export const MAX_PRODUCT_MADE_WHOLE = 30_000;

/** Maximum of parents whose children are read with one statement. */
export const MAX_PARENTS_READ_AHEAD = 256;

/** Number of remembered look-ups of members without leaves, including look-ups that found nothing. */
export const MAX_LEAFLESS_LOOK_UPS = 1_000;

/** Maximum of keys that one statement lists. For more keys, several statements run. */
export const MAX_KEYS_PER_STATEMENT = 1_000;

/**
 * Maximum of members that are read by their keys. For more, the whole level is read. `MAX_LOOK_UPS` also limits them,
 * because missing keys are remembered.
 */
export const MAX_MEMBERS_BY_KEY = 20_000;

/** Number of remembered look-ups in a large level, including look-ups that found nothing. */
export const MAX_LOOK_UPS = 10_000;

/** Maximum of characters of a text that a function returns. */
export const MAX_MADE_TEXT_LENGTH = 1_000_000;

/** Maximum of characters of a pattern that an error message repeats. */
export const MAX_QUOTED_LENGTH = 100;

/** Maximum of members with the same name that get different names. */
export const MAX_NAMESAKES = 1_000;

// ── time until the event loop is free for other work ──

/** Milliseconds of an evaluation's turn, after which other work of the process runs. */
export const YIELD_AFTER_MS = 12;

/** Milliseconds after which a finished iteration gets a checkpoint, so that it is not repeated. */
export const CHECKPOINT_THRESHOLD_MS = 2;

/** Number of members that are added to sibling lists between two yields. */
export const SIBLINGS_BATCH = 4_000;

/** Number of rows that become members between two yields. */
export const MEMBER_ROWS_BATCH = 2_000;

/** Number of rows that become cells or tuples between two yields. */
export const RESULT_ROWS_BATCH = 5_000;

/** Number of rows that move to their place between two yields. */
export const ROWS_SORTED_BATCH = 100_000;

/** Number of cells that are added to a result between two yields. */
export const RESULT_CELLS_BATCH = 10_000;

// ── a regular expression ──

/** Maximum of characters of a pattern. */
export const MAX_PATTERN_LENGTH = 1_000;

/** Maximum of repetitions that all `{n}` of a pattern request together. */
export const MAX_PATTERN_REPETITIONS = 5_000;

/** Maximum of instructions of a compiled pattern. */
export const MAX_PATTERN_INSTRUCTIONS = 5_000;

/**
 * Maximum of steps of a match: the instructions of the pattern times the characters of the text. 22 million steps take
 * about a second.
 */
export const MAX_MATCH_STEPS = 2_000_000;

/** Number of compiled patterns that are kept. */
export const MAX_KEPT_PATTERNS = 100;

/** The most cubes in memory that are limited to the members of single viewers, for each version of the data. */
export const MAX_VIEWER_CUBES = 200;
