/** The colours and the type a chart is drawn with, read from the page, because ECharts knows no custom properties. */
export interface ChartTheme {
  readonly text: string;
  readonly muted: string;
  /** Axes and frames. */
  readonly border: string;
  /** Lines across the drawing. */
  readonly grid: string;
  readonly surface: string;
  readonly negative: string;
  readonly font: string;
  /** CSS pixels. */
  readonly fontSize: number;
  readonly isRtl: boolean;
  /** Duration of a movement in milliseconds; 0 for none. */
  readonly motionMs: number;
  readonly series: readonly string[];
}

/**
 * Eight hues found by search: any two are at least 16 CIELAB units apart for normal sight and under simulated
 * protanopia, deuteranopia and tritanopia (Machado, Oliveira and Fernandes 2009), and each has a contrast of at least
 * 3:1 with white and with #171b22, so that one palette serves light and dark.
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
 * Reads the look of `host`. Its style sheet writes the theme into ordinary properties (`chart/styles.ts`), so the
 * browser has already resolved what the host page wrote: `var()`, `light-dark()`, colour names and all.
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

/** Tells whether a chart drawn with `a` looks as one drawn with `b`. */
export function isSameChartTheme(a: ChartTheme | undefined, b: ChartTheme): boolean {
  return a !== undefined && JSON.stringify(a) === JSON.stringify(b);
}
