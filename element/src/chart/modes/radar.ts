import { RadarChart } from 'echarts/charts';
import { RadarComponent } from 'echarts/components';
import { use } from 'echarts/core';
import type { Cell } from '../../api/parse-answer.ts';
import { labelWidth } from '../axes.ts';
import { axisNumber } from '../clamp-to-axis.ts';
import { paletteColour } from '../colours.ts';
import { arrange } from '../frame.ts';
import { cellText } from '../labels.ts';
import { LEGEND_LINE_HEIGHT, legendLines, legendStyle, MAX_LEGEND_TEXT_WIDTH } from '../legend.ts';
import { niceScale } from '../nice-scale.ts';
import { type Plan, planOfPoints } from '../plan.ts';
import { type ChartSpec, pointOpacity } from '../spec.ts';
import type { KindPart } from './definition.ts';
import { pointTooltip, tooltipLines } from './item-tooltip.ts';

use([RadarChart, RadarComponent]);

export const plans: KindPart['plans'] = { radar: planRadar };

interface Polygon {
  readonly name: string;
  readonly row: number | undefined;
  readonly column: number;
  readonly colour: number;
  readonly cells: readonly (Cell | undefined)[];
}

const MAX_POLYGONS = 8;

/**
 * Plans polygons. With three metrics and more the metrics are spokes, each with its own scale, and each member is a polygon;
 * otherwise the categories are spokes of one scale, and each series is a polygon.
 */
function planRadar(spec: ChartSpec): Plan {
  const { answer, settings, formats, colours } = spec;
  const frame = arrange(answer, settings, formats, undefined);
  const { roles, points: located } = frame;
  const isOfMetrics = roles.metrics.length >= 3 && roles.series === undefined;
  const series = frame.panels[0]?.series ?? [];
  const dimension = answer.columns[roles.series ?? -1]?.key ?? '';
  const all: readonly Polygon[] = isOfMetrics
    ? located.rows.map((row, at) => ({
        name: located.labels[at] ?? '',
        row,
        column: roles.metrics[0] ?? -1,
        colour: at,
        cells: roles.metrics.map((metric) => answer.rows[row]?.[metric]),
      }))
    : series.map(({ name, metric, member, cells }, index) => ({
        name,
        row: undefined,
        column: metric,
        colour: member === undefined ? index : colours.slot(dimension, member),
        cells,
      }));
  const polygons = all.slice(0, MAX_POLYGONS);
  const spokes = isOfMetrics
    ? roles.metrics.map((metric) => answer.columns[metric]?.label ?? '')
    : located.rows.map((_, at) => located.labels[at] ?? '');
  const numbers = polygons.map(({ cells }) => cells.map(axisNumber));
  const shared = niceScale(
    numbers.flat().flatMap((value) => value ?? []),
    4,
  );
  const scales = spokes.map((_, at) =>
    isOfMetrics
      ? niceScale(
          numbers.flatMap((each) => each[at] ?? []),
          4,
        )
      : shared,
  );
  const points = polygons.map(({ name, row, column, cells }, index) => ({
    series: 0,
    data: index,
    row,
    column,
    text: tooltipLines([name, ...spokes.map((spoke, at) => `${spoke}: ${cellText(cells[at])}`)]),
  }));
  const names = polygons.map(({ name }) => name);
  return planOfPoints(
    points,
    (theme, size) => {
      const lines = names.length > 1 ? legendLines(names, size.width, theme) : 0;
      const top = lines === 0 ? 0 : Math.min(lines, 2) * LEGEND_LINE_HEIGHT;
      const nameRoom = Math.min(labelWidth(spokes, theme) * 1.1, size.width * 0.3);
      const radius = Math.max(30, Math.min(size.width / 2 - nameRoom - 14, (size.height - top) / 2 - 26));
      return {
        legend:
          lines === 0
            ? { show: false }
            : {
                ...legendStyle(theme, MAX_LEGEND_TEXT_WIDTH),
                type: lines <= 2 ? 'plain' : 'scroll',
                data: names,
                top: 2,
                left: theme.isRtl ? 'right' : 0,
              },
        tooltip: pointTooltip(theme, points),
        radar: {
          center: ['50%', top + (size.height - top) / 2],
          radius,
          splitNumber: 4,
          axisName: {
            color: theme.muted,
            fontSize: theme.fontSize,
            width: size.width / 2 - radius - 12,
            overflow: 'truncate',
          },
          axisLine: { lineStyle: { color: theme.grid } },
          splitLine: { lineStyle: { color: theme.grid } },
          splitArea: { show: false },
          indicator: spokes.map((name, at) => ({ name, min: scales[at]?.min ?? 0, max: scales[at]?.max ?? 1 })),
        },
        series: [
          {
            id: '0',
            type: 'radar',
            symbol: 'circle',
            symbolSize: 5,
            emphasis: { focus: 'self', areaStyle: { opacity: 0.3 } },
            data: polygons.map(({ name, row, colour }, index) => ({
              name,
              value: (numbers[index] ?? []).map((value) => value ?? null),
              lineStyle: { width: 2, color: paletteColour(theme, colour), opacity: pointOpacity(spec, row) },
              itemStyle: { color: paletteColour(theme, colour) },
              areaStyle: { color: paletteColour(theme, colour), opacity: polygons.length > 3 ? 0.05 : 0.14 },
            })),
          },
        ],
      };
    },
    all.length > polygons.length ? [formats.say('The first {0} of {1} polygons', polygons.length, all.length)] : [],
    names,
  );
}
