import { axisNumber, clampToAxis } from './axis-value.ts';
import { anomalyOf, type ForecastPoint, forecastOf } from './forecast.ts';
import type { Points } from './points.ts';
import type { ChartSpec } from './spec.ts';
import type { ChartTheme } from './theme.ts';
import type { OptionFragment } from './tooltip.ts';

export interface SeriesPlacement {
  /** Of the series among the series. */
  readonly index: number;
  /** Of the vertical axis. */
  readonly axis: number;
  /** Returns the position of a point on the horizontal axis. */
  readonly x: (index: number) => number;
  readonly isTimeAxis: boolean;
  readonly points: Points;
  readonly theme: ChartTheme;
}

/**
 * Draws what the server says beyond the values of one series: rings around unusual ones, a dashed line and a band
 * ahead.
 */
export function forecastSeries(spec: ChartSpec, position: number, placed: SeriesPlacement): readonly OptionFragment[] {
  return [...anomalyMarkers(spec, position, placed), ...forecastLines(spec, position, placed)];
}

function anomalyMarkers(
  { answer }: ChartSpec,
  position: number,
  { index, axis, x, points, theme }: SeriesPlacement,
): readonly OptionFragment[] {
  const rings = points.rows.flatMap((row, at) => {
    const cell = answer.rows[row]?.[position];
    const value = axisNumber(cell);
    return anomalyOf(cell) && value !== undefined ? [[x(at), value]] : [];
  });
  if (rings.length === 0) return [];
  return [
    {
      id: `anomaly-${index}`,
      type: 'line',
      yAxisIndex: axis,
      silent: true,
      tooltip: { show: false },
      lineStyle: { opacity: 0 },
      symbol: 'circle',
      symbolSize: 14,
      showSymbol: true,
      showAllSymbol: true,
      itemStyle: { color: 'transparent', borderColor: theme.negative, borderWidth: 2 },
      data: rings,
      z: 5,
    },
  ];
}

function forecastLines({ answer }: ChartSpec, position: number, placed: SeriesPlacement): readonly OptionFragment[] {
  const { index, axis, x, points, theme } = placed;
  const given = forecastOf(answer, position)?.points;
  if (given === undefined) return [];
  const ordered = [...given].sort((a, b) => a.index - b.index);
  const start = ordered[0]?.index ?? 0;
  // From the last value on, so that the line does not begin in the air.
  const last = axisNumber(answer.rows[points.rows[start - 1] ?? -1]?.[position]);
  const all: readonly ForecastPoint[] =
    last === undefined
      ? ordered
      : [{ index: start - 1, value: last, lower: last, upper: last, period: undefined }, ...ordered];
  const first = all[0]?.index ?? 0;
  const colour = theme.series[index % theme.series.length];
  const shared = { type: 'line', yAxisIndex: axis, symbol: 'none', silent: true, emphasis: { disabled: true } };
  const band = {
    ...shared,
    stack: `band-${index}`,
    stackStrategy: 'all',
    lineStyle: { opacity: 0 },
    tooltip: { show: false },
  };
  return [
    {
      ...shared,
      // The number behind the @ is where its first point stands; see `pointIndex`.
      id: `forecast-${index}@${first}`,
      itemStyle: { color: colour },
      lineStyle: { width: 2, type: [5, 4], color: colour },
      data: all.map(({ index: at, value }) => [x(at), clampToAxis(value)]),
    },
    {
      ...band,
      id: `lower-${index}@${first}`,
      data: all.map(({ index: at, lower, value }) => [x(at), clampToAxis(lower ?? value)]),
    },
    {
      ...band,
      id: `upper-${index}@${first}`,
      areaStyle: { color: colour, opacity: 0.16 },
      data: all.map(({ index: at, lower, upper, value }) => [
        x(at),
        clampToAxis(upper ?? value) - clampToAxis(lower ?? value),
      ]),
    },
  ];
}
