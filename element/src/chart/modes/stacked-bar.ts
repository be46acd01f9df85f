import { MAX_BAR_ROWS } from '../../limits.ts';
import { axesMode } from './axes-mode.ts';

/** Draws the metrics as bars one on the other. Has no forecast: its line would stand among sums. */
export const stackedBar = axesMode('Stacked bar chart', { isBar: () => true, isStacked: true, maxRows: MAX_BAR_ROWS });
