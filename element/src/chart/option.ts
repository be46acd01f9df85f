import type { EChartsCoreOption } from 'echarts/core';
import { CHART_MODE_DEFINITIONS } from './modes/index.ts';
import type { ChartSize, ChartSpec } from './spec.ts';
import type { ChartTheme } from './theme.ts';

/**
 * Returns everything ECharts needs to draw `spec` in `size`. A function of its arguments; the same chart gives the same
 * option.
 */
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
