import { escapeRichText } from '../labels.ts';
import type { ChartTheme } from '../theme.ts';
import { type OptionFragment, readPointIndex, readSeriesIndex, tooltipStyle } from '../tooltip.ts';

/** Describes a tooltip of single marks. `write` returns its text for the series and the datum under the pointer. */
export function itemTooltip(theme: ChartTheme, write: (series: number, data: number) => string): OptionFragment {
  return {
    ...tooltipStyle(theme),
    trigger: 'item',
    formatter: (point: unknown) => write(readSeriesIndex(point), readPointIndex(point)),
  };
}

/** Describes a tooltip with the texts of the plan's points. */
export function pointTooltip(
  theme: ChartTheme,
  points: readonly { readonly series: number; readonly data: number; readonly text: string }[],
): OptionFragment {
  const texts = new Map(points.map(({ series, data, text }) => [`${series} ${data}`, text]));
  return itemTooltip(theme, (series, data) => texts.get(`${series} ${data}`) ?? '');
}

/** Joins the lines of a text for a tooltip. */
export function tooltipLines(lines: readonly string[]): string {
  return lines
    .filter((line) => line !== '')
    .map(escapeRichText)
    .join('\n');
}
