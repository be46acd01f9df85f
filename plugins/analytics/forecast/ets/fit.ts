/** Fits one exponential smoothing model by maximum likelihood, and projects it. */
import { minimiseSquares } from '../../numeric/levenberg-marquardt.ts';
import { mean } from '../../numeric/statistics.ts';
import { cumulativeDeviation } from '../autoregression.ts';
import { FIT_ROUNDS, type FitOptions } from '../fit-options.ts';
import { degreesOf, type Projection, predictionVariance } from '../projection.ts';
import { advance, copyState, type EtsForm, type EtsParameters, type EtsState, smoothedNext } from './model.ts';
import { initialState } from './start-state.ts';

export interface EtsFit {
  readonly form: EtsForm;
  /** Where the search for the parameters ended: a fit of the form to similar values may start there. */
  readonly point: readonly number[];
  readonly parameters: EtsParameters;
  /** The state after the last observation. */
  readonly state: EtsState;
  /** Variance of the one step errors, relative where the form's errors are multiplicative. */
  readonly variance: number;
  readonly degrees: number;
  /** Akaike's criterion with the correction for short series; infinite where the series is too short for the model. */
  readonly aicc: number;
}

/** Smallest distance of a parameter from the ends of its range. */
const EDGE = 1e-4;
/** Range of the damping: Hyndman and Khandakar (2008), section 2.2. */
const PHI = { low: 0.8, high: 0.98 } as const;

/** The most rounds of the search for the parameters when forms are compared. */
export const SEARCH_ROUNDS = 8;

/**
 * Fits the form; `undefined` where it does not suit the values, such as a multiplicative form with expected values that are
 * not positive.
 */
export function fitEts(
  values: Float64Array,
  form: EtsForm,
  { maxRounds = FIT_ROUNDS, start = startingPoint(form) }: FitOptions = {},
): EtsFit | undefined {
  const initial = initialState(values, form);
  const center = mean(values);
  const spread = Math.max(1e-12, mean(values.map((value) => Math.abs(value - center))));
  const trial: Trial = {
    parameters: { alpha: 0, beta: 0, gammas: new Float64Array(form.periods.length), phi: 0, rho: 0 },
    state: copyState(initial),
    squares: 0,
  };
  const errorsAt = (point: Float64Array, errors: Float64Array): number => {
    readPoint(point, form, initial, spread, trial);
    return run(values, form, trial, errors);
  };
  const found = minimiseSquares(errorsAt, start, values.length, { maxRounds });
  if (!Number.isFinite(found.squares)) return undefined;
  errorsAt(found.point, new Float64Array(values.length));
  const { parameters, state, squares } = trial;
  const count = start.length + form.periods.reduce((sum, period) => sum + period - 1, 0) + 1;
  const degrees = values.length - count - 1;
  // The first season is no part of the search: its errors show in the squares, as those of a forecast do.
  const searched = start.length;
  return {
    form,
    point: [...found.point],
    parameters,
    state,
    variance: predictionVariance(squares, values.length, searched),
    degrees: degreesOf(values.length, searched),
    aicc:
      degrees <= 0
        ? Number.POSITIVE_INFINITY
        : values.length * Math.log(found.squares + 1e-300) + 2 * count + (2 * count * (count + 1)) / degrees,
  };
}

/** The point that is being tried. A fit reuses one record, because it tries some hundred points. */
interface Trial {
  readonly parameters: { -readonly [Key in keyof EtsParameters]: EtsParameters[Key] } & {
    readonly gammas: Float64Array;
  };
  readonly state: EtsState;
  squares: number;
}

/** Bounds of a product of expected values before its logarithm is computed: one logarithm for some dozens of values. */
const MAX_PRODUCT = 1e60;

/**
 * Writes the errors, returns the sum of their squares, and leaves `state` after the last value. Relative errors are
 * multiplied by the geometric mean of the expected values: the parameters that are most likely have the least sum of those
 * squares, too, because -2 log of the likelihood is n·log(squares) + 2·Σ log(expected values) (Hyndman et al. 2008, section
 * 5.1). It is written out for series with at most one season, because a fit runs over the values some hundred times. Other
 * series use `runSteps`.
 */
function run(values: Float64Array, form: EtsForm, trial: Trial, errors: Float64Array): number {
  if (form.periods.length > 1) return runSteps(values, form, trial, errors);
  const { parameters, state } = trial;
  const { alpha, beta, gammas, phi, rho } = parameters;
  const isRelative = form.error === 'M';
  const isScaled = form.season === 'M';
  const [seasonState] = state.seasons;
  const season = seasonState?.values ?? NO_SEASON;
  const period = season.length;
  const gamma = gammas[0] ?? 0;
  let { level, slope, lastError } = state;
  let phase = seasonState?.phase ?? 0;
  let squares = 0;
  let logs = 0;
  let product = 1;
  for (let i = 0; i < values.length; i++) {
    const base = level + phi * slope;
    const factor = period === 0 ? 0 : (season[phase] ?? 0);
    const smoothed = isScaled ? base * factor : base + factor;
    if (isRelative && !(smoothed > 0)) return Number.POSITIVE_INFINITY;
    const difference = (values[i] ?? 0) - smoothed;
    const innovation = difference - rho * lastError;
    if (isRelative) {
      product *= smoothed;
      if (product > MAX_PRODUCT || product < 1 / MAX_PRODUCT) {
        logs += Math.log(product);
        product = 1;
      }
      const relative = innovation / smoothed;
      errors[i] = relative;
      squares += relative * relative;
    } else {
      errors[i] = innovation;
      squares += innovation * innovation;
    }
    const gain = isScaled ? innovation / factor : innovation;
    level = base + alpha * gain;
    slope = phi * slope + beta * gain;
    if (period > 0) {
      season[phase] = factor + gamma * (isScaled ? innovation / base : innovation);
      phase = phase + 1 === period ? 0 : phase + 1;
    }
    lastError = difference;
  }
  state.level = level;
  state.slope = slope;
  state.lastError = lastError;
  if (seasonState !== undefined) seasonState.phase = phase;
  trial.squares = squares;
  if (!isRelative) return squares;
  const size = Math.exp((logs + Math.log(product)) / values.length);
  for (let i = 0; i < errors.length; i++) errors[i] = (errors[i] ?? 0) * size;
  return squares * size * size;
}

