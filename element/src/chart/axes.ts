import type { Formats } from '../formats.ts';
import type { ChartSettings } from '../generated/chart-settings.ts';
import { clampToAxis } from './clamp-to-axis.ts';
import { MEAN_CHARACTER_WIDTH } from './legend.ts';
import type { NiceScale } from './nice-scale.ts';
import { type Points, timeTicks } from './points.ts';
import type { ChartSize } from './spec.ts';
import type { ChartTheme } from './theme.ts';
import type { OptionFragment } from './tooltip.ts';

/** Height of a bar that lies, with its gap. */
const LYING_BAR_HEIGHT = 15;
/** Width of the labels of values. */
const VALUE_LABEL_WIDTH = 52;
/** Widest label beside a bar that lies, as a share of the chart. */
const LYING_LABEL_SHARE = 0.38;

type AxisSettings = NonNullable<NonNullable<ChartSettings['axes']>['y']>;

/** Returns whether labels are too long to be side by side, and few enough to be one below the other. */
export function needsLying(labels: readonly string[], size: ChartSize, theme: ChartTheme): boolean {
  return !fitsBeside(labels, size, theme) && labels.length * LYING_BAR_HEIGHT <= size.height - 20;
}

function fitsBeside(labels: readonly string[], { width }: ChartSize, theme: ChartTheme): boolean {
  const room = (width - VALUE_LABEL_WIDTH) / Math.max(1, labels.length);
  return labelWidth(labels, theme) + 8 <= room;
}

/** Estimates the width of the longest label. Digits are a fifth wider than the average letter. */
export function labelWidth(labels: readonly string[], theme: ChartTheme): number {
  const characters = labels.slice(0, 500).map((label) => label.length + label.split(/\d/).length / 5);
  return Math.max(0, ...characters) * theme.fontSize * MEAN_CHARACTER_WIDTH;
}

interface CategoryAxisOptions {
  readonly isBar: boolean;
  readonly isLying: boolean;
  readonly title: string;
  /** Leaves out labels that do not fit, and never cuts one. */
  readonly isThinned?: boolean;
}

/** Describes the axis of categories or time. No label is slanted: those that do not fit are thinned out. */
export function categoryAxis(
  points: Points,
  isTimeAxis: boolean,
  theme: ChartTheme,
  size: ChartSize,
  formats: Formats,
  { isBar, isLying, title, isThinned = false }: CategoryAxisOptions,
): OptionFragment {
  const { times, labels } = points;
  const count = tickCount(size);
  const lines = lyingLines(labels, size.width);
  return {
    ...(isTimeAxis && times
      ? { type: 'time', min: times[0], max: times.at(-1), splitNumber: count }
      : { type: 'category', data: [...labels], boundaryGap: isBar }),
    inverse: isLying || theme.isRtl,
    axisLine: { lineStyle: { color: theme.border } },
    axisTick: { show: false },
    splitLine: { show: false },
    ...categoryTitle(title, theme),
    axisLabel: {
      color: theme.muted,
      fontSize: theme.fontSize,
      margin: 10,
      ...(isTimeAxis && times
        ? { hideOverlap: true, ...timeTicks(points, times, count, formats) }
        : isLying
          ? {
              width: Math.round(size.width * LYING_LABEL_SHARE),
              // Long labels have several lines where the bars are far enough apart.
              ...(labels.length * wrappedBarHeight(lines) <= size.height - 30
                ? wrapped(theme, lines)
                : { overflow: 'truncate' }),
              ...(labels.length * LYING_BAR_HEIGHT <= size.height ? { interval: 0 } : {}),
            }
          : labelFit(labels, size, isBar && !isThinned, theme)),
    },
  };
}

interface ValueAxisOptions {
  readonly scale?: NiceScale | undefined;
  readonly settings: AxisSettings | undefined;
  readonly isBar?: boolean;
  /** Is true where the axis is horizontal. */
  readonly isAcross?: boolean;
}

