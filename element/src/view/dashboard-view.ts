import { html, nothing, type TemplateResult } from 'lit';
import { chartMode } from '../chart/columns.ts';
import type { Answer } from '../read/answer.ts';
import type { Dashboard, Tile } from '../read/dashboard.ts';
import type { Outcome } from '../read/reading.ts';
import { type Charts, chartView } from './chart-view.ts';
import { asOf, line, tileHonesty } from './honesty.ts';
import { kpiView } from './kpi-view.ts';
import { chartSkeleton, empty, failure, kpiSkeleton, notice } from './states.ts';

export interface DashboardViewOptions {
  readonly dashboard: Dashboard;
  /** How far the read of a tile is. */
  readonly answer: (tileId: string) => Outcome<Answer>;
  readonly charts: Charts;
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
  const busy = asksForData(tile) && options.answer(tile.id).state === 'loading';
  return html`<section class="tile tile-${tile.kind}" part="tile" aria-busy=${String(busy)} aria-label=${tile.title ?? nothing} .style=${place}>
    ${tile.title ? html`<h3 class="tile-title" part="tile-title" title=${tile.title}>${tile.title}</h3>` : nothing}${tileBody(tile, options)}
  </section>`;
}

function tileBody(tile: Tile, options: DashboardViewOptions): TemplateResult {
  switch (tile.kind) {
    case 'text':
      return html`<p class="text" part="text">${tile.text}</p>`;
    case 'chart':
      return settled(options.answer(tile.id), chartSkeleton, (answer) => {
        const title = tile.title ?? answer.title;
        return chartView({ answer, mode: chartMode(tile.chartType), title, charts: options.charts });
      });
    case 'kpi':
      return settled(options.answer(tile.id), kpiSkeleton, (answer) => kpiView(answer, tile.measure));
    case 'unsupported':
      return notice('', 'This kind of tile cannot be shown here.');
  }
}

/** Each tile is loading, failed, empty or drawn by itself: a failed one never takes others along nor looks empty. */
function settled(
  outcome: Outcome<Answer>,
  skeleton: () => TemplateResult,
  view: (answer: Answer) => TemplateResult,
): TemplateResult {
  switch (outcome.state) {
    case 'loading':
      return skeleton();
    case 'failed':
      return failure('This tile is not available.');
    case 'ready':
      return outcome.value.rows.length === 0 ? empty() : html`${view(outcome.value)}${tileHonesty(outcome.value)}`;
  }
}

function asksForData(tile: Tile): boolean {
  return tile.kind === 'chart' || tile.kind === 'kpi';
}

function oldest({ dashboard, answer }: DashboardViewOptions): TemplateResult | typeof nothing {
  const times = dashboard.tiles.filter(asksForData).flatMap((tile) => {
    const outcome = answer(tile.id);
    return outcome.state === 'ready' ? [outcome.value.computedAt.getTime()] : [];
  });
  return times.length > 0 ? line([asOf(new Date(Math.min(...times)))]) : nothing;
}
