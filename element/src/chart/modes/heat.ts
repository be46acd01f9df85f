import { ScatterChart } from 'echarts/charts';
import { CalendarComponent } from 'echarts/components';
import { use } from 'echarts/core';
import { memberKey } from '../../api/member-key.ts';
import { categoryTitle, labelWidth, VALUE_TITLE_HEIGHT, valueTitle } from '../axes.ts';
import { chooseRoles } from '../choose-series.ts';
import { axisNumber } from '../clamp-to-axis.ts';
import { categoryKeys } from '../frame.ts';
import { inkOn } from '../ink.ts';
import { axisFormatter, cellText } from '../labels.ts';
import { LEGEND_LINE_HEIGHT, legendAbove, legendLines } from '../legend.ts';
import { type Plan, type PlanPoint, planOfPoints } from '../plan.ts';
import { type ChartSize, type ChartSpec, pointOpacity } from '../spec.ts';
import type { ChartTheme } from '../theme.ts';
import type { OptionFragment } from '../tooltip.ts';
import { placeMembers } from './axis-places.ts';
import { rowPoint } from './data.ts';
import type { KindPart } from './definition.ts';
import { type Classes, classify } from './heat-classes.ts';
import { pointTooltip } from './item-tooltip.ts';

use([ScatterChart, CalendarComponent]);

export const plans: KindPart['plans'] = { heatmap: planHeatmap, calendar: planCalendar };

interface HeatCell {
  readonly row: number;
  readonly value: number;
  readonly place: readonly (number | string)[];
}

interface Heat {
  readonly spec: ChartSpec;
  readonly metric: number;
  readonly classes: Classes;
  readonly names: readonly string[];
  /** The cells of each series: a series for each class, and that for each calendar. */
  readonly buckets: readonly (readonly HeatCell[])[];
  readonly points: readonly PlanPoint[];
}

/** Sorts cells into the series of their classes. A class is a series, so the legend shows the scale and switches classes. */
function arrangeHeat(spec: ChartSpec, metric: number, groups: readonly (readonly HeatCell[])[]): Heat {
  const cells = groups.flat();
  const classes = classify(cells.map(({ value }) => value));
  const write = axisFormatter(spec.answer, [metric], spec.formats);
  const last = classes.classes.length - 1;
  const buckets = groups.flatMap((group) =>
    classes.classes.map(({ from, to }, index) =>
      group.filter(({ value }) => value >= from && (index === last ? value <= to : value < to)),
    ),
  );
  const inOrder = buckets.flatMap((members, series) => members.map((cell, data) => ({ cell, series, data })));
  const points = inOrder
    .sort((a, b) => a.cell.row - b.cell.row)
    .map(({ cell, series, data }) => rowPoint(spec, series, data, cell.row, [metric]));
  return {
    spec,
    metric,
    classes,
    names: classes.classes.map(({ from, to }) => (from === to ? write(from) : `${write(from)} – ${write(to)}`)),
    buckets,
    points,
  };
}

function heatSeries(
  { spec, classes, names, buckets }: Heat,
  theme: ChartTheme,
  more: (group: number, colour: string) => OptionFragment,
): readonly OptionFragment[] {
  const scale = classes.isDiverging ? theme.diverging : theme.sequential;
  const colourOf = (index: number) => scale[classes.classes[index % names.length]?.colour ?? 0] ?? theme.text;
  return buckets.map((cells, index) => ({
    id: String(index),
    type: 'scatter',
    name: names[index % names.length],
    symbol: 'rect',
    itemStyle: { color: colourOf(index), opacity: 1 },
    emphasis: { scale: false, itemStyle: { borderColor: theme.text, borderWidth: 2 } },
    data: cells.map(({ place, value, row }) => ({
      value: [...place, value],
      ...(pointOpacity(spec, row) < 1 ? { itemStyle: { opacity: pointOpacity(spec, row) } } : {}),
    })),
    ...more(Math.floor(index / names.length), colourOf(index)),
  }));
}

function heatLegend(
  { names }: Heat,
  theme: ChartTheme,
  size: ChartSize,
): { readonly option: OptionFragment; readonly height: number } {
  const lines = legendLines(names, size.width, theme);
  const whole = lines <= 2;
  return {
    option: legendAbove(theme, names, whole, size.width),
    height: (whole ? lines : 1) * LEGEND_LINE_HEIGHT + 6,
  };
}

