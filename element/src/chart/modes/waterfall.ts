import type { Cell } from '../../api/parse-answer.ts';
import { categoryAxis, needsLying, stepsAcross, VALUE_TITLE_HEIGHT, valueAxis, valueTitle } from '../axes.ts';
import { axisNumber } from '../clamp-to-axis.ts';
import { paletteColour } from '../colours.ts';
import { axisFormatter, cellText } from '../labels.ts';
import { LEGEND_LINE_HEIGHT, legendStyle, MAX_LEGEND_TEXT_WIDTH } from '../legend.ts';
import { niceScale } from '../nice-scale.ts';
import { type Plan, planOfPoints } from '../plan.ts';
import { type ChartSpec, pointOpacity } from '../spec.ts';
import { rowText } from '../tooltip.ts';
import { listData } from './data.ts';
import type { KindPart } from './definition.ts';
import { pointTooltip, tooltipLines } from './item-tooltip.ts';

export const plans: KindPart['plans'] = { waterfall: planWaterfall };

/** A bar of a waterfall, from `from` to `to`. */
export interface Fall {
  readonly from: number;
  readonly to: number;
  readonly kind: 'increase' | 'decrease' | 'total';
}

/** Places bars: each begins where the one before ends. A total begins at zero and sets the level to its own value. */
export function placeFalls(
  values: readonly (number | undefined)[],
  isTotal: (index: number) => boolean,
): readonly (Fall | undefined)[] {
  let level = 0;
  return values.map((value, index) => {
    if (value === undefined) return undefined;
    const from = isTotal(index) ? 0 : level;
    level = from + value;
    return { from, to: level, kind: isTotal(index) ? 'total' : value < 0 ? 'decrease' : 'increase' };
  });
}

const KINDS = [
  ['increase', 'Increase', 0],
  ['decrease', 'Decrease', 1],
  ['total', 'Total', undefined],
] as const;

