import { axesMode } from './axes-mode.ts';

/** Draws each metric as a line: one shape, thinned out by ECharts, however long it is. */
export const line = axesMode('Line chart', { isBar: () => false, maxRows: undefined });