const NO_SEASON = new Float64Array(0);

/** Computes the same for several seasons, which are additive, like their errors. */
function runSteps(values: Float64Array, form: EtsForm, trial: Trial, errors: Float64Array): number {
  const { parameters, state } = trial;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    const difference = (values[i] ?? 0) - smoothedNext(form, state, parameters.phi);
    const innovation = difference - parameters.rho * state.lastError;
    errors[i] = innovation;
    squares += innovation * innovation;
    advance(form, parameters, state, difference, innovation);
  }
  trial.squares = squares;
  return squares;
}

/**
 * Returns where the search begins, in the order of a point: alpha, beta?, gamma of each season, damping?, rho?, level,
 * slope?. `near` is a fit without a trend to the same values: the search begins with its smoothing and level.
 */
export function startingPoint({ trend, periods, hasLingeringErrors }: EtsForm, near?: EtsFit): readonly number[] {
  const known = near?.point ?? [];
  const slope = trend === 'N' ? [] : [logit(0.15)];
  const damping = trend === 'Ad' ? [logit(0.8)] : [];
  return [
    known[0] ?? logit(hasLingeringErrors ? 0.1 : 0.3),
    ...slope,
    ...periods.map((_, i) => known[1 + i] ?? logit(0.1)),
    ...damping,
    ...(hasLingeringErrors ? [0.5] : []),
    known[1 + periods.length] ?? 0,
    ...(trend === 'N' ? [] : [0]),
  ];
}

/** Writes a point into `trial`. The bounds are true by construction: 0 < beta < alpha < 1, 0 < gamma < 1 - alpha, |rho| < 1. */
function readPoint(point: Float64Array, form: EtsForm, initial: EtsState, spread: number, trial: Trial): void {
  const { parameters, state } = trial;
  const { trend, periods } = form;
  let next = 0;
  const alpha = within(point[next++] ?? 0);
  parameters.alpha = alpha;
  parameters.beta = trend === 'N' ? 0 : alpha * within(point[next++] ?? 0);
  for (let i = 0; i < periods.length; i++) parameters.gammas[i] = (1 - alpha) * within(point[next++] ?? 0);
  parameters.phi = trend === 'Ad' ? PHI.low + (PHI.high - PHI.low) * within(point[next++] ?? 0) : trend === 'A' ? 1 : 0;
  parameters.rho = form.hasLingeringErrors ? 0.99 * Math.tanh(point[next++] ?? 0) : 0;
  state.level = initial.level + (point[next++] ?? 0) * spread;
  state.slope = trend === 'N' ? initial.slope : initial.slope + (point[next++] ?? 0) * spread * 0.1;
  state.lastError = initial.lastError;
  for (let i = 0; i < state.seasons.length; i++) {
    const [current, from] = [state.seasons[i], initial.seasons[i]];
    if (current === undefined || from === undefined) break;
    current.values.set(from.values);
    current.phase = from.phase;
  }
}

function within(x: number): number {
  return EDGE + (1 - 2 * EDGE) / (1 + Math.exp(-x));
}

function logit(probability: number): number {
  return Math.log(probability / (1 - probability));
}

/**
 * Projects the expected path. The deviation is that of the linear model with the same parameters (Hyndman et al. 2008,
 * table 6.2); where errors are relative, they are relative to the path.
 */
export function projectEts({ form, parameters, state: last, variance, degrees }: EtsFit, horizon: number): Projection {
  const state = copyState(last);
  const { alpha, beta, gammas, phi, rho } = parameters;
  const path = new Float64Array(horizon);
  const weights = new Float64Array(horizon);
  let slopes = 0;
  let damping = phi;
  let lingering = 1;
  for (let h = 0; h < horizon; h++) {
    const smoothed = smoothedNext(form, state, phi);
    const difference = rho * state.lastError;
    path[h] = smoothed + difference;
    advance(form, parameters, state, difference, 0);
    if (h === 0) {
      weights[h] = 1;
      continue;
    }
    slopes += damping;
    damping *= phi;
    lingering *= rho;
    const seasons = form.periods.reduce((sum, period, i) => sum + (h % period === 0 ? (gammas[i] ?? 0) : 0), 0);
    weights[h] = alpha + beta * slopes + seasons + lingering;
  }
  const deviation = cumulativeDeviation(weights, variance);
  return {
    mean: path,
    degrees,
    deviation: form.error === 'M' ? deviation.map((each, h) => each * Math.abs(path[h] ?? 0)) : deviation,
  };
}
