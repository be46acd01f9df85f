import { categoryAxis, valueAxis } from '../axes.ts';
import { paletteColour } from '../colours.ts';
import { axisFormatter } from '../labels.ts';
import { niceScale } from '../nice-scale.ts';
import { type Plan, planOfPoints } from '../plan.ts';
import type { ChartSpec } from '../spec.ts';
import { listData, omittedNotes } from './data.ts';
import type { KindPart } from './definition.ts';
import { pointTooltip, tooltipLines } from './item-tooltip.ts';

const MAX_DEFAULT_BINS = 30;

export const plans: KindPart['plans'] = { histogram: planHistogram };

/** A bar of a histogram: how many rows have a value from `from` up to `to`. The last bar includes its upper edge. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Counts values in bars of one width with round edges: about the square root of their number, or as many as wanted. */
export function countBins(values: readonly number[], wanted: number | undefined): readonly Bin[] {
  if (values.length === 0) return [];
  const steps = wanted ?? Math.max(1, Math.min(MAX_DEFAULT_BINS, Math.ceil(Math.sqrt(values.length))));
  const low = values.reduce((a, b) => Math.min(a, b));
  const high = values.reduce((a, b) => Math.max(a, b));
  if (low === high) return [{ from: low, to: high, count: values.length }];
  const nice = niceScale([low, high], steps, true);
  const [start, width] = wanted === undefined ? [nice.min, nice.interval] : [low, (high - low) / wanted];
  const count = wanted ?? Math.max(1, Math.round((nice.max - nice.min) / nice.interval));
  const counts = new Array<number>(count).fill(0);
  for (const value of values) {
    const bin = Math.min(count - 1, Math.max(0, Math.floor((value - start) / width + 1e-9)));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const edge = (index: number) => Number((start + index * width).toPrecision(12));
  return counts.map((each, index) => ({ from: edge(index), to: edge(index + 1), count: each }));
}

/** Plans the distribution of the first metric over the rows. */
function planHistogram(spec: ChartSpec): Plan {
  const { answer, formats, settings } = spec;
  const { metric, data } = listData(spec);
  const values = data.flatMap(({ value }) => value ?? []);
  const bins = countBins(values, settings.bins);
  const write = axisFormatter(answer, [metric], formats);
  const name = answer.columns[metric]?.label ?? '';
  const labels = bins.map(({ from, to }) => (from === to ? write(from) : `${write(from)} – ${write(to)}`));
  const rows = (count: number) => (count === 1 ? '1 row' : `${formats.number(count)} rows`);
  const points = bins.map(({ count }, index) => ({
    series: 0,
    data: index,
    row: undefined,
    column: metric,
    text: tooltipLines([`${name}: ${labels[index]}`, rows(count)]),
  }));
  return planOfPoints(
    points,
    (theme, size) => ({
      grid: { left: 4, right: 12, top: 34, bottom: 24, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
      legend: { show: false },
      tooltip: pointTooltip(theme, points),
      xAxis: categoryAxis({ rows: [], labels, times: undefined }, false, theme, size, formats, {
        isBar: true,
        isLying: false,
        title: name,
        isThinned: true,
      }),
      yAxis: {
        ...valueAxis((value) => formats.number(value, { maximumFractionDigits: 0 }), theme, size, {
          settings: settings.axes?.y,
        }),
        minInterval: 1,
        name: settings.axes?.y?.title ?? formats.say('Rows'),
        nameTextStyle: { color: theme.muted, fontSize: theme.fontSize, align: theme.isRtl ? 'right' : 'left' },
        position: theme.isRtl ? 'right' : 'left',
      },
      series: [
        {
          id: '0',
          type: 'bar',
          name,
          barCategoryGap: '3%',
          itemStyle: { color: paletteColour(theme, 0), borderRadius: [2, 2, 0, 0] },
          data: bins.map(({ count }) => count),
        },
      ],
    }),
    omittedNotes(spec, data.length - values.length, 'without a value'),
  );
}
