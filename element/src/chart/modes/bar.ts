import { MAX_BAR_ROWS } from '../../limits.ts';
import { axesMode } from './axes-mode.ts';

/** Draws the metrics as bars side by side. */
export const bar = axesMode('Bar chart', { isBar: () => true, maxRows: MAX_BAR_ROWS });
