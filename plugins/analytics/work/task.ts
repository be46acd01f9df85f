/** The task of a worker thread: scores or continues a few series. */
import type { WorkerPool } from '../../../router/capabilities/worker-pool.ts';
import { type AnomalyOptions, type AnomalyResult, detectAnomalies } from '../anomaly/detect-anomalies.ts';
import { type ForecastOptions, type ForecastResult, forecast } from '../forecast/forecast.ts';

export type AnalyticsTask =
  | { readonly kind: 'anomaly'; readonly series: readonly Float64Array[]; readonly options: AnomalyOptions }
  | {
      readonly kind: 'forecast';
      readonly series: readonly Float64Array[];
      readonly options: Omit<ForecastOptions, 'horizon' | 'gaps'>;
      /** Horizon of each series. */
      readonly horizons: readonly number[];
      /** Positions of the values that were filled in, for each series. */
      readonly gaps: readonly (readonly number[])[];
    };

export type AnalyticsResult =
  | { readonly kind: 'anomaly'; readonly results: readonly AnomalyResult[] }
  | { readonly kind: 'forecast'; readonly results: readonly ForecastResult[] };

/** The threads that run tasks. */
export type AnalyticsPool = WorkerPool<AnalyticsTask, AnalyticsResult>;

/** Runs one task in the calling thread. */
export function runAnalyticsTask(task: AnalyticsTask): AnalyticsResult {
  if (task.kind === 'anomaly') {
    return { kind: 'anomaly', results: task.series.map((values) => detectAnomalies(values, task.options)) };
  }
  return {
    kind: 'forecast',
    results: task.series.map((values, i) =>
      forecast(values, { ...task.options, horizon: task.horizons[i] ?? 1, gaps: task.gaps[i] }),
    ),
  };
}
