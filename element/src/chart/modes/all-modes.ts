import type { ChartMode } from '../../chart-modes.ts';
import { axesPlan } from '../axes-chart/plan.ts';
import type { AxesStyle } from '../axes-chart/prepare.ts';
import { MODE_NEEDS } from './can-draw.ts';
import type { ChartModeDefinition } from './definition.ts';

function overAxes(style: AxesStyle): ChartModeDefinition['draws'] {
  return (spec) => axesPlan(spec, style);
}

/** Plans each mode, or loads the part that does. A mode of the closed list that is missing here does not compile. */
const DRAWS: Readonly<Record<ChartMode, ChartModeDefinition['draws']>> = {
  bar: overAxes({ isBar: () => true }),
  line: overAxes({ isBar: () => false }),
  pie: { load: () => import('./pie.ts') },
  'stacked-bar': overAxes({ isBar: () => true, isStacked: true }),
  area: overAxes({ isBar: () => false, isFilled: true }),
  scatter: { load: () => import('./scatter.ts') },
  combo: overAxes({ isBar: (index) => index === 0, canHaveSecondAxis: true }),
  histogram: { load: () => import('./histogram.ts') },
  boxplot: { load: () => import('./boxplot.ts') },
  heatmap: { load: () => import('./heat.ts') },
  calendar: { load: () => import('./heat.ts') },
  treemap: { load: () => import('./tree.ts') },
  sunburst: { load: () => import('./tree.ts') },
  funnel: { load: () => import('./funnel.ts') },
  waterfall: { load: () => import('./waterfall.ts') },
  sankey: { load: () => import('./sankey.ts') },
  radar: { load: () => import('./radar.ts') },
  gauge: { load: () => import('./gauge.ts') },
  bullet: { load: () => import('./bullet.ts') },
  candlestick: { load: () => import('./candlestick.ts') },
  bubble: { load: () => import('./scatter.ts') },
  map: { load: () => import('./map.ts') },
};

/** Defines a mode: its needs, and its plan or the part that plans it. */
export function defineMode(mode: ChartMode): ChartModeDefinition {
  return { ...MODE_NEEDS[mode], draws: DRAWS[mode] };
}
