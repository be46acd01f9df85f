import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { type Answer, parseAnswer } from '../src/api/parse-answer.ts';
import { chartOption } from '../src/chart/chart-option.ts';
import { requestChart, specifyChart } from '../src/chart/prepare.ts';
import { type ChartTheme, dataColours, PALETTE } from '../src/chart/theme.ts';
import type { ChartMode } from '../src/chart-modes.ts';
import { formatsFor } from '../src/formats.ts';
import type { ChartSettings } from '../src/generated/chart-settings.ts';
// Registers every kind of chart, as a server does.
import '../src/ssr/index.ts';

use([SVGRenderer]);

/** The texts, grounds and greys of `render/styles.ts`. */
const GROUNDS = {
  light: { text: '#1c2530', surface: '#ffffff', muted: '#5b6673', border: '#e2e6eb', negative: '#b3261e' },
  dark: { text: '#e6eaf0', surface: '#171b22', muted: '#9fabb9', border: '#2f3742', negative: '#ff8f87' },
} as const;

/** Returns the theme that a page reads in light or in dark. */
export function chartTheme(name: keyof typeof GROUNDS): ChartTheme {
  const ground = GROUNDS[name];
  return {
    ...ground,
    grid: ground.border,
    font: 'sans-serif',
    fontSize: 12,
    isRtl: false,
    motionMs: 0,
    ...dataColours(PALETTE, ground.text, ground.muted),
  };
}

export interface Drawing {
  readonly svg: string;
  /** The series as ECharts has them. */
  readonly series: readonly Readonly<Record<string, unknown>>[];
  readonly mode: string;
  /** Places of the settings that the chart does not use. */
  readonly problems: readonly { readonly place: string; readonly available: readonly string[] }[];
}

/** Draws the answer of an embed read as a chart, without a browser. */
export function drawChart(
  body: object,
  mode: ChartMode,
  settings: ChartSettings = {},
  { width = 700, height = 420, theme = chartTheme('light') } = {},
): Drawing {
  const answer: Answer = parseAnswer(body);
  const request = requestChart(answer, {
    render: 'chart',
    mode,
    title: 'T',
    chart: settings,
    measure: undefined,
    compare: undefined,
  });
  const drawn = request.chosen.mode;
  if (drawn === 'matrix' || drawn === 'refused') throw new Error(request.chosen.reason);
  const spec = specifyChart(answer, drawn, request, {
    others: undefined,
    peers: [answer],
    formats: formatsFor('en', 'UTC'),
    selected: undefined,
  });
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption(chartOption(spec, theme, { width, height }, false));
    const svg = chart.renderToSVGString();
    const { series }: { readonly series?: unknown } = Object(chart.getOption());
    return { svg, series: Array.isArray(series) ? series : [], mode: drawn, problems: request.problems };
  } finally {
    chart.dispose();
  }
}

/** A painted text with its place. */
export interface PaintedText {
  readonly text: string;
  readonly fill: string;
  /** The linear part of its transformation: 1, 0, 0, 1 where it is upright. */
  readonly turn: readonly number[];
  readonly x: number;
  readonly y: number;
}

/** Lists the texts of a drawing. */
export function paintedTexts(svg: string): readonly PaintedText[] {
  return [...svg.matchAll(/<text([^>]*)>([^<]*)<\/text>/g)].map(([, attributes = '', text = '']) => {
    const read = (name: string) => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1];
    const matrix = /matrix\(([^)]*)\)/
      .exec(read('transform') ?? '')?.[1]
      ?.split(/[ ,]+/)
      .map(Number);
    const moved = /translate\(([^)]*)\)/
      .exec(read('transform') ?? '')?.[1]
      ?.split(/[ ,]+/)
      .map(Number);
    return {
      text,
      fill: read('fill') ?? '',
      turn: matrix?.slice(0, 4) ?? [1, 0, 0, 1],
      x: Number(read('x') ?? 0) + (matrix?.[4] ?? moved?.[0] ?? 0),
      y: Number(read('y') ?? 0) + (matrix?.[5] ?? moved?.[1] ?? 0),
    };
  });
}
