/** Schemas of anomaly detection and forecasting on this surface. */
import { z } from 'zod';
import {
  AnomalySummary,
  anomalyParameters,
  CellAnomaly,
  Forecasts,
  forecastParameters,
} from '../../analytics/index.ts';
import { CubeQueryRequest, CubeQueryResponse, NumericCell } from './schemas.ts';

const timeAxis = anomalyParameters.timeAxis.describe(
  'A level of the query by its unique name, such as `[Time].[Time].[Month]`, or as `Dimension/Level`.',
);

const salesByMonth = {
  query: {
    cube: 'demo-cubes/Shop/Shop/Sales',
    measures: [{ name: 'Net Sales' }],
    rows: [{ dimension: 'Time', level: 'Month' }],
  },
  timeAxis: '[Time].[Time].[Month]',
} as const;

export const AnomalyRequest = z
  .strictObject({ query: CubeQueryRequest, ...anomalyParameters, timeAxis })
  .meta({ examples: [{ ...salesByMonth, method: 'stl', threshold: 3 }] });
export const ForecastRequest = z
  .strictObject({ query: CubeQueryRequest, ...forecastParameters, timeAxis })
  .meta({ examples: [{ ...salesByMonth, method: 'ets', horizon: 6, interval: 0.95 }] });

export const AnomalyResponse = CubeQueryResponse.extend({
  data: z.array(z.record(z.string(), z.union([z.string(), NumericCell.extend({ anomaly: CellAnomaly.optional() })]))),
  anomaly: AnomalySummary,
});

export const ForecastResponse = CubeQueryResponse.extend({ forecast: Forecasts });
