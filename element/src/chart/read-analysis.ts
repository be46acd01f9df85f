import { isRecord } from '../api/json.ts';
import type { Answer, Cell } from '../api/parse-answer.ts';
import { MAX_FORECAST_POINTS } from '../limits.ts';

/** Describes an unusual value as the server reports it. */
export interface Anomaly {
  readonly expected: number | undefined;
  readonly direction: string | undefined;
}

export interface ForecastPoint {
  /** Position among the points of the chart, from 0. The first position behind the answer is its number of rows. */
  readonly index: number;
  readonly value: number;
  readonly lower: number | undefined;
  readonly upper: number | undefined;
  /** The server's name for the point, written like the other labels of the axis. */
  readonly period: string | undefined;
}

export interface Forecast {
  readonly points: readonly ForecastPoint[];
  /** Share of outcomes that the band covers, such as 0.95. */
  readonly confidence: number | undefined;
  readonly method: string | undefined;
}

/** Reads the anomaly of a cell; undefined where the server reports none. */
export function readAnomaly(cell: Cell | undefined): Anomaly | undefined {
  const { anomaly } = cell ?? {};
  if (!isRecord(anomaly)) return undefined;
  const { expected, direction } = anomaly;
  return { expected: finiteNumber(expected), direction: typeof direction === 'string' ? direction : undefined };
}

/** Reads the forecast of the metric in this position; undefined where no point can be drawn. */
export function readForecast(answer: Answer, position: number): Forecast | undefined {
  const key = answer.columns[position]?.key;
  if (!isRecord(answer.forecast) || key === undefined || !Object.hasOwn(answer.forecast, key)) return undefined;
  const forecast = answer.forecast[key];
  if (!isRecord(forecast) || !Array.isArray(forecast.points)) return undefined;
  const points = forecast.points.flatMap((point: unknown): readonly ForecastPoint[] => {
    if (!isRecord(point)) return [];
    const index = finiteNumber(point.index);
    const value = finiteNumber(point.value);
    if (index === undefined || value === undefined || index < 0 || index >= answer.rows.length + MAX_FORECAST_POINTS)
      return [];
    return [
      {
        index: Math.floor(index),
        value,
        lower: finiteNumber(point.lower),
        upper: finiteNumber(point.upper),
        period: typeof point.period === 'string' && point.period !== '' ? point.period : undefined,
      },
    ];
  });
  if (points.length === 0) return undefined;
  return {
    points,
    confidence: finiteNumber(forecast.confidence),
    method: typeof forecast.method === 'string' ? forecast.method : undefined,
  };
}

/** Returns the names of the points behind the last row; undefined for a point without a name. */
export function readForecastPeriods(answer: Answer, series: readonly number[]): readonly (string | undefined)[] {
  const points = series.flatMap((position) => readForecast(answer, position)?.points ?? []);
  const names = new Map(points.flatMap(({ index, period }) => (period === undefined ? [] : [[index, period]])));
  const end = points.reduce((last, { index }) => Math.max(last, index + 1), answer.rows.length);
  return Array.from({ length: end - answer.rows.length }, (_, step) => names.get(answer.rows.length + step));
}

function finiteNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
