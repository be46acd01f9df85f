import { BarChart, LineChart, PieChart } from 'echarts/charts';
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { html, nothing, type TemplateResult } from 'lit';
import type { Answer } from '../api/answer.ts';
import { chartTables } from '../chart/analysis-table.ts';
import { chartOption } from '../chart/chart-option.ts';
import { describeChart, omittedNote } from '../chart/describe.ts';
import { capRows } from '../chart/row-cap.ts';
import type { ChartSize } from '../chart/spec.ts';
import { type ChartTheme, PALETTE } from '../chart/theme.ts';
import { statusBadge, statusLine } from '../render/result-status.ts';
import type { AnswerViewOptions, Host } from '../types.ts';
import { type ElementStyles, RawHtml } from './html.ts';

use([BarChart, LineChart, PieChart, GridComponent, TooltipComponent, LegendComponent, AriaComponent, SVGRenderer]);

/**
 * Maps each colour of a chart to the element's custom property. A server does not know the page's or the system's
 * colours, so it paints a chart with unique marks and replaces them by these properties.
 */
const THEME_COLOURS = [
  'var(--_fg)',
  'var(--_muted)',
  'var(--_line)',
  'var(--_grid)',
  'var(--ground)',
  'var(--_negative)',
  ...PALETTE.map((colour, index) => `var(--service-embed-chart-${index + 1}, ${colour})`),
];
const colourMark = (index: number): string => `#00ff${index.toString(16).padStart(2, '0')}`;
const COLOUR_MARK_PATTERN = /="#00ff([0-9a-f]{2})"/g;

const MARKED_THEME: ChartTheme = {
  text: colourMark(0),
  muted: colourMark(1),
  border: colourMark(2),
  grid: colourMark(3),
  surface: colourMark(4),
  negative: colourMark(5),
  font: 'system-ui, sans-serif',
  fontSize: 12,
  isRtl: false,
  motionMs: 0,
  series: PALETTE.map((_, index) => colourMark(6 + index)),
};

/** Gives a chart the frame and the size that it has in a browser, whatever size it was painted for. */
export const renderedChartStyles = `
  .painted { --ground: var(--_bg); position: absolute; inset: 0; direction: ltr; }
  .tile .painted { --ground: var(--_tile); }
  .painted svg { display: block; width: 100%; height: 100%; }
`;

/** The size, language and marks of a rendered chart. */
export interface ChartRenderOptions {
  readonly size: ChartSize;
  readonly rtl: boolean;
  readonly styles: ElementStyles;
}

/** Renders a chart as SVG and its values as a table, like the chart in a browser. */
export function renderChart(
  answer: Answer,
  { formats }: Host,
  { mode, title }: AnswerViewOptions,
  { size, rtl, styles }: ChartRenderOptions,
): TemplateResult {
  const plotted = capRows(answer, mode);
  const description = describeChart(plotted, mode, title);
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...size });
  try {
    const spec = { answer: plotted, mode, description, formats, selected: undefined };
    chart.setOption(chartOption(spec, { ...MARKED_THEME, isRtl: rtl }, size, false));
    // Only ECharts writes brackets and quotes into its SVG: those in data are escaped. Its style sheet serves the
    // pointer only.
    const svg = chart
      .renderToSVGString()
      .replace(/<style[\s\S]*?<\/style>/g, '')
      .replace(COLOUR_MARK_PATTERN, (_, index: string) => `="${THEME_COLOURS[Number.parseInt(index, 16)] ?? ''}"`)
      .replace(/ style="([^"]*)"/g, (_, css: string) => styles.attribute(css));
    const note = omittedNote(answer, plotted, mode, formats);
    return html`<div class="chart-box" part="chart-box"><div class="painted" part="chart" role="img" aria-label=${description}>${new RawHtml(svg)}</div></div>
      ${note ? statusLine([statusBadge(note)]) : nothing}${chartTables(answer, mode, formats, title)}`;
  } finally {
    chart.dispose();
  }
}
