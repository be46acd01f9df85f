/** Limits of the MDX engine. What runs a text is recursive; each bound of a text is well below what the stack holds. */

/** Expressions in brackets, arguments or formulas of each other at most. */
export const MAX_NESTING = 200;

/** Operations that work on each other's results at most, such as the terms of a sum. */
export const MAX_OPERATIONS = 800;

/** Parts of a compound name at most: `[Time].[1997].Parent` has three. */
export const MAX_NAME_PARTS = 200;

/** Arguments of a function, or parts of a tuple, at most. */
export const MAX_ARGUMENTS = 1_000;

/** Axes of a query at most. */
export const MAX_AXES = 100;

/** Queries in the place of a cube's name, inside of each other, at most. */
export const MAX_SUBSELECTS = 20;

/** Characters of a text: of a query, or of a formula. */
export const MAX_TEXT_LENGTH = 200_000;

// ── of a query: work, memory, statements ──

/** Tuples that an axis of a query in FROM names at most. */
export const MAX_SUBSELECT_TUPLES = 10_000;

/** Sub-cubes of queries in FROM that are kept of a cube at most. */
export const MAX_SUBCUBES = 8;

/** Keys that a condition lists at most: of more, the whole level is read. */
export const MAX_LISTED_KEYS = 2_000;

/** Results that are remembered of one expression at most. */
export const MAX_REMEMBERED_RESULTS = 10_000;

/** Aggregates inside of each other that are taken apart at most. */
export const MAX_AGGREGATE_DEPTH = 20;

/** How often a computation may find that something is missing: far more often than any query needs. */
export const MAX_LOADS = 10_000;

/** Checkpoints of iterations before the finished ones are dropped; one that is dropped begins anew. */
export const MAX_CHECKPOINTS = 1_000;

/** Times that a query is begun because the data changed under it, at most. */
export const MAX_SNAPSHOT_ATTEMPTS = 3;

/** Maximum of candidates in the message of a schema's mistake. */
export const MAX_SUGGESTIONS = 3;

/** Milliseconds that a look-up of members takes at most. */
export const MAX_LOOK_UP_MS = 60_000;

/** Milliseconds that a search for members takes at most. */
export const MAX_SEARCH_MS = 60_000;

/** Columns of a row that are computed at one go. */
export const MAX_ROW_AT_ONCE = 50;

/** Members found by a name at most; of more, each member of the set is tried. */
export const MAX_MEMBERS_BY_NAME = 1_000;

/** Tuples of a listed part that a statement names at most; of more it takes all and leaves the choice to us. */
export const MAX_LISTED_TUPLES = 1_000;

/** Combinations up to which a set is made whole to see which of them are wanted. */
export const MAX_SET_MADE_WHOLE = 30_000;

/** Number of combinations up to which combinations without facts are made too. */
export const MAX_PRODUCT_MADE_WHOLE = 30_000;

/** Parents whose children are read with one statement at most. */
export const MAX_PARENTS_READ_AHEAD = 256;

/** Maximum of remembered names from lookups of members without leaves, including names that match nothing. */
export const MAX_LEAFLESS_LOOK_UPS = 1_000;

/** Keys that one statement lists at most; where more are asked for, several statements run. */
export const MAX_KEYS_PER_STATEMENT = 1_000;

/** Members that are read by their keys at most; more are cheaper read with the whole level, if that is not too big. */
export const MAX_MEMBERS_BY_KEY = 20_000;

/** Maximum of remembered names from lookups, including names that match nothing. */
export const MAX_LOOK_UPS = 10_000;

/** Characters of a text that a function makes at most. */
export const MAX_MADE_TEXT_LENGTH = 1_000_000;

/** Characters of a pattern that an error repeats at most. */
export const MAX_QUOTED_LENGTH = 100;

/** Maximum of members with one name that are distinguished. */
export const MAX_NAMESAKES = 1_000;

// ── how long a query keeps the process to itself; other work goes between ──

/** Milliseconds that an evaluation keeps the process to itself. */
export const YIELD_AFTER_MS = 12;

/** Milliseconds after which a finished iteration is worth a checkpoint: it is not gone through again. */
export const CHECKPOINT_THRESHOLD_MS = 2;

/** Members put into lists of siblings between two yields. */
export const SIBLINGS_BATCH = 4_000;

/** Rows made into members between two yields. */
export const MEMBER_ROWS_BATCH = 2_000;

/** Rows made into cells between two yields. */
export const CELL_ROWS_BATCH = 5_000;

/** Rows made into tuples between two yields. */
export const CANDIDATE_ROWS_BATCH = 5_000;

/** Cells put into a result between two yields. */
export const RESULT_CELLS_BATCH = 10_000;

// ── of a regular expression ──

/** Characters of a pattern at most. */
export const MAX_PATTERN_LENGTH = 1_000;

/** Repetitions that all `{n}` of a pattern ask for together, at most. */
export const MAX_PATTERN_REPETITIONS = 5_000;

/** Instructions of a compiled pattern at most. */
export const MAX_PATTERN_INSTRUCTIONS = 5_000;

/** Steps of a match at most: the instructions of the pattern times the characters of the text. 22 million take about a second. */
export const MAX_MATCH_STEPS = 2_000_000;

/** Compiled patterns that are kept at most. */
export const MAX_KEPT_PATTERNS = 100;
