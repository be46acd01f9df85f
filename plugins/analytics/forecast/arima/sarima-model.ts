/** Fits and projects a seasonal ARIMA model of a given order, by conditional least squares: Box and Jenkins. */
import { keptOfValues } from '../../numeric/kept-of-values.ts';
import { minimiseSquares } from '../../numeric/levenberg-marquardt.ts';
import { mean } from '../../numeric/statistics.ts';
import { cumulativeDeviation } from '../autoregression.ts';
import { type Differencing, difference, integrate, integratedWeights } from '../differencing.ts';
import { FIT_ROUNDS, type FitOptions } from '../fit-options.ts';
import { degreesOf, type Projection, predictionVariance, SEARCH_PARAMETERS } from '../projection.ts';

export interface SarimaOrder extends Differencing {
  readonly p: number;
  readonly q: number;
  readonly seasonalP: number;
  readonly seasonalQ: number;
  readonly hasConstant: boolean;
}

export interface SarimaFit {
  readonly order: SarimaOrder;
  /** Where the search for the coefficients ended: a fit of the order to similar values may start there. */
  readonly point: readonly number[];
  /** Coefficients of the multiplied polynomials, written for the right hand side. */
  readonly ar: Terms;
  readonly ma: Terms;
  readonly constant: number;
  readonly variance: number;
  readonly degrees: number;
  readonly errors: Float64Array;
  /** The differenced series without its constant. */
  readonly stationary: Float64Array;
  readonly aicc: number;
}

interface Terms {
  readonly lags: Int32Array;
  readonly coefficients: Float64Array;
}

/** Fits one order; `undefined` where the series is too short for it. */
export function fitSarima(
  values: Float64Array,
  order: SarimaOrder,
  { maxRounds = FIT_ROUNDS, start }: FitOptions = {},
): SarimaFit | undefined {
  const { p, q, seasonalP, seasonalQ, period, hasConstant } = order;
  const { stationary, constant } = stationaryOf(values, order);
  const first = p + seasonalP * period;
  const used = stationary.length - first;
  const size = p + q + seasonalP + seasonalQ + (hasConstant ? 1 : 0) + 1;
  if (used < size + 3 || stationary.length - size - 1 <= 0) return undefined;
  const ar = makeTerms(p, seasonalP, period);
  const ma = makeTerms(q, seasonalQ, period);
  // The errors before the first one are zero. The padding has as many as the longest lag reads.
  const padding = Math.max(first, q + seasonalQ * period);
  const padded = new Float64Array(padding + used);
  const errorsAt = (point: Float64Array, errors: Float64Array) => {
    writeProduct(ar, point, 0, p, seasonalP, 1);
    writeProduct(ma, point, p + seasonalP, q, seasonalQ, -1);
    return conditionalSquares(stationary, first, ar, ma, padded, padding, errors);
  };
  const usual = Array.from({ length: p + q + seasonalP + seasonalQ }, () => 0.1);
  const { point } = minimiseSquares(errorsAt, start ?? usual, used, { maxRounds });
  const squares = errorsAt(point, new Float64Array(used));
  const count = stationary.length;
  const aicc = count * Math.log(squares / used + 1e-300) + 2 * size + (2 * size * (size + 1)) / (count - size - 1);
  const errors = padded.slice(padding - first);
  const estimated = size - 1 + SEARCH_PARAMETERS;
  const variance = predictionVariance(squares, used, estimated);
  const degrees = degreesOf(used, estimated);
  return { order, point: [...point], ar, ma, constant, variance, degrees, errors, stationary, aicc };
}

interface Stationary {
  readonly stationary: Float64Array;
  readonly constant: number;
}

/** Returns the differences of values without their constant. The orders of a search share the result. */
const stationaryOf = keptOfValues(
  (values, { hasConstant, ...order }: Pick<SarimaOrder, 'd' | 'seasonalD' | 'period' | 'hasConstant'>): Stationary => {
    const differenced = difference(values, order);
    const constant = hasConstant ? mean(differenced) : 0;
    return { stationary: differenced.map((value) => value - constant), constant };
  },
  ({ d, seasonalD, period, hasConstant }) => `${d} ${seasonalD} ${period} ${hasConstant}`,
);

