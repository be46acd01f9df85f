/** Bounds of the care of data. */

/** Time that a replacement may be undone, and that the old data is kept, in milliseconds. */
export const UNDO_TTL_MS = 10 * 60_000;
/** Time that a prepared replacement waits for its confirmation. */
export const PREPARED_TTL_MS = 60 * 60_000;
/** Age after which a file that no row names is removed. */
export const ORPHAN_AGE_MS = 60 * 60_000;
/** Prepared replacements of a tenant. */
export const MAX_PREPARED = 20;
/** Tables and columns of a comparison. */
export const MAX_COMPARED_TABLES = 200;
export const MAX_COMPARED_COLUMNS = 1_000;
/** Rows of lists in an answer at most. */
export const MAX_LISTED = 10_000;
/** The time limit of one statement of a comparison. */
export const COMPARE_TIMEOUT_MS = 60_000;
/** The share of equal column names from which a file belongs to a table of another name. */
export const MIN_COLUMN_OVERLAP = 0.5;
/** Scheduled refreshes of a tenant. */
export const MAX_SCHEDULES = 200;
/** Interval of scheduled refreshes in minutes, at least and at most. */
export const MIN_EVERY_MINUTES = 5;
export const MAX_EVERY_MINUTES = 44_640;
/** Time that a node has a run for itself; it extends it while it runs. */
export const LEASE_MS = 120_000;
/** Rows of one table that a refresh copies from a connection, and the time limit of its statement in milliseconds. */
export const MAX_COPIED_ROWS = 100_000_000;
export const COPY_TIMEOUT_MS = 30 * 60_000;
/** Tables that a message names. */
export const MAX_NAMED_TABLES = 5;
/** Links of an answer. */
export const MAX_LINKS = 100;
/** Files of a folder that a refresh looks at, and bytes of those that it reads. */
export const MAX_FOLDER_FILES = 10_000;
export const MAX_FOLDER_BYTES = 20_000_000_000;