/** Plans a cell for each pair of two dimensions. */
function planHeatmap(spec: ChartSpec): Plan {
  const { answer, formats, settings } = spec;
  const { category, series, metrics } = chooseRoles(answer, settings);
  const [metric = -1] = metrics;
  const columns = { category, series, facet: undefined };
  const across = placeMembers(answer, category ?? -1, categoryKeys(answer.rows, columns), formats);
  const rowKeys = answer.rows.map((row) => memberKey(row[series ?? -1]));
  const down = placeMembers(answer, series ?? -1, rowKeys, formats);
  const cells = answer.rows.flatMap((row, index) => {
    const value = axisNumber(row[metric]);
    const [x, y] = [across.placeOf(index), down.placeOf(index)];
    return value === undefined || x === undefined || y === undefined ? [] : [{ row: index, value, place: [x, y] }];
  });
  const heat = arrangeHeat(spec, metric, [cells]);
  const option: Plan['option'] = (theme, size) => {
    const legend = heatLegend(heat, theme, size);
    const left = Math.min(size.width * 0.3, labelWidth(down.labels, theme) * 1.1 + 18);
    const titles = { x: settings.axes?.x?.title, y: settings.axes?.y?.title };
    const [top, bottom] = [legend.height + 4 + (titles.y ? VALUE_TITLE_HEIGHT : 0), titles.x ? 44 : 26];
    const width = (size.width - left - 6) / Math.max(1, across.labels.length);
    const height = (size.height - top - bottom) / Math.max(1, down.labels.length);
    const skipped = Math.ceil((labelWidth(across.labels, theme) + 6) / width) - 1;
    const isLabelled =
      settings.labels === 'all' || (settings.labels !== 'none' && width >= 58 && height >= 20 && cells.length <= 150);
    const axisOf = (labels: readonly string[], room: number, interval: number) => ({
      type: 'category',
      data: [...labels],
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: { show: false },
      axisLabel: {
        color: theme.muted,
        fontSize: theme.fontSize,
        interval,
        hideOverlap: true,
        width: room,
        overflow: 'truncate',
      },
    });
    return {
      grid: { ...(theme.isRtl ? { right: left, left: 6 } : { left, right: 6 }), top, bottom },
      legend: legend.option,
      tooltip: pointTooltip(theme, heat.points),
      xAxis: {
        ...axisOf(across.labels, Math.max(width, 60), skipped),
        ...categoryTitle(titles.x, theme),
        inverse: theme.isRtl,
      },
      yAxis: {
        ...axisOf(down.labels, left - 14, Math.ceil(13 / height) - 1),
        ...valueTitle(titles.y, theme, size.width),
        nameLocation: 'start',
        inverse: true,
        position: theme.isRtl ? 'right' : 'left',
      },
      series: heatSeries(heat, theme, (_, colour) => ({
        symbolSize: [Math.max(1, width - 2), Math.max(1, height - 2)],
        ...(isLabelled
          ? {
              label: {
                show: true,
                color: inkOn(colour, theme),
                fontSize: theme.fontSize - 1,
                formatter: ({
                  seriesIndex,
                  dataIndex,
                }: {
                  readonly seriesIndex: number;
                  readonly dataIndex: number;
                }) => {
                  const cell = heat.buckets[seriesIndex]?.[dataIndex];
                  const text = cellText(answer.rows[cell?.row ?? -1]?.[metric]);
                  return text.length <= 7 ? text : axisFormatter(answer, [metric], formats)(cell?.value ?? 0);
                },
              },
            }
          : {}),
      })),
    };
  };
  return planOfPoints(heat.points, option, [], heat.names);
}

const MAX_CELL = 26;

/** Half-years of one calendar; older ones are left out with a note. */
const MAX_HALVES = 12;
/** Columns of weeks of a half-year and of a year, which may begin and end within a week. */
const WEEKS = { half: 28, year: 54 } as const;
const DAY_LABEL_WIDTH = 22;
/** Height of the names of months, with the gap above. */
const MONTH_LABEL_HEIGHT = 26;
/** Cells below this size are too small to be pointed at, so a year is two calendars of half a year, one below the other. */
const MIN_CELL = 9;
/** Calendars of other years have no readable axis. */
const FIRST_YEAR = 1900;
const LAST_YEAR = 2200;

