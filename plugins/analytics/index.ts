/** Anomaly detection and forecasting: the methods, which depend on no surface, and their use by the surfaces. */

export {
  type AxisField,
  analyseAnswer as analysed,
  labelForecast as labelledAhead,
  markRecords,
  readSeriesTable as seriesTable,
  requireTimeAxis,
  requireWhole,
} from './answer/analyse-answer.ts';
export {
  type AnalyticsOptions,
  type AnomalyReport,
  findAnomalies,
  makeForecasts,
  type SeriesTable,
} from './answer/analyse-series.ts';
export type { ForecastStep } from './forecast/forecast.ts';
export { FORECAST_MODELS } from './forecast-models.ts';
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
export { inlinePool } from './work/inline-pool.ts';
export type { AnalyticsPool, AnalyticsResult, AnalyticsTask } from './work/task.ts';
