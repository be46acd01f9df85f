import { ScatterChart } from 'echarts/charts';
import { use } from 'echarts/core';
import { memberKey } from '../../api/member-key.ts';
import { chooseRoles } from '../choose-series.ts';
import { axisNumber } from '../clamp-to-axis.ts';
import { paletteColour } from '../colours.ts';
import { axisFormatter, cellText } from '../labels.ts';
import { LEGEND_LINE_HEIGHT, legendAbove, legendLines } from '../legend.ts';
import { listMembers } from '../members.ts';
import { type Plan, planOfPoints } from '../plan.ts';
import { type ChartSize, type ChartSpec, pointOpacity } from '../spec.ts';
import { rowText } from '../tooltip.ts';
import { omittedNotes } from './data.ts';
import type { KindPart } from './definition.ts';
import { pointTooltip } from './item-tooltip.ts';

use([ScatterChart]);

export const plans: KindPart['plans'] = {
  scatter: (spec) => planPoints(spec, false),
  bubble: (spec) => planPoints(spec, true),
};

/** Members that have a colour each; the points of more have one colour. */
const MAX_COLOURED_MEMBERS = 12;
/** Diameters of bubbles in CSS pixels; `share` of the side of the square that each has in the chart. */
const BUBBLE = { min: 7, max: 46, share: 0.55 } as const;

/** A straight line through points, and how much of their variance it explains. */
export interface Trend {
  readonly slope: number;
  readonly intercept: number;
  readonly r2: number;
}

/** Fits a line by ordinary least squares; undefined for fewer than two places. */
export function fitTrend(points: readonly (readonly [number, number])[]): Trend | undefined {
  const count = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / count;
  const [xx, xy, yy] = points.reduce(
    ([a, b, c], [x, y]) => [a + (x - meanX) ** 2, b + (x - meanX) * (y - meanY), c + (y - meanY) ** 2],
    [0, 0, 0],
  );
  if (count < 2 || xx === 0) return undefined;
  const slope = xy / xx;
  return { slope, intercept: meanY - slope * meanX, r2: yy === 0 ? 1 : xy ** 2 / (xx * yy) };
}

/**
 * Plans a point for each row: the first metric across, the second up, a third as the size of bubbles. A single metric is
 * drawn over row numbers.
 */
