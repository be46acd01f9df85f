/** A statement is listed as running from this age on, in milliseconds. */
export const LISTED_FROM_MS = 1_000;
/** The interval in which a node reports its long statements and looks for requests to stop them, in milliseconds. */
export const REPORT_EVERY_MS = 1_000;
/** Time without a report after which the node of a statement counts as dead, in milliseconds. */
export const SILENT_MS = 15_000;
/** Time for which slow statements are kept, in milliseconds. */
export const KEEP_SLOW_MS = 7 * 86_400_000;
/** The most slow statements of a tenant that are kept. */
export const MAX_SLOW_OF_TENANT = 500;
/** Statements and plans are cut after this many characters. */
export const MAX_TEXT_LENGTH = 20_000;
