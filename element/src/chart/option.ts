import type { EChartsCoreOption } from 'echarts/core';
import { axes } from './axes.ts';
import { pie } from './pie.ts';
import { scatter } from './scatter.ts';
import type { ChartSize, ChartSpec } from './spec.ts';
import type { ChartTheme } from './theme.ts';

/** Everything ECharts needs to draw `spec` in `size`. A function of its arguments; the same chart gives the same option. */
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
  switch (spec.mode) {
    case 'pie':
      return { ...shared, ...pie(spec, theme, size) };
    case 'scatter':
      return { ...shared, ...scatter(spec, theme, size) };
    default:
      return { ...shared, ...axes(spec, spec.mode, theme, size) };
  }
}
