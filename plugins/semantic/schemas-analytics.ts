/** Schemas of anomaly detection and forecasting on this surface. */
import { z } from 'zod';
import { AnomalySummary, anomalyParameters, CellAnomaly, Forecasts, forecastParameters } from '../analytics/index.ts';
import { MetricCell, SemanticQueryRequest, SemanticQueryResponse } from './schemas.ts';

export type { SemanticQueryRequest } from './schemas.ts';

const timeAxis = anomalyParameters.timeAxis.describe(
  'A field of the query as `dataset.field`, or by the key of its column: dates or periods.',
);

const salesByMonth = {
  query: {
    connection: 'demo',
    rows: [{ dataset: 'sales', field: 'date', grain: 'month' }],
    values: [{ metric: 'net_sales' }],
  },
  timeAxis: 'sales.date.month',
} as const;

export const AnomalyRequest = z
  .strictObject({ query: SemanticQueryRequest, ...anomalyParameters, timeAxis })
  .meta({ examples: [{ ...salesByMonth, method: 'stl', threshold: 3 }] });
export const ForecastRequest = z
  .strictObject({ query: SemanticQueryRequest, ...forecastParameters, timeAxis })
  .meta({ examples: [{ ...salesByMonth, method: 'ets', horizon: 6, interval: 0.95 }] });

export const AnomalyResponse = SemanticQueryResponse.extend({
  records: z.array(
    z.record(
      z.string(),
      z.union([z.string(), z.number(), z.boolean(), z.null(), MetricCell.extend({ anomaly: CellAnomaly.optional() })]),
    ),
  ),
  anomaly: AnomalySummary,
});

export const ForecastResponse = SemanticQueryResponse.extend({ forecast: Forecasts });
