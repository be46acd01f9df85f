/** Limits of anomaly detection and forecasting. */
export const MIN_HORIZON = 1;
export const MAX_HORIZON = 365;
export const DEFAULT_HORIZON = 6;
export const DEFAULT_INTERVAL = 0.95;
/** Nearer to 1, the bounds approach infinity and carry no information. */
export const MAX_INTERVAL = 0.9999;
export const MAX_THRESHOLD = 1_000;
/** Series of one request: combinations of the other fields, times metrics. */
export const MAX_SERIES = 500;
/** Points of one series after gaps are filled. */
export const MAX_POINTS = 5_000;
/** Points of all series of one request. */
export const MAX_TOTAL_POINTS = 200_000;
/** Points of one worker task at most, so that a long request leaves room for others. */
export const TASK_POINTS_LIMIT = 2_000;
/** Longest name of a time axis. */
export const MAX_AXIS_NAME = 1_000;
/** Rows that the thread that serves looks at between two looks at the clock. */
export const ROWS_BETWEEN_YIELDS = 200;
/**
 * Milliseconds that the serving thread works on series at a time. With a garbage collection this stays below 20, the
 * longest that other requests may wait.
 */
export const HOLD_MS = 4;
/** Milliseconds that the fits of one request may take. */
export const ANALYTICS_TIMEOUT_MS = 60_000;
