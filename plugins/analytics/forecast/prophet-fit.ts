/**
 * The Prophet model: Taylor and Letham, "Forecasting at Scale", The American Statistician 72 (2018): a piecewise linear
 * trend whose slope changes sparsely, Fourier seasons, normal noise. The maximum a posteriori fit is found by
 * iteratively reweighted least squares: a Laplace prior is a normal one whose scale follows the size of the coefficient.
 */
import { dot, normalEquations, solveSymmetric } from '../numeric/least-squares.ts';
import { mean } from '../numeric/statistics.ts';
import type { Projection } from './projection.ts';

/** The model's own defaults: `n_changepoints`, `changepoint_range`, `changepoint_prior_scale`, `seasonality_prior_scale`. */
const CHANGEPOINTS = 25;
const CHANGEPOINT_RANGE = 0.8;
const CHANGEPOINT_SCALE = 0.05;
const SEASON_SCALE = 10;
const TREND_SCALE = 5;
/** Pairs of sine and cosine of a season: the default of its longest, fewer where the season has not as many points. */
const FOURIER_ORDER = 10;
const MAX_ROUNDS = 20;
/** Sum of the changes of all coefficients, in parts of the largest value, at which the fit is taken as found. */
const TOLERANCE = 1e-3;

export interface ProphetFit {
  readonly length: number;
  readonly periods: readonly number[];
  readonly scale: number;
  readonly changepoints: readonly number[];
  readonly coefficients: Float64Array;
  readonly fitted: Float64Array;
}

export function fitProphet(values: Float64Array, periods: readonly number[]): ProphetFit {
  const length = values.length;
  const scale = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) || 1;
  const target = values.map((value) => value / scale);
  const reach = Math.floor(CHANGEPOINT_RANGE * length);
  const count = Math.min(CHANGEPOINTS, reach - 1);
  const changepoints = Array.from(
    { length: Math.max(0, count) },
    (_, i) => Math.round(((i + 1) * (reach - 1)) / count) / (length - 1),
  );
  const columns = features(length, 0, length, changepoints, periods);
  const { matrix, right } = normalEquations(columns, target);
  const precisions = columns.map((_, i) => {
    if (i < 2) return 1 / TREND_SCALE ** 2;
    return i < 2 + changepoints.length ? 1 / CHANGEPOINT_SCALE ** 2 : 1 / SEASON_SCALE ** 2;
  });
  let noise = 0.1;
  let coefficients: Float64Array = new Float64Array(columns.length);
  const targetSquares = dot(target, target);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const penalised = matrix.map((row, i) => {
      const own = row.slice();
      own[i] = (own[i] ?? 0) + noise ** 2 * (precisions[i] ?? 0);
      return own;
    });
    const next = solveSymmetric(penalised, right);
    const change = next.reduce((sum, value, i) => sum + Math.abs(value - (coefficients[i] ?? 0)), 0);
    coefficients = next;
    noise = Math.max(1e-6, Math.sqrt(Math.max(0, squaredError(matrix, right, targetSquares, coefficients)) / length));
    for (let i = 0; i < changepoints.length; i++) {
      precisions[i + 2] = 1 / (CHANGEPOINT_SCALE * Math.max(1e-8, Math.abs(coefficients[i + 2] ?? 0)));
    }
    if (change < TOLERANCE) break;
  }
  return {
    length,
    periods,
    scale,
    changepoints,
    coefficients,
    fitted: combined(columns, coefficients).map((value) => value * scale),
  };
}

/**
 * Projects trend and seasons. The deviation is that of the trend alone: changes of slope keep coming as often, and as
 * large on average, as in the past (section 3.1.4 of the paper; the variance of its simulated paths in closed form).
 */
export function projectProphet(
  { length, periods, scale, changepoints, coefficients }: ProphetFit,
  horizon: number,
): Projection {
  const columns = features(horizon, length, length, changepoints, periods);
  const changes = coefficients.subarray(2, 2 + changepoints.length);
  const size = changepoints.length === 0 ? 0 : mean(changes.map(Math.abs));
  const rate = changepoints.length / CHANGEPOINT_RANGE;
  return {
    mean: combined(columns, coefficients).map((value) => value * scale),
    deviation: Float64Array.from({ length: horizon }, (_, h) => {
      const ahead = (h + 1) / (length - 1);
      return scale * Math.sqrt((rate * 2 * size ** 2 * ahead ** 3) / 3);
    }),
  };
}

/** Returns the regressors of `count` points from `first` on: constant, slope, changes of slope, sines and cosines. */
function features(
  count: number,
  first: number,
  length: number,
  changepoints: readonly number[],
  periods: readonly number[],
): readonly Float64Array[] {
  const column = (value: (index: number) => number) => Float64Array.from({ length: count }, (_, i) => value(first + i));
  const time = (index: number) => index / (length - 1);
  const waves = periods.flatMap((period) =>
    Array.from({ length: Math.min(FOURIER_ORDER, Math.floor(period / 2)) }, (_, k) => (2 * Math.PI * (k + 1)) / period),
  );
  return [
    column(() => 1),
    column(time),
    ...changepoints.map((point) => column((index) => Math.max(0, time(index) - point))),
    ...waves.flatMap((wave) => [column((index) => Math.sin(wave * index)), column((index) => Math.cos(wave * index))]),
  ];
}

/** Returns the sum of squared errors from the normal equations, without a pass over the points. */
function squaredError(
  matrix: readonly Float64Array[],
  right: Float64Array,
  targetSquares: number,
  coefficients: Float64Array,
): number {
  return matrix.reduce(
    (sum, row, i) => sum + (coefficients[i] ?? 0) * (dot(row, coefficients) - 2 * (right[i] ?? 0)),
    targetSquares,
  );
}

function combined(columns: readonly Float64Array[], coefficients: Float64Array): Float64Array {
  const sum = new Float64Array(columns[0]?.length ?? 0);
  columns.forEach((column, i) => {
    const factor = coefficients[i] ?? 0;
    for (let t = 0; t < sum.length; t++) sum[t] = (sum[t] ?? 0) + factor * (column[t] ?? 0);
  });
  return sum;
}