/** Plans a cell for each day: a calendar for each year, or for each half where a year is too wide. */
function planCalendar(spec: ChartSpec): Plan {
  const { answer, formats, settings } = spec;
  const { category, metrics } = chooseRoles(answer, settings);
  const [metric = -1] = metrics;
  const days = answer.rows.flatMap((row, index) => {
    const value = axisNumber(row[metric]);
    const text = /^\d{4}-\d\d-\d\d/.exec(row[category ?? -1]?.exact ?? '')?.[0] ?? '';
    const year = Number(text.slice(0, 4));
    const isDay = year >= FIRST_YEAR && year <= LAST_YEAR && !Number.isNaN(Date.parse(text));
    return value === undefined || !isDay ? [] : [{ row: index, value, place: [text] }];
  });
  const halfOf = (text: string | undefined) => `${text?.slice(0, 4)}-${Number(text?.slice(5, 7)) < 7 ? 1 : 2}`;
  const years = [...new Set(days.map(({ place }) => place[0]?.slice(0, 4) ?? ''))].sort();
  const all = years.flatMap((year) => [`${year}-1`, `${year}-2`]).slice(-MAX_HALVES);
  const last = days.reduce((latest, { place: [day = ''] }) => (day > latest ? day : latest), '');
  // A last half-year without a day would be an empty calendar.
  const halves = all.filter((half) => half <= halfOf(last));
  const heat = arrangeHeat(
    spec,
    metric,
    halves.map((half) => days.filter(({ place }) => halfOf(place[0]) === half)),
  );
  const names = (count: number, write: (index: number) => Date, options: Intl.DateTimeFormatOptions) =>
    Array.from({ length: count }, (_, index) => formats.date(write(index), { ...options, timeZone: 'UTC' }));
  const cellSize = (width: number, span: keyof typeof WEEKS) =>
    Math.max(4, Math.min(MAX_CELL, (width - DAY_LABEL_WIDTH - 8) / WEEKS[span]));
  const spanAt = (width: number) => (cellSize(width, 'year') < MIN_CELL ? 'half' : 'year');
  const calendarsAt = (width: number): readonly string[] =>
    spanAt(width) === 'half' ? halves : [...new Set(halves.map((half) => half.slice(0, 4)))];
  const shownYears = all.length / 2;
  const notes = years.length > shownYears ? [formats.say('The last {0} of {1} years', shownYears, years.length)] : [];
  return {
    ...planOfPoints(
      heat.points,
      (theme, size) => {
        const legend = heatLegend(heat, theme, size);
        const span = spanAt(size.width);
        const cell = cellSize(size.width, span);
        const calendars = calendarsAt(size.width);
        return {
          legend: legend.option,
          tooltip: pointTooltip(theme, heat.points),
          calendar: calendars.map((calendar, index) => {
            const [year = '', half] = calendar.split('-');
            const endsInJune = half === '1' || !halves.includes(`${year}-2`);
            return {
              range: [`${year}-${half === '2' ? '07' : '01'}-01`, `${year}-${endsInJune ? '06-30' : '12-31'}`],
              orient: 'horizontal',
              cellSize: [cell, cell],
              ...(theme.isRtl ? { right: DAY_LABEL_WIDTH } : { left: DAY_LABEL_WIDTH }),
              top: legend.height + 20 + index * (cell * 7 + MONTH_LABEL_HEIGHT),
              splitLine: { show: false },
              itemStyle: { color: 'transparent', borderColor: theme.grid, borderWidth: 1 },
              yearLabel: { show: false },
              monthLabel: {
                color: theme.muted,
                fontSize: theme.fontSize,
                nameMap: names(12, (month) => new Date(Date.UTC(2023, month, 1)), { month: 'short' }),
                // January has the year in place of its name, like an axis of time.
                formatter: ({
                  M,
                  yyyy,
                  nameMap,
                }: {
                  readonly M: unknown;
                  readonly yyyy: unknown;
                  readonly nameMap: unknown;
                }) => String(Number(M) === 1 ? yyyy : nameMap),
              },
              dayLabel: {
                color: theme.muted,
                fontSize: Math.min(theme.fontSize - 1, cell),
                firstDay: 1,
                // The first of January 2023 is a Sunday.
                nameMap: names(7, (day) => new Date(Date.UTC(2023, 0, 1 + day)), { weekday: 'narrow' }),
              },
            };
          }),
          series: heatSeries(heat, theme, (half) => ({
            coordinateSystem: 'calendar',
            calendarIndex: span === 'half' ? half : calendars.indexOf(halves[half]?.slice(0, 4) ?? ''),
            symbolSize: Math.max(2, cell - 2),
          })),
        };
      },
      notes,
      heat.names,
    ),
    minHeight: (width) =>
      calendarsAt(width).length * (cellSize(width, spanAt(width)) * 7 + MONTH_LABEL_HEIGHT) + 3 * LEGEND_LINE_HEIGHT,
  };
}
