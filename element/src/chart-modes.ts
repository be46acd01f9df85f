import { CHART_MODES } from './generated/closed-lists.ts';

export type ChartMode = (typeof CHART_MODES)[number];

export const DEFAULT_CHART_MODE = 'bar' satisfies ChartMode;

/** Returns the chart mode of this name; undefined where there is none. */
export function findChartMode(name: string): ChartMode | undefined {
  return CHART_MODES.find((mode) => mode === name);
}

/** Returns the chart mode of this name, or the default for an unknown name: a newer server may have more modes. */
export function toChartMode(name: string | undefined): ChartMode {
  return findChartMode(name ?? '') ?? DEFAULT_CHART_MODE;
}
