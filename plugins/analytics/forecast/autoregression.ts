/** Fits autoregressions by least squares, also with several seasons: the AR part of a (multi-)seasonal ARIMA model. */
import { combination, crossProducts, projections, solveSymmetric } from '../numeric/least-squares.ts';
import { degreesOf, predictionVariance } from './projection.ts';

export interface Autoregression {
  readonly lags: readonly number[];
  readonly coefficients: Float64Array;
  /** Variance of the one step errors. */
  readonly variance: number;
  readonly degrees: number;
  readonly aicc: number;
}

/** Shrinks each coefficient a little, so that collinear lags do no harm. */
const RIDGE = 1e-3;

/**
 * Fits an autoregression on `lags` to centred values, on the points from `first` on, so that models of other lags may be
 * compared on the same points. `estimated` counts parameters that were estimated before. `undefined` where there are fewer
 * than two points for each coefficient.
 */
export function fitAutoregression(
  values: Float64Array,
  lags: readonly number[],
  first = Math.max(0, ...lags),
  estimated = 1,
): Autoregression | undefined {
  const count = values.length - first;
  if (count < 2 * lags.length + 4) return undefined;
  const target = values.subarray(first);
  const columns = lags.map((lag) => values.subarray(first - lag, values.length - lag));
  const matrix = crossProducts(columns);
  for (let i = 0; i < matrix.length; i += lags.length + 1) matrix[i] = (matrix[i] ?? 0) * (1 + RIDGE) + 1e-12;
  const coefficients = solveSymmetric(matrix, projections(columns, target));
  const fitted = combination(columns, coefficients);
  let squares = 0;
  for (let t = 0; t < count; t++) squares += ((target[t] ?? 0) - (fitted[t] ?? 0)) ** 2;
  const size = lags.length + 2;
  const aicc = count * Math.log(squares / count + 1e-300) + 2 * size + (2 * size * (size + 1)) / (count - size - 1);
  const parameters = lags.length + estimated;
  const variance = predictionVariance(squares, count, parameters);
  return { lags, coefficients, variance, degrees: degreesOf(count, parameters), aicc };
}

/**
 * Projects centred values. Also returns the weights by which past errors enter the path (Box and Jenkins, chapter 5):
 * the deviation follows from them once differences are undone.
 */
export function projectAutoregression(
  { lags, coefficients }: Autoregression,
  values: Float64Array,
  horizon: number,
): { readonly mean: Float64Array; readonly weights: Float64Array } {
  const path = new Float64Array(values.length + horizon);
  path.set(values);
  const weights = new Float64Array(horizon);
  for (let h = 0; h < horizon; h++) {
    let next = 0;
    let weight = h === 0 ? 1 : 0;
    lags.forEach((lag, i) => {
      next += (coefficients[i] ?? 0) * (path[values.length + h - lag] ?? 0);
      if (h >= lag) weight += (coefficients[i] ?? 0) * (weights[h - lag] ?? 0);
    });
    path[values.length + h] = next;
    weights[h] = weight;
  }
  return { mean: path.slice(values.length), weights };
}

/** Steps, in longest lags, after which the effect of an error is checked. */
const STABILITY_CYCLES = 4;

/** Returns whether the effect of an error dies away, which least squares alone does not guarantee. */
export function isStable({ lags, coefficients }: Pick<Autoregression, 'lags' | 'coefficients'>): boolean {
  const longest = Math.max(1, ...lags);
  const weights = new Float64Array((STABILITY_CYCLES + 1) * longest);
  for (let h = 0; h < weights.length; h++) {
    let weight = h === 0 ? 1 : 0;
    for (let i = 0; i < lags.length; i++) {
      const lag = lags[i] ?? 0;
      if (h >= lag) weight += (coefficients[i] ?? 0) * (weights[h - lag] ?? 0);
    }
    weights[h] = weight;
  }
  return weights.subarray(-longest).every((weight) => Math.abs(weight) < 1);
}

/** Returns the deviations of errors that add up with these weights. */
export function cumulativeDeviation(weights: Float64Array, variance: number): Float64Array {
  let sum = 0;
  return weights.map((weight) => {
    sum += weight * weight;
    return Math.sqrt(variance * sum);
  });
}

/**
 * The most cycles of the shortest season before which a longer season begins. The effort grows with the square of the
 * lags: all 52 weeks of a year would take seconds, and the forecasts are no better.
 */
export const MAX_NEAR_CYCLES = 8;

/**
 * Returns the lags `i + j·period` of a multiplicative seasonal autoregression of order p, upwards. With one season, j goes up
 * to `order`; with several, over the cycles of the shortest one up to one cycle of the longest, the near and the last ones.
 */
export function seasonalLags(p: number, order: number, periods: readonly number[]): readonly number[] {
  const [shortest = 0] = periods;
  const longest = Math.max(0, ...periods);
  const cycles = longest > shortest ? Math.floor(longest / shortest) : shortest === 0 ? 0 : order;
  const starts = Array.from({ length: Math.min(cycles, MAX_NEAR_CYCLES) + 1 }, (_, j) => j * shortest);
  if (cycles > MAX_NEAR_CYCLES) starts.push(cycles * shortest, longest);
  const lags = new Set(starts.flatMap((start) => Array.from({ length: p + 1 }, (_, i) => start + i)));
  lags.delete(0);
  return [...lags].sort((left, right) => left - right);
}
