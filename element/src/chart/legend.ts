import type { Look } from './look.ts';
import type { Piece } from './tooltip.ts';

/** Mean width of a character of the system fonts, as a share of their size; labels are fitted by it before painting. */
export const CHARACTER = 0.525;
/** Height of one line of a legend, with its gap. */
export const LEGEND_LINE = 24;
/** Widest text in a legend; what is longer is cut. */
export const LEGEND_TEXT = 160;
const LEGEND_GAP = 14;
const LEGEND_ICON = 10;

/** How many lines a legend takes when its entries stand one after the other. */
export function legendLines(names: readonly string[], width: number, look: Look): number {
  const room = width - 16;
  let lines = 1;
  let used = 0;
  for (const name of names) {
    const entry = LEGEND_ICON + 5 + Math.min(LEGEND_TEXT, name.length * look.fontSize * CHARACTER * 1.2);
    if (used > 0 && used + entry > room) {
      lines += 1;
      used = 0;
    }
    used += entry + LEGEND_GAP;
  }
  return lines;
}

export function legendLook(look: Look, textWidth: number): Piece {
  return {
    type: 'scroll',
    icon: 'roundRect',
    itemWidth: LEGEND_ICON,
    itemHeight: LEGEND_ICON,
    itemGap: LEGEND_GAP,
    textStyle: { color: look.text, fontSize: look.fontSize, width: textWidth, overflow: 'truncate' },
    pageTextStyle: { color: look.muted },
    pageIconColor: look.text,
    pageIconInactiveColor: look.line,
    pageIconSize: 11,
  };
}
