/** Shapes of anomaly detection and forecasting on this surface. */
import { z } from 'zod';
import { AnomalySummary, anomalyParameters, CellAnomaly, Forecasts, forecastParameters } from '../analytics/index.ts';
import { MetricCell, SemanticQueryRequest, SemanticQueryResponse } from './schemas.ts';

export type { SemanticQueryRequest } from './schemas.ts';

const timeAxis = anomalyParameters.timeAxis.describe('A field of the query as `dataset.field`: dates or periods.');

export const AnomalyRequest = z.strictObject({ query: SemanticQueryRequest, ...anomalyParameters, timeAxis });
export const ForecastRequest = z.strictObject({ query: SemanticQueryRequest, ...forecastParameters, timeAxis });

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
