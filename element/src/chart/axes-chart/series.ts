import type { ChartSettings } from '../../generated/chart-settings.ts';
import { forecastSeries } from '../analysis-series.ts';
import { axisNumber } from '../clamp-to-axis.ts';
import type { FramePanel } from '../frame.ts';
import { inkOn } from '../ink.ts';
import { pointOpacity } from '../spec.ts';
import type { ChartTheme } from '../theme.ts';
import type { OptionFragment } from '../tooltip.ts';
import { dataLabel, hasDataLabels } from './data-labels.ts';
import type { Prepared } from './prepare.ts';
import { seriesColour } from './series-colour.ts';

interface SeriesPlace {
  readonly theme: ChartTheme;
  readonly isLying: boolean;
  readonly xAxis: number;
  readonly yAxis: number;
  /** Room of one category along its axis, in CSS pixels. */
  readonly slot: number;
  readonly marks: OptionFragment | undefined;
}

/** Describes one line or sequence of bars, with its forecast and its incomplete last period. */
export function seriesOption(
  prepared: Prepared,
  panel: FramePanel,
  panelIndex: number,
  index: number,
  { theme, isLying, xAxis, yAxis, slot, marks }: SeriesPlace,
): readonly OptionFragment[] {
  const { spec, frame, style, stack, isTimeAxis, open } = prepared;
  const { settings } = spec;
  const { points, roles, isCrossed, panels } = frame;
  const series = panel.series[index];
  if (series === undefined) return [];
  const isBar = style.isBar(roles.metrics.indexOf(series.metric));
  const barCount = panel.series.filter(({ metric }) => style.isBar(roles.metrics.indexOf(metric))).length;
  const colour = seriesColour(prepared, panel, index, theme);
  const x = (at: number): number => (isTimeAxis ? (points.times?.[at] ?? at) : at);
  const isStacked = stack !== 'none';
  const isLabelled = hasDataLabels(prepared, panel, slot, isLying);
  const values = series.cells.map((cell, at) => {
    const value = axisNumber(cell) ?? null;
    if (stack === 'percent') return share(panel, at, value);
    return isStacked && isCrossed ? (value ?? 0) : value;
  });
  const data = values.map((value, at) => {
    const weak = pointOpacity(spec, series.rows[at]);
    const placed = isTimeAxis ? [x(at), value] : value;
    const isOpenBar = isBar && at === open;
    const below = isLabelled && (value ?? 0) < 0;
    if (weak === 1 && !isOpenBar && !below) return placed;
    return {
      value: placed,
      ...(weak < 1 || isOpenBar
        ? {
            itemStyle: {
              ...(weak < 1 ? { opacity: weak } : {}),
              ...(isOpenBar ? { opacity: 0.55, borderColor: colour, borderWidth: 1.5, borderType: [4, 3] } : {}),
            },
          }
        : {}),
      ...(below ? { label: { position: isLying ? 'left' : 'bottom' } } : {}),
    };
  });
  const id = isCrossed ? `${panelIndex}.${index}` : String(index);
  const axis = { xAxisIndex: xAxis, yAxisIndex: yAxis };
  const isOpenLine = !isBar && open !== undefined && open > 0 && !isStacked;
  // The segment to an incomplete period is a series of its own, because a line has one dash.
  const solid = isOpenLine
    ? data.map((datum, at) => (at === open ? (isTimeAxis ? [x(at), null] : null) : datum))
    : data;
  const label = isLabelled
    ? {
        label: {
          show: true,
          position: isStacked ? 'inside' : isLying ? 'right' : 'top',
          color: isStacked ? inkOn(colour, theme) : theme.text,
          fontSize: theme.fontSize - 1,
          formatter: ({ dataIndex }: { readonly dataIndex: number }) => dataLabel(prepared, panel, index, dataIndex),
        },
      }
    : {};
  return [
    {
      id,
      type: isBar ? 'bar' : 'line',
      name: series.name,
      ...axis,
      data: solid,
      ...(isCrossed || settings.colours !== undefined || series.isOthers
        ? { color: colour, itemStyle: { color: colour } }
        : {}),
      ...(isStacked ? { stack: isCrossed ? `all-${panelIndex}` : 'all' } : {}),
      ...mergeStyle(
        isBar
          ? barSeriesStyle(barCount, isStacked)
          : lineSeriesStyle(data.length, style.isFilled === true, panel.series.length, isStacked, settings),
        isCrossed || settings.colours !== undefined ? colour : undefined,
      ),
      ...label,
      ...marks,
    },
    ...(isOpenLine
      ? [
          {
            id: `open-${id}@${open - 1}`,
            type: 'line',
            name: series.name,
            ...axis,
            silent: true,
            symbol: 'circle',
            symbolSize: 6,
            itemStyle: { color: colour },
            lineStyle: { width: 2, type: [5, 4], color: colour },
            data: data.slice(open - 1).map((datum, step) => (isTimeAxis ? datum : [open - 1 + step, datum])),
          },
        ]
      : []),
    ...(isStacked || isCrossed || panels.length > 1
      ? []
      : forecastSeries(spec, series.metric, { index, axis: yAxis, x, isTimeAxis, points, theme })),
    ...(settings.band && style.isFilled && !isCrossed && index === 1 ? bandSeries(panel, colour, x) : []),
  ];
}

