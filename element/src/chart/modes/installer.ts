import type { use } from 'echarts/core';

/** Adds a step to ECharts, such as a layout. */
export type EChartsInstaller = Extract<Parameters<typeof use>[0], (registers: never) => void>;
