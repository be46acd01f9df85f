import { EmbedElement } from './embed-element.ts';
import type { ElementParts, PartName } from './types.ts';

/** Imports each part dynamically, so that bundlers put each part in a file that pages without it never load. */
const PARTS: { readonly [N in PartName]: () => Promise<ElementParts[N]> } = {
  ai: () => import('./ask/part.ts'),
  charts: () => import('./chart/part.ts'),
  dashboard: () => import('./dashboard/part.ts'),
  grid: () => import('./grid/part.ts'),
  matrix: () => import('./matrix/part.ts'),
  export: () => import('./export/part.ts'),
  refresh: () => import('./refresh/part.ts'),
  sparkline: () => import('./sparkline/part.ts'),
};

/**
 * A saved query, a dashboard or a box for questions in any web page.
 *
 * The class is for projects that register elements themselves: importing this module registers nothing; importing the
 * package does.
 *
 * @example
 * ```ts
 * import { ServiceEmbed } from 'service-embed/element';
 *
 * customElements.define('sales-embed', class extends ServiceEmbed {});
 * ```
 *
 * @tag service-embed
 *
 * @event {CustomEvent<ReadyDetail>} service-ready - The element is set up and about to read.
 * @event {CustomEvent<LoadDetail>} service-load - An answer is in.
 * @event {CustomEvent<RenderDetail>} service-render - An answer, or another form of it, is painted.
 * @event {CustomEvent<ErrorDetail>} service-error - Something failed.
 * @event {CustomEvent<SelectDetail>} service-select - A row or a point was chosen. Cancelable.
 * @event {CustomEvent<FilterDetail>} service-filter - Another filter is about to be applied. Cancelable.
 * @event {CustomEvent<TokenExpiringDetail>} service-token-expiring - getToken is about to be called. Cancelable.
 *
 * @slot loading - In place of the skeleton.
 * @slot empty - In place of "No data".
 * @slot error - In place of the sentence of a failure.
 *
 * @csspart surface - the whole
 * @csspart scroller - the box that scrolls a table
 * @csspart table
 * @csspart header-cell
 * @csspart resize-handle - the edge of a column
 * @csspart row
 * @csspart cell
 * @csspart branch - the button of a group in a matrix
 * @csspart meta - the line below: gaps, rows, age
 * @csspart gap - one thing that is missing
 * @csspart notice - no data, no numeric series
 * @csspart error - the failure
 * @csspart skeleton - while loading
 * @csspart chart-box - a chart with its button
 * @csspart chart - the drawing
 * @csspart points - the keyboard stop of a chart
 * @csspart toggle - the button that shows a chart as a table
 * @csspart kpi - the large number
 * @csspart delta - its change
 * @csspart sparkline - its history
 * @csspart grid - the grid of a dashboard
 * @csspart tile - every tile
 * @csspart tile-text
 * @csspart tile-chart
 * @csspart tile-kpi
 * @csspart tile-unsupported
 * @csspart tile-title
 * @csspart text - the paragraph of a text tile
 * @csspart ask-form - the question and its button
 * @csspart ask-input
 * @csspart ask-button
 * @csspart ask-chip - a suggested question
 * @csspart ask-answer
 * @csspart ask-query - the query that was answered
 *
 * @cssprop [--service-embed-fg=#1c2530] - text
 * @cssprop [--service-embed-bg=#ffffff] - ground
 * @cssprop [--service-embed-border=#e2e6eb] - frames
 * @cssprop [--service-embed-header-bg=#f6f8fa] - header of a table
 * @cssprop [--service-embed-tile-bg=#ffffff] - ground of tiles
 * @cssprop [--service-embed-row-hover=#f1f5fa] - row under the pointer
 * @cssprop [--service-embed-negative=#b3261e] - negative numbers, rings around anomalies
 * @cssprop [--service-embed-error=#b3261e] - failures
 * @cssprop [--service-embed-muted=#5b6673] - secondary text
 * @cssprop [--service-embed-grid-line=--service-embed-border] - lines of tables and charts
 * @cssprop [--service-embed-font=system-ui, …] - font family
 * @cssprop [--service-embed-font-mono=ui-monospace, …] - font family of queries
 * @cssprop [--service-embed-font-size=14px] - size of text; all else follows
 * @cssprop [--service-embed-radius=8px] - corners
 * @cssprop [--service-embed-row-height=36px] - density: rows of a table
 * @cssprop [--service-embed-cell-padding=12px] - density: sides of a cell
 * @cssprop [--service-embed-motion=200ms] - duration of movements; 0s for none
 * @cssprop [--service-embed-chart-1=#2f6fb8] - series 1
 * @cssprop [--service-embed-chart-2=#d06217] - series 2
 * @cssprop [--service-embed-chart-3=#76a062] - series 3
 * @cssprop [--service-embed-chart-4=#9079fe] - series 4
 * @cssprop [--service-embed-chart-5=#945829] - series 5
 * @cssprop [--service-embed-chart-6=#179fd4] - series 6
 * @cssprop [--service-embed-chart-7=#8e598c] - series 7
 * @cssprop [--service-embed-chart-8=#c87e9f] - series 8
 */
export class ServiceEmbed extends EmbedElement {
  protected override loadPart<N extends PartName>(name: N): Promise<ElementParts[N]> {
    return PARTS[name]();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'service-embed': ServiceEmbed;
  }
}
