import { chartColumns } from '../../api/columns.ts';
import { MAX_SCATTER_ROWS } from '../../limits.ts';
import { axisNumber } from '../clamp-to-axis.ts';
import { axisFormatter } from '../labels.ts';
import { type ChartSize, type ChartSpec, pointOpacity } from '../spec.ts';
import type { ChartTheme } from '../theme.ts';
import { type OptionFragment, readPointIndex, rowText, tooltipStyle } from '../tooltip.ts';
import type { ChartModeDefinition } from './definition.ts';

/**
 * Draws the first metric on the horizontal axis and the second on the vertical one. A single metric is drawn over row
 * numbers.
 */
export const scatter: ChartModeDefinition = {
  label: 'Scatter plot',
  maxRows: MAX_SCATTER_ROWS,
  maxSeries: 2,
  maxTooltipSeries: Number.POSITIVE_INFINITY,
  pointRows: ({ rows }) => rows.map((_, index) => index),
  omittedNote: () => undefined,
  option: scatterOption,
};

/** Draws a line series without its line: the scatter series of ECharts would be one more module to load. */
function scatterOption(spec: ChartSpec, theme: ChartTheme, size: ChartSize): OptionFragment {
  const { answer, formats } = spec;
  const { series } = chartColumns(answer);
  const across = series.length > 1 ? series[0] : undefined;
  const up = series.length > 1 ? series[1] : series[0];
  if (up === undefined) return {};
  const named = (position: number | undefined) =>
    position === undefined ? '' : (answer.columns[position]?.label ?? '');
  const axis = (position: number | undefined, name: OptionFragment) => ({
    type: 'value',
    scale: true,
    name: named(position),
    nameTextStyle: { color: theme.muted, fontSize: theme.fontSize, overflow: 'truncate', width: size.width / 2 },
    axisLine: { show: false },
    axisTick: { show: false },
    axisLabel: {
      color: theme.muted,
      fontSize: theme.fontSize,
      formatter: axisFormatter(answer, position === undefined ? [] : [position], formats),
      hideOverlap: true,
    },
    splitLine: { lineStyle: { color: theme.grid } },
    ...name,
  });
  return {
    grid: { left: 4, right: 16, top: 34, bottom: 30, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    tooltip: {
      ...tooltipStyle(theme),
      trigger: 'item',
      formatter: (point: unknown) => rowText(answer, readPointIndex(point), series, formats),
    },
    xAxis: axis(across, { nameLocation: 'middle', nameGap: 32, inverse: theme.isRtl }),
    yAxis: axis(up, {
      nameLocation: 'end',
      position: theme.isRtl ? 'right' : 'left',
      nameTextStyle: { color: theme.muted, fontSize: theme.fontSize, align: theme.isRtl ? 'right' : 'left' },
    }),
    series: [
      {
        id: '0',
        type: 'line',
        name: named(up),
        lineStyle: { opacity: 0 },
        emphasis: { lineStyle: { opacity: 0 } },
        symbol: 'circle',
        showSymbol: true,
        showAllSymbol: true,
        symbolSize: answer.rows.length > 400 ? 6 : 9,
        // Opaque colours with a rim in the background colour: paler ones lack contrast on a dark background.
        itemStyle: { borderColor: theme.surface, borderWidth: 1 },
        data: answer.rows.map((row, index) => ({
          value: [across === undefined ? index + 1 : (axisNumber(row[across]) ?? null), axisNumber(row[up]) ?? null],
          itemStyle: { opacity: pointOpacity(spec, index) },
        })),
      },
    ],
  };
}
