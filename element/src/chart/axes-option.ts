import type { Answer } from '../api/answer.ts';
import { chartColumns } from '../api/columns.ts';
import { forecastSeries } from './analysis-series.ts';
import { axisNumber } from './clamp-to-axis.ts';
import { axisFormatter } from './labels.ts';
import { LEGEND_LINE_HEIGHT, legendLines, legendStyle, MAX_LEGEND_TEXT_WIDTH, MEAN_CHARACTER_WIDTH } from './legend.ts';
import { locatePoints, timeTicks } from './points.ts';
import { readForecastPeriods } from './read-analysis.ts';
import { type ChartSize, type ChartSpec, pointOpacity } from './spec.ts';
import type { ChartTheme } from './theme.ts';
import { forecastText, type OptionFragment, readPointIndex, rowText, tooltipStyle } from './tooltip.ts';

/**
 * Ratio of magnitudes from which one common scale would press the lines of a combined chart flat, or lift them off it.
 */
const SECOND_AXIS_RATIO = 8;

/** Describes how a mode draws its series. */
export interface AxesStyle {
  /** Returns whether the series in this position is drawn as bars, and not as a line. */
  readonly isBar: (index: number) => boolean;
  /** Whether the bars are stacked. */
  readonly isStacked?: boolean;
  /** Whether the area below a line is filled. */
  readonly isFilled?: boolean;
  /** Whether the lines have a vertical axis of their own where their magnitude differs. */
  readonly canHaveSecondAxis?: boolean;
}

/**
 * Returns the ECharts option of a chart with categories or time on the horizontal axis and a series for each metric.
 */
