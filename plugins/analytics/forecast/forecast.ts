import { FORECAST_METHODS, type ForecastMethod, type NoResultReason } from '../methods.ts';
import { at } from '../numeric/statistics.ts';
import { detectPeriods } from '../seasonality/detect-periods.ts';
import { fillBySeason } from '../seasonality/fill-by-season.ts';
import { repeatingPeriods } from '../seasonality/repeating-periods.ts';
import { arimaCandidates } from './arima/arima-candidates.ts';
import { combine } from './combine.ts';
import { etsCandidates } from './ets/ets-candidates.ts';
import type { Projector } from './projection.ts';
import { prophetCandidates } from './prophet/prophet-candidates.ts';

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

export type ForecastResult = { readonly steps: readonly ForecastStep[] } | { readonly reason: NoResultReason };

const CANDIDATES: Readonly<
  Record<ForecastMethod, (values: Float64Array, periods: readonly number[]) => readonly Projector[]>
> = { ets: etsCandidates, arima: arimaCandidates, prophet: prophetCandidates };

/** Least number of points beyond two cycles for a trial on the past. */
const SPARE_POINTS = 4;

/** Continues the values by `horizon` points. */
export function forecast(
  series: Float64Array,
  { method, horizon, interval, periods: possible, gaps = [] }: ForecastOptions,
): ForecastResult {
  const { minPoints } = FORECAST_METHODS[method];
  if (series.length < minPoints) return { reason: 'too_short' };
  if (series.every((value) => value === series[0])) return { reason: 'constant' };
  const periods = repeatingPeriods(series, detectPeriods(series, possible));
  const values = fillBySeason(series, gaps, periods);
  const fewest = Math.max(minPoints, 2 * Math.max(0, ...periods) + SPARE_POINTS);
  const combined = combine(CANDIDATES[method](values, periods), values, horizon, interval, fewest);
  if (combined === undefined) return { reason: 'not_explained' };
  const { value, lower, upper } = combined;
  // What was never negative, such as a count, is not forecast as negative.
  const least = series.every((each) => each >= 0) ? 0 : Number.NEGATIVE_INFINITY;
  const bounded = (numbers: Float64Array, h: number) => Math.max(least, at(numbers, h));
  return {
    steps: Array.from(value, (_, h) => ({
      value: bounded(value, h),
      lower: bounded(lower, h),
      upper: bounded(upper, h),
    })),
  };
}
