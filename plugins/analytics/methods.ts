/** The methods: one table each, from which the schemas, the defaults and the documentation are made. */

export const ANOMALY_METHODS = {
  zscore: {
    threshold: 3,
    minPoints: 8,
    summary:
      'Distance from the mean of other points, in their standard deviations: all other points of a short series, the points before in a long series.',
  },
  mad: {
    threshold: 3.5,
    minPoints: 5,
    summary: 'Distance from the median, in median absolute deviations. Outliers do not hide each other.',
  },
  stl: {
    threshold: 3,
    minPoints: 8,
    summary:
      'Distance from trend plus season of a robust decomposition, in median absolute deviations of the remainder. A series without a season is scored by zscore, which the answer then names.',
  },
} as const satisfies Record<string, AnomalyMethodEntry>;

export const FORECAST_METHODS = {
  ets: {
    minPoints: 5,
    summary: 'Exponential smoothing: error, trend and season chosen automatically, alone and on a decomposed series.',
  },
  arima: {
    minPoints: 8,
    summary: 'Seasonal autoregression and moving averages, orders chosen automatically; several seasons at once.',
  },
  prophet: {
    minPoints: 10,
    summary: 'Piecewise linear trend with Fourier seasons, and an autoregression of the remainder.',
  },
} as const satisfies Record<string, MethodEntry>;

interface MethodEntry {
  /** The fewest values that the method accepts. */
  readonly minPoints: number;
  readonly summary: string;
}

interface AnomalyMethodEntry extends MethodEntry {
  /** The least score of an anomaly, if the request names no threshold. */
  readonly threshold: number;
}

export type AnomalyMethod = keyof typeof ANOMALY_METHODS;
export type ForecastMethod = keyof typeof FORECAST_METHODS;

export const DEFAULT_ANOMALY_METHOD: AnomalyMethod = 'zscore';
export const DEFAULT_FORECAST_METHOD: ForecastMethod = 'ets';

/** The reasons why a series has no scores or no forecast. */
export const NO_RESULT_REASONS = {
  empty: 'No value of the series is a number.',
  too_short: 'The series has too few values for the method.',
  constant: 'All values of the series are the same.',
  too_many_gaps: 'More than half of the periods between the first and the last value have none.',
  duplicate_periods: 'Two rows of the series have the same period, written in two ways.',
  irregular: 'The time axis has no common step, so the next period is unknown.',
  too_long: 'The series has more values than the limit.',
  not_explained: 'No model of the method explains the series.',
} as const;

export type NoResultReason = keyof typeof NO_RESULT_REASONS;
