import type { EChartsCoreOption } from 'echarts/core';
import { withPatterns } from './forced-colours.ts';
import { planChart } from './kinds.ts';
import type { ChartSize, ChartSpec } from './spec.ts';
import type { ChartTheme } from './theme.ts';

/** Modes whose marks only their colour distinguishes, and that are wide enough for a pattern. */
const PATTERNED = new Set(['bar', 'stacked-bar', 'combo', 'pie']);

/** Returns the ECharts option that draws `spec` in `size`. It depends on its arguments only. */
export function chartOption(spec: ChartSpec, theme: ChartTheme, size: ChartSize, animate: boolean): EChartsCoreOption {
  const shared = {
    animation: animate && theme.motionMs > 0,
    animationDuration: theme.motionMs * 1.75,
    animationDurationUpdate: theme.motionMs,
    useUTC: true,
    color: theme.series.slice(0, 8),
    textStyle: { fontFamily: theme.font, fontSize: theme.fontSize, color: theme.text },
  };
  const option = planChart(spec).option(theme, size);
  return { ...shared, ...(theme.isForced && PATTERNED.has(spec.mode) ? withPatterns(option, theme) : option) };
}
