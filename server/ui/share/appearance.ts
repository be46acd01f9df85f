import { type ChartMode, isChartMode } from '../../../router/chart-modes.ts';
import type { Embed } from '../code/snippet.ts';
import { msg } from '../words/words.ts';

/** Describes the look of the embed, as chosen in the preview's controls. */
export interface Appearance {
  readonly theme: 'light' | 'dark' | 'auto';
  readonly render: Embed['render'];
  readonly mode: ChartMode;
  /** In pixels; undefined for the element's own default. */
  readonly height: number | undefined;
  /**
   * Colour of the page around the embed, `#rrggbb`, for the preview only. Undefined for the colour that fits the theme.
   */
  readonly page: string | undefined;
}

export const DEFAULT_APPEARANCE: Appearance = {
  theme: 'light',
  render: 'table',
  mode: 'bar',
  height: undefined,
  page: undefined,
};

type Choices<T extends string> = readonly (readonly [value: T, title: string])[];

export const RENDER_CHOICES: Choices<Embed['render']> = [
  ['table', msg('Table')],
  ['chart', msg('Chart')],
  ['kpi', msg('Number')],
  ['matrix', msg('Matrix')],
];

/** Titles of the chart modes, in the order of the menu. */
const MODE_TITLES: Readonly<Record<ChartMode, string>> = {
  bar: msg('Bars'),
  'stacked-bar': msg('Stacked bars'),
  line: msg('Lines'),
  area: msg('Areas'),
  combo: msg('Bars and a line'),
  scatter: msg('Points'),
  pie: msg('Pie'),
  histogram: msg('Histogram'),
  boxplot: msg('Box plot'),
  heatmap: msg('Heat map'),
  calendar: msg('Calendar'),
  treemap: msg('Treemap'),
  sunburst: msg('Sunburst'),
  funnel: msg('Funnel'),
  waterfall: msg('Waterfall'),
  sankey: msg('Sankey diagram'),
  radar: msg('Radar'),
  gauge: msg('Gauge'),
  bullet: msg('Bullet chart'),
  candlestick: msg('Candlesticks'),
  bubble: msg('Bubbles'),
  map: msg('Map'),
};

export const MODE_CHOICES: Choices<ChartMode> = Object.keys(MODE_TITLES)
  .filter(isChartMode)
  .map((mode) => [mode, MODE_TITLES[mode]]);

/** Minimum and maximum height in the preview, in pixels. */
export const HEIGHT_LIMIT = { min: 120, max: 2000 } as const;

/** Parses a height: a whole number within the limits, else the default. */
export function parseHeight(text: string): number | undefined {
  const pixels = Number(text);
  return Number.isInteger(pixels) && pixels >= HEIGHT_LIMIT.min && pixels <= HEIGHT_LIMIT.max ? pixels : undefined;
}

/** Returns the colour of the page around the embed. `system` is the theme of the reader's system. */
export function choosePageColour({ theme, page }: Appearance, system: 'light' | 'dark'): string {
  return page ?? (resolveTheme(theme, system) === 'dark' ? '#0f1318' : '#f5f7f9');
}

export function resolveTheme(theme: Appearance['theme'], system: 'light' | 'dark'): 'light' | 'dark' {
  return theme === 'auto' ? system : theme;
}

export function toEmbed(
  { kind, path }: Pick<Embed, 'kind' | 'path'>,
  { theme, render, mode, height }: Appearance,
  token: string | undefined,
): Embed {
  return { kind, path, render, mode, theme, height: height === undefined ? '' : `${height}px`, token };
}
