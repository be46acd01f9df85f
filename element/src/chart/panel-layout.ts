import { MIN_PANEL_HEIGHT, MIN_PANEL_WIDTH } from '../limits.ts';
import type { ChartSize } from './spec.ts';

/** The place of a small chart, in CSS pixels from the edges of the chart. */
export interface PanelPlace {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

const GAP = 14;

/** Returns how many small charts are side by side, so that the last row is as full as the others. */
function panelColumns(count: number, width: number): number {
  const fitting = Math.max(1, Math.min(count, Math.floor((width + GAP) / (MIN_PANEL_WIDTH + GAP))));
  return Math.ceil(count / Math.ceil(count / fitting));
}

/** Places small charts row by row below `top`. */
export function placePanels(count: number, size: ChartSize, top: number): readonly PanelPlace[] {
  const columns = panelColumns(count, size.width);
  const rows = Math.ceil(count / columns);
  const width = (size.width - GAP * (columns - 1)) / columns;
  const height = (size.height - top - GAP * (rows - 1)) / rows;
  return Array.from({ length: count }, (_, index) => {
    const left = (index % columns) * (width + GAP);
    const above = top + Math.floor(index / columns) * (height + GAP);
    return {
      left,
      right: size.width - left - width,
      top: above,
      bottom: size.height - above - height,
      width,
      height,
    };
  });
}

/** Returns the least height of a chart of small charts. */
export function panelsHeight(count: number, width: number): number {
  return Math.ceil(count / panelColumns(count, width)) * (MIN_PANEL_HEIGHT + GAP);
}
