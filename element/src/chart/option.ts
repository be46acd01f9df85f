import type { EChartsCoreOption } from 'echarts/core';
import { axes } from './axes.ts';
import type { Look } from './look.ts';
import { pie } from './pie.ts';
import { scatter } from './scatter.ts';
import type { ChartSpec, Size } from './spec.ts';

/** Everything ECharts needs to draw `spec` in `size`. A function of its arguments; the same chart gives the same option. */
export function chartOption(spec: ChartSpec, look: Look, size: Size, animate: boolean): EChartsCoreOption {
  const shared = {
    animation: animate && look.motion > 0,
    animationDuration: look.motion * 1.75,
    animationDurationUpdate: look.motion,
    useUTC: true,
    color: [...look.series],
    textStyle: { fontFamily: look.font, fontSize: look.fontSize, color: look.text },
    aria: { enabled: true, label: { description: spec.description } },
  };
  switch (spec.mode) {
    case 'pie':
      return { ...shared, ...pie(spec, look, size) };
    case 'scatter':
      return { ...shared, ...scatter(spec, look, size) };
    default:
      return { ...shared, ...axes(spec, spec.mode, look, size) };
  }
}
