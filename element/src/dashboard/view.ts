import { html, nothing, type TemplateResult } from 'lit';
import { chartMode } from '../chart/columns.ts';
import type { Host, Panel } from '../contract.ts';
import { answerView } from '../view/answer-view.ts';
import { asOf, line, tileHonesty } from '../view/honesty.ts';
import { failure, notice, skeleton } from '../view/states.ts';
import type { Dashboard, Tile } from './layout.ts';

export interface DashboardViewOptions {
  readonly dashboard: Dashboard;
  /** The panel of a tile that shows data. */
  readonly panel: (tileId: string) => Panel | undefined;
  readonly host: Host;
}

export function dashboardView(options: DashboardViewOptions): TemplateResult {
  const { dashboard } = options;
  if (dashboard.tiles.length === 0) return notice('No tiles', 'This dashboard is empty.');
  return html`<div class="grid" part="grid" role="group" aria-label=${dashboard.title} .style=${`--columns:${dashboard.columns}`}>
      ${dashboard.tiles.map((tile) => tileView(tile, options))}
    </div>
    ${oldest(options)}`;
}

function tileView(tile: Tile, options: DashboardViewOptions): TemplateResult {
  const place = `--x:${tile.x + 1};--y:${tile.y + 1};--w:${tile.w};--h:${tile.h}`;
  const busy = options.panel(tile.id)?.reading.outcome.state === 'loading';
  return html`<section class="tile tile-${tile.kind}" part="tile tile-${tile.kind}" aria-busy=${String(busy)} aria-label=${tile.title ?? nothing} .style=${place}>
    ${tile.title ? html`<h3 class="tile-title" part="tile-title" title=${tile.title}>${tile.title}</h3>` : nothing}${tileBody(tile, options)}
  </section>`;
}

function tileBody(tile: Tile, { panel, host }: DashboardViewOptions): TemplateResult {
  switch (tile.kind) {
    case 'text':
      return html`<p class="text" part="text">${tile.text}</p>`;
    case 'chart':
    case 'kpi':
      return settled(tile, panel(tile.id), host);
    case 'unsupported':
      return notice('', 'This kind of tile cannot be shown here.');
  }
}

/** Each tile is loading, failed, empty or drawn by itself: a failed one never takes others along nor looks empty. */
function settled(tile: Extract<Tile, { kind: 'chart' | 'kpi' }>, panel: Panel | undefined, host: Host): TemplateResult {
  const outcome = panel?.reading.outcome;
  if (panel) panel.view = undefined;
  if (panel === undefined || outcome === undefined || outcome.state === 'failed')
    return failure('This tile is not available.');
  if (outcome.state === 'loading') return skeleton(tile.kind === 'kpi' ? 'single' : 'bars');
  const answer = outcome.value;
  const form = {
    render: tile.kind,
    title: tile.title ?? answer.title,
    mode: chartMode(tile.kind === 'chart' ? tile.chartType : undefined),
    measure: tile.kind === 'kpi' ? tile.measure : undefined,
    compare: undefined,
  };
  return html`${answerView(panel, answer, host, form)}${tileHonesty(answer, host.formats, outcome.stale)}`;
}

function oldest({ dashboard, panel, host }: DashboardViewOptions): TemplateResult | typeof nothing {
  const answers = dashboard.tiles.flatMap(({ id }) => panel(id)?.answer ?? []);
  if (answers.length === 0) return nothing;
  const [first] = [...answers].sort((a, b) => a.computedAt.getTime() - b.computedAt.getTime());
  return first ? line([asOf({ ...first, cached: answers.some(({ cached }) => cached) }, host.formats)]) : nothing;
}
