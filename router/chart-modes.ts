/**
 * Lists the chart modes of `<service-embed>`, in the order in which messages give them. The one list: the dashboard
 * schema, the pages and the demo read it; `npx tsx scripts/element-lists.ts` copies it into the element, which imports
 * nothing of ours. A new name here does not compile until each place that has to know it does (CONTRIBUTING.md).
 */
export const CHART_MODES = ['bar', 'line', 'pie', 'stacked-bar', 'area', 'scatter', 'combo'] as const;

export type ChartMode = (typeof CHART_MODES)[number];

/** Tells whether `name` is that of a chart mode. */
export function isChartMode(name: string): name is ChartMode {
  return CHART_MODES.some((mode) => mode === name);
}
