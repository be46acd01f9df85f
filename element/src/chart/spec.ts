import type { Answer } from '../api/answer.ts';
import type { ChartMode } from '../chart-modes.ts';
import type { Formats } from '../formats.ts';

export interface ChartSpec {
  readonly answer: Answer;
  readonly mode: ChartMode;
  /** The sentence for those who do not see the chart. */
  readonly description: string;
  readonly formats: Formats;
  /** The chosen row, as a position in the answer. */
  readonly selected: number | undefined;
}

/** The room a chart has, in CSS pixels. */
export interface ChartSize {
  readonly width: number;
  readonly height: number;
}

/** Returns the opacity of the point of `row`: what is not chosen steps back. */
export function pointOpacity({ selected }: ChartSpec, row: number): number {
  return selected === undefined || selected === row ? 1 : 0.35;
}
