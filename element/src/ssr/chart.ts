import { BarChart, LineChart, PieChart } from 'echarts/charts';
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { html, nothing, type TemplateResult } from 'lit';
import { describeChart, leftOut } from '../chart/describe.ts';
import { drawnPart } from '../chart/drawn.ts';
import { type Look, PALETTE } from '../chart/look.ts';
import { chartOption } from '../chart/option.ts';
import type { Size } from '../chart/spec.ts';
import type { AnswerForm, Host } from '../contract.ts';
import type { Answer } from '../read/answer.ts';
import { gap, line } from '../view/honesty.ts';
import { plainTable } from '../view/table-view.ts';
import { type ElementStyles, Html } from './html.ts';

use([BarChart, LineChart, PieChart, GridComponent, TooltipComponent, LegendComponent, AriaComponent, SVGRenderer]);

/**
 * What each colour of a chart is in the style sheet of the element. A server does not know what the page and the system of
 * the reader make of it, so the chart is painted in marks, no two alike, that are replaced by these.
 */
const COLOURS = [
  'var(--_fg)',
  'var(--_muted)',
  'var(--_line)',
  'var(--_grid)',
  'var(--ground)',
  'var(--_negative)',
  ...PALETTE.map((colour, index) => `var(--service-embed-chart-${index + 1}, ${colour})`),
];
const mark = (index: number): string => `#00ff${index.toString(16).padStart(2, '0')}`;
const MARKED = /="#00ff([0-9a-f]{2})"/g;

const MARKS: Look = {
  text: mark(0),
  muted: mark(1),
  line: mark(2),
  grid: mark(3),
  surface: mark(4),
  negative: mark(5),
  font: 'system-ui, sans-serif',
  fontSize: 12,
  rtl: false,
  motion: 0,
  series: PALETTE.map((_, index) => mark(6 + index)),
};

/** In the frame that a chart has in a browser, and as large as that, whatever size it was painted for. */
export const paintedStyles = `
  .painted { --ground: var(--_bg); position: absolute; inset: 0; direction: ltr; }
  .tile .painted { --ground: var(--_tile); }
  .painted svg { display: block; width: 100%; height: 100%; }
`;

/** What a chart is painted for and with. */
export interface Paper {
  readonly size: Size;
  readonly rtl: boolean;
  readonly styles: ElementStyles;
}

/** A chart as SVG, and its values as a table, as the chart of a browser has them. */
export function paintedChart(
  answer: Answer,
  { formats }: Host,
  { mode, title }: AnswerForm,
  { size, rtl, styles }: Paper,
): TemplateResult {
  const part = drawnPart(answer, mode);
  const description = describeChart(part, mode, title);
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...size });
  try {
    const spec = { answer: part, mode, description, formats, selected: undefined };
    chart.setOption(chartOption(spec, { ...MARKS, rtl }, size, false));
    // Nothing but ECharts writes brackets and quotes into its SVG: those in data are escaped there. Its style sheet is for
    // the pointer only.
    const svg = chart
      .renderToSVGString()
      .replace(/<style[\s\S]*?<\/style>/g, '')
      .replace(MARKED, (_, index: string) => `="${COLOURS[Number.parseInt(index, 16)] ?? ''}"`)
      .replace(/ style="([^"]*)"/g, (_, css: string) => styles.attribute(css));
    const missing = leftOut(answer, part, mode, formats);
    return html`<div class="chart-box" part="chart-box"><div class="painted" part="chart" role="img" aria-label=${description}>${new Html(svg)}</div></div>
      ${missing ? line([gap(missing)]) : nothing}<div class="unseen">${plainTable(answer, formats, title)}</div>`;
  } finally {
    chart.dispose();
  }
}
