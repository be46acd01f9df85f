/** Schemas of the requests and answers of anomaly detection and forecasting, for every surface. */
import { z } from 'zod';
import { FORECAST_MODELS } from './forecast-models.ts';
import {
  DEFAULT_HORIZON,
  DEFAULT_INTERVAL,
  MAX_AXIS_NAME,
  MAX_HORIZON,
  MAX_INTERVAL,
  MAX_THRESHOLD,
  MIN_HORIZON,
} from './limits.ts';
import {
  ANOMALY_METHODS,
  DEFAULT_ANOMALY_METHOD,
  DEFAULT_FORECAST_METHOD,
  FORECAST_METHODS,
  NO_RESULT_REASONS,
} from './methods.ts';

const AnomalyMethodName = z.enum(
  keysOf(ANOMALY_METHODS),
  `method must be one of ${keysOf(ANOMALY_METHODS).join(', ')}`,
);
const ForecastMethodName = z.enum(
  keysOf(FORECAST_METHODS),
  `method must be one of ${keysOf(FORECAST_METHODS).join(', ')}`,
);
const Reason = z.enum(keysOf(NO_RESULT_REASONS));

const defaults = keysOf(ANOMALY_METHODS)
  .map((name) => `${ANOMALY_METHODS[name].threshold} for ${name}`)
  .join(', ');

/** The members of an AnomalyRequest beside its query. */
export const anomalyParameters = {
  timeAxis: z.string().min(1).max(MAX_AXIS_NAME),
  method: AnomalyMethodName.optional().describe(
    `Default ${DEFAULT_ANOMALY_METHOD}. ${describeMethods(ANOMALY_METHODS)}`,
  ),
  threshold: z
    .number('threshold must be a number')
    .positive('threshold must be greater than 0')
    .max(MAX_THRESHOLD, `threshold must be at most ${MAX_THRESHOLD}`)
    .optional()
    .describe(`The least score of an anomaly. Default ${defaults}.`),
} as const;

/** The members of a ForecastRequest beside its query. */
export const forecastParameters = {
  timeAxis: anomalyParameters.timeAxis,
  method: ForecastMethodName.optional().describe(
    `Default ${DEFAULT_FORECAST_METHOD}. ${describeMethods(FORECAST_METHODS)}`,
  ),
  horizon: z
    .int('horizon must be a whole number')
    .min(MIN_HORIZON, `horizon must be at least ${MIN_HORIZON}`)
    .max(MAX_HORIZON, `horizon must be at most ${MAX_HORIZON}`)
    .optional()
    .describe(`Points ahead. Default ${DEFAULT_HORIZON}.`),
  interval: z
    .number('interval must be a number')
    .gt(0, 'interval must be greater than 0')
    .max(MAX_INTERVAL, `interval must be at most ${MAX_INTERVAL}`)
    .optional()
    .describe(`Probability that an interval contains the value, at most ${MAX_INTERVAL}. Default ${DEFAULT_INTERVAL}.`),
} as const;

export const AnomalyParameters = z.strictObject(anomalyParameters);
export type AnomalyParameters = z.output<typeof AnomalyParameters>;
export const ForecastParameters = z.strictObject(forecastParameters);
export type ForecastParameters = z.output<typeof ForecastParameters>;

/** The members of a saved query besides its answer. */
export const Analysis = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('anomaly'), ...anomalyParameters }),
  z.strictObject({ kind: z.literal('forecast'), ...forecastParameters }),
]);
export type Analysis = z.output<typeof Analysis>;

/** The members that a flagged cell gains. */
export const CellAnomaly = z
  .object({
    score: z.number().describe('Distance from the expected value in deviations, always positive.'),
    expected: z.number(),
    direction: z.enum(['high', 'low']),
  })
  .describe('Only on cells that are anomalies.');
export type CellAnomaly = z.output<typeof CellAnomaly>;

const By = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .describe('The other row fields of the series.');
const gaps = z
  .int()
  .optional()
  .describe(
    'Periods without a value. They are filled in by straight lines, and for a forecast of a seasonal series by its season. Absent for none.',
  );

export const AnomalySummary = z.object({
  method: AnomalyMethodName.describe('The method that was used: zscore if stl found no season in any series.'),
  threshold: z.number(),
  anomalyCount: z.int(),
  grain: z.string().optional().describe('Step of the time axis, such as `month`.'),
  series: z
    .array(
      z.object({
        metric: z.string(),
        by: By.optional(),
        method: AnomalyMethodName.optional(),
        anomalyCount: z.int(),
        gaps,
        reason: Reason.optional().describe('Why the series was not scored.'),
      }),
    )
    .optional()
    .describe('The result of each series.'),
});
export type AnomalySummary = z.output<typeof AnomalySummary>;

const Point = z.object({
  index: z
    .int()
    .describe('Position after the rows of the series, which are 0, 1, …: the first index is the number of rows.'),
  value: z.number().describe('The middle of the expected values.'),
  lower: z.number(),
  upper: z.number(),
  period: z.string().optional().describe('The period, in the format of the time axis.'),
});

const Model = z.object({
  name: z.enum(keysOf(FORECAST_MODELS)),
  onLogarithms: z.literal(true).optional().describe('Only on a model of the logarithms of the values.'),
  weight: z.number().describe('Between 0 and 1.'),
});

const gathered = {
  points: z.array(Point).describe('Empty if there is no forecast, or if there are several series.'),
  models: z
    .array(Model)
    .optional()
    .describe('The models that the forecast is combined from, the largest weight first. Our addition.'),
  reason: Reason.optional().describe(
    'Why there is no forecast, or why it is a simple one: of a series that is `constant`, and of 3 values or more that are `too_short` for the method.',
  ),
  gaps,
} as const;

export const MetricForecast = z.object({
  method: ForecastMethodName,
  horizon: z.int(),
  confidence: z.number(),
  ...gathered,
  grain: z.string().optional().describe('Step of the time axis, such as `month`.'),
  series: z
    .array(z.object({ by: By, ...gathered }))
    .optional()
    .describe('If the query has other row fields: a forecast for each of their combinations.'),
});
export type MetricForecast = z.output<typeof MetricForecast>;
export type ForecastPoint = z.output<typeof Point>;

export const Forecasts = z.record(z.string(), MetricForecast).describe('By metric.');
export type Forecasts = z.output<typeof Forecasts>;

/** Recognises a summary by its members. This product made it, so it is not validated again. */
export function isAnomalySummary(value: unknown): value is AnomalySummary {
  return typeof value === 'object' && value !== null && 'anomalyCount' in value;
}

/** Recognises forecasts by their members. This product made them, so they are not validated again. */
export function isForecasts(value: unknown): value is Forecasts {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((each) => typeof each === 'object' && each !== null && 'points' in each)
  );
}

function describeMethods(methods: Readonly<Record<string, { readonly summary: string }>>): string {
  return Object.entries(methods)
    .map(([name, { summary }]) => `\`${name}\`: ${summary}`)
    .join(' ');
}

function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): [Key, ...Key[]] {
  return Object.keys(table) as [Key, ...Key[]];
}
