import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { html, nothing, type TemplateResult } from 'lit';
import type { Answer } from '../api/parse-answer.ts';
import { chartTables } from '../chart/analysis-table.ts';
import * as thinning from '../chart/axes-chart/thin-lines.ts';
import { addThinning } from '../chart/axes-chart/thinning.ts';
import { chartOption } from '../chart/chart-option.ts';
import type { OthersRequest } from '../chart/frame.ts';
import { addKinds, planChart } from '../chart/kinds.ts';
import * as boxplot from '../chart/modes/boxplot.ts';
import * as bullet from '../chart/modes/bullet.ts';
import * as candlestick from '../chart/modes/candlestick.ts';
import * as funnel from '../chart/modes/funnel.ts';
import * as gauge from '../chart/modes/gauge.ts';
import * as heat from '../chart/modes/heat.ts';
import * as histogram from '../chart/modes/histogram.ts';
import * as map from '../chart/modes/map.ts';
import * as pie from '../chart/modes/pie.ts';
import * as radar from '../chart/modes/radar.ts';
import * as references from '../chart/modes/reference-marks.ts';
import * as sankey from '../chart/modes/sankey.ts';
import * as scatter from '../chart/modes/scatter.ts';
import * as tree from '../chart/modes/tree.ts';
import * as waterfall from '../chart/modes/waterfall.ts';
import type { Plan } from '../chart/plan.ts';
import { cappedNote, requestChart, specifyChart } from '../chart/prepare.ts';
import { addReferences } from '../chart/references.ts';
import { addSettings } from '../chart/settings.ts';
import * as settingsPart from '../chart/settings-part.ts';
import type { ChartSize } from '../chart/spec.ts';
import { type ChartTheme, DIVERGING, type Mix, PALETTE, SEQUENTIAL, SHADES } from '../chart/theme.ts';
import type { Formats } from '../formats.ts';
import type { ChartSettings } from '../generated/chart-settings.ts';
import { matrixView } from '../matrix/view.ts';
import { interactiveTable } from '../render/answer-view.ts';
import { notice } from '../render/placeholders.ts';
import { statusBadge, statusLine } from '../render/result-status.ts';
import type { Panel } from '../state/panel.ts';
import type { AnswerViewOptions, Host } from '../types.ts';
import { type ElementStyles, RawHtml } from './html.ts';

use([BarChart, LineChart, GridComponent, TooltipComponent, LegendComponent, SVGRenderer]);

for (const part of [
  boxplot,
  bullet,
  candlestick,
  funnel,
  gauge,
  heat,
  histogram,
  map,
  pie,
  radar,
  sankey,
  scatter,
  tree,
  waterfall,
])
  addKinds(part);
addReferences(references);
addSettings(settingsPart);
addThinning(thinning);

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
  ...PALETTE.map((_, index) => hue(index)),
  ...[...SHADES, ...SEQUENTIAL, ...DIVERGING].map(mixed),
];

function hue(index: number): string {
  return `var(--service-embed-chart-${index + 1}, ${PALETTE[index]})`;
}

/** Writes a mix as CSS. A server does not know the colours that a page mixes. */
function mixed({ from, share }: Mix): string {
  const base = from === 'muted' ? 'var(--_muted)' : hue(from);
  return share === 0 ? base : `color-mix(in srgb, ${base}, var(--_fg) ${share * 100}%)`;
}

/** Returns the marks of a group of colours, the groups being in the order of `THEME_COLOURS`. */
function marks(start: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => colourMark(start + index));
}

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
  series: marks(6, PALETTE.length + SHADES.length),
  sequential: marks(6 + PALETTE.length + SHADES.length, SEQUENTIAL.length),
  diverging: marks(6 + PALETTE.length + SHADES.length + SEQUENTIAL.length, DIVERGING.length),
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
  /** Receives the painted chart, for pages that do something with its marks. */
  readonly onPainted?: ((painted: PaintedChart) => void) | undefined;
}

/** A painted chart, or the view that takes its place. */
export type PaintedChart =
  | { readonly view: 'refused'; readonly reason: string | undefined }
  | { readonly view: 'matrix'; readonly reason: string | undefined }
  | {
      readonly view: 'chart';
      readonly svg: string;
      readonly description: string;
      readonly notes: readonly string[];
      readonly settings: ChartSettings;
      readonly size: ChartSize;
      /** Describes the marks of the drawing, which it names by `ecmeta_series_index` and `ecmeta_data_index`. */
      readonly plan: Plan;
    };

/**
 * Paints a chart as SVG in the colours of a theme.
 *
 * @param readOthers returns the rest of a series, where it is known; without it the chart notes what it leaves out
 */
export function paintChart(
  answer: Answer,
  formats: Formats,
  form: AnswerViewOptions,
  { theme, size: given }: { readonly theme: ChartTheme; readonly size: ChartSize },
  readOthers: (rest: OthersRequest) => Answer | undefined,
): PaintedChart {
  const request = requestChart(answer, form, formats);
  const { chosen, settings, others } = request;
  if (chosen.mode === 'refused') return { view: 'refused', reason: chosen.reason };
  if (chosen.mode === 'matrix') return { view: 'matrix', reason: chosen.reason };
  const spec = specifyChart(answer, chosen.mode, request, {
    others: others && readOthers(others),
    peers: form.peers,
    formats,
    selected: undefined,
  });
  const plan = planChart(spec);
  const size = { ...given, height: Math.max(given.height, plan.minHeight?.(given.width) ?? 0) };
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...size });
  try {
    chart.setOption(chartOption(spec, theme, size, false));
    // Only ECharts writes brackets and quotes into its SVG: those in data are escaped. Its style sheet serves the
    // pointer only.
    const svg = chart.renderToSVGString().replace(/<style[\s\S]*?<\/style>/g, '');
    const notes = [chosen.reason, cappedNote(answer, spec.answer, formats), ...plan.notes].filter(
      (each) => each !== undefined,
    );
    return { view: 'chart', svg, description: spec.description, notes, settings, size, plan };
  } finally {
    chart.dispose();
  }
}

/** Renders a chart as SVG and its values as a table, like the chart in a browser. */
export function renderChart(
  panel: Panel,
  answer: Answer,
  host: Host,
  form: AnswerViewOptions,
  { size, rtl, styles, onPainted }: ChartRenderOptions,
): TemplateResult {
  const { formats } = host;
  const painted = paintChart(answer, formats, form, { theme: { ...MARKED_THEME, isRtl: rtl }, size }, (rest) => {
    const others = panel.readMore(answer, { others: JSON.stringify(rest) });
    return typeof others === 'object' ? others : undefined;
  });
  onPainted?.(painted);
  if (painted.view === 'refused') return notice(formats.say('Too many series'), painted.reason);
  if (painted.view === 'matrix')
    return html`${matrixView(panel, answer, host, form, interactiveTable)}${painted.reason ? statusLine([statusBadge(painted.reason)]) : nothing}`;
  const svg = painted.svg
    .replace(COLOUR_MARK_PATTERN, (_, index: string) => `="${THEME_COLOURS[Number.parseInt(index, 16)] ?? ''}"`)
    .replace(/ style="([^"]*)"/g, (_, css: string) => styles.attribute(css));
  const { description, notes, settings } = painted;
  return html`<div class="chart-box" part="chart-box"><div class="painted" part="chart" role="img" aria-label=${description}>${new RawHtml(svg)}</div></div>
      ${notes.length > 0 ? statusLine(notes.map((note) => statusBadge(note))) : nothing}${chartTables(answer, settings, formats, form.title)}`;
}
