import type { Answer } from '../api/answer.ts';
import type { ChartMode } from '../chart-modes.ts';
import type { Formats } from '../formats.ts';

export interface ChartSpec {
  readonly answer: Answer;
  readonly mode: ChartMode;
  /** The description for screen readers. */
  readonly description: string;
  readonly formats: Formats;
  /** The selected row, as a position in the answer. */
  readonly selected: number | undefined;
}

/** The size of a chart, in CSS pixels. */
export interface ChartSize {
  readonly width: number;
  readonly height: number;
}

/** Returns the opacity of a row's point: with a selection, all other points are paler. */
export function pointOpacity({ selected }: ChartSpec, row: number): number {
  return selected === undefined || selected === row ? 1 : 0.35;
}
