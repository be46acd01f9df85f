/** Finds the seasons of a series. */
import { at, autocorrelation, median, quantile, scaledMad, stepsOf, withoutTrend } from '../numeric/statistics.ts';
import { repeatsSteps } from './repeating-periods.ts';
import { stl, withoutSeason } from './stl.ts';

/** Two-sided 90 % point of the normal distribution: the seasonality test of the M competitions (Makridakis et al. 2020). */
const AUTOCORRELATION_THRESHOLD = 1.645;
const MIN_CYCLES = 2;
/** The longest season that is searched for without candidates. */
const MAX_UNKNOWN_PERIOD = 400;
/** The least cycles and the least correlation of a season that was not a candidate. */
const MIN_UNKNOWN_CYCLES = 3;
const MIN_UNKNOWN_CORRELATION = 0.3;

/**
 * Returns which of `candidates` (ascending) are seasons of the values: without trend and shorter seasons, the
 * autocorrelation at one cycle is larger than for noise with the same correlation at shorter lags (Bartlett's formula).
 * Without candidates, the strongest season is searched for.
 */
export function detectPeriods(values: Float64Array, candidates: readonly number[] | undefined): readonly number[] {
  let level = withoutTrend(values);
  for (let round = 0; round < CLIPPING_ROUNDS; round++) level = withoutTrend(clipped(level));
  if (candidates === undefined) {
    const period = strongestPeriod(level);
    return period === undefined ? [] : [period];
  }
  const periods: number[] = [];
  let rest = level;
  for (const period of candidates) {
    if (period < 2 || values.length < MIN_CYCLES * period + 1) continue;
    const isFound = isSeasonal(rest, period) || isRobustlySeasonal(values, period) || hasSeasonalSteps(rest, period);
    if (!isFound) continue;
    periods.push(period);
    rest = withoutSeason(rest, period);
  }
  return periods;
}

/** The deviations beyond which a value is clipped: an outlier would hide the autocorrelation of the season. */
const CLIPPED_DEVIATIONS = 3;
const CLIPPING_ROUNDS = 3;

function clipped(values: Float64Array): Float64Array {
  const center = median(values);
  const reach = CLIPPED_DEVIATIONS * scaledMad(values);
  return reach === 0 ? values : values.map((value) => Math.max(center - reach, Math.min(center + reach, value)));
}

const MIN_HALVED_PERIOD = 4;
/** The least cycles whose steps are compared. */
const MIN_STEP_CYCLES = 3;

function isSeasonal(values: Float64Array, period: number): boolean {
  const correlation = autocorrelation(values, period);
  // A drifting series correlates with itself at every lag, and more at shorter lags; its steps do not.
  if (period >= MIN_HALVED_PERIOD && correlation <= autocorrelation(values, Math.floor(period / 2))) {
    const steps = stepsOf(values);
    if (autocorrelation(steps, period) <= AUTOCORRELATION_THRESHOLD / Math.sqrt(steps.length)) return false;
  }
  return isSignificant(values, period, correlation);
}

/** Returns whether a correlation at one cycle is larger than for noise with the same correlation at shorter lags. */
function isSignificant(values: Float64Array, period: number, correlation: number): boolean {
  let squares = 0;
  for (let lag = 1; lag < period; lag++) squares += autocorrelation(values, lag) ** 2;
  return correlation > AUTOCORRELATION_THRESHOLD * Math.sqrt((1 + 2 * squares) / values.length);
}

/**
 * Returns whether the steps of the values have the season, in three whole cycles: they correlate after one cycle, and each
 * cycle's steps are predicted by the others. On random walks and autoregressions without a season, both are true once in
 * some hundred series.
 */
function hasSeasonalSteps(values: Float64Array, period: number): boolean {
  const steps = stepsOf(values);
  if (steps.length < MIN_STEP_CYCLES * period - 1) return false;
  return repeatsSteps(values, period) && isSignificant(steps, period, autocorrelation(steps, period));
}

/** The least cycles for a robust decomposition; with fewer, it explains noise too. */
const MIN_ROBUST_CYCLES = 3;
/**
 * The least strength after Wang, Smith and Hyndman (2006): the same as for differences of ARIMA models, and more where
 * there are few cycles.
 */
const STRENGTH_THRESHOLD = 0.64;
const STRENGTH_THRESHOLD_OF_FEW_CYCLES = 0.93;
const MIN_STRENGTH_CYCLES = 5;
/**
 * The share of the points that must fit. The others may be a changed level, which hides a season from the autocorrelation.
 */
const FITTING_SHARE = 0.8;

/** Returns whether the season explains most of the detrended values, for most of the points. */
function isRobustlySeasonal(values: Float64Array, period: number): boolean {
  if (values.length < MIN_ROBUST_CYCLES * period) return false;
  const { seasonal, remainder } = stl(values, period, { seasonalWindow: 'periodic', robustRounds: 5 });
  const left = quantile(remainder.map(Math.abs), FITTING_SHARE);
  const both = quantile(
    remainder.map((value, i) => Math.abs(value + at(seasonal, i))),
    FITTING_SHARE,
  );
  const isFew = values.length < MIN_STRENGTH_CYCLES * period;
  return both > 0 && 1 - (left / both) ** 2 > (isFew ? STRENGTH_THRESHOLD_OF_FEW_CYCLES : STRENGTH_THRESHOLD);
}

function strongestPeriod(values: Float64Array): number | undefined {
  const longest = Math.min(MAX_UNKNOWN_PERIOD, Math.floor(values.length / MIN_UNKNOWN_CYCLES));
  const correlations = Array.from({ length: longest + 2 }, (_, lag) => autocorrelation(values, lag));
  let best: number | undefined;
  for (let lag = 2; lag <= longest; lag++) {
    const correlation = at(correlations, lag);
    const isPeak = correlation > at(correlations, lag - 1) && correlation >= at(correlations, lag + 1);
    if (
      isPeak &&
      correlation > MIN_UNKNOWN_CORRELATION &&
      (best === undefined || correlation > at(correlations, best) + 0.05)
    )
      best = lag;
  }
  return best !== undefined && isSeasonal(values, best) ? best : undefined;
}
