import { categoryAxis, VALUE_TITLE_HEIGHT, valueAxis, valueTitle } from '../axes.ts';
import { axisNumber } from '../clamp-to-axis.ts';
import { paletteColour } from '../colours.ts';
import { axisFormatter, cellText } from '../labels.ts';
import { niceScale } from '../nice-scale.ts';
import { type Plan, planOfPoints } from '../plan.ts';
import type { ChartSpec } from '../spec.ts';
import { listData, markStyle, omittedNotes } from './data.ts';
import type { KindPart } from './definition.ts';
import { pointTooltip, tooltipLines } from './item-tooltip.ts';
import { targetOf } from './target.ts';

export const plans: KindPart['plans'] = { bullet: planBullet };

const ROW_HEIGHT = 30;

/** Plans a bar for each row with its target as a mark and bands as the ground (Few 2006). */
function planBullet(spec: ChartSpec): Plan {
  const { answer, formats, settings } = spec;
  const { roles, metric, data } = listData(spec);
  const second = settings.targetColumn === undefined && settings.target === undefined ? roles.metrics[1] : undefined;
  const targetPosition = answer.columns.findIndex(({ key }) => key === settings.targetColumn);
  const targets = data.map(({ row }) =>
    second === undefined ? targetOf(spec, row, metric) : axisNumber(answer.rows[row]?.[second]),
  );
  const write = axisFormatter(answer, [metric], formats);
  const name = answer.columns[metric]?.label ?? '';
  const title = settings.axes?.y?.title ?? (roles.category === undefined ? '' : name);
  const labels = roles.category === undefined ? [name] : data.map(({ label }) => label);
  const targetText = (index: number): string => {
    const target = targets[index];
    const cell = answer.rows[data[index]?.row ?? -1]?.[second ?? targetPosition];
    return target === undefined ? '' : formats.say('Target: {0}', cell ? cellText(cell) : write(target));
  };
  const points = data.map(({ row, label, cell }, index) => ({
    series: 0,
    data: index,
    row,
    column: metric,
    text: tooltipLines([roles.category === undefined ? '' : label, `${name}: ${cellText(cell)}`, targetText(index)]),
  }));
  const bands = [...(settings.bands ?? [])].sort((a, b) => b - a);
  const values = [...data.flatMap(({ value }) => value ?? []), ...targets.flatMap((target) => target ?? []), ...bands];
  return {
    ...planOfPoints(
      points,
      (theme, size) => {
        const scale = niceScale(values, 4);
        const row = Math.max(12, (size.height - (title ? 60 : 34)) / Math.max(1, labels.length));
        const thick = Math.min(34, row * 0.62);
        const across = categoryAxis({ rows: [], labels, times: undefined }, false, theme, size, formats, {
          isBar: true,
          isLying: true,
          title: '',
        });
        return {
          grid: {
            left: 4,
            right: 16,
            top: 8 + (title ? VALUE_TITLE_HEIGHT + 6 : 0),
            bottom: 4,
            outerBoundsMode: 'same',
            outerBoundsContain: 'axisLabel',
          },
          legend: { show: false },
          tooltip: pointTooltip(theme, points),
          xAxis: {
            ...valueAxis(write, theme, size, { settings: settings.axes?.y, isBar: true, scale }),
            inverse: theme.isRtl,
          },
          // The bands have an axis of their own: bars of two widths are centred on each other only on two axes.
          yAxis: [
            {
              ...across,
              ...valueTitle(title, theme, size.width),
              nameLocation: 'start',
              position: theme.isRtl ? 'right' : 'left',
            },
            { ...across, show: false },
          ],
          series: [
            {
              id: '0',
              type: 'bar',
              name,
              barWidth: Math.max(6, thick * 0.42),
              z: 3,
              itemStyle: { borderRadius: 2 },
              data: data.map(({ row: at, value }) => ({
                value: value ?? null,
                itemStyle: markStyle(spec, at, paletteColour(theme, 0)),
              })),
            },
            {
              id: 'target',
              type: 'line',
              name: formats.say('Target'),
              silent: true,
              lineStyle: { opacity: 0 },
              symbol: 'rect',
              symbolSize: [3, Math.max(12, thick * 0.8)],
              showAllSymbol: true,
              z: 4,
              itemStyle: { color: theme.text },
              data: targets.map((target, index) => [target ?? null, index]),
            },
            ...bands.map((edge, band) => ({
              id: `band-${band}`,
              type: 'bar',
              silent: true,
              yAxisIndex: 1,
              barWidth: thick,
              barGap: '-100%',
              z: 1,
              itemStyle: { color: theme.muted, opacity: 0.14 + 0.1 * band },
              emphasis: { disabled: true },
              data: labels.map(() => edge),
            })),
          ],
        };
      },
      omittedNotes(spec, data.filter(({ value }) => value === undefined).length, 'without a value'),
    ),
    minHeight: labels.length > 3 ? () => labels.length * ROW_HEIGHT + 40 : undefined,
  };
}
