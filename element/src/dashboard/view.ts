import { html, nothing, type TemplateResult } from 'lit';
import type { Answer } from '../api/parse-answer.ts';
import { toChartMode } from '../chart-modes.ts';
import { answerView, preloadView } from '../render/answer-view.ts';
import { failureNotice, notice, skeleton } from '../render/placeholders.ts';
import { asOf, statusLine, tileStatus } from '../render/result-status.ts';
import type { Panel } from '../state/panel.ts';
import type { FilterStates, Host } from '../types.ts';
import type { Dashboard, Tile } from './parse-dashboard.ts';

export interface DashboardViewOptions {
  readonly dashboard: Dashboard;
  /** Returns the panel of a tile that shows data. */
  readonly panel: (tileId: string) => Panel | undefined;
  /** The filters; undefined where the page shows none. */
  readonly filters: FilterStates | undefined;
  readonly host: Host;
}

/** Renders the tiles of a dashboard in their grid. */
export function dashboardView(options: DashboardViewOptions): TemplateResult {
  const { dashboard } = options;
  if (dashboard.tiles.length === 0)
    return notice(options.host.formats.say('No tiles'), options.host.formats.say('This dashboard is empty.'));
  return html`${options.filters?.summary() ?? nothing}<div class="grid" part="grid" role="group" aria-label=${dashboard.title} .style=${`--columns:${dashboard.columns};--row:${dashboard.rowHeight}px`}>
      ${dashboard.tiles.map((tile) => tileView(tile, options))}
    </div>
    ${oldestAsOf(options)}${options.filters?.overlay() ?? nothing}`;
}

function tileView(tile: Tile, options: DashboardViewOptions): TemplateResult {
  const place = `--x:${tile.x + 1};--y:${tile.y + 1};--w:${tile.w};--h:${tile.h}`;
  const resource = options.panel(tile.id)?.resource;
  const busy = resource?.state.status === 'loading' || resource?.isPending;
  const state = `${options.filters?.leads(tile.id) ? ' selecting' : ''}${resource?.isPending ? ' updating' : ''}`;
  return html`<section class="tile tile-${tile.kind}${state}" part="tile tile-${tile.kind}" aria-busy=${String(busy === true)} aria-label=${tile.title ?? nothing} .style=${place}>
    ${tile.title && tile.kind !== 'filter' ? html`<h3 class="tile-title" part="tile-title" title=${tile.title}>${tile.title}</h3>` : nothing}${tile.kind === 'filter' ? nothing : (options.filters?.crumbs(tile.id) ?? nothing)}${tileBody(tile, options)}
  </section>`;
}

function tileBody(tile: Tile, { panel, host, dashboard, filters }: DashboardViewOptions): TemplateResult {
  const peers = dashboard.tiles.flatMap(({ id }) => panel(id)?.answer ?? []);
  switch (tile.kind) {
    case 'text':
      return textBody(tile, host);
    case 'chart':
    case 'table':
    case 'kpi':
      return dataTileBody(tile, panel(tile.id), host, peers);
    case 'filter':
      return filters?.tile(tile.id) ?? html``;
    case 'unsupported':
      return notice('', host.formats.say('This kind of tile cannot be shown here.'));
  }
}

/** Renders a text: as it is written until the part for Markdown is there, and where it cannot be loaded. */
function textBody({ text, title, format }: Extract<Tile, { kind: 'text' }>, host: Host): TemplateResult {
  const part = format === 'markdown' ? host.part(format) : '';
  return typeof part === 'object' ? part.view(text, title ? 4 : 3) : html`<p class="text" part="text">${text}</p>`;
}

/** Renders a tile that shows data. Each tile loads, fails or is empty alone, and a failed tile never looks empty. */
function dataTileBody(
  tile: Extract<Tile, { kind: 'chart' | 'table' | 'kpi' }>,
  panel: Panel | undefined,
  host: Host,
  peers: readonly Answer[],
): TemplateResult {
  const state = panel?.resource.state;
  if (panel) panel.view = undefined;
  if (panel === undefined || state === undefined || state.status === 'failed')
    return failureNotice(host.formats.say('This tile is not available.'));
  if (state.status === 'loading') {
    preloadView(tile.kind, host);
    return skeleton(tile.kind === 'kpi' ? 'single' : 'bars');
  }
  const { answer = state.value } = panel;
  const form = {
    render: tile.kind,
    title: tile.title ?? answer.title,
    mode: tile.kind === 'chart' && tile.chartType ? toChartMode(tile.chartType) : undefined,
    chart: tile.chart,
    series: undefined,
    peers,
    measure: tile.kind === 'kpi' ? tile.measure : undefined,
    compare: undefined,
  };
  return html`${answerView(panel, answer, host, form)}${tileStatus(answer, host.formats, state.stale)}`;
}

function oldestAsOf({ dashboard, panel, host }: DashboardViewOptions): TemplateResult | typeof nothing {
  const answers = dashboard.tiles.flatMap(({ id }) => panel(id)?.answer ?? []);
  const [first] = [...answers].sort((a, b) => +a.computedAt - +b.computedAt);
  return first ? statusLine([asOf({ ...first, cached: answers.some(({ cached }) => cached) }, host.formats)]) : nothing;
}
