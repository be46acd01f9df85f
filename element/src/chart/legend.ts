import type { ChartTheme } from './theme.ts';
import type { OptionFragment } from './tooltip.ts';

/** Mean width of a character of the system fonts, as a share of their size. Labels are fitted by it before painting. */
export const MEAN_CHARACTER_WIDTH = 0.525;
/** Height of one line of a legend, with its gap. */
export const LEGEND_LINE_HEIGHT = 24;
/** Maximum width of a text in a legend; a longer one is cut. */
export const MAX_LEGEND_TEXT_WIDTH = 160;
const LEGEND_GAP = 14;
const LEGEND_ICON = 10;
/** Width of the page buttons of a legend, with their gap. */
const PAGE_BUTTONS_WIDTH = 76;

/** Estimates the width of an entry of a legend. */
function entryWidth(name: string, { fontSize }: ChartTheme): number {
  return LEGEND_ICON + 5 + Math.min(MAX_LEGEND_TEXT_WIDTH, name.length * fontSize * MEAN_CHARACTER_WIDTH * 1.05);
}

/** Counts the lines of a legend. */
export function legendLines(names: readonly string[], width: number, theme: ChartTheme): number {
  let lines = 1;
  let used = 0;
  for (const name of names) {
    const entry = entryWidth(name, theme);
    if (used > 0 && used + entry > width) {
      lines += 1;
      used = 0;
    }
    used += entry + LEGEND_GAP;
  }
  return lines;
}

/** Styles a legend and cuts its texts at `textWidth` CSS pixels. */
export function legendStyle(theme: ChartTheme, textWidth: number): OptionFragment {
  return {
    type: 'scroll',
    icon: 'roundRect',
    itemWidth: LEGEND_ICON,
    itemHeight: LEGEND_ICON,
    itemGap: LEGEND_GAP,
    textStyle: {
      color: theme.text,
      fontSize: theme.fontSize,
      width: textWidth,
      overflow: 'truncate',
    },
    pageTextStyle: { color: theme.muted },
    pageIconColor: theme.text,
    pageIconInactiveColor: theme.border,
    pageIconSize: 11,
  };
}

/**
 * Places a legend above a chart: all of its lines where it is `isWhole`, else one line with page buttons. Its entries are
 * then equally wide, so that each page ends between two of them.
 */
export function legendAbove(
  theme: ChartTheme,
  names: readonly string[],
  isWhole: boolean,
  width: number,
): OptionFragment {
  const style = legendStyle(theme, MAX_LEGEND_TEXT_WIDTH);
  const place = {
    data: [...names],
    top: 2,
    ...(theme.isRtl ? { left: 'right', align: 'right' } : { left: 0, right: 32 }),
  };
  if (isWhole) return { ...style, type: 'plain', ...place };
  const room = width - 32 - PAGE_BUTTONS_WIDTH;
  const entry = Math.min(room, Math.max(...names.map((name) => entryWidth(name, theme))));
  const count = Math.max(1, Math.floor((room + LEGEND_GAP) / (entry + LEGEND_GAP)));
  return {
    ...style,
    ...place,
    right: undefined,
    width: count * (entry + LEGEND_GAP) - LEGEND_GAP + PAGE_BUTTONS_WIDTH,
    // A line height makes ECharts keep the width, and the page the descenders.
    textStyle: { ...Object(style.textStyle), width: entry - LEGEND_ICON - 5, lineHeight: theme.fontSize + 4 },
  };
}
