import { chartColumns } from './columns.ts';
import { axisFormat } from './labels.ts';
import type { Look } from './look.ts';
import { type ChartSpec, type Size, strength } from './spec.ts';
import { firstIndex, type Piece, rowText, tooltipLook } from './tooltip.ts';
import { drawnNumber } from './value.ts';

/**
 * The first metric to the right, the second upwards; with a single one, the rows are counted to the right. Drawn as a
 * line whose line is not painted: the scatter series of ECharts would be one more piece to load.
 */
export function scatter(spec: ChartSpec, look: Look, size: Size): Piece {
  const { answer, formats } = spec;
  const { series } = chartColumns(answer);
  const across = series.length > 1 ? series[0] : undefined;
  const up = series.length > 1 ? series[1] : series[0];
  if (up === undefined) return {};
  const named = (position: number | undefined) =>
    position === undefined ? '' : (answer.columns[position]?.label ?? '');
  const axis = (position: number | undefined, name: Piece) => ({
    type: 'value',
    scale: true,
    name: named(position),
    nameTextStyle: { color: look.muted, fontSize: look.fontSize, overflow: 'truncate', width: size.width / 2 },
    axisLine: { show: false },
    axisTick: { show: false },
    axisLabel: {
      color: look.muted,
      fontSize: look.fontSize,
      formatter: axisFormat(answer, position === undefined ? [] : [position], formats),
      hideOverlap: true,
    },
    splitLine: { lineStyle: { color: look.grid } },
    ...name,
  });
  return {
    grid: { left: 4, right: 16, top: 34, bottom: 30, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    tooltip: {
      ...tooltipLook(look),
      trigger: 'item',
      formatter: (point: unknown) => rowText(answer, firstIndex(point), series, formats),
    },
    xAxis: axis(across, { nameLocation: 'middle', nameGap: 32, inverse: look.rtl }),
    yAxis: axis(up, {
      nameLocation: 'end',
      position: look.rtl ? 'right' : 'left',
      nameTextStyle: { color: look.muted, fontSize: look.fontSize, align: look.rtl ? 'right' : 'left' },
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
        // Whole colours, told apart where they overlap by a rim of the ground: paler ones lack contrast on dark ground.
        itemStyle: { borderColor: look.surface, borderWidth: 1 },
        data: answer.rows.map((row, index) => ({
          value: [across === undefined ? index + 1 : (drawnNumber(row[across]) ?? null), drawnNumber(row[up]) ?? null],
          itemStyle: { opacity: strength(spec, index) },
        })),
      },
    ],
  };
}
