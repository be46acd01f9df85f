import { PieChart } from 'echarts/charts';
import { use } from 'echarts/core';
import { memberKey } from '../../api/member-key.ts';
import { clampToAxis } from '../clamp-to-axis.ts';
import { cellText } from '../labels.ts';
import { LEGEND_LINE_HEIGHT, legendLines, legendStyle, MAX_LEGEND_TEXT_WIDTH } from '../legend.ts';
import { listMembers } from '../members.ts';
import { panelsHeight, placePanels } from '../panel-layout.ts';
import { type Plan, planOfPoints } from '../plan.ts';
import type { ChartSize, ChartSpec } from '../spec.ts';
import type { ChartTheme } from '../theme.ts';
import { type OptionFragment, readPointIndex, readSeriesIndex, rowText, tooltipStyle } from '../tooltip.ts';
import { type Datum, listData, markStyle, memberColour, omittedNotes, rowPoint } from './data.ts';
import type { KindPart } from './definition.ts';

use([PieChart]);

/** Radius of the hole as a share of that of the pie. */
const DEFAULT_HOLE = 0.52;

interface Pie {
  readonly title: string;
  readonly slices: readonly Datum[];
}

export const plans: KindPart['plans'] = { pie: planPie };

/** Plans a pie of the first metric, or one for each member of a second dimension. */
function planPie(spec: ChartSpec): Plan {
  const { answer, formats } = spec;
  const { roles, metric, data } = listData(spec);
  const { series, category } = roles;
  const drawn = data.filter(({ value }) => (value ?? 0) > 0);
  const pies: readonly Pie[] =
    series === undefined
      ? [{ title: '', slices: drawn }]
      : [...listMembers(answer, series)].map(([key, row]) => ({
          title: cellText(answer.rows[row]?.[series], answer.columns[series], formats),
          slices: drawn.filter((datum) => memberKey(answer.rows[datum.row]?.[series]) === key),
        }));
  const points = pies.flatMap(({ slices }, pie) =>
    slices.map(({ row }, index) => rowPoint(spec, pie, index, row, [metric])),
  );
  const omitted = answer.rows.filter((row) => (row[metric]?.number ?? 1) <= 0).length;
  return {
    ...planOfPoints(
      points,
      (theme, size) => pieOption(spec, pies, metric, category, theme, size),
      omittedNotes(spec, omitted, 'of zero or less'),
      sliceNames(pies),
    ),
    ...(pies.length > 1 ? { minHeight: (width) => panelsHeight(pies.length, width) + LEGEND_LINE_HEIGHT } : {}),
  };
}

function sliceNames(pies: readonly Pie[]): readonly string[] {
  return [...new Set(pies.flatMap(({ slices }) => slices.map(({ label }) => label)))];
}

function pieOption(
  spec: ChartSpec,
  pies: readonly Pie[],
  metric: number,
  category: number | undefined,
  theme: ChartTheme,
  size: ChartSize,
): OptionFragment {
  const { answer, formats, settings } = spec;
  const isSingle = pies.length === 1;
  const names = sliceNames(pies);
  // The legend is beside a wide circle, else below it; below, it is shown whole while it takes few lines.
  const beside = isSingle && size.width >= 420 && size.width > size.height * 1.15;
  const lines = legendLines(names, size.width, theme);
  const whole = lines <= 4 && size.height - lines * LEGEND_LINE_HEIGHT > 120;
  const under = beside ? 0 : (whole ? lines : 1) * LEGEND_LINE_HEIGHT + 10;
  const places = isSingle
    ? [
        {
          left: 0,
          top: 0,
          width: beside ? size.width * 0.56 : size.width,
          height: size.height - under,
        },
      ]
    : placePanels(pies.length, { ...size, height: size.height - under }, 0);
  const far = theme.isRtl ? { right: '56%', left: 0 } : { left: '56%', right: 0 };
  return {
    legend: beside
      ? {
          ...legendStyle(theme, size.width * 0.32),
          ...far,
          orient: 'vertical',
          top: 'middle',
          align: theme.isRtl ? 'right' : 'left',
          data: [...names],
        }
      : {
          ...legendStyle(theme, MAX_LEGEND_TEXT_WIDTH),
          type: whole ? 'plain' : 'scroll',
          bottom: 0,
          left: 'center',
          data: [...names],
        },
    tooltip: {
      ...tooltipStyle(theme),
      trigger: 'item',
      formatter: (point: unknown) =>
        rowText(answer, pies[readSeriesIndex(point)]?.slices[readPointIndex(point)]?.row ?? -1, [metric], formats),
    },
    series: pies.map(({ title, slices }, index) => {
      const { left, top, width, height } = places[index] ?? { left: 0, top: 0, width: size.width, height: size.height };
      const radius = Math.max(24, Math.min(width * (beside ? 0.93 : 1), height) / 2 - 8);
      const middle = left + width / 2;
      return {
        id: String(index),
        type: 'pie',
        name: title || (answer.columns[metric]?.label ?? ''),
        radius: [radius * (settings.hole ?? DEFAULT_HOLE), radius],
        center: [theme.isRtl ? size.width - middle : middle, top + height / 2],
        data: slices.map(({ row, label, value = 0 }, slice) => ({
          name: label,
          // The name in the middle is the label of the first slice.
          ...(isSingle || slice === 0 ? {} : { label: { show: false } }),
          value: clampToAxis(value),
          rowIndex: row,
          itemStyle: markStyle(spec, row, memberColour(spec, category, row, theme)),
        })),
        label: isSingle
          ? settings.labels === 'all'
            ? { show: true, color: theme.text, fontSize: theme.fontSize, formatter: '{b} {d}%' }
            : { show: false }
          : {
              show: true,
              position: 'center',
              color: theme.text,
              fontSize: Math.max(
                9,
                Math.min(theme.fontSize, (radius * 1.6) / Math.max(...title.split(' ').map(({ length }) => length))),
              ),
              fontWeight: 600,
              formatter: title.replaceAll('{', '{\u2060'),
              width: radius * 1.9 * (settings.hole ?? DEFAULT_HOLE),
              overflow: 'break',
            },
        labelLine: { show: isSingle && settings.labels === 'all' },
        // Slices thinner than the gaps between them would disappear.
        itemStyle: slices.length > 48 ? {} : { borderColor: theme.surface, borderWidth: 2, borderRadius: 3 },
        emphasis: { scaleSize: 4 },
      };
    }),
  };
}
