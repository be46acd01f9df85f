// Written by `npx tsx scripts/element-lists.ts` from the lists of the server; do not edit.

/** Lists the chart modes. */
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

/** Lists the kinds of dashboard tiles. */
export const TILE_KINDS = ['text', 'chart', 'table', 'kpi', 'filter'] as const;

/** Lists the ways to choose in a filter. */
export const FILTER_CONTROLS = ['list', 'range', 'date', 'switch'] as const;

/** Lists the operators of a filter, each with whether it compares with values. */
export const FILTER_OPERATORS = {
  EQ: true,
  NEQ: true,
  LT: true,
  LTE: true,
  GT: true,
  GTE: true,
  IN: true,
  BETWEEN: true,
  IS_NULL: false,
  IS_NOT_NULL: false,
  RELATIVE: true,
} as const;
