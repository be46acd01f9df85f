import { CandlestickChart } from 'echarts/charts';
import { use } from 'echarts/core';
import { categoryAxis, VALUE_TITLE_HEIGHT, valueAxis, valueTitle } from '../axes.ts';
import { axisNumber } from '../clamp-to-axis.ts';
import { paletteColour } from '../colours.ts';
import { axisFormatter } from '../labels.ts';
import { LEGEND_LINE_HEIGHT, legendAbove } from '../legend.ts';
import { type Plan, planOfPoints } from '../plan.ts';
import { type ChartSpec, pointOpacity } from '../spec.ts';
import { readPointIndex, tooltipStyle } from '../tooltip.ts';
import { listData, omittedNotes, rowPoint } from './data.ts';
import type { KindPart } from './definition.ts';

use([CandlestickChart]);

export const plans: KindPart['plans'] = { candlestick: planCandles };

const PARTS = [/open/i, /close/i, /low|min/i, /high|max/i] as const;

/** Finds the metrics of opening, closing, lowest and highest values: by their names, else in this order. */
function findParts({ answer, settings }: ChartSpec, metrics: readonly number[]): readonly number[] {
  const named = PARTS.map((pattern) =>
    metrics.find((metric) => pattern.test(`${answer.columns[metric]?.key} ${answer.columns[metric]?.label}`)),
  ).flatMap((metric) => metric ?? []);
  return settings.metrics === undefined && new Set(named).size === 4 ? named : metrics.slice(0, 4);
}

/** Plans a candle for each period: its body from the opening to the closing value, its wick from the lowest to the highest. */
function planCandles(spec: ChartSpec): Plan {
  const { answer, formats, settings } = spec;
  const { roles, points: located, data } = listData(spec);
  const parts = findParts(spec, roles.metrics);
  const candles = data.map(({ row }) => {
    const values = parts.map((metric) => axisNumber(answer.rows[row]?.[metric]));
    return values.every((value) => value !== undefined) ? values : undefined;
  });
  const points = data.map(({ row }, index) => rowPoint(spec, 0, index, row, parts));
  const write = axisFormatter(answer, parts, formats);
  const title = settings.axes?.y?.title;
  const directions = (['Increase', 'Decrease'] as const).map((word) => formats.say(word));
  return planOfPoints(
    points,
    (theme, size) => ({
      grid: {
        left: 4,
        right: 12,
        top: 14 + LEGEND_LINE_HEIGHT + (title ? VALUE_TITLE_HEIGHT : 0),
        bottom: settings.axes?.x?.title ? 22 : 4,
        outerBoundsMode: 'same',
        outerBoundsContain: 'axisLabel',
      },
      legend: { ...legendAbove(theme, directions, true, size.width), selectedMode: false },
      tooltip: {
        ...tooltipStyle(theme),
        trigger: 'axis',
        axisPointer: { type: 'shadow', z: -1, shadowStyle: { color: theme.border, opacity: 0.35 } },
        formatter: (hit: unknown) => points[readPointIndex(hit)]?.text ?? '',
      },
      xAxis: categoryAxis({ ...located, times: undefined }, false, theme, size, formats, {
        isBar: true,
        isLying: false,
        title: settings.axes?.x?.title ?? '',
      }),
      yAxis: {
        ...valueAxis(write, theme, size, { settings: settings.axes?.y }),
        scale: true,
        ...valueTitle(title, theme, size.width),
        position: theme.isRtl ? 'right' : 'left',
      },
      series: [
        {
          id: '0',
          type: 'candlestick',
          barMaxWidth: 22,
          // Up is filled, down is hollow, so that the direction shows without colour.
          itemStyle: {
            color: paletteColour(theme, 0),
            borderColor: paletteColour(theme, 0),
            color0: theme.surface,
            borderColor0: paletteColour(theme, 1),
            borderWidth: 1.5,
          },
          data: candles.map((values, index) => {
            const opacity = pointOpacity(spec, data[index]?.row);
            const value = values ?? ['-', '-', '-', '-'];
            return opacity < 1 ? { value, itemStyle: { opacity } } : value;
          }),
        },
        // Series without data: the two directions are entries of the legend.
        ...directions.map((name, place) => {
          const borderColor = paletteColour(theme, place);
          return {
            id: `direction-${place}`,
            type: 'bar',
            name,
            itemStyle: { color: place === 0 ? borderColor : theme.surface, borderColor, borderWidth: 1.5 },
            data: [],
          };
        }),
      ],
    }),
    omittedNotes(spec, candles.filter((candle) => candle === undefined).length, 'without all four values'),
  );
}
