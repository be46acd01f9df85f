import type { Answer } from '../api/parse-answer.ts';
import type { Formats } from '../formats.ts';
import type { BandLines, SeriesPlacement } from './analysis.ts';
import { axisNumber, clampToAxis } from './clamp-to-axis.ts';
import { escapeRichText } from './labels.ts';
import type { Points } from './points.ts';
import { readAnomaly } from './read-analysis.ts';
import { type ForecastPoint, readForecast } from './read-forecast.ts';
import type { ChartSpec } from './spec.ts';
import type { OptionFragment } from './tooltip.ts';
import { writeLikeCells } from './write-like-cells.ts';

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

/** Fills the space between the first two metrics. */
export function bandSeries(panel: BandLines, colour: string, x: (at: number) => number): readonly OptionFragment[] {
  const [first, second] = panel.series;
  const shared = {
    type: 'line',
    symbol: 'none',
    silent: true,
    stack: 'band',
    stackStrategy: 'all',
    lineStyle: { opacity: 0 },
    tooltip: { show: false },
    emphasis: { disabled: true },
  };
  const pair = (at: number) => [axisNumber(first?.cells[at]), axisNumber(second?.cells[at])] as const;
  const ends = (first?.cells ?? []).map((_, at) => {
    const [a, b] = pair(at);
    return a === undefined || b === undefined ? undefined : ([Math.min(a, b), Math.max(a, b)] as const);
  });
  return [
    { ...shared, id: 'band-lower', data: ends.map((each, at) => [x(at), each?.[0] ?? null]) },
    {
      ...shared,
      id: 'band-upper',
      areaStyle: { color: colour, opacity: 0.2 },
      data: ends.map((each, at) => [x(at), each ? each[1] - each[0] : null]),
    },
  ];
}

/** Writes the forecast of a point behind the last row, with its confidence. */
export function forecastText(
  answer: Answer,
  index: number,
  series: readonly number[],
  points: Points,
  formats: Formats,
): string {
  const lines = series.flatMap((position) => {
    const forecast = readForecast(answer, position);
    const place = points.places?.[index] ?? index;
    const point = forecast?.points.find((each) => each.index === place);
    if (!forecast || !point) return [];
    const write = (value: number) => writeLikeCells(value, answer, position, formats);
    const sure =
      forecast.confidence === undefined
        ? ''
        : `${formats.number(forecast.confidence > 1 ? forecast.confidence / 100 : forecast.confidence, { style: 'percent' })}: `;
    const band =
      point.lower === undefined || point.upper === undefined
        ? ''
        : ` (${sure}${write(point.lower)} – ${write(point.upper)})`;
    return [`${answer.columns[position]?.label ?? ''}: ${write(point.value)}${band}`];
  });
  return [formats.say('{0} · forecast', points.labels[index] ?? ''), ...lines].map(escapeRichText).join('\n');
}
