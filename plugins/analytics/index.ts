/** Anomaly detection and forecasting: methods free of any surface, and how the surfaces use them. */
export {
  type AnalyticsOptions,
  type AnalyticsPool,
  type AnomalyReport,
  findAnomalies,
  makeForecasts,
  type SeriesTable,
} from './analytics.ts';
export { inlinePool } from './inline-pool.ts';
export { HOLD_MS, ROWS_BETWEEN_YIELDS } from './limits.ts';
export { ANOMALY_METHODS, FORECAST_METHODS } from './methods.ts';
export {
  Analysis,
  AnomalySummary,
  anomalyParameters,
  CellAnomaly,
  Forecasts,
  forecastParameters,
  isAnomalySummary,
  isForecasts,
} from './schemas.ts';
export type { SeriesRow } from './series/build.ts';
export { mergedOrder } from './series/member-order.ts';
export { orderedAxis, readTimeAxis, type TimeAxis } from './series/time-axis.ts';
export {
  type AxisField,
  analysed,
  labelledAhead,
  markRecords,
  readAnalysis,
  requireTimeAxis,
  requireWhole,
  seriesTable,
} from './tabular.ts';
export type { AnalyticsResult, AnalyticsTask } from './task.ts';
