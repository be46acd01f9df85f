import { ANOMALY_METHODS, type AnomalyMethod, type NoResultReason } from '../methods.ts';
import { at } from '../numeric/statistics.ts';
import { detectPeriods } from '../seasonality/detect-periods.ts';
import { madScores, type Scores, stlScores, zscores } from './scores.ts';

export interface AnomalyOptions {
  readonly method: AnomalyMethod;
  readonly threshold: number;
  /** Possible lengths of a season, ascending; `undefined` where the time axis has none. */
  readonly periods: readonly number[] | undefined;
}

export interface Anomaly {
  readonly index: number;
  readonly score: number;
  readonly expected: number;
  readonly direction: 'high' | 'low';
}

export type AnomalyResult =
  | { readonly method: AnomalyMethod; readonly anomalies: readonly Anomaly[] }
  | { readonly reason: NoResultReason };

/** Finds the points that differ from the expected value by `threshold` deviations or more. */
export function detectAnomalies(values: Float64Array, { method, threshold, periods }: AnomalyOptions): AnomalyResult {
  if (values.length < ANOMALY_METHODS[method].minPoints) return { reason: 'too_short' };
  if (values.every((value) => value === values[0])) return { reason: 'constant' };
  const { used, scores } = scored(values, method, periods);
  const anomalies: Anomaly[] = [];
  scores.score.forEach((score, index) => {
    if (!(Math.abs(score) >= threshold)) return;
    anomalies.push({
      index,
      score: Math.abs(score),
      expected: at(scores.expected, index),
      direction: score > 0 ? 'high' : 'low',
    });
  });
  return { method: used, anomalies };
}

function scored(
  values: Float64Array,
  method: AnomalyMethod,
  candidates: readonly number[] | undefined,
): { readonly used: AnomalyMethod; readonly scores: Scores } {
  if (method === 'mad') return { used: method, scores: madScores(values) };
  const periods = detectPeriods(values, candidates);
  if (method === 'stl' && periods.length > 0) return { used: method, scores: stlScores(values, periods) };
  return { used: 'zscore', scores: zscores(values, periods.at(-1)) };
}
