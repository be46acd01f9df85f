import { BoxplotChart } from 'echarts/charts';
import { use } from 'echarts/core';
import { categoryAxis, VALUE_TITLE_HEIGHT, valueAxis, valueTitle } from '../axes.ts';
import { chooseRoles } from '../choose-series.ts';
import { axisNumber } from '../clamp-to-axis.ts';
import { paletteColour } from '../colours.ts';
import { categoryKeys } from '../frame.ts';
import { axisFormatter, cellText } from '../labels.ts';
import { type Plan, planOfPoints } from '../plan.ts';
import { locatePoints } from '../points.ts';
import type { ChartSpec } from '../spec.ts';
import { placeMembers } from './axis-places.ts';
import type { KindPart } from './definition.ts';
import { pointTooltip, tooltipLines } from './item-tooltip.ts';

use([BoxplotChart]);

export const plans: KindPart['plans'] = { boxplot: planBoxplot };

const NAMES = ['Maximum', 'Upper quartile', 'Median', 'Lower quartile', 'Minimum'] as const;

interface Box {
  readonly label: string;
  readonly row: number | undefined;
  /** Minimum, lower quartile, median, upper quartile, maximum. */
  readonly values: readonly number[];
}

/** Returns a quantile of ascending numbers by linear interpolation (Hyndman and Fan 1996, type 7). */
export function quantile(ascending: readonly number[], share: number): number {
  const place = (ascending.length - 1) * share;
  const below = ascending[Math.floor(place)] ?? 0;
  const above = ascending[Math.ceil(place)] ?? below;
  return below + (above - below) * (place - Math.floor(place));
}

/** Plans boxes: of five metrics of the server, or of the values of one metric over the other dimension. */
function planBoxplot(spec: ChartSpec): Plan {
  const { answer, formats } = spec;
  const roles = chooseRoles(answer, spec.settings);
  const [metric = -1] = roles.metrics;
  const boxes = roles.metrics.length >= 5 ? givenBoxes(spec) : countedBoxes(spec);
  const write = axisFormatter(answer, [metric], formats);
  // Five metrics have no name in common.
  const title = spec.settings.axes?.y?.title ?? (roles.metrics.length >= 5 ? '' : answer.columns[metric]?.label);
  const points = boxes.map(({ label, row }, index) => ({
    series: 0,
    data: index,
    row,
    column: metric,
    text: tooltipLines([label, ...NAMES.map((name, place) => `${formats.say(name)}: ${boxText(index, 4 - place)}`)]),
  }));
  function boxText(index: number, place: number): string {
    const box = boxes[index];
    const cell = box?.row === undefined ? undefined : answer.rows[box.row]?.[roles.metrics[place] ?? -1];
    return cell ? cellText(cell) : write(box?.values[place] ?? 0);
  }
  return planOfPoints(points, (theme, size) => ({
    grid: {
      left: 4,
      right: 12,
      top: 14 + (title ? VALUE_TITLE_HEIGHT : 0),
      bottom: spec.settings.axes?.x?.title ? 22 : 4,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    legend: { show: false },
    tooltip: pointTooltip(theme, points),
    xAxis: categoryAxis(
      { rows: [], labels: boxes.map(({ label }) => label), times: undefined },
      false,
      theme,
      size,
      formats,
      {
        isBar: true,
        isLying: false,
        title: spec.settings.axes?.x?.title ?? '',
      },
    ),
    yAxis: {
      ...valueAxis(write, theme, size, { settings: spec.settings.axes?.y }),
      scale: true,
      ...valueTitle(title, theme, size.width),
      position: theme.isRtl ? 'right' : 'left',
    },
    series: [
      {
        id: '0',
        type: 'boxplot',
        boxWidth: [8, 46],
        itemStyle: { color: theme.surface, borderColor: paletteColour(theme, 0), borderWidth: 1.75 },
        emphasis: { itemStyle: { borderWidth: 2.5 } },
        data: boxes.map(({ values }) => [...values]),
      },
    ],
  }));
}

function givenBoxes({ answer, settings, formats }: ChartSpec): readonly Box[] {
  const roles = chooseRoles(answer, settings);
  const points = locatePoints(answer, roles.category, [], formats);
  return points.rows.flatMap((row, at) => {
    const values = roles.metrics.slice(0, 5).map((metric) => axisNumber(answer.rows[row]?.[metric]));
    const whole = values.flatMap((value) => value ?? []);
    return whole.length === 5 ? [{ label: points.labels[at] ?? '', row, values: whole }] : [];
  });
}

function countedBoxes({ answer, settings, formats }: ChartSpec): readonly Box[] {
  const roles = chooseRoles(answer, settings);
  const { category, metrics } = roles;
  const [metric = -1] = metrics;
  if (category === undefined) return [];
  const { labels, placeOf } = placeMembers(answer, category, categoryKeys(answer.rows, roles), formats);
  const groups = labels.map((): number[] => []);
  answer.rows.forEach((row, index) => {
    const value = axisNumber(row[metric]);
    if (value !== undefined) groups[placeOf(index) ?? -1]?.push(value);
  });
  return groups.flatMap((numbers, place) => {
    const ascending = numbers.sort((a, b) => a - b);
    if (ascending.length === 0) return [];
    const values = [0, 0.25, 0.5, 0.75, 1].map((each) => quantile(ascending, each));
    return [{ label: labels[place] ?? '', row: undefined, values }];
  });
}
