/**
 * Lists the chart modes of `<service-embed>`, in the order of messages. The dashboard schema, the pages and the demo
 * read this list; `npx tsx scripts/element-lists.ts` copies it into the element, which imports nothing from the server. A new
 * name does not compile until every place knows it (CONTRIBUTING.md).
 */
export const CHART_MODES = [
  'bar',
  'line',
  'pie',
  'stacked-bar',
  'area',
  'scatter',
  'combo',
  'histogram',
  'boxplot',
  'heatmap',
  'calendar',
  'treemap',
  'sunburst',
  'funnel',
  'waterfall',
  'sankey',
  'radar',
  'gauge',
  'bullet',
  'candlestick',
  'bubble',
  'map',
] as const;

export type ChartMode = (typeof CHART_MODES)[number];

/** Returns whether `name` is a chart mode. */
export function isChartMode(name: string): name is ChartMode {
  return CHART_MODES.some((mode) => mode === name);
}
