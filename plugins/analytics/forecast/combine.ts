/**
 * Combines the forecasts of several models and calibrates their intervals, by trials of the models at the end of the
 * series.
 */
import { studentQuantile } from '../numeric/normal.ts';
import { at, quantileOfSorted } from '../numeric/statistics.ts';
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
 * multiple is larger: 2.8 with 2 points, 1.5 with 24.
 */
const fairMultiple = (points: number) => 1 + 2.5 / Math.sqrt(points);
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
 * trials, with equal weights. The models give the width of the intervals, scaled so that they cover the
 * trials' errors as often as `level` demands: normalised split conformal prediction, Lei et al. (2018), section 5.2.
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
    sum += weight;
    degrees += weight * projection.degrees;
    for (let h = 0; h < horizon; h++) {
      mean[h] = at(mean, h) + weight * at(projection.mean, h);
      deviation[h] = at(deviation, h) + weight * at(projection.deviation, h);
    }
  });
  if (sum === 0) return undefined;
  return {
    mean: mean.map((value) => value / sum),
    deviation: deviation.map((value) => value / sum),
    degrees: degrees / sum,
  };
}

/**
 * The largest factor by which trials may widen an interval of the models. A model that fits its past almost exactly has
 * deviations near zero, and errors of any size in multiples of them.
 */
const MAX_STRETCH = 2;

/**
 * The number of trial errors at which their quantile and that of the models have the same share in the width. The quantile
 * of few errors is one of the largest of them, and depends on chance.
 */
const EVEN_SHARE_ERRORS = 12;

/**
 * Returns how many deviations an interval reaches to each side. `degrees` are those of the deviation. Each error of a trial
 * is one degree more, because it is an observed error of the same forecast.
 */
function intervalFactor(trials: readonly Trial[], weights: readonly number[], level: number, degrees: number): number {
  const scores: number[] = [];
  for (const { actual, projections } of trials) {
    const combined = weighted(projections, weights, actual.length);
    if (combined === undefined) continue;
    actual.forEach((value, h) => {
      const spread = at(combined.deviation, h);
      if (spread > 0) scores.push(Math.abs(value - at(combined.mean, h)) / spread);
    });
  }
  const expected = studentQuantile((1 + level) / 2, degrees + scores.length);
  if (scores.length === 0) return expected;
  // Fewer scores than the level needs have no such quantile: the largest one is used.
  const rank = Math.min(1, (Math.ceil((scores.length + 1) * level) - 1) / Math.max(1, scores.length - 1));
  const covering = quantileOfSorted(Float64Array.from(scores).sort(), rank);
  const trust = scores.length / (scores.length + EVEN_SHARE_ERRORS);
  const widened = expected + trust * Math.max(0, covering - expected);
  return Math.min(widened, MAX_STRETCH * expected);
}

/** Drops a projection that is so far off that only a trend over many times the series' length could reach it. */
function believable(projection: Projection | undefined, values: Float64Array): Projection | undefined {
  if (projection === undefined) return undefined;
  const low = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  const isBelieved = projection.mean.every((value, h) => {
    const slack = BELIEVED_RANGES * (high - low) * Math.max(1, (h + 1) / values.length);
    return value >= low - slack && value <= high + slack && Number.isFinite(at(projection.deviation, h));
  });
  return isBelieved ? projection : undefined;
}
