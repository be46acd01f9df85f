/**
 * The dynamic optimised Theta model: Fiorucci, Pellegrini, Louzada, Petropoulos and Koehler, "Models for optimising the Theta
 * method and their relationship to state space models", International Journal of Forecasting 32 (2016), section 3. With
 * θ = 2 it is the Theta method of Assimakopoulos and Nikolopoulos (2000).
 */
import { minimiseSquares } from '../../numeric/levenberg-marquardt.ts';
import { mean } from '../../numeric/statistics.ts';
import { cumulativeDeviation } from '../autoregression.ts';
import { FIT_ROUNDS, type FitOptions } from '../fit-options.ts';
import { degreesOf, type Projection, predictionVariance } from '../projection.ts';

/** The parameters of the model. */
export interface ThetaParameters {
  /** The smoothing of the level, between 0 and 1. */
  readonly alpha: number;
  /** The weight of the line of theta, at least 1. With 1, the model is simple exponential smoothing. */
  readonly theta: number;
  readonly firstLevel: number;
}

/** The state after `count` values. */
export interface ThetaState {
  readonly count: number;
  readonly level: number;
  /** The straight line by least squares through all values so far. */
  readonly intercept: number;
  readonly slope: number;
  readonly average: number;
  /** (1 - alpha) to the power of `count`. */
  readonly decay: number;
}

export interface ThetaFit {
  /** Where the search for the parameters ended: a fit to similar values may start there. */
  readonly point: readonly number[];
  readonly parameters: ThetaParameters;
  readonly state: ThetaState;
  readonly variance: number;
  readonly degrees: number;
}

const MIN_POINTS = 4;
/** Where the search begins: equal weights of old and new values, and theta 2. */
const START = [0, 0, 0];
/** The parameters that the errors pay for. The first level uses up the first value, which has no error. */
const PAID_PARAMETERS = 2;
/** Bounds of alpha, inside the range from 0 to 1 of the paper: the recursions divide by it. */
const ALPHA = { low: 0.1, high: 0.99 } as const;
/** The largest logarithm of theta - 1. Beyond it, the forecasts no longer change. */
const MAX_LOG_THETA = 8;

/** Fits the parameters by least squares of the one step errors; `undefined` for fewer than four values. */
export function fitTheta(
  values: Float64Array,
  { maxRounds = FIT_ROUNDS, start = START }: FitOptions = {},
): ThetaFit | undefined {
  if (values.length < MIN_POINTS) return undefined;
  const center = mean(values);
  const spread = Math.max(1e-12, mean(values.map((value) => Math.abs(value - center))));
  const { point, squares } = minimiseSquares(
    (trial, errors) => squaresOf(values, readParameters(trial, values, spread), errors),
    start,
    values.length,
    { maxRounds },
  );
  if (!Number.isFinite(squares)) return undefined;
  const parameters = readParameters(point, values, spread);
  const count = values.length - 1;
  return {
    point: [...point],
    parameters,
    state: values.reduce((state, next) => nextState(state, next, parameters), firstState(parameters)),
    variance: predictionVariance(squares, count, PAID_PARAMETERS),
    degrees: degreesOf(count, PAID_PARAMETERS),
  };
}

/** Projects the expected path. The deviation follows from the effect of one error on the path. */
export function projectTheta(
  { parameters, state, variance, degrees }: Omit<ThetaFit, 'point'>,
  horizon: number,
): Projection {
  const path = continuedPath(state, parameters, horizon, 0);
  const moved = continuedPath(state, parameters, horizon, 1);
  const weights = moved.map((value, h) => value - (path[h] ?? 0));
  return { mean: path, deviation: cumulativeDeviation(weights, variance), degrees };
}

export function firstState({ firstLevel }: ThetaParameters): ThetaState {
  return { count: 0, level: firstLevel, intercept: 0, slope: 0, average: 0, decay: 1 };
}

/** Returns the expected next value: the level, and a share of the line by least squares. */
function expectedNext({ level, intercept, slope, decay }: ThetaState, { alpha, theta }: ThetaParameters): number {
  return level + (1 - 1 / theta) * (decay * intercept + ((1 - decay * (1 - alpha)) / alpha) * slope);
}

/** Returns the state after the next value. The line's recursions give the line by least squares at once. */
export function nextState(state: ThetaState, value: number, { alpha }: ThetaParameters): ThetaState {
  const t = state.count + 1;
  const average = ((t - 1) * state.average + value) / t;
  const slope = t === 1 ? 0 : ((t - 2) * state.slope + (6 * (value - state.average)) / t) / (t + 1);
  return {
    count: t,
    level: alpha * value + (1 - alpha) * state.level,
    intercept: average - ((t + 1) / 2) * slope,
    slope,
    average,
    decay: state.decay * (1 - alpha),
  };
}

/** Continues the path with its own expectation. The first value differs from it by `shock`. */
function continuedPath(last: ThetaState, parameters: ThetaParameters, horizon: number, shock: number): Float64Array {
  let state = last;
  return Float64Array.from({ length: horizon }, (_, h) => {
    const value = expectedNext(state, parameters) + (h === 0 ? shock : 0);
    state = nextState(state, value, parameters);
    return value;
  });
}

/**
 * Writes the errors and sums their squares, without the first value: it only starts the lines. The recursions are written out, because a fit
 * repeats them some hundred times.
 */
function squaresOf(values: Float64Array, { alpha, theta, firstLevel }: ThetaParameters, errors: Float64Array): number {
  const share = 1 - 1 / theta;
  let [level, intercept, slope, average, decay, squares] = [firstLevel, 0, 0, 0, 1, 0];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    const t = i + 1;
    if (i > 0) {
      const next = level + share * (decay * intercept + ((1 - decay * (1 - alpha)) / alpha) * slope);
      errors[i] = value - next;
      squares += (value - next) * (value - next);
      slope = ((t - 2) * slope + (6 * (value - average)) / t) / (t + 1);
    }
    average += (value - average) / t;
    intercept = average - ((t + 1) / 2) * slope;
    level = alpha * value + (1 - alpha) * level;
    decay *= 1 - alpha;
  }
  return squares;
}

function readParameters(point: Float64Array, values: Float64Array, spread: number): ThetaParameters {
  const theta = 1 + Math.exp(Math.min(MAX_LOG_THETA, point[1] ?? 0));
  return {
    alpha: ALPHA.low + (ALPHA.high - ALPHA.low) / (1 + Math.exp(-(point[0] ?? 0))),
    theta,
    firstLevel: (values[0] ?? 0) / theta + (point[2] ?? 0) * spread,
  };
}
