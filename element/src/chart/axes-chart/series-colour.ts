import { paletteColour } from '../colours.ts';
import type { Frame, FramePanel, FrameSeries } from '../frame.ts';
import type { ChartSpec } from '../spec.ts';
import type { ChartTheme } from '../theme.ts';
import type { Prepared } from './prepare.ts';

/** Returns the colour of a series: from the settings, else by its member, else by its place. */
export function seriesColour(
  { spec, frame }: Pick<Prepared, 'spec' | 'frame'>,
  panel: FramePanel,
  index: number,
  theme: ChartTheme,
): string {
  const series = panel.series[index];
  if (series === undefined) return theme.text;
  return frameColour(spec, frame, series, index, theme);
}

function frameColour(
  { settings, answer, colours }: ChartSpec,
  { roles }: Frame,
  series: FrameSeries,
  index: number,
  theme: ChartTheme,
): string {
  const column = answer.columns[series.metric];
  const chosen = settings.colours?.[series.member === undefined ? (column?.key ?? '') : series.name];
  if (chosen !== undefined) return chosen;
  if (series.isOthers) return theme.muted;
  const dimension = answer.columns[roles.series ?? -1]?.key;
  if (series.member === undefined || dimension === undefined)
    return paletteColour(theme, roles.series === undefined ? Math.max(0, roles.metrics.indexOf(series.metric)) : index);
  return paletteColour(theme, colours.slot(dimension, series.member));
}
