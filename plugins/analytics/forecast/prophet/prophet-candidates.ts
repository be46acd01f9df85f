/** The candidates of the method `prophet`. */
import { dot } from '../../numeric/least-squares.ts';
import { at } from '../../numeric/statistics.ts';
import {
  type Autoregression,
  cumulativeDeviation,
  fitAutoregression,
  isStable,
  projectAutoregression,
  seasonalLags,
} from '../autoregression.ts';
import { type Candidate, candidate, candidateOnLogarithms } from '../candidate.ts';
import { type Projector, predictionVariance, SEARCH_PARAMETERS } from '../projection.ts';
import {
  fitProphet,
  type ProphetFit,
  type ProphetUnit,
  projectionLeverage,
  projectProphet,
  unitOfLogarithms,
} from './fit.ts';

/** Fewest points for a trend. */
const MIN_POINTS = 8;
/** Orders of the autoregression of the remainder. */
const ORDERS = [1, 2, 3];
const SEASONAL_ORDER = 1;

/** Returns the candidates. */
export function prophetCandidates(values: Float64Array, periods: readonly number[]): readonly Candidate[] {
  const isPositive = values.every((value) => value > 0);
  return [
    candidate('prophet', withRemainder(periods)),
    ...(isPositive ? [candidateOnLogarithms('prophet', withRemainder(periods, unitOfLogarithms))] : []),
  ];
}

/**
 * Projects trend and seasons after Taylor and Letham (2018). An autoregression continues the remainder, as in Triebe
 * et al., "NeuralProphet: Explainable Forecasting at Scale" (2021): without it, the first points ignore the level of
 * the last values.
 */
function withRemainder(periods: readonly number[], unitOf?: (values: Float64Array) => ProphetUnit): Projector {
  return (values, horizon) => {
    if (values.length < MIN_POINTS) return undefined;
    const usable = periods.filter((period) => values.length >= 2 * period);
    const fit = fitProphet(values, usable, unitOf?.(values));
    const { mean, deviation, degrees } = projectProphet(fit, horizon);
    const remainder = values.map((value, i) => value - at(fit.fitted, i));
    const candidates = ORDERS.map((p) => seasonalLags(p, SEASONAL_ORDER, usable));
    const first = Math.max(...candidates.flat());
    const start = Math.min(first, Math.floor(values.length / 2));
    // The points that are explained here use up a share of the parameters of trend and seasons.
    const estimated = fit.parameters * (1 - start / values.length) + SEARCH_PARAMETERS;
    const fits = [...candidates, seasonalLags(1, 0, [])].flatMap(
      (lags) => fitAutoregression(remainder, lags, start, estimated) ?? [],
    );
    // The remainder must not grow. If its autoregression would, only trend and seasons are used.
    const [any, ...others] = fits.filter(isStable);
    if (any === undefined) {
      const spread = Math.sqrt(predictionVariance(dot(remainder, remainder), values.length, fit.parameters));
      return { mean, degrees, deviation: deviation.map((each) => Math.hypot(each, spread)) };
    }
    const best = others.reduce((chosen, other) => (other.aicc < chosen.aicc ? other : chosen), any);
    const rest = projectAutoregression(best, remainder, horizon);
    const lasting = withoutBias(best, fit);
    const spread = cumulativeDeviation(projectAutoregression(lasting, remainder, horizon).weights, best.variance);
    const errorOfFit = extrapolationDeviation(fit, horizon, longRunVariance(best));
    return {
      mean: mean.map((value, h) => value + at(rest.mean, h)),
      degrees: best.degrees,
      deviation: deviation.map((each, h) => Math.hypot(each, at(spread, h), at(errorOfFit, h))),
    };
  };
}

/** The parameters of a straight line. */
const LINE_PARAMETERS = 2;

function sumOf(coefficients: Float64Array): number {
  return coefficients.reduce((sum, each) => sum + each, 0);
}

/** The least share of an error that the following values take back, for a variance that is finite. */
const MIN_RETURN = 0.05;

/**
 * Returns the autoregression with a larger coefficient of the last value. A trend follows errors that linger, so that least
 * squares on the remainder finds too small a coefficient ρ: by (1 + 3ρ)/n where the trend is a mean (Kendall 1954; Marriott
 * and Pope 1954, both in Biometrika 41), and by another (1 + ρ)/n for each further parameter of the trend.
 */
function withoutBias(fit: Autoregression, { parameters, base, length }: ProphetFit): Autoregression {
  const trend = parameters - (base.length - LINE_PARAMETERS);
  const repeated = sumOf(fit.coefficients);
  const bias = Math.max(0, (trend + (trend + 2) * repeated) / length);
  const added = Math.max(0, Math.min(bias, 1 - MIN_RETURN - repeated));
  const corrected = { ...fit, coefficients: fit.coefficients.map((each, i) => (i === 0 ? each + added : each)) };
  return isStable(corrected) ? corrected : fit;
}

/**
 * Returns the variance that means of a lingering remainder have, times their number: the spectral density at frequency zero
 * (Box and Jenkins, chapter 2).
 */
function longRunVariance({ coefficients, variance }: Autoregression): number {
  const repeated = sumOf(coefficients);
  return variance / Math.max(MIN_RETURN, 1 - repeated) ** 2;
}

/**
 * Returns the deviation of trend and seasons from those of the process, beyond the mean of the past points, which
 * `predictionVariance` counts: an extrapolated line is less certain with each step.
 */
function extrapolationDeviation(fit: ProphetFit, horizon: number, variance: number): Float64Array {
  const usual = fit.parameters / fit.length;
  return projectionLeverage(fit, horizon).map((each) => Math.sqrt(variance * Math.max(0, each - usual)));
}
