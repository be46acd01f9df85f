/**
 * Complex exponential smoothing without season: Svetunkov, Kourentzes and Ord, "Complex exponential smoothing", Naval
 * Research Logistics 69 (2022), section 3. The complex smoothing parameter is a0 + i·a1. Its state has a level and the
 * potential information of the series, and its forecasts range from a level to a trend without a choice between them.
 */
import { minimiseSquares } from '../../numeric/levenberg-marquardt.ts';
import { mean } from '../../numeric/statistics.ts';
import { cumulativeDeviation } from '../autoregression.ts';
import { FIT_ROUNDS, type FitOptions } from '../fit-options.ts';
import { degreesOf, type Projection, predictionVariance } from '../projection.ts';

export interface CesParameters {
  /** The real part of the smoothing parameter. */
  readonly real: number;
  readonly imaginary: number;
}

export interface CesState {
  readonly level: number;
  readonly potential: number;
}

export interface CesFit {
  /** Where the search for the parameters ended: a fit to similar values may start there. */
  readonly point: readonly number[];
  readonly parameters: CesParameters;
  readonly state: CesState;
  readonly variance: number;
  readonly degrees: number;
}

const MIN_POINTS = 12;
/** The smoothing parameter and the first state. */
const PARAMETERS = 4;
/** Where the search begins: a stable parameter near 1 + i, at which the level is simply smoothed. */
const START: CesParameters = { real: 1.3, imaginary: 1 };
/** The values that estimate the first level. */
const FIRST_POINTS = 10;

/** Fits the model by least squares of the one step errors; `undefined` for fewer than twelve values. */
export function fitCes(
  values: Float64Array,
  { maxRounds = FIT_ROUNDS, start = [0, 0, 0, 0] }: FitOptions = {},
): CesFit | undefined {
  if (values.length < MIN_POINTS) return undefined;
  const first = values.subarray(0, FIRST_POINTS);
  const center = mean(first);
  const spread = Math.max(1e-12, mean(values.map((value) => Math.abs(value - center))));
  const read = (point: Float64Array): { readonly parameters: CesParameters; readonly state: CesState } => {
    const level = center + (point[2] ?? 0) * spread;
    return {
      parameters: { real: START.real + (point[0] ?? 0), imaginary: START.imaginary + (point[1] ?? 0) },
      // A level that stays has this potential at the start of the search.
      state: { level, potential: level / START.real + (point[3] ?? 0) * spread },
    };
  };
  const { point, squares } = minimiseSquares(
    (trial, errors) => {
      const { parameters, state } = read(trial);
      return isStableCes(parameters) ? smoothed(values, parameters, state, errors).squares : Number.NaN;
    },
    start,
    values.length,
    { maxRounds },
  );
  if (!Number.isFinite(squares)) return undefined;
  const { parameters, state } = read(point);
  const { last } = smoothed(values, parameters, state, new Float64Array(values.length));
  return {
    point: [...point],
    parameters,
    state: last,
    variance: predictionVariance(squares, values.length, PARAMETERS),
    degrees: degreesOf(values.length, PARAMETERS),
  };
}

/** Projects the expected path; errors enter it as in any linear state space model (Hyndman et al. 2008, chapter 6). */
export function projectCes(
  { parameters, state, variance, degrees }: Omit<CesFit, 'point'>,
  horizon: number,
): Projection {
  const { real, imaginary } = parameters;
  const path = new Float64Array(horizon);
  const weights = new Float64Array(horizon);
  let [now, effect] = [state, { level: real - imaginary, potential: real + imaginary }];
  for (let h = 0; h < horizon; h++) {
    path[h] = now.level;
    weights[h] = h === 0 ? 1 : effect.level;
    if (h > 0) effect = nextCes(effect, 0, parameters);
    now = nextCes(now, 0, parameters);
  }
  return { mean: path, deviation: cumulativeDeviation(weights, variance), degrees };
}

/** Returns the state after an error. */
export function nextCes({ level, potential }: CesState, error: number, { real, imaginary }: CesParameters): CesState {
  return {
    level: level - (1 - imaginary) * potential + (real - imaginary) * error,
    potential: level + (1 - real) * potential + (real + imaginary) * error,
  };
}

/**
 * Returns whether the effect of the first state dies away: both eigenvalues of the discount matrix are within the unit
 * circle (Jury's conditions).
 */
export function isStableCes({ real, imaginary }: CesParameters): boolean {
  const trace = 1 - real + imaginary + (1 - real);
  const determinant = (1 - real + imaginary) * (1 - real) + (1 - imaginary) * (1 - real - imaginary);
  return determinant < 1 && 1 + trace + determinant > 0 && 1 - trace + determinant > 0;
}

/** Writes the errors, and returns the sum of their squares and the last state. */
function smoothed(
  values: Float64Array,
  { real, imaginary }: CesParameters,
  first: CesState,
  errors: Float64Array,
): { readonly squares: number; readonly last: CesState } {
  let { level, potential } = first;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    const error = (values[i] ?? 0) - level;
    errors[i] = error;
    squares += error * error;
    const nextLevel = level - (1 - imaginary) * potential + (real - imaginary) * error;
    potential = level + (1 - real) * potential + (real + imaginary) * error;
    level = nextLevel;
  }
  return { squares, last: { level, potential } };
}