/** Projects the fit back to the scale of `values`. */
export function projectSarima(fit: SarimaFit, values: Float64Array, horizon: number): Projection {
  const { order, ar, ma, constant, errors, stationary, variance, degrees } = fit;
  const n = stationary.length;
  const path = new Float64Array(n + horizon);
  path.set(stationary);
  const future = new Float64Array(horizon);
  const weights = new Float64Array(horizon);
  for (let h = 0; h < horizon; h++) {
    let next = 0;
    let weight = h === 0 ? 1 : 0;
    ar.lags.forEach((lag, k) => {
      if (n + h >= lag) next += (ar.coefficients[k] ?? 0) * (path[n + h - lag] ?? 0);
      if (h >= lag) weight += (ar.coefficients[k] ?? 0) * (weights[h - lag] ?? 0);
    });
    ma.lags.forEach((lag, k) => {
      if (lag > h && n + h >= lag) next += (ma.coefficients[k] ?? 0) * (errors[n + h - lag] ?? 0);
      if (lag === h) weight += ma.coefficients[k] ?? 0;
    });
    path[n + h] = next;
    future[h] = next + constant;
    weights[h] = weight;
  }
  return {
    mean: integrate(future, values, order),
    deviation: cumulativeDeviation(integratedWeights(weights, order), variance),
    degrees,
  };
}

/** Writes the errors from `first` on and sums their squares; `padded` is memory for them with `padding` zeros before the first. */
function conditionalSquares(
  values: Float64Array,
  first: number,
  ar: Terms,
  ma: Terms,
  padded: Float64Array,
  padding: number,
  errors: Float64Array,
): number {
  // Lag by lag: a loop without a loop inside is several times faster.
  for (let t = first, place = padding; t < values.length; t++, place++) padded[place] = values[t] ?? 0;
  for (let k = 0; k < ar.lags.length; k++) {
    const coefficient = ar.coefficients[k] ?? 0;
    const lag = ar.lags[k] ?? 0;
    for (let t = first, place = padding; t < values.length; t++, place++) {
      padded[place] = (padded[place] ?? 0) - coefficient * (values[t - lag] ?? 0);
    }
  }
  let squares = 0;
  for (let place = padding; place < padded.length; place++) {
    let error = padded[place] ?? 0;
    // The last error comes last: only its product has to wait for it.
    for (let k = ma.lags.length - 1; k >= 0; k--) {
      error -= (ma.coefficients[k] ?? 0) * (padded[place - (ma.lags[k] ?? 0)] ?? 0);
    }
    padded[place] = error;
    errors[place - padding] = error;
    squares += error * error;
  }
  return squares;
}

/** Returns the lags of a polynomial times a seasonal one, with room for their coefficients. */
function makeTerms(plain: number, seasonal: number, period: number): Terms {
  const lags = Array.from({ length: plain }, (_, i) => i + 1);
  for (let j = 1; j <= seasonal; j++) for (let i = 0; i <= plain; i++) lags.push(j * period + i);
  return { lags: Int32Array.from(lags), coefficients: new Float64Array(lags.length) };
}

/**
 * Writes the coefficients of the product of two polynomials, written for the right hand side. Their parameters start
 * at `from` of the point. Sign 1 is for past values, -1 for past errors.
 */
function writeProduct(
  { coefficients }: Terms,
  point: Float64Array,
  from: number,
  plain: number,
  seasonal: number,
  sign: 1 | -1,
): void {
  writeStable(coefficients, 0, 1, point, from, plain);
  writeStable(coefficients, plain, plain + 1, point, from + plain, seasonal);
  for (let i = 0; i < plain; i++) coefficients[i] = sign * (coefficients[i] ?? 0);
  for (let j = 0; j < seasonal; j++) {
    const place = plain + j * (plain + 1);
    const factor = sign * (coefficients[place] ?? 0);
    coefficients[place] = factor;
    for (let i = 0; i < plain; i++) coefficients[place + 1 + i] = -sign * factor * (coefficients[i] ?? 0);
  }
}

/**
 * Maps any numbers to coefficients of a stationary (invertible) polynomial: Monahan (1984). They are written `step` places
 * apart.
 */
function writeStable(
  into: Float64Array,
  at: number,
  step: number,
  point: Float64Array,
  from: number,
  count: number,
): void {
  for (let k = 0; k < count; k++) {
    const partial = 0.99 * Math.tanh(point[from + k] ?? 0);
    for (let i = 0, j = k - 1; i <= j; i++, j--) {
      const [low, high] = [at + step * i, at + step * j];
      const [left, right] = [into[low] ?? 0, into[high] ?? 0];
      into[low] = left - partial * right;
      into[high] = right - partial * left;
    }
    into[at + step * k] = partial;
  }
}