/** Fills the space between the first two metrics. */
function bandSeries(panel: FramePanel, colour: string, x: (at: number) => number): readonly OptionFragment[] {
  const [first, second] = panel.series;
  const shared = {
    type: 'line',
    symbol: 'none',
    silent: true,
    stack: 'band',
    stackStrategy: 'all',
    lineStyle: { opacity: 0 },
    tooltip: { show: false },
    emphasis: { disabled: true },
  };
  const pair = (at: number) => [axisNumber(first?.cells[at]), axisNumber(second?.cells[at])] as const;
  const ends = (first?.cells ?? []).map((_, at) => {
    const [a, b] = pair(at);
    return a === undefined || b === undefined ? undefined : ([Math.min(a, b), Math.max(a, b)] as const);
  });
  return [
    { ...shared, id: 'band-lower', data: ends.map((each, at) => [x(at), each?.[0] ?? null]) },
    {
      ...shared,
      id: 'band-upper',
      areaStyle: { color: colour, opacity: 0.2 },
      data: ends.map((each, at) => [x(at), each ? each[1] - each[0] : null]),
    },
  ];
}

function mergeStyle(style: OptionFragment, colour: string | undefined): OptionFragment {
  return colour === undefined ? style : { ...style, itemStyle: { ...Object(style.itemStyle), color: colour } };
}

function share(panel: FramePanel, at: number, value: number | null): number {
  const whole = panel.series.reduce((sum, { cells }) => sum + Math.abs(axisNumber(cells[at]) ?? 0), 0);
  return value === null || whole === 0 ? 0 : value / whole;
}

function barSeriesStyle(series: number, isStacked: boolean): OptionFragment {
  return {
    barMaxWidth: 48,
    barGap: '12%',
    barCategoryGap: series > 1 && !isStacked ? '28%' : '36%',
    itemStyle: { borderRadius: isStacked ? 0 : 3 },
    // A band behind the hovered point marks it. The other points keep their colours.
    emphasis: { focus: 'series', itemStyle: { color: 'inherit' } },
  };
}

function lineSeriesStyle(
  points: number,
  isFilled: boolean,
  series: number,
  isStacked: boolean,
  { step, smooth, band }: ChartSettings,
): OptionFragment {
  return {
    lineStyle: { width: 2, cap: 'round', join: 'round' },
    symbol: 'circle',
    symbolSize: 6,
    showSymbol: points <= 24 && !isStacked,
    ...(step === undefined || step === 'none' ? {} : { step }),
    ...(smooth ? { smooth: true, smoothMonotone: 'x' } : {}),
    ...(isFilled && !band ? { areaStyle: { opacity: isStacked ? 0.75 : series > 1 ? 0.16 : 0.22 } } : {}),
    emphasis: { focus: 'series' },
  };
}