export function axesOption(spec: ChartSpec, style: AxesStyle, theme: ChartTheme, size: ChartSize): OptionFragment {
  const { isBar, isStacked = false, isFilled = false, canHaveSecondAxis = false } = style;
  const { answer, formats } = spec;
  const { category, series } = chartColumns(answer);
  const ahead = readForecastPeriods(answer, series);
  const points = locatePoints(answer, category, ahead, formats);
  const barCount = series.filter((_, index) => isBar(index)).length;
  const { times } = points;
  // Bars have equal distances, whatever the time between them. A line uses a time axis.
  const isTimeAxis = times !== undefined && barCount === 0;
  const x = (index: number): number => (isTimeAxis ? (times[index] ?? index) : index);
  const second = canHaveSecondAxis && needsSecondAxis(answer, series);
  const names = series.map((position) => answer.columns[position]?.label ?? '');
  // A short legend is shown whole; a long one is one line with page buttons.
  const lines = series.length > 1 ? legendLines(names, size.width - 32, theme) : 0;
  const whole = lines <= 2 && size.height > 180;
  return {
    grid: {
      left: 4,
      right: 12,
      top: lines === 0 ? 14 : 16 + LEGEND_LINE_HEIGHT * (whole ? lines : 1),
      bottom: 4,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    legend:
      lines > 0
        ? {
            ...legendStyle(theme, MAX_LEGEND_TEXT_WIDTH),
            type: whole ? 'plain' : 'scroll',
            // In right-to-left pages the first name is on the right. A legend of several lines keeps ECharts' order.
            data: theme.isRtl && whole && lines === 1 ? [...names].reverse() : names,
            top: 2,
            ...(theme.isRtl ? { left: 'right', align: 'right' } : { left: 0, right: 32 }),
          }
        : { show: false },
    tooltip: {
      ...tooltipStyle(theme),
      trigger: 'axis',
      axisPointer: isBar(0)
        ? { type: 'shadow', z: -1, shadowStyle: { color: theme.border, opacity: 0.35 } }
        : { type: 'line', lineStyle: { color: theme.muted, type: 'solid', width: 1, opacity: 0.5 } },
      formatter: (hit: unknown) => {
        const index = hoveredPointIndex(hit);
        const row = points.rows[index];
        return row === undefined
          ? forecastText(answer, index, series, points, formats)
          : rowText(answer, row, series, formats);
      },
    },
    xAxis: {
      ...(isTimeAxis
        ? { type: 'time', min: times[0], max: times.at(-1), splitNumber: tickCount(size) }
        : { type: 'category', data: [...points.labels], boundaryGap: isBar(0) }),
      inverse: theme.isRtl,
      axisLine: { lineStyle: { color: theme.border } },
      axisTick: { show: false },
      splitLine: { show: false },
      axisLabel: {
        color: theme.muted,
        fontSize: theme.fontSize,
        margin: 10,
        ...(isTimeAxis
          ? { hideOverlap: true, ...timeTicks(points, times, tickCount(size), formats) }
          : labelFit(points.labels, size, isBar(0), theme)),
      },
    },
    yAxis: [
      valueAxis(answer, second ? series.slice(0, 1) : series, spec, theme, size, theme.isRtl ? 'right' : 'left'),
      ...(second
        ? [
            {
              ...valueAxis(answer, series.slice(1), spec, theme, size, theme.isRtl ? 'left' : 'right'),
              splitLine: { show: false },
            },
          ]
        : []),
    ],
    series: series.flatMap((position, index) => {
      const bar = isBar(index);
      const axis = second && index > 0 ? 1 : 0;
      const data = points.rows.map((row, at) => {
        const value = axisNumber(answer.rows[row]?.[position]) ?? null;
        const weak = pointOpacity(spec, row);
        const placed = isTimeAxis ? [x(at), value] : value;
        return weak < 1 ? { value: placed, itemStyle: { opacity: weak } } : placed;
      });
      return [
        {
          id: String(index),
          type: bar ? 'bar' : 'line',
          name: names[index],
          yAxisIndex: axis,
          data,
          ...(isStacked ? { stack: 'all' } : {}),
          ...(bar ? barSeriesStyle(barCount, isStacked) : lineSeriesStyle(data.length, isFilled, series.length)),
        },
        ...(isStacked ? [] : forecastSeries(spec, position, { index, axis, x, isTimeAxis, points, theme })),
      ];
    }),
  };
}

/**
 * Returns the position of the point under the pointer. A forecast's series contain their first position in their id.
 */
function hoveredPointIndex(hit: unknown): number {
  const series: { readonly seriesId?: unknown } = Object(Array.isArray(hit) ? hit[0] : hit);
  return readPointIndex(hit) + Number(/@(\d+)$/.exec(String(series.seriesId))?.[1] ?? 0);
}

function valueAxis(
  answer: Answer,
  positions: readonly number[],
  { formats }: ChartSpec,
  theme: ChartTheme,
  size: ChartSize,
  side: 'left' | 'right',
): OptionFragment {
  return {
    type: 'value',
    position: side,
    axisLabel: { color: theme.muted, fontSize: theme.fontSize, formatter: axisFormatter(answer, positions, formats) },
    splitLine: { lineStyle: { color: theme.grid } },
    splitNumber: Math.max(2, Math.min(5, Math.floor(size.height / 60))),
  };
}

/** Returns the number of labels that fit on a time axis. */
function tickCount({ width }: ChartSize): number {
  return Math.max(2, Math.min(8, Math.floor((width - 60) / 66)));
}

function needsSecondAxis(answer: Answer, series: readonly number[]): boolean {
  const largest = (positions: readonly number[]) =>
    answer.rows.reduce(
      (most, row) => positions.reduce((all, position) => Math.max(all, Math.abs(row[position]?.number ?? 0)), most),
      0,
    );
  const [bars, lines] = [largest(series.slice(0, 1)), largest(series.slice(1))];
  return lines > 0 && bars > 0 && Math.max(bars / lines, lines / bars) > SECOND_AXIS_RATIO;
}

function barSeriesStyle(series: number, isStacked: boolean): OptionFragment {
  return {
    barMaxWidth: 48,
    barGap: '12%',
    barCategoryGap: series > 1 && !isStacked ? '28%' : '36%',
    itemStyle: { borderRadius: isStacked ? 0 : 3 },
    // A band behind the hovered point marks it. The other points keep their colours.
    emphasis: { focus: 'series', itemStyle: { color: 'inherit' } },
  };
}

function lineSeriesStyle(points: number, isFilled: boolean, series: number): OptionFragment {
  return {
    lineStyle: { width: 2, cap: 'round', join: 'round' },
    symbol: 'circle',
    symbolSize: 6,
    showSymbol: points <= 24,
    sampling: points > 2_000 ? 'lttb' : undefined,
    ...(isFilled ? { areaStyle: { opacity: series > 1 ? 0.16 : 0.22 } } : {}),
    emphasis: { focus: 'series' },
  };
}

/**
 * Arranges labels: side by side while they fit, slanted and cut where a few are long, thinned out where there are many.
 */
function labelFit(labels: readonly string[], size: ChartSize, barred: boolean, theme: ChartTheme): OptionFragment {
  const room = (size.width - 52) / Math.max(1, labels.length);
  // Digits are a fifth wider than the average letter.
  const characters = labels.slice(0, 500).map((label) => label.length + label.split(/\d/).length / 5);
  const longest = Math.max(0, ...characters) * theme.fontSize * MEAN_CHARACTER_WIDTH;
  if (longest + 8 <= room) return { interval: 0 };
  const slanted = room >= 18 && labels.length <= 40 && barred;
  if (!slanted) return { hideOverlap: true, width: 120, overflow: 'truncate' };
  return { interval: 0, rotate: theme.isRtl ? -38 : 38, width: Math.min(120, size.height / 3), overflow: 'truncate' };
}
