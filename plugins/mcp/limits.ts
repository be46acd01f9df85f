/** Resources and prompts in one page of a list. */
export const PAGE_SIZE = 200;

/** Values of one completion: the most that the protocol allows. */
export const MAX_COMPLETIONS = 100;

/** How often a client that asked for progress is told that a call still runs. */
export const PROGRESS_INTERVAL_MS = 1_000;

/** Characters of a resource's address. */
export const MAX_URI_LENGTH = 2_000;
