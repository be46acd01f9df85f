/** Limits of anomaly detection and forecasting. */
export const MIN_HORIZON = 1;
export const MAX_HORIZON = 365;
/** The fewest values that are continued. Below the fewest of a method, the forecast is a simple one. */
export const MIN_FORECAST_POINTS = 3;
export const DEFAULT_HORIZON = 6;
export const DEFAULT_INTERVAL = 0.95;
/** The largest interval. Nearer to 1, its bounds approach infinity. */
export const MAX_INTERVAL = 0.9999;
export const MAX_THRESHOLD = 1_000;
/** The most series of one request: combinations of the other fields, times metrics. */
export const MAX_SERIES = 500;
/** The most points of one series after gaps are filled. */
export const MAX_POINTS = 5_000;
/** The most points of all series of one request. */
export const MAX_TOTAL_POINTS = 200_000;
/** The most points of one worker task, so that other requests can run between the tasks of a long one. */
export const TASK_POINTS_LIMIT = 2_000;
/** The most characters of a time axis' name. */
export const MAX_AXIS_NAME = 1_000;
/** Rows that the serving thread reads between two checks of the clock. */
export const ROWS_BETWEEN_YIELDS = 200;
/**
 * The milliseconds for which the serving thread works on series without a pause. With a garbage collection it stays below
 * 20, the longest that other requests may wait.
 */
export const HOLD_MS = 4;
/** The time limit for the fits of one request, in milliseconds. */
export const ANALYTICS_TIMEOUT_MS = 60_000;