function planPoints(spec: ChartSpec, isBubble: boolean): Plan {
  const { answer, formats, settings, colours } = spec;
  const roles = chooseRoles(answer, settings);
  const { metrics } = roles;
  const across = metrics.length > 1 ? metrics[0] : undefined;
  const up = (metrics.length > 1 ? metrics[1] : metrics[0]) ?? -1;
  const sizeKey = answer.columns.findIndex(({ key }) => key === settings.sizeBy);
  const sized = isBubble ? (sizeKey >= 0 ? sizeKey : metrics[2]) : undefined;
  const colourKey = answer.columns.findIndex(
    ({ key, type }) => key === (settings.colourBy ?? settings.series) && type === 'dimension',
  );
  const coloured = colourKey >= 0 ? colourKey : roles.series;
  const members = coloured === undefined ? undefined : [...listMembers(answer, coloured)];
  const isColoured = members !== undefined && members.length > 1 && members.length <= MAX_COLOURED_MEMBERS;
  const sizes = sized === undefined ? [] : answer.rows.map((row) => Math.max(0, row[sized]?.number ?? 0));
  const largest = sizes.reduce((a, b) => Math.max(a, b), 0);
  // The area of a bubble is in proportion to its value.
  const sizeOf = (row: number, { width, height }: ChartSize) =>
    sized === undefined
      ? answer.rows.length > 400
        ? 6
        : 9
      : Math.max(
          BUBBLE.min,
          Math.min(BUBBLE.max, BUBBLE.share * Math.sqrt((width * height) / answer.rows.length)) *
            Math.sqrt((sizes[row] ?? 0) / (largest || 1)),
        );
  const marks = answer.rows
    .map((row, index) => ({
      row: index,
      x: across === undefined ? index + 1 : axisNumber(row[across]),
      y: axisNumber(row[up]),
    }))
    // A small bubble is before a large one.
    .sort((a, b) => (sizes[b.row] ?? 0) - (sizes[a.row] ?? 0));
  const groups = isColoured
    ? members.map(([key, first]) => ({
        name: cellText(answer.rows[first]?.[coloured ?? -1], answer.columns[coloured ?? -1], formats),
        slot: colours.slot(answer.columns[coloured ?? -1]?.key ?? '', key),
        marks: marks.filter(({ row }) => memberKey(answer.rows[row]?.[coloured ?? -1]) === key),
      }))
    : [{ name: answer.columns[up]?.label ?? '', slot: 0, marks }];
  const points = groups.flatMap(({ marks: own }, series) =>
    own.map(({ row }, data) => ({ series, data, row, column: up, text: rowText(answer, row, metrics, formats) })),
  );
  const placed = marks.flatMap(({ x, y }): readonly (readonly [number, number])[] =>
    x === undefined || y === undefined ? [] : [[x, y]],
  );
  const trend = settings.trend ? fitTrend(placed) : undefined;
  const short = (value: number) => formats.number(value, { maximumSignificantDigits: 3 });
  const formula =
    trend &&
    `y = ${short(trend.intercept)} ${trend.slope < 0 ? '−' : '+'} ${short(Math.abs(trend.slope))} x, R² = ${short(trend.r2)}`;
  const xs = placed.map(([x]) => x);
  const named = (position: number | undefined) =>
    position === undefined ? '' : (answer.columns[position]?.label ?? '');
  const names = groups.map(({ name }) => name);
  return planOfPoints(
    // Row order, so that the keyboard follows the answer.
    [...points].sort((a, b) => a.row - b.row),
    (theme, size) => {
      const lines = isColoured ? legendLines(names, size.width - 32, theme) : 0;
      const whole = lines <= 2 && size.height > 180;
      const legendHeight = (whole ? lines : Math.min(lines, 1)) * LEGEND_LINE_HEIGHT;
      const axis = (position: number | undefined, more: object, limits: typeof settings.axes) => ({
        type: limits?.x?.scale === 'log' ? 'log' : 'value',
        scale: true,
        ...(sized === undefined ? {} : { boundaryGap: ['4%', '6%'] }),
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
        ...(limits?.x?.min === undefined ? {} : { min: limits.x.min }),
        ...(limits?.x?.max === undefined ? {} : { max: limits.x.max }),
        ...more,
      });
      return {
        grid: {
          left: 4,
          right: 16,
          top: 34 + legendHeight,
          bottom: 30,
          outerBoundsMode: 'same',
          outerBoundsContain: 'axisLabel',
        },
        legend: isColoured ? legendAbove(theme, names, whole, size.width) : { show: false },
        tooltip: pointTooltip(theme, points),
        xAxis: axis(across, { nameLocation: 'middle', nameGap: 32, inverse: theme.isRtl }, settings.axes),
        yAxis: axis(
          up,
          {
            nameLocation: 'end',
            position: theme.isRtl ? 'right' : 'left',
            nameTextStyle: { color: theme.muted, fontSize: theme.fontSize, align: theme.isRtl ? 'right' : 'left' },
          },
          { x: settings.axes?.y },
        ),
        series: [
          ...groups.map(({ name, slot, marks: own }, index) => ({
            id: String(index),
            type: 'scatter',
            name,
            // Opaque colours with a rim in the background colour: paler ones lack contrast on a dark background.
            itemStyle: {
              color: paletteColour(theme, slot),
              borderColor: theme.surface,
              borderWidth: 1,
              opacity: sized === undefined ? 1 : 0.82,
            },
            symbolSize: sizeOf(-1, size),
            data: own.map(({ row, x, y }) => ({
              value: [x ?? null, y ?? null],
              ...(sized === undefined ? {} : { symbolSize: sizeOf(row, size) }),
              ...(pointOpacity(spec, row) < 1 || sized === undefined
                ? { itemStyle: { opacity: pointOpacity(spec, row) } }
                : {}),
            })),
          })),
          ...(trend && xs.length > 0
            ? [
                {
                  id: 'trend',
                  type: 'line',
                  name: formula,
                  silent: true,
                  symbol: 'none',
                  lineStyle: { color: theme.text, width: 1.5, type: [6, 4] },
                  data: [xs.reduce((a, b) => Math.min(a, b)), xs.reduce((a, b) => Math.max(a, b))].map((x) => [
                    x,
                    trend.intercept + trend.slope * x,
                  ]),
                },
              ]
            : []),
        ],
      };
    },
    [
      ...(formula === undefined ? [] : [formats.say('Trend: {0}', formula)]),
      ...(sized === undefined ? [] : [formats.say('Area: {0}', named(sized))]),
      ...omittedNotes(spec, marks.length - placed.length, 'without both values'),
    ],
    isColoured ? names : undefined,
  );
}