/** Plans bars that each begin where the one before ends: the rows of one metric, or the metrics of one row. */
function planWaterfall(spec: ChartSpec): Plan {
  const { answer, formats, settings } = spec;
  const { roles, metric, data } = listData(spec);
  const isOfMetrics = answer.rows.length === 1 && roles.metrics.length > 1;
  const steps: readonly {
    readonly row: number;
    readonly metric: number;
    readonly label: string;
    readonly cell: Cell | undefined;
  }[] = isOfMetrics
    ? roles.metrics.map((position) => ({
        row: 0,
        metric: position,
        label: answer.columns[position]?.label ?? '',
        cell: answer.rows[0]?.[position],
      }))
    : data.map(({ row, label, cell }) => ({ row, metric, label, cell }));
  const totals = new Set(settings.totals);
  const falls = placeFalls(
    steps.map(({ cell }) => axisNumber(cell)),
    (index) =>
      totals.has(steps[index]?.label ?? '') || totals.has(answer.columns[steps[index]?.metric ?? -1]?.key ?? ''),
  );
  const points = steps.map(({ row, metric: column, label, cell }, index) => ({
    // The first series has a datum for each step, so it takes the keyboard.
    series: 0,
    data: index,
    row,
    column,
    text: isOfMetrics ? tooltipLines([`${label}: ${cellText(cell)}`]) : rowText(answer, row, [column], formats),
  }));
  const kinds = KINDS.filter(([kind]) => falls.some((fall) => fall?.kind === kind)).map(
    ([kind, name, slot]) => [kind, formats.say(name), slot] as const,
  );
  const labels = steps.map(({ label }) => label);
  // The bars of several metrics have their names.
  const title = settings.axes?.y?.title ?? (isOfMetrics ? '' : answer.columns[metric]?.label);
  const write = axisFormatter(answer, isOfMetrics ? roles.metrics : [metric], formats);
  return {
    ...planOfPoints(points, (theme, size) => {
      const isLying =
        settings.orientation === 'horizontal' ||
        (settings.orientation !== 'vertical' && needsLying(labels, size, theme));
      const across = categoryAxis({ rows: [], labels, times: undefined }, false, theme, size, formats, {
        isBar: true,
        isLying,
        title: settings.axes?.x?.title ?? '',
      });
      const ends = falls.flatMap((fall) => (fall === undefined ? [] : [fall.from, fall.to]));
      const values = valueAxis(write, theme, size, {
        settings: settings.axes?.y,
        isBar: true,
        isAcross: isLying,
        scale: isLying ? niceScale(ends, stepsAcross(size.width)) : undefined,
      });
      const named = valueTitle(title, theme, size.width);
      const side = { position: theme.isRtl ? 'right' : 'left' };
      // Bars above and below zero are stacks of their own: an unpainted bar up to the nearer end, then the painted one.
      const hidden = (sign: 1 | -1) =>
        falls.map((fall) => {
          if (fall === undefined || Math.sign(fall.from) * Math.sign(fall.to) < 0) return 0;
          const near = Math.abs(fall.from) < Math.abs(fall.to) ? fall.from : fall.to;
          return (Math.sign(fall.from) || Math.sign(fall.to)) === sign ? near : 0;
        });
      const painted = (kind: Fall['kind'], sign: 1 | -1) =>
        falls.map((fall, index) => {
          if (fall?.kind !== kind) return '-';
          const low = Math.min(fall.from, fall.to);
          const high = Math.max(fall.from, fall.to);
          const length = sign === 1 ? Math.max(high, 0) - Math.max(low, 0) : Math.min(low, 0) - Math.min(high, 0);
          const opacity = pointOpacity(spec, steps[index]?.row);
          return {
            value: length,
            figure: fall.to - fall.from,
            ...(opacity < 1 && !isOfMetrics ? { itemStyle: { opacity } } : {}),
          };
        });
      const base = (sign: 1 | -1, id: string) => ({
        id,
        type: 'bar',
        stack: sign === 1 ? 'above' : 'below',
        silent: sign === -1,
        itemStyle: { color: 'transparent' },
        emphasis: { disabled: true },
        barMaxWidth: 48,
        barGap: '-100%',
        barCategoryGap: '28%',
        data: hidden(sign),
      });
      return {
        grid: {
          left: 4,
          right: 12,
          top: 16 + LEGEND_LINE_HEIGHT + (title ? VALUE_TITLE_HEIGHT : 0),
          bottom: 4,
          outerBoundsMode: 'same',
          outerBoundsContain: 'axisLabel',
        },
        legend: {
          ...legendStyle(theme, MAX_LEGEND_TEXT_WIDTH),
          data: kinds.map(([, name]) => name),
          top: 2,
          ...(theme.isRtl ? { left: 'right', align: 'right' } : { left: 0 }),
        },
        tooltip: {
          ...pointTooltip(theme, points),
          trigger: 'axis',
          axisPointer: { type: 'shadow', z: -1, shadowStyle: { color: theme.border, opacity: 0.35 } },
          formatter: (hit: unknown) => points[Number(Object(Array.isArray(hit) ? hit[0] : hit).dataIndex)]?.text ?? '',
        },
        xAxis: isLying ? { ...values, inverse: theme.isRtl } : across,
        yAxis: isLying ? { ...across, ...named, nameLocation: 'start', ...side } : { ...values, ...named, ...side },
        series: [
          base(1, '0'),
          base(-1, 'below'),
          ...kinds.flatMap(([kind, name, slot]) =>
            ([1, -1] as const).map((sign) => ({
              id: `${kind}${sign}`,
              type: 'bar',
              name,
              stack: sign === 1 ? 'above' : 'below',
              barMaxWidth: 48,
              itemStyle: { color: slot === undefined ? theme.muted : paletteColour(theme, slot), borderRadius: 2 },
              data: painted(kind, sign),
              ...(settings.labels === 'none' || steps.length > 24
                ? {}
                : {
                    label: {
                      show: true,
                      position: isLying ? 'right' : 'top',
                      color: theme.text,
                      fontSize: theme.fontSize - 1,
                      formatter: ({ dataIndex }: { readonly dataIndex: number }) => {
                        const fall = falls[dataIndex];
                        const isLabelled =
                          fall?.kind === kind &&
                          (sign === 1 ? Math.max(fall.from, fall.to) > 0 : Math.max(fall.from, fall.to) <= 0);
                        return isLabelled ? write(fall.to - fall.from) : '';
                      },
                    },
                  }),
            })),
          ),
        ],
      };
    }),
    locate: (_, at) => ({ row: steps[at]?.row, column: steps[at]?.metric }),
  };
}
