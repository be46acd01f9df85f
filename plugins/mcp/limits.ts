/** Resources and prompts in one page of a list. */
export const PAGE_SIZE = 200;

/** Values of one completion: the most that the protocol allows. */
export const MAX_COMPLETIONS = 100;

/** The interval of progress messages to a client that asked for them, while a call runs. */
export const PROGRESS_INTERVAL_MS = 1_000;

/**
 * Characters of an answer as JSON: more than any agent reads, and as many as the protocol's library, which writes an answer
 * in one go, writes without holding up others.
 */
export const MAX_ANSWER_LENGTH = 1_000_000;

/** Characters of a resource's address. */
export const MAX_URI_LENGTH = 2_000;

/** Characters of the rows of one page, as JSON. Further rows are sent on request: clients cut longer results. */
export const MAX_PAGE_LENGTH = 24_000;

/** The time for which a handle of further rows is good, in milliseconds. */
export const KEEP_CALLS_MS = 60 * 60_000;
