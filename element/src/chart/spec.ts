import type { Answer } from '../api/parse-answer.ts';
import type { ChartMode } from '../chart-modes.ts';
import type { Formats } from '../formats.ts';
import type { ChartSettings } from '../generated/chart-settings.ts';
import type { MemberColours } from './colours.ts';

export interface ChartSpec {
  readonly answer: Answer;
  readonly mode: ChartMode;
  readonly settings: ChartSettings;
  /** The rest of the series that are not drawn one by one. */
  readonly others: Answer | undefined;
  readonly colours: MemberColours;
  /** The description for screen readers. */
  readonly description: string;
  readonly formats: Formats;
  /** The selected row, as a position in the answer. */
  readonly selected: number | undefined;
  /** Names of the legend that are hidden. */
  readonly hidden?: readonly string[] | undefined;
}

/** The size of a chart, in CSS pixels. */
export interface ChartSize {
  readonly width: number;
  readonly height: number;
}

/** Returns the opacity of a row's point: with a selection, all other points are paler. */
export function pointOpacity({ selected }: Pick<ChartSpec, 'selected'>, row: number | undefined): number {
  return selected === undefined || selected === row ? 1 : 0.35;
}
