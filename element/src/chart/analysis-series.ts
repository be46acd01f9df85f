import { axisNumber, clampToAxis } from './clamp-to-axis.ts';
import type { Points } from './points.ts';
import { type ForecastPoint, readAnomaly, readForecast } from './read-analysis.ts';
import type { ChartSpec } from './spec.ts';
import type { ChartTheme } from './theme.ts';
import type { OptionFragment } from './tooltip.ts';

export interface SeriesPlacement {
  /** Position among the series of the chart. */
  readonly index: number;
  /** Position of the vertical axis. */
  readonly axis: number;
  /** Returns the position of a point on the horizontal axis. */
  readonly x: (index: number) => number;
  readonly isTimeAxis: boolean;
  readonly points: Points;
  readonly theme: ChartTheme;
}

/**
 * Draws the server's analysis of one series: rings around anomalies, and a dashed line with a band for the forecast.
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
    return readAnomaly(cell) && value !== undefined ? [[x(at), value]] : [];
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
  const given = readForecast(answer, position)?.points;
  if (given === undefined) return [];
  const drawn = points.places && new Map(points.places.map((place, at) => [place, at]));
  const ordered = given
    .flatMap((point) => {
      const at = drawn ? drawn.get(point.index) : point.index;
      return at === undefined ? [] : [{ ...point, index: at }];
    })
    .sort((a, b) => a.index - b.index);
  const start = ordered[0]?.index ?? 0;
  // The line starts at the last value, so that it connects to the series.
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
      // The number behind the @ is the position of its first point; see `hoveredPointIndex`.
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
