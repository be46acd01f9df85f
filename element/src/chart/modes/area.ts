import { axesMode } from './axes-mode.ts';

/** Draws each metric as a line over a filled area. */
export const area = axesMode('Area chart', { isBar: () => false, isFilled: true, maxRows: undefined });
