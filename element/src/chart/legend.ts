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

/** Counts the lines of a legend. */
export function legendLines(names: readonly string[], width: number, theme: ChartTheme): number {
  const room = width;
  let lines = 1;
  let used = 0;
  for (const name of names) {
    const entry =
      LEGEND_ICON + 5 + Math.min(MAX_LEGEND_TEXT_WIDTH, name.length * theme.fontSize * MEAN_CHARACTER_WIDTH * 1.05);
    if (used > 0 && used + entry > room) {
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

/** Places a legend above a chart: all of its lines where it is `isWhole`, else one line with page buttons. */
export function legendAbove(theme: ChartTheme, names: readonly string[], isWhole: boolean): OptionFragment {
  return {
    ...legendStyle(theme, MAX_LEGEND_TEXT_WIDTH),
    type: isWhole ? 'plain' : 'scroll',
    data: [...names],
    top: 2,
    ...(theme.isRtl ? { left: 'right', align: 'right' } : { left: 0, right: 32 }),
  };
}
