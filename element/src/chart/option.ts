import type { EChartsCoreOption } from 'echarts/core';
import type { Answer } from '../read/answer.ts';
import { type ChartMode, chartColumns } from './columns.ts';
import { axisNumber, categoryLabels, cellText, plain } from './labels.ts';
import type { Look } from './look.ts';

export interface ChartSpec {
  readonly answer: Answer;
  readonly mode: ChartMode;
  /** The sentence for those who do not see the chart. */
  readonly description: string;
}

/** The room a chart has, in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

const FONT_SIZE = 12;
/** Mean width of a character of the system fonts at 12 px; labels are fitted by it before they are painted. */
const CHARACTER = 6.3;
/** Height of one line of a legend, with its gap. */
const LEGEND_LINE = 24;
/** Widest text in a legend; what is longer is cut. */
const LEGEND_TEXT = 160;
const LEGEND_GAP = 14;
const LEGEND_ICON = 10;

/** Everything ECharts needs to draw `spec` in `size`. A function of its arguments; the same chart gives the same option. */
export function chartOption(spec: ChartSpec, look: Look, size: Size, animate: boolean): EChartsCoreOption {
  const shared = {
    animation: animate,
    animationDuration: 350,
    animationDurationUpdate: 200,
    color: [...look.series],
    textStyle: { fontFamily: look.font, fontSize: FONT_SIZE, color: look.text },
    aria: { enabled: true, label: { description: spec.description } },
  };
  return spec.mode === 'pie'
    ? { ...shared, ...pie(spec.answer, look, size) }
    : { ...shared, ...axes(spec.answer, spec.mode, look, size) };
}

/** A piece of an option; ECharts has no type that its own pieces of rich-text tooltips fit. */
type Piece = Readonly<Record<string, unknown>>;

