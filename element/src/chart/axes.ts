import type { Answer } from '../read/answer.ts';
import { type ChartMode, chartColumns } from './columns.ts';
import { axisFormat } from './labels.ts';
import { CHARACTER, LEGEND_LINE, LEGEND_TEXT, legendLines, legendLook } from './legend.ts';
import type { Look } from './look.ts';
import { pointsAhead } from './outlook.ts';
import { outlookSeries } from './outlook-series.ts';
import { pointsOf, tickWriter } from './points.ts';
import { type ChartSpec, type Size, strength } from './spec.ts';
import { firstIndex, forecastText, type Piece, rowText, tooltipLook } from './tooltip.ts';
import { drawnNumber } from './value.ts';

type AxesMode = Exclude<ChartMode, 'pie' | 'scatter'>;

/** A second axis where one scale would press the lines of a combined chart flat, or lift them off it. */
const FLAT = 8;

/** Categories or time to the right, each metric a series upwards. */
export function axes(spec: ChartSpec, mode: AxesMode, look: Look, size: Size): Piece {
  const { answer, formats } = spec;
  const { category, series } = chartColumns(answer);
  const ahead = pointsAhead(answer, series);
  const points = pointsOf(answer, category, ahead, formats);
  const barred = (index: number) => mode === 'bar' || mode === 'stacked-bar' || (mode === 'combo' && index === 0);
  const { times } = points;
  // Bars stand side by side, however much time is between them; a line goes through time.
  const timed = times !== undefined && !series.some((_, index) => barred(index));
  const x = (index: number): number => (timed ? (times[index] ?? index) : index);
  const second = mode === 'combo' && needsSecond(answer, series);
  const names = series.map((position) => answer.columns[position]?.label ?? '');
  // Whole while it takes few lines; else in one line to page through.
  const lines = series.length > 1 ? legendLines(names, size.width - 32, look) : 0;
  const whole = lines <= 2 && size.height > 180;
  return {
    grid: {
      left: 4,
      right: 12,
      top: lines === 0 ? 14 : 16 + LEGEND_LINE * (whole ? lines : 1),
      bottom: 4,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    legend:
      lines > 0
        ? {
            ...legendLook(look, LEGEND_TEXT),
            type: whole ? 'plain' : 'scroll',
            // The first name stands where reading begins; more than one line of them has its own order.
            data: look.rtl && whole && lines === 1 ? [...names].reverse() : names,
            top: 2,
            ...(look.rtl ? { left: 'right', align: 'right' } : { left: 0, right: 32 }),
          }
        : { show: false },
    tooltip: {
      ...tooltipLook(look),
      trigger: 'axis',
      axisPointer: barred(0)
        ? { type: 'shadow', z: -1, shadowStyle: { color: look.line, opacity: 0.35 } }
        : { type: 'line', lineStyle: { color: look.muted, type: 'solid', width: 1, opacity: 0.5 } },
      formatter: (hit: unknown) => {
        const index = pointIndex(hit);
        const row = points.rows[index];
        return row === undefined
          ? forecastText(answer, index, series, points, formats)
          : rowText(answer, row, series, formats);
      },
    },
    xAxis: {
      ...(timed
        ? { type: 'time', min: times[0], max: times.at(-1), splitNumber: ticks(size) }
        : { type: 'category', data: [...points.labels], boundaryGap: barred(0) }),
      inverse: look.rtl,
      axisLine: { lineStyle: { color: look.line } },
      axisTick: { show: false },
      splitLine: { show: false },
      axisLabel: {
        color: look.muted,
        fontSize: look.fontSize,
        margin: 10,
        ...(timed
          ? { hideOverlap: true, formatter: tickWriter(times, formats) }
          : fitLabels(points.labels, size, barred(0), look)),
      },
    },
    yAxis: [
      valueAxis(answer, second ? series.slice(0, 1) : series, spec, look, size, look.rtl ? 'right' : 'left'),
      ...(second
        ? [
            {
              ...valueAxis(answer, series.slice(1), spec, look, size, look.rtl ? 'left' : 'right'),
              splitLine: { show: false },
            },
          ]
        : []),
    ],
    series: series.flatMap((position, index) => {
      const bar = barred(index);
      const axis = second && index > 0 ? 1 : 0;
      const data = points.rows.map((row, at) => {
        const value = drawnNumber(answer.rows[row]?.[position]) ?? null;
        const weak = strength(spec, row);
        const placed = timed ? [x(at), value] : value;
        return weak < 1 ? { value: placed, itemStyle: { opacity: weak } } : placed;
      });
      return [
        {
          id: String(index),
          type: bar ? 'bar' : 'line',
          name: names[index],
          yAxisIndex: axis,
          data,
          ...(mode === 'stacked-bar' ? { stack: 'all' } : {}),
          ...(bar ? barLook(mode === 'combo' ? 1 : series.length, mode) : lineLook(data.length, mode, series.length)),
        },
        ...(mode === 'stacked-bar' ? [] : outlookSeries(spec, position, { index, axis, x, timed, points, look })),
      ];
    }),
  };
}

/** Where a point under the pointer stands, also one of a forecast, whose series are marked with their first point. */
function pointIndex(hit: unknown): number {
  const first: unknown = Array.isArray(hit) ? hit[0] : hit;
  const offset =
    typeof first === 'object' && first !== null && 'seriesId' in first && typeof first.seriesId === 'string'
      ? Number(/@(\d+)$/.exec(first.seriesId)?.[1] ?? 0)
      : 0;
  return firstIndex(hit) + offset;
}

function valueAxis(
  answer: Answer,
  positions: readonly number[],
  { formats }: ChartSpec,
  look: Look,
  size: Size,
  side: 'left' | 'right',
): Piece {
  return {
    type: 'value',
    position: side,
    axisLabel: { color: look.muted, fontSize: look.fontSize, formatter: axisFormat(answer, positions, formats) },
    splitLine: { lineStyle: { color: look.grid } },
    splitNumber: Math.max(2, Math.min(5, Math.floor(size.height / 60))),
  };
}

/** How many labels of a time axis have room beside each other. */
function ticks({ width }: Size): number {
  return Math.max(2, Math.min(8, Math.floor((width - 60) / 66)));
}

function needsSecond(answer: Answer, series: readonly number[]): boolean {
  const largest = (positions: readonly number[]) =>
    answer.rows.reduce(
      (most, row) => positions.reduce((all, position) => Math.max(all, Math.abs(row[position]?.number ?? 0)), most),
      0,
    );
  const [bars, lines] = [largest(series.slice(0, 1)), largest(series.slice(1))];
  return lines > 0 && bars > 0 && Math.max(bars / lines, lines / bars) > FLAT;
}

function barLook(series: number, mode: AxesMode): Piece {
  return {
    barMaxWidth: 48,
    barGap: '12%',
    barCategoryGap: series > 1 && mode === 'bar' ? '28%' : '36%',
    itemStyle: { borderRadius: mode === 'stacked-bar' ? 0 : 3 },
    // What is pointed at is marked by the band behind it, and not by being paler than the rest.
    emphasis: { focus: 'series', itemStyle: { color: 'inherit' } },
  };
}

function lineLook(points: number, mode: AxesMode, series: number): Piece {
  return {
    lineStyle: { width: 2, cap: 'round', join: 'round' },
    symbol: 'circle',
    symbolSize: 6,
    showSymbol: points <= 24,
    sampling: points > 2_000 ? 'lttb' : undefined,
    ...(mode === 'area' ? { areaStyle: { opacity: series > 1 ? 0.16 : 0.22 } } : {}),
    emphasis: { focus: 'series' },
  };
}

/** Labels side by side while they fit; slanted and cut for a few long ones; thinned out where there are many. */
function fitLabels(labels: readonly string[], size: Size, barred: boolean, look: Look): Piece {
  const room = (size.width - 52) / Math.max(1, labels.length);
  const longest = Math.max(0, ...labels.slice(0, 500).map((label) => label.length)) * look.fontSize * CHARACTER;
  if (longest + 4 <= room) return { interval: 0 };
  const slanted = room >= 18 && labels.length <= 40 && barred;
  if (!slanted) return { hideOverlap: true, width: 120, overflow: 'truncate' };
  return { interval: 0, rotate: look.rtl ? -38 : 38, width: Math.min(120, size.height / 3), overflow: 'truncate' };
}
