/** Bounds of area B. */

/** Tables of a profile: the default and the maximum. */
export const DEFAULT_TABLES = 20;
export const MAX_TABLES = 500;
/** Columns of one table that are profiled. */
export const MAX_COLUMNS = 1_000;
/** Rows of a sample: the default and the maximum. */
export const DEFAULT_SAMPLE_ROWS = 5;
export const MAX_SAMPLE_ROWS = 50;
/** Characters of one cell of a sample or of a sample value; longer ones are cut. */
export const MAX_CELL_LENGTH = 200;
/** Sample values of a column. */
export const MAX_SAMPLE_VALUES = 5;
/** Characters of the intent that are read; the interface cuts a longer one. */
export const MAX_INTENT_LENGTH = 2_000;
/** Connections of a tenant. */
export const MAX_CONNECTIONS = 200;
/** Values in the JSON body of `propose`: enough for 500 tables of 100 columns. */
export const MAX_PROFILE_JSON_VALUES = 1_000_000;
/** Found references and keys in a profile. */
export const MAX_REFERENCES = 5_000;
export const MAX_KEYS = 20;

/** Rows of a referring table that values are looked up of. */
export const REFERRING_ROWS = 100_000;
/** Rows of a referenced table up to which references to it are looked up. */
export const MAX_REFERENCED_ROWS = 5_000_000;
/** Values of a referencing column that are looked up. */
export const REFERENCE_VALUES = 1_000;
/** Time limits in milliseconds: of one statement of a profile, and of testing a connection. */
export const STATEMENT_TIMEOUT_MS = 30_000;
export const CONNECT_TIMEOUT_MS = 10_000;
/** Tables that are profiled at a time. */
export const PROFILED_AT_A_TIME = 4;

/** Databases of uploaded files that are kept of a tenant. */
export const MAX_KEPT_UPLOADS = 100;

/** Time that a trace is kept. */
export const TRACE_TTL_MS = 30 * 86_400_000;
/** Tokens of a proposal of the language model. */
export const MAX_PROPOSAL_TOKENS = 16_000;
/** Times that the language model may mend its proposal. */
export const MAX_REPAIRS = 1;
/** Rows of `try-query`, and how long it may take. */
export const MAX_TRY_ROWS = 10_000;
export const TRY_QUERY_TIMEOUT_MS = 30_000;
/** Problems of a proposal that are reported. */
export const MAX_TOLD_PROBLEMS = 20;

/** Columns of a profile, or members of a proposal, up to which the detectors run on the event loop: some ten milliseconds. */
export const MAX_COLUMNS_WORKED_AT_ONCE = 300;
/** Time that a thread may take for one profile. */
export const WORK_TIMEOUT_MS = 60_000;
