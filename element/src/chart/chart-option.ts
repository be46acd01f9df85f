import type { EChartsCoreOption } from 'echarts/core';
import { CHART_MODE_DEFINITIONS } from './modes/registry.ts';
import type { ChartSize, ChartSpec } from './spec.ts';
import type { ChartTheme } from './theme.ts';

/** Returns the ECharts option that draws `spec` in `size`. It depends on its arguments only. */
export function chartOption(spec: ChartSpec, theme: ChartTheme, size: ChartSize, animate: boolean): EChartsCoreOption {
  const shared = {
    animation: animate && theme.motionMs > 0,
    animationDuration: theme.motionMs * 1.75,
    animationDurationUpdate: theme.motionMs,
    useUTC: true,
    color: [...theme.series],
    textStyle: { fontFamily: theme.font, fontSize: theme.fontSize, color: theme.text },
    aria: { enabled: true, label: { description: spec.description } },
  };
  return { ...shared, ...CHART_MODE_DEFINITIONS[spec.mode].option(spec, theme, size) };
}
