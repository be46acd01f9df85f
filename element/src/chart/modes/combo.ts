import { MAX_BAR_ROWS } from '../../limits.ts';
import { axesMode } from './axes-mode.ts';

/** Draws the first metric as bars and the others as lines, which may have an axis of their own. */
export const combo = axesMode('Bar and line chart', {
  isBar: (index) => index === 0,
  canHaveSecondAxis: true,
  maxRows: MAX_BAR_ROWS,
});