function axes(answer: Answer, mode: 'bar' | 'line', look: Look, size: Size): Piece {
  const { category, series } = chartColumns(answer);
  const labels = categoryLabels(answer, category);
  const legend = series.length > 1;
  return {
    grid: {
      left: 4,
      right: 12,
      top: legend ? 40 : 14,
      bottom: 4,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    legend: legend ? { ...legendLook(look, LEGEND_TEXT), top: 2, left: 0, right: 0 } : { show: false },
    tooltip: {
      ...tooltipLook(look),
      trigger: 'axis',
      axisPointer:
        mode === 'bar'
          ? { type: 'shadow', shadowStyle: { color: look.line, opacity: 0.35 } }
          : { type: 'line', lineStyle: { color: look.muted, type: 'solid', width: 1, opacity: 0.5 } },
      formatter: (points: unknown) => tooltip(answer, firstIndex(points), series),
    },
    xAxis: {
      type: 'category',
      data: [...labels],
      boundaryGap: mode === 'bar',
      axisLine: { lineStyle: { color: look.line } },
      axisTick: { show: false },
      axisLabel: { color: look.muted, fontSize: FONT_SIZE, margin: 10, ...fitLabels(labels, size, mode) },
    },
    yAxis: {
      type: 'value',
      axisLabel: { color: look.muted, fontSize: FONT_SIZE, formatter: axisNumber },
      splitLine: { lineStyle: { color: look.line } },
      splitNumber: Math.max(2, Math.min(5, Math.floor(size.height / 60))),
    },
    series: series.map((position, index) => ({
      id: String(index),
      type: mode,
      name: answer.columns[position]?.label ?? '',
      data: answer.rows.map((row) => row[position]?.number ?? null),
      ...(mode === 'bar' ? barLook(series.length) : lineLook(answer.rows.length)),
    })),
  };
}

function barLook(series: number): Piece {
  return {
    barMaxWidth: 48,
    barGap: '12%',
    barCategoryGap: series > 1 ? '28%' : '36%',
    itemStyle: { borderRadius: 3 },
    emphasis: { focus: 'series' },
  };
}

function lineLook(points: number): Piece {
  return {
    lineStyle: { width: 2, cap: 'round', join: 'round' },
    symbol: 'circle',
    symbolSize: 6,
    showSymbol: points <= 24,
    sampling: points > 2_000 ? 'lttb' : undefined,
    emphasis: { focus: 'series' },
  };
}

/** Labels side by side while they fit; slanted and cut for a few long ones; thinned out where there are many. */
function fitLabels(labels: readonly string[], size: Size, mode: 'bar' | 'line'): Piece {
  const room = (size.width - 52) / Math.max(1, labels.length);
  const longest = Math.max(0, ...labels.slice(0, 500).map((label) => label.length)) * CHARACTER;
  if (longest + 4 <= room) return { interval: 0 };
  const slanted = room >= 18 && labels.length <= 40 && mode === 'bar';
  if (!slanted) return { hideOverlap: true, width: 120, overflow: 'truncate' };
  return { interval: 0, rotate: 38, width: Math.min(120, size.height / 3), overflow: 'truncate' };
}

/** Zero and negative values have no slice; `chart-view.ts` says how many there are. */
function pie(answer: Answer, look: Look, size: Size): Piece {
  const { category, series } = chartColumns(answer);
  const position = series[0];
  if (position === undefined) return {};
  const labels = categoryLabels(answer, category);
  const slices = answer.rows.flatMap((row, rowIndex) => {
    const value = row[position]?.number;
    return value === undefined || value <= 0 ? [] : [{ name: labels[rowIndex] ?? '', value, rowIndex }];
  });
  // A legend beside the circle where there is width for both; else under it, whole while that takes few lines.
  const beside = size.width >= 420 && size.width > size.height * 1.15;
  const lines = legendLines(
    slices.map(({ name }) => name),
    size.width,
  );
  const whole = lines <= 4 && size.height - lines * LEGEND_LINE > 120;
  const under = beside ? 0 : (whole ? lines : 1) * LEGEND_LINE + 10;
  const room = Math.min(beside ? size.width * 0.52 : size.width, size.height - under);
  const radius = Math.max(24, room / 2 - 8);
  return {
    legend: beside
      ? { ...legendLook(look, size.width * 0.32), orient: 'vertical', left: '56%', right: 0, top: 'middle' }
      : { ...legendLook(look, LEGEND_TEXT), type: whole ? 'plain' : 'scroll', bottom: 0, left: 'center' },
    tooltip: {
      ...tooltipLook(look),
      trigger: 'item',
      formatter: (point: unknown) => tooltip(answer, slices[firstIndex(point)]?.rowIndex ?? -1, [position]),
    },
    series: [
      {
        type: 'pie',
        name: answer.columns[position]?.label ?? '',
        radius: [radius * 0.52, radius],
        center: beside ? ['28%', '50%'] : ['50%', (size.height - under) / 2],
        data: slices,
        label: { show: false },
        labelLine: { show: false },
        itemStyle: { borderColor: look.surface, borderWidth: 2, borderRadius: 3 },
        emphasis: { scaleSize: 4 },
      },
    ],
  };
}

/** How many lines a legend takes when its entries stand one after the other. */
function legendLines(names: readonly string[], width: number): number {
  const room = width - 16;
  let lines = 1;
  let used = 0;
  for (const name of names) {
    const entry = LEGEND_ICON + 5 + Math.min(LEGEND_TEXT, name.length * CHARACTER * 1.2);
    if (used > 0 && used + entry > room) {
      lines += 1;
      used = 0;
    }
    used += entry + LEGEND_GAP;
  }
  return lines;
}

function legendLook(look: Look, textWidth: number): Piece {
  return {
    type: 'scroll',
    icon: 'roundRect',
    itemWidth: LEGEND_ICON,
    itemHeight: LEGEND_ICON,
    itemGap: LEGEND_GAP,
    textStyle: { color: look.text, fontSize: FONT_SIZE, width: textWidth, overflow: 'truncate' },
    pageTextStyle: { color: look.muted },
    pageIconColor: look.text,
    pageIconInactiveColor: look.line,
    pageIconSize: 11,
  };
}

/** Rich text is painted, never parsed as HTML: whatever a label holds, it cannot become part of the page. */
function tooltipLook(look: Look): Piece {
  return {
    renderMode: 'richText',
    confine: true,
    backgroundColor: look.surface,
    borderColor: look.line,
    borderWidth: 1,
    padding: [8, 12],
    textStyle: { color: look.text, fontSize: FONT_SIZE, lineHeight: 18, fontFamily: look.font },
  };
}

/** The row's labels on the first line, then each series with the value as the server writes it. */
function tooltip(answer: Answer, rowIndex: number, series: readonly number[]): string {
  const row = answer.rows[rowIndex];
  if (row === undefined) return '';
  const labels = row.filter((_, index) => !series.includes(index)).map(cellText);
  const values = series.map((index) => `${answer.columns[index]?.label ?? ''}: ${cellText(row[index])}`);
  return plain([labels.join(' · '), ...values].filter((line) => line !== '').join('\n'));
}

/** ECharts hands a formatter one point, or a list of the points under the pointer. */
function firstIndex(points: unknown): number {
  const point: unknown = Array.isArray(points) ? points[0] : points;
  if (typeof point !== 'object' || point === null || !('dataIndex' in point)) return -1;
  return typeof point.dataIndex === 'number' ? point.dataIndex : -1;
}
