import { MIN_FORECAST_POINTS } from '../limits.ts';
import { FORECAST_METHODS, type ForecastMethod, type NoResultReason } from '../methods.ts';
import { at } from '../numeric/statistics.ts';
import { detectPeriods } from '../seasonality/detect-periods.ts';
import { fillBySeason } from '../seasonality/fill-by-season.ts';
import { repeatingPeriods } from '../seasonality/repeating-periods.ts';
import { arimaCandidates } from './arima/arima-candidates.ts';
import { type Candidate, candidate, type ModelShare } from './candidate.ts';
import { combine, type IntervalForecast } from './combine.ts';
import { etsCandidates } from './ets/ets-candidates.ts';
import { isIntermittent } from './intermittent/demand.ts';
import { prophetCandidates } from './prophet/prophet-candidates.ts';
import { projectShort } from './simple/drift.ts';

export interface ForecastOptions {
  readonly method: ForecastMethod;
  /** Points ahead. */
  readonly horizon: number;
  /** Probability that the interval covers the value. */
  readonly interval: number;
  /** Possible lengths of a season, ascending; `undefined` where the time axis has none. */
  readonly periods: readonly number[] | undefined;
  /** Positions of values that were filled in, ascending. In a seasonal series they are filled by its seasons instead. */
  readonly gaps?: readonly number[] | undefined;
}

export interface ForecastStep {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** A forecast, or the reason why there is none. A simple forecast has a reason, too. */
export type ForecastResult =
  | {
      readonly steps: readonly ForecastStep[];
      /** The models that were combined, the largest weight first. */
      readonly models: readonly ModelShare[];
      readonly reason?: NoResultReason;
    }
  | { readonly reason: NoResultReason };

const CANDIDATES: Readonly<
  Record<ForecastMethod, (values: Float64Array, periods: readonly number[]) => readonly Candidate[]>
> = { ets: etsCandidates, arima: arimaCandidates, prophet: prophetCandidates };

/** Least number of points beyond two cycles for a trial on the past. */
const SPARE_POINTS = 4;

/** Continues the values by `horizon` points. */
export function forecast(series: Float64Array, options: ForecastOptions): ForecastResult {
  const { method, horizon, interval, periods: possible, gaps = [] } = options;
  const { minPoints } = FORECAST_METHODS[method];
  if (series.length < MIN_FORECAST_POINTS) return { reason: 'too_short' };
  const [first = 0] = series;
  if (series.every((value) => value === first)) return constantForecast(first, horizon);
  if (series.length < minPoints) return shortForecast(series, options);
  const periods = repeatingPeriods(series, detectPeriods(series, possible));
  const values = fillBySeason(series, gaps, periods);
  const combined = combine(CANDIDATES[method](values, periods), values, {
    horizon,
    level: interval,
    minPoints: Math.max(minPoints, 2 * Math.max(0, ...periods) + SPARE_POINTS),
    loss: isIntermittent(values) ? 'squared' : 'absolute',
  });
  if (combined === undefined) return { reason: 'not_explained' };
  return { steps: stepsOf(series, combined), models: combined.models };
}

/** Repeats the only value that a series has. */
function constantForecast(value: number, horizon: number): ForecastResult {
  return {
    steps: Array.from({ length: horizon }, () => ({ value, lower: value, upper: value })),
    models: [{ model: 'constant', isOnLogarithms: false, weight: 1 }],
    reason: 'constant',
  };
}

/** Continues a series that is too short for the method. */
function shortForecast(series: Float64Array, { horizon, interval }: ForecastOptions): ForecastResult {
  const combined = combine([candidate('short', projectShort)], series, {
    horizon,
    level: interval,
    minPoints: series.length,
    loss: 'absolute',
  });
  if (combined === undefined) return { reason: 'too_short' };
  return { steps: stepsOf(series, combined), models: combined.models, reason: 'too_short' };
}

/** Pairs values and bounds. A series that was never negative, such as a count, has no negative ones. */
function stepsOf(series: Float64Array, { value, lower, upper }: IntervalForecast): readonly ForecastStep[] {
  const least = series.every((each) => each >= 0) ? 0 : Number.NEGATIVE_INFINITY;
  const bounded = (numbers: Float64Array, h: number) => Math.max(least, at(numbers, h));
  return Array.from(value, (_, h) => ({
    value: bounded(value, h),
    lower: bounded(lower, h),
    upper: bounded(upper, h),
  }));
}
