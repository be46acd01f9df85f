/** The light colours of the element, for ink. */
import { type ChartTheme, dataColours, PALETTE } from '../src/chart/theme.ts';

export const INK = '#1b1f24';
export const MUTED = '#59636e';
export const LINE = '#c9d0d8';
export const FAINT = '#f2f4f7';
export const FONT = 'Roboto';

export const PAPER_THEME: ChartTheme = {
  text: INK,
  muted: MUTED,
  border: LINE,
  grid: '#e6e9ee',
  surface: '#ffffff',
  negative: '#b3261e',
  font: FONT,
  fontSize: 12,
  isRtl: false,
  motionMs: 0,
  ...dataColours(PALETTE, INK, MUTED),
};
