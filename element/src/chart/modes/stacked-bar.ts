import { MAX_BAR_ROWS } from '../../limits.ts';
import { axesMode } from './axes-mode.ts';

/** Draws the metrics as stacked bars. It shows no forecast, because a line across sums would mislead. */
export const stackedBar = axesMode('Stacked bar chart', { isBar: () => true, isStacked: true, maxRows: MAX_BAR_ROWS });
