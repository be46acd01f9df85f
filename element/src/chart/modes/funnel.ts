import { FunnelChart } from 'echarts/charts';
import { use } from 'echarts/core';
import { labelWidth } from '../axes.ts';
import { axisNumber } from '../clamp-to-axis.ts';
import { paletteColour } from '../colours.ts';
import { cellText } from '../labels.ts';
import { type Plan, planOfPoints } from '../plan.ts';
import type { ChartSpec } from '../spec.ts';
import { rowText } from '../tooltip.ts';
import { listData, markStyle, omittedNotes } from './data.ts';
import type { KindPart } from './definition.ts';
import { pointTooltip, tooltipLines } from './item-tooltip.ts';

use([FunnelChart]);

export const plans: KindPart['plans'] = { funnel: planFunnel };

interface Stage {
  readonly row: number;
  readonly metric: number;
  readonly label: string;
  readonly value: number;
  readonly text: string;
}

/** Plans stages from the widest to the narrowest: the rows of one metric, or the metrics of one row. */
function planFunnel(spec: ChartSpec): Plan {
  const { answer, formats } = spec;
  const { roles, metric, data } = listData(spec);
  const isOfMetrics = answer.rows.length === 1 && roles.metrics.length > 1;
  const all: readonly (Omit<Stage, 'value'> & { readonly value: number | undefined })[] = isOfMetrics
    ? roles.metrics.map((position) => {
        const cell = answer.rows[0]?.[position];
        return {
          row: 0,
          metric: position,
          label: answer.columns[position]?.label ?? '',
          value: axisNumber(cell),
          text: cellText(cell),
        };
      })
    : data.map(({ row, label, value, cell }) => ({ row, metric, label, value, text: cellText(cell) }));
  const stages = all
    .flatMap((stage): readonly Stage[] =>
      stage.value === undefined || stage.value < 0 ? [] : [{ ...stage, value: stage.value }],
    )
    .sort((a, b) => b.value - a.value);
  const first = stages[0]?.value ?? 0;
  const shareOf = (value: number) =>
    first > 0 ? formats.number(value / first, { style: 'percent', maximumFractionDigits: 1 }) : '';
  const points = stages.map(({ row, metric: column, label, value, text }, index) => ({
    series: 0,
    data: index,
    row,
    column,
    text: isOfMetrics
      ? tooltipLines([`${label}: ${text}`, shareOf(value)])
      : tooltipLines([rowText(answer, row, [column], formats), shareOf(value)]),
  }));
  return planOfPoints(
    points,
    (theme, size) => {
      const labels = stages.map(({ label, text }) => `${label}  ${text}`);
      const room = Math.min(size.width * 0.64, labelWidth(labels, theme) * 1.08 + 24);
      // A wide funnel has slopes so flat that they run under the labels.
      const width = Math.min(size.width - room - 4, size.height * 1.1);
      const left = Math.max(4, (size.width - width - room) / 2);
      return {
        legend: { show: false },
        tooltip: pointTooltip(theme, points),
        series: [
          {
            id: '0',
            type: 'funnel',
            sort: 'none',
            gap: 2,
            minSize: '2%',
            top: 8,
            bottom: 8,
            ...(theme.isRtl ? { right: left } : { left }),
            width,
            label: {
              position: theme.isRtl ? 'left' : 'right',
              color: theme.text,
              fontSize: theme.fontSize,
              width: room - 24,
              overflow: 'truncate',
              formatter: ({ dataIndex }: { readonly dataIndex: number }) =>
                (labels[dataIndex] ?? '').replaceAll('{', '{\u2060'),
            },
            labelLine: { length: 10, lineStyle: { color: theme.border } },
            itemStyle: { borderWidth: 0 },
            data: stages.map(({ row, label, value }, index) => ({
              name: label,
              value,
              itemStyle: markStyle(
                spec,
                isOfMetrics ? undefined : row,
                isOfMetrics ? paletteColour(theme, index) : paletteColour(theme, 0),
              ),
            })),
          },
        ],
      };
    },
    omittedNotes(spec, all.length - stages.length, 'below zero or without a value'),
  );
}
