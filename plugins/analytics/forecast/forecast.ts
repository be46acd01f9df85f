import { FORECAST_METHODS, type ForecastMethod, type NoResultReason } from '../methods.ts';
import { detectPeriods } from '../seasonality/detect-periods.ts';
import { arimaCandidates } from './arima/candidates.ts';
import { combine } from './combine.ts';
import { etsCandidates } from './ets/candidates.ts';
import type { Projector } from './projection.ts';
import { prophetCandidates } from './prophet/candidates.ts';

export interface ForecastOptions {
  readonly method: ForecastMethod;
  /** Points ahead. */
  readonly horizon: number;
  /** Probability that the interval covers the value. */
  readonly interval: number;
  /** Possible lengths of a season, ascending; `undefined` where the time axis has none. */
  readonly periods: readonly number[] | undefined;
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
  values: Float64Array,
  { method, horizon, interval, periods: possible }: ForecastOptions,
): ForecastResult {
  const { minPoints } = FORECAST_METHODS[method];
  if (values.length < minPoints) return { reason: 'too_short' };
  if (values.every((value) => value === values[0])) return { reason: 'constant' };
  const periods = detectPeriods(values, possible);
  const fewest = Math.max(minPoints, 2 * Math.max(0, ...periods) + SPARE_POINTS);
  const combined = combine(CANDIDATES[method](values, periods), values, horizon, interval, fewest);
  if (combined === undefined) return { reason: 'not_explained' };
  const { value, lower, upper } = combined;
  return {
    steps: Array.from(value, (each, h) => ({ value: each, lower: lower[h] ?? each, upper: upper[h] ?? each })),
  };
}
