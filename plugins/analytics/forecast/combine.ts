/**
 * Combines the forecasts of several models and calibrates their intervals, by trials of the models at the end of the
 * series.
 */
import { studentQuantile } from '../numeric/normal.ts';
import { at } from '../numeric/statistics.ts';
import type { Candidate, ModelShare } from './candidate.ts';
import type { Projection, Projector } from './projection.ts';

export interface IntervalForecast {
  /** The models with a weight, the largest first. */
  readonly models: readonly ModelShare[];
  readonly value: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** The origins from which models are tried, each with the horizon of the forecast. */
const ORIGINS = 3;
/** Exponent of the mean squared errors in the weights: Stock and Watson (2004), section 3. */
const WEIGHT_EXPONENT = 2;
/**
 * The number of trial points at which weights by error and equal weights have the same share. Few trials are weak evidence
 * (the same section, "shrinkage").
 */
const EQUAL_WEIGHT_POINTS = 24;
/**
 * Candidates with more than a multiple of the smallest error have no part in the equal weights. With few trial points the
 * multiple is larger: 4.5 with 2 points, 2 with 24.
 */
const fairMultiple = (points: number) => 1 + 5 / Math.sqrt(points);
/**
 * Distance beyond the range of the series, in ranges, within which a projection is accepted over as many points as the
 * series has.
 */
const BELIEVED_RANGES = 3;

export interface CombineOptions {
  readonly horizon: number;
  /** Probability that the interval covers the value. */
  readonly level: number;
  /** The fewest values of a trial's past. */
  readonly minPoints: number;
  /** The size of an error in the weights. Of intermittent demand, absolute errors would choose a forecast of zero. */
  readonly loss: 'absolute' | 'squared';
}

interface Trial {
  readonly actual: Float64Array;
  readonly projections: readonly (Projection | undefined)[];
}

/**
 * Combines the candidates with weights by their errors at the last origins (Bates and Granger 1969); without room for
 * trials, with equal weights. The models give the width of the intervals, and the size of the trials' errors scales it.
 */
export function combine(
  candidates: readonly Candidate[],
  values: Float64Array,
  { horizon, level, minPoints, loss }: CombineOptions,
): IntervalForecast | undefined {
  const projections = candidates.map(({ project }) => believable(project(values, horizon), values));
  const trials = runTrials(
    candidates.map(({ project }, i) => (projections[i] === undefined ? () => undefined : project)),
    values,
    horizon,
    minPoints,
  );
  const weights = weighProjections(projections, trials, loss);
  const whole = weighted(projections, weights, horizon);
  if (whole === undefined) return undefined;
  const factor = intervalFactor(trials, weights, level, whole.degrees);
  const reach = whole.deviation.map((each) => each * factor);
  return {
    models: sharesOf(candidates, weights),
    value: whole.mean,
    lower: whole.mean.map((value, h) => value - at(reach, h)),
    upper: whole.mean.map((value, h) => value + at(reach, h)),
  };
}

function runTrials(
  candidates: readonly Projector[],
  values: Float64Array,
  horizon: number,
  minPoints: number,
): readonly Trial[] {
  const window = Math.min(horizon, Math.max(1, Math.floor((values.length - minPoints) / 2)));
  const room = values.length - minPoints - window;
  if (room < 0) return [];
  const step = Math.max(1, Math.min(window, Math.floor(room / (ORIGINS - 1))));
  return Array.from({ length: ORIGINS }, (_, k) => values.length - window - k * step)
    .filter((origin) => origin >= minPoints)
    .map((origin) => {
      const past = values.slice(0, origin);
      return {
        actual: values.slice(origin, origin + window),
        projections: candidates.map((project) => believable(project(past, window), past)),
      };
    });
}

function weighProjections(
  projections: readonly (Projection | undefined)[],
  trials: readonly Trial[],
  loss: CombineOptions['loss'],
): readonly number[] {
  const equally = () => {
    const usable = projections.map((projection) => Number(projection !== undefined));
    return usable.map((each) => each / Math.max(1, total(usable)));
  };
  if (trials.length === 0) return equally();
  const errors = projections.map((projection, i) => {
    if (projection === undefined) return Number.POSITIVE_INFINITY;
    let sum = 0;
    let count = 0;
    for (const { actual, projections: trial } of trials) {
      const tested = trial[i];
      if (tested === undefined) continue;
      actual.forEach((value, h) => {
        const error = Math.abs(value - at(tested.mean, h));
        sum += loss === 'squared' ? error * error : error;
        count += 1;
      });
    }
    if (count === 0) return Number.POSITIVE_INFINITY;
    return loss === 'squared' ? Math.sqrt(sum / count) : sum / count;
  });
  const best = Math.min(...errors);
  if (!Number.isFinite(best)) return equally();
  if (best === 0) {
    const exact = errors.map((error) => Number(error === 0));
    return exact.map((each) => each / total(exact));
  }
  const points = trials.reduce((sum, { actual }) => sum + actual.length, 0);
  const trust = points / (points + EQUAL_WEIGHT_POINTS);
  const fair = errors.map((error) => Number(error <= fairMultiple(points) * best));
  const byError = errors.map((error) => (best / error) ** (2 * WEIGHT_EXPONENT));
  const equal = 1 / total(fair);
  const scale = 1 / total(byError);
  return byError.map((weight, i) => trust * weight * scale + (1 - trust) * at(fair, i) * equal);
}

function sharesOf(candidates: readonly Candidate[], weights: readonly number[]): readonly ModelShare[] {
  return candidates
    .map(({ model, isOnLogarithms }, i) => ({ model, isOnLogarithms, weight: at(weights, i) }))
    .filter(({ weight }) => weight > 0)
    .sort((left, right) => right.weight - left.weight);
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/**
 * Combines the projections by averages of their quantiles, which are an average mean and an average deviation: Lichtendahl,
 * Grushka-Cockayne and Winkler, "Is it better to average probabilities or quantiles?", Management Science 59 (2013). The
 * mixture of the distributions is wider than the errors of its mean (Gneiting and Ranjan 2013, section 3).
 */
function weighted(
  projections: readonly (Projection | undefined)[],
  weights: readonly number[],
  horizon: number,
): Projection | undefined {
  const mean = new Float64Array(horizon);
  const deviation = new Float64Array(horizon);
  let degrees = 0;
  let sum = 0;
  projections.forEach((projection, i) => {
    const weight = at(weights, i);
    if (projection === undefined || weight === 0) return;
    const share = weight / (sum + weight);
    sum += weight;
    degrees += share * (projection.degrees - degrees);
    for (let h = 0; h < horizon; h++) {
      mean[h] = at(mean, h) + share * (at(projection.mean, h) - at(mean, h));
      deviation[h] = at(deviation, h) + share * (at(projection.deviation, h) - at(deviation, h));
    }
  });
  return sum === 0 ? undefined : { mean, deviation, degrees };
}

/**
 * The largest factor by which trials may widen an interval of the models. A model that fits its past almost exactly has
 * deviations near zero, and errors of any size in multiples of them.
 */
const MAX_STRETCH = 2;

/**
 * The number of trial errors at which they and the models have the same share in the variance. It is the same for errors
 * that are larger and smaller than the models expect: chance makes both, and a larger share of one would move all intervals.
 */
const EVEN_SHARE_ERRORS = 48;

/**
 * Returns how many deviations an interval reaches to each side. The variance of the models is a prior of that many errors,
 * which the trials' errors update: the scaled inverse chi-squared distribution, Gelman and others (2013), section 2.6.
 */
function intervalFactor(trials: readonly Trial[], weights: readonly number[], level: number, degrees: number): number {
  let squares = 0;
  let count = 0;
  for (const { actual, projections } of trials) {
    const combined = weighted(projections, weights, actual.length);
    if (combined === undefined) continue;
    actual.forEach((value, h) => {
      const spread = at(combined.deviation, h);
      if (!(spread > 0)) return;
      squares += ((value - at(combined.mean, h)) / spread) ** 2;
      count += 1;
    });
  }
  const stretch = Math.sqrt((EVEN_SHARE_ERRORS + squares) / (EVEN_SHARE_ERRORS + count));
  return Math.min(MAX_STRETCH, stretch) * scoringQuantile((1 + level) / 2, degrees);
}

/**
 * Returns the multiple of an estimated deviation at which an interval has the smallest expected score (Gneiting and Raftery
 * 2007, section 6.2). The score weighs each miss by the deviation, so that it asks for Student's quantile of one degree
 * more, for a deviation on that many degrees. With few degrees it is less than Student's quantile: 2.3 instead of 2.8 for
 * 95 % and four degrees.
 */
function scoringQuantile(probability: number, degrees: number): number {
  return studentQuantile(probability, degrees + 1) * Math.sqrt(degrees / (degrees + 1));
}

/** Drops a projection that is so far off that only a trend over many times the series' length could reach it. */
function believable(projection: Projection | undefined, values: Float64Array): Projection | undefined {
  if (projection === undefined) return undefined;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < values.length; i++) {
    low = Math.min(low, at(values, i));
    high = Math.max(high, at(values, i));
  }
  const isBelieved = projection.mean.every((value, h) => {
    const slack = BELIEVED_RANGES * (high - low) * Math.max(1, (h + 1) / values.length);
    return value >= low - slack && value <= high + slack && Number.isFinite(at(projection.deviation, h));
  });
  return isBelieved ? projection : undefined;
}