/** Describes an axis of values. Bars begin at zero; an axis that is cut has a dashed line. */
export function valueAxis(
  formatter: (value: number) => string,
  theme: ChartTheme,
  { height, width }: ChartSize,
  { scale, settings, isBar = false, isAcross = false }: ValueAxisOptions,
): OptionFragment {
  const min = isBar ? undefined : settings?.min;
  const steps = isAcross ? stepsAcross(width) : Math.max(2, Math.min(5, Math.floor(height / 60)));
  return {
    type: settings?.scale === 'log' ? 'log' : 'value',
    axisLabel: { color: theme.muted, fontSize: theme.fontSize, formatter, hideOverlap: true },
    splitLine: { lineStyle: { color: theme.grid } },
    splitNumber: steps,
    ...(scale === undefined ? {} : scale),
    ...(min === undefined ? {} : { min: clampToAxis(min) }),
    ...(settings?.max === undefined ? {} : { max: clampToAxis(settings.max) }),
    ...(min === undefined || min === 0
      ? {}
      : { axisLine: { show: true, lineStyle: { color: theme.muted, type: 'dashed' } } }),
  };
}

/** Describes the title below an axis of categories. */
export function categoryTitle(text: string | undefined, theme: ChartTheme): OptionFragment {
  return text
    ? {
        name: text,
        nameLocation: 'middle',
        nameGap: 30,
        nameTextStyle: { color: theme.muted, fontSize: theme.fontSize },
      }
    : {};
}

/** Height of the title above an axis of values, and its distance from the end of the axis. */
export const VALUE_TITLE_HEIGHT = 20;
export const VALUE_TITLE_GAP = 12;

/** Describes the title of an axis of values, above its upper end. */
export function valueTitle(text: string | undefined, theme: ChartTheme, width: number): OptionFragment {
  if (!text) return {};
  return {
    name: text,
    nameLocation: 'end',
    nameGap: VALUE_TITLE_GAP,
    nameTextStyle: {
      color: theme.muted,
      fontSize: theme.fontSize,
      align: theme.isRtl ? 'right' : 'left',
      width: width - 12,
      overflow: 'truncate',
      padding: theme.isRtl ? [0, -4, 0, 0] : [0, 0, 0, -4],
    },
  };
}

/** Returns the number of steps of a horizontal axis of values beside long labels. */
export function stepsAcross(width: number): number {
  return Math.max(3, Math.min(5, Math.floor((width * (1 - LYING_LABEL_SHARE)) / 72)));
}

/** Returns the number of labels that fit on a time axis. */
function tickCount({ width }: ChartSize): number {
  return Math.max(2, Math.min(8, Math.floor((width - 60) / 66)));
}

/** Arranges labels: side by side while they fit, cut where a few are too long, thinned out where there are many. */
function labelFit(labels: readonly string[], size: ChartSize, isBar: boolean, theme: ChartTheme): OptionFragment {
  if (fitsBeside(labels, size, theme)) return { interval: 0 };
  const room = (size.width - VALUE_LABEL_WIDTH) / Math.max(1, labels.length);
  const isWrapped = isBar && room >= 44;
  return isWrapped
    ? {
        interval: 0,
        width: Math.floor(room - 6),
        ...wrapped(theme, 2),
      }
    : { hideOverlap: true, width: 120, overflow: 'truncate' };
}

/** Bars beside which a chart grows for labels of several lines. */
const MAX_WRAPPED_LABELS = 16;

/** Returns the least height of bars that lie beside labels of several lines; undefined where one line is enough. */
export function wrappedHeight(labels: readonly string[], width: number): number | undefined {
  const lines = lyingLines(labels, width);
  return labels.length <= MAX_WRAPPED_LABELS && lines > 1 ? labels.length * wrappedBarHeight(lines) + 96 : undefined;
}

/** Returns the number of lines that labels beside bars need, at most three. */
function lyingLines(labels: readonly string[], width: number): number {
  const longest = Math.max(0, ...labels.map(({ length }) => length)) * 12 * MEAN_CHARACTER_WIDTH;
  const lines = longest / (width * LYING_LABEL_SHARE);
  // Lines end between words, so several lines have less room than one that is as long.
  return lines <= 1 ? 1 : Math.min(3, Math.ceil(lines * 1.25));
}

function wrappedBarHeight(lines: number): number {
  return 6 + 14 * lines;
}

/** Breaks a label into lines. */
function wrapped({ fontSize }: ChartTheme, lines: number): OptionFragment {
  return { overflow: 'break', lineHeight: fontSize + 2, height: lines * (fontSize + 2), lineOverflow: 'truncate' };
}
