import type { EChartsCoreOption } from 'echarts/core';
import type { ChartMode } from '../chart-modes.ts';
import { guardTextWidths } from './guard-text-widths.ts';
import { planChart } from './kinds.ts';
import type { ChartSize, ChartSpec } from './spec.ts';
import type { ChartTheme } from './theme.ts';
import type { OptionFragment } from './tooltip.ts';

/** Draws patterns where the system forces colours. It is loaded there. */
export interface PatternsPart {
  readonly withPatterns: (option: OptionFragment, mode: ChartMode, theme: ChartTheme) => OptionFragment;
}

let patterns: PatternsPart | undefined;

/** Adds the part once it is loaded. */
export function addPatterns(loaded: PatternsPart): void {
  patterns = loaded;
}

/** Returns whether a chart has to wait for its patterns. */
export function lacksPatterns({ isForced }: ChartTheme): boolean {
  return isForced === true && patterns === undefined;
}

/** Returns the ECharts option that draws `spec` in `size`. It depends on its arguments only. */
export function chartOption(spec: ChartSpec, theme: ChartTheme, size: ChartSize, animate: boolean): EChartsCoreOption {
  guardTextWidths();
  const shared = {
    animation: animate && theme.motionMs > 0,
    animationDuration: theme.motionMs * 1.75,
    animationDurationUpdate: theme.motionMs,
    useUTC: true,
    color: theme.series.slice(0, 8),
    textStyle: { fontFamily: theme.font, fontSize: theme.fontSize, color: theme.text },
  };
  const option = planChart(spec).option(theme, size);
  const { legend } = option;
  const selected = Object.fromEntries(spec.hidden?.map((name) => [name, false]) ?? []);
  return {
    ...shared,
    ...(theme.isForced && patterns ? patterns.withPatterns(option, spec.mode, theme) : option),
    legend: { ...Object(legend), selected },
  };
}
