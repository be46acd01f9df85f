import { mixColours } from './mix-colours.ts';

/**
 * Contains the colours and the type of a chart, read from the page, because ECharts does not support custom properties.
 */
export interface ChartTheme {
  readonly text: string;
  readonly muted: string;
  /** Axes and frames. */
  readonly border: string;
  /** Grid lines. */
  readonly grid: string;
  readonly surface: string;
  readonly negative: string;
  readonly font: string;
  /** CSS pixels. */
  readonly fontSize: number;
  readonly isRtl: boolean;
  /** Is true where the system has colours of its own. */
  readonly isForced?: boolean;
  /** Duration of an animation in milliseconds; 0 for none. */
  readonly motionMs: number;
  /** Eight hues, then shades of them. */
  readonly series: readonly string[];
  /** Seven colours from low to high. */
  readonly sequential: readonly string[];
  /** Seven colours from the lowest over the middle to the highest. */
  readonly diverging: readonly string[];
}

/** A mix of two colours: a share of `to`, the rest of `from`. Both are `text`, `muted` or places among the eight hues. */
export interface Mix {
  readonly from: number | 'muted';
  readonly to: 'text';
  readonly share: number;
}

/** Shades of the eight hues, towards the text: darker on a light ground, lighter on a dark one, so contrast only grows. */
export const SHADES: readonly Mix[] = [0.35, 0.6].flatMap((share) =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((from) => ({ from, to: 'text', share }) as const),
);
/** From the first hue to the text. Lightness alone orders the steps, which every kind of sight sees. */
export const SEQUENTIAL: readonly Mix[] = [0, 0.14, 0.28, 0.42, 0.56, 0.7, 0.84].map(
  (share) => ({ from: 0, to: 'text', share }) as const,
);
/** From the second hue over grey to the first; the ends are the strongest. */
export const DIVERGING: readonly Mix[] = [
  { from: 1, to: 'text', share: 0.45 },
  { from: 1, to: 'text', share: 0.2 },
  { from: 1, to: 'text', share: 0 },
  { from: 'muted', to: 'text', share: 0 },
  { from: 0, to: 'text', share: 0 },
  { from: 0, to: 'text', share: 0.25 },
  { from: 0, to: 'text', share: 0.5 },
];

/**
 * Eight hues. Any two are at least 16 CIELAB units apart for normal sight and under simulated protanopia, deuteranopia
 * and tritanopia (Machado, Oliveira and Fernandes 2009). Each has a contrast of at least 3:1 with white and with
 * #171b22, so that one palette serves light and dark.
 */
export const PALETTE = [
  '#2f6fb8',
  '#d06217',
  '#76a062',
  '#9079fe',
  '#945829',
  '#179fd4',
  '#8e598c',
  '#c87e9f',
] as const;

/**
 * Reads the theme of `host`. Its style sheet assigns the theme to ordinary properties (`chart/styles.ts`), so the
 * browser has already resolved the host page's values: `var()`, `light-dark()`, colour names.
 */
export function readChartTheme(host: Element): ChartTheme {
  const style = getComputedStyle(host);
  const hues = PALETTE.map(
    (colour, index) => style.getPropertyValue(`--service-embed-chart-${index + 1}`).trim() || colour,
  );
  return {
    text: style.color,
    muted: style.caretColor,
    border: style.borderTopColor,
    grid: style.columnRuleColor,
    surface: style.backgroundColor,
    negative: style.textDecorationColor,
    font: style.fontFamily,
    fontSize: Math.round(Number.parseFloat(style.fontSize) * 0.86),
    isRtl: getComputedStyle(host.parentElement ?? host).direction === 'rtl',
    isForced: matchMedia('(forced-colors: active)').matches,
    motionMs: Number.parseFloat(style.animationDuration) * 1_000,
    ...dataColours(hues, style.color, style.caretColor),
  };
}

/** Returns the colours of data on a ground with these texts: hues of series with their shades, and the scales. */
export function dataColours(
  hues: readonly string[],
  text: string,
  muted: string,
): Pick<ChartTheme, 'series' | 'sequential' | 'diverging'> {
  const mix = ({ from, share }: Mix): string =>
    mixColours(from === 'muted' ? muted : (hues[from] ?? text), text, share);
  return {
    series: [...hues, ...SHADES.map(mix)],
    sequential: SEQUENTIAL.map(mix),
    diverging: DIVERGING.map(mix),
  };
}

/** Returns whether charts look the same with `a` and with `b`. */
export function isSameChartTheme(a: ChartTheme | undefined, b: ChartTheme): boolean {
  return a !== undefined && JSON.stringify(a) === JSON.stringify(b);
}
