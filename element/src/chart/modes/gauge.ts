import { GaugeChart } from 'echarts/charts';
import { use } from 'echarts/core';
import { labelWidth } from '../axes.ts';
import { paletteColour } from '../colours.ts';
import { axisFormatter, cellText } from '../labels.ts';
import { niceScale } from '../nice-scale.ts';
import { panelsHeight, placePanels } from '../panel-layout.ts';
import { type Plan, planOfPoints } from '../plan.ts';
import type { ChartSpec } from '../spec.ts';
import { listData, omittedNotes, rowPoint } from './data.ts';
import type { KindPart } from './definition.ts';
import { pointTooltip } from './item-tooltip.ts';
import { targetOf } from './target.ts';

use([GaugeChart]);

export const plans: KindPart['plans'] = { gauge: planGauge };

/** Plans a dial for each row: the value as an arc, the target as a mark, bands as the ground. */
function planGauge(spec: ChartSpec): Plan {
  const { answer, formats, settings } = spec;
  const { roles, metric, data } = listData(spec);
  const dials = data.filter(({ value }) => value !== undefined);
  const bands = settings.bands ?? [];
  const targets = dials.map(({ row }) => targetOf(spec, row, metric));
  const hasGround = bands.length > 0 || targets.some((target) => target !== undefined);
  const perDial = hasGround ? 2 : 1;
  const points = dials.map(({ row }, index) => rowPoint(spec, index * perDial, 0, row, [metric]));
  const values = dials.flatMap(({ value }) => value ?? []);
  const scale = niceScale([...values, ...targets.flatMap((each) => each ?? []), ...bands], 4);
  const isShare =
    answer.rows.every((row) => /%\s*$/.test(row[metric]?.text ?? '%')) &&
    values.every((value) => value >= 0 && value <= 1);
  const [min, max] = [
    settings.axes?.y?.min ?? scale.min,
    settings.axes?.y?.max ?? bands.at(-1) ?? (isShare ? 1 : scale.max),
  ];
  const write = axisFormatter(answer, [metric], formats);
  const isSeveral = dials.length > 1;
  return {
    ...planOfPoints(
      points,
      (theme, size) => {
        const places = placePanels(Math.max(1, dials.length), size, 0);
        const endWidth = labelWidth([write(min), write(max)], { ...theme, fontSize: theme.fontSize - 1 });
        return {
          legend: { show: false },
          tooltip: pointTooltip(theme, points),
          series: dials.flatMap(({ value = 0, label, cell }, index) => {
            const { left, top, width, height } = places[index] ?? {
              left: 0,
              top: 0,
              width: size.width,
              height: size.height,
            };
            const radius = Math.max(30, Math.min(width / 2 - 16 - endWidth, height * 0.58));
            const thick = Math.max(8, radius * 0.16);
            const target = targets[index];
            const name = isSeveral || roles.category !== undefined ? label : (answer.columns[metric]?.label ?? '');
            const share = (edge: number) => Math.min(1, Math.max(0, (edge - min) / (max - min || 1)));
            const dial = {
              type: 'gauge',
              center: [left + width / 2, top + height * 0.64],
              startAngle: 200,
              endAngle: -20,
              min,
              max,
              axisTick: { show: false },
              splitLine: { show: false },
              anchor: { show: false },
            };
            return [
              {
                ...dial,
                id: String(index * perDial),
                radius,
                splitNumber: 2,
                progress: { show: true, width: thick, itemStyle: { color: paletteColour(theme, 0) } },
                axisLine: { lineStyle: { width: thick, color: [[1, theme.grid]] } },
                axisLabel: {
                  color: theme.muted,
                  fontSize: theme.fontSize - 1,
                  // ECharts lets labels grow inwards, and counts from the end of a tick of 10 at a distance of 10.
                  distance: -endWidth - 34,
                  formatter: (at: number) => (at === min || at === max ? write(at) : ''),
                },
                pointer: { show: false },
                title: {
                  color: theme.muted,
                  fontSize: theme.fontSize,
                  offsetCenter: [0, '32%'],
                  width: radius * 1.5,
                  overflow: 'truncate',
                },
                detail: {
                  color: theme.text,
                  fontSize: Math.max(14, Math.min(30, radius * 0.26)),
                  fontWeight: 600,
                  offsetCenter: [0, 0],
                  formatter: () => cellText(cell).replaceAll('{', '{\u2060'),
                },
                data: [{ value, name }],
              },
              // Bands are a thin arc around the dial; the target is the pointer of a dial of its own.
              ...(hasGround
                ? [
                    {
                      ...dial,
                      id: `ground-${index}`,
                      silent: true,
                      radius: radius + 8,
                      axisLine: {
                        lineStyle: {
                          width: bands.length > 0 ? 5 : 0,
                          color:
                            bands.length > 0
                              ? bands.map((edge, band) => [
                                  share(edge),
                                  [theme.border, theme.muted, theme.text][band % 3],
                                ])
                              : [[1, 'transparent']],
                        },
                      },
                      axisLabel: { show: false },
                      pointer: {
                        show: target !== undefined,
                        icon: 'rect',
                        width: 3,
                        length: thick + 12,
                        offsetCenter: [0, -radius + thick],
                        itemStyle: { color: theme.text },
                      },
                      title: { show: false },
                      detail: { show: false },
                      data: target === undefined ? [] : [{ value: target }],
                    },
                  ]
                : []),
            ];
          }),
        };
      },
      omittedNotes(spec, data.length - dials.length, 'without a value'),
    ),
    ...(isSeveral ? { minHeight: (width) => panelsHeight(dials.length, width) } : {}),
  };
}
