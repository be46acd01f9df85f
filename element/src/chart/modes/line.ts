import { axesMode } from './axes-mode.ts';

/** Draws each metric as one line. ECharts thins out a long one. */
export const line = axesMode('Line chart', { isBar: () => false, maxRows: undefined });
