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
  /** Duration of an animation in milliseconds; 0 for none. */
  readonly motionMs: number;
  readonly series: readonly string[];
}

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
    motionMs: Number.parseFloat(style.animationDuration) * 1_000,
    series: PALETTE.map(
      (colour, index) => style.getPropertyValue(`--service-embed-chart-${index + 1}`).trim() || colour,
    ),
  };
}

/** Returns whether charts look the same with `a` and with `b`. */
export function isSameChartTheme(a: ChartTheme | undefined, b: ChartTheme): boolean {
  return a !== undefined && JSON.stringify(a) === JSON.stringify(b);
}
