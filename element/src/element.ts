import { EmbedElement } from './embed-element.ts';
import type { ElementParts, PartName } from './types.ts';
import { LANGUAGE_PARTS } from './words/language-parts.ts';

/** Imports each part dynamically, so that a bundler writes it into a file that only pages with that part load. */
const PARTS: { readonly [N in PartName]: () => Promise<ElementParts[N]> } = {
  ai: () => import('./ask/part.ts'),
  charts: () => import('./chart/part.ts'),
  dashboard: () => import('./dashboard/part.ts'),
  grid: () => import('./grid/part.ts'),
  matrix: () => import('./matrix/part.ts'),
  drill: () => import('./drill/part.ts'),
  filters: () => import('./filters/part.ts'),
  export: () => import('./export/part.ts'),
  refresh: () => import('./refresh/part.ts'),
  formatting: () => import('./formatting/part.ts'),
  kpi: () => import('./kpi/part.ts'),
  markdown: () => import('./markdown/part.ts'),
  notation: () => import('./notation/part.ts'),
  ...LANGUAGE_PARTS,
};

/**
 * Shows a saved query, a dashboard or a box for questions in any web page.
 *
 * This class is for projects that register elements themselves: importing this module registers nothing, importing the
 * package registers `<service-embed>`.
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
 * @event {CustomEvent<LoadDetail>} service-load - An answer has arrived.
 * @event {CustomEvent<RenderDetail>} service-render - An answer, or another view of it, is painted.
 * @event {CustomEvent<ErrorDetail>} service-error - A read or a part has failed.
 * @event {CustomEvent<SelectDetail>} service-select - The reader selected a row or a point. Cancelable.
 * @event {CustomEvent<FilterDetail>} service-filter - The element is about to apply another filter. Cancelable.
 * @event {CustomEvent<FilterStateDetail>} service-filter-state - The visitor chose something in the filters. Cancelable.
 * @event {CustomEvent<TokenExpiringDetail>} service-token-expiring - The element is about to call getToken. Cancelable.
 *
 * @slot loading - Replaces the skeleton.
 * @slot empty - Replaces "No data".
 * @slot error - Replaces the error message.
 *
 * @csspart surface - the whole embed
 * @csspart title - the heading
 * @csspart scroller - the scrolling box of a table
 * @csspart table
 * @csspart header-cell
 * @csspart resize-handle - the edge of a column
 * @csspart row
 * @csspart cell
 * @csspart branch - the button of a matrix group
 * @csspart meta - the status line: missing data, rows, age
 * @csspart gap - one badge for missing data
 * @csspart notice - the notice for no data or no numeric series
 * @csspart error - the error message
 * @csspart skeleton - the placeholder during loading
 * @csspart chart-box - a chart with its toggle
 * @csspart chart - the drawing
 * @csspart points - the focus target of a chart
 * @csspart names - the names of a legend, as buttons for the keyboard
 * @csspart toggle - the button that shows a chart as a table
 * @csspart kpi - the large number
 * @csspart period - the period of the large number
 * @csspart delta - the change of the large number
 * @csspart heading - a heading above neighbouring columns
 * @csspart target - the target below the large number
 * @csspart progress - the reached share of the target
 * @csspart sparkline - the history of the large number
 * @csspart grid - the grid of a dashboard
 * @csspart tile - every tile
 * @csspart tile-text
 * @csspart tile-chart
 * @csspart tile-kpi
 * @csspart tile-unsupported
 * @csspart tile-title
 * @csspart filters - the bar of filters above a query
 * @csspart filter - the button of one filter
 * @csspart filter-panel - the panel of one filter
 * @csspart filter-clear - the button that removes all choices
 * @csspart filter-chip - values that the visitor clicked
 * @csspart tile-filter
 * @csspart text - the paragraph of a text tile
 * @csspart crumbs - the steps down of an answer
 * @csspart crumb - a step, which leads up again
 * @csspart drill-menu - what a clicked row leads to
 * @csspart drill-item - one thing in this menu
 * @csspart rows - the panel with the rows behind a figure
 * @csspart rows-close - the button that closes it
 * @csspart export - the place of the menu of files
 * @csspart export-button - the button that opens the menu
 * @csspart export-menu - the open menu
 * @csspart export-item - one file in the menu
 * @csspart ask-form - the question and its button
 * @csspart ask-input
 * @csspart ask-button
 * @csspart ask-chip - a suggested question
 * @csspart ask-answer
 * @csspart ask-certified - the mark of a certified answer
 * @csspart ask-query - the query behind the answer
 * @csspart ask-text - the text of that query, which the visitor may correct
 * @csspart ask-run - the button that runs the corrected query
 * @csspart ask-wrong - the button that marks the answer as wrong
 * @csspart ask-back - a question back, with readings to choose from
 *
 * @cssprop [--service-embed-fg=#1c2530] - text
 * @cssprop [--service-embed-bg=#ffffff] - background
 * @cssprop [--service-embed-border=#e2e6eb] - borders
 * @cssprop [--service-embed-header-bg=#f6f8fa] - table header
 * @cssprop [--service-embed-tile-bg=#ffffff] - background of tiles
 * @cssprop [--service-embed-row-hover=#f1f5fa] - row under the pointer
 * @cssprop [--service-embed-negative=#b3261e] - negative numbers, rings around anomalies
 * @cssprop [--service-embed-error=#b3261e] - error messages
 * @cssprop [--service-embed-muted=#5b6673] - secondary text
 * @cssprop [--service-embed-grid-line=--service-embed-border] - lines of tables and charts
 * @cssprop [--service-embed-font=system-ui, …] - font family
 * @cssprop [--service-embed-font-mono=ui-monospace, …] - font family of queries
 * @cssprop [--service-embed-font-size=14px] - text size; all other sizes follow
 * @cssprop [--service-embed-radius=8px] - corner radius
 * @cssprop [--service-embed-row-height=36px] - height of a table row
 * @cssprop [--service-embed-cell-padding=12px] - horizontal padding of a table cell
 * @cssprop [--service-embed-motion=200ms] - duration of animations; 0s for none
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
