import type { Answer } from '../../api/answer.ts';
import type { Formats } from '../../formats.ts';
import type { ChartSize, ChartSpec } from '../spec.ts';
import type { ChartTheme } from '../theme.ts';
import type { OptionFragment } from '../tooltip.ts';

/**
 * Everything that differs between the modes of a chart. Each mode is one file in this folder and one entry of
 * `index.ts`.
 */
export interface ChartModeDefinition {
  /** Names the chart where it is described: "Bar chart". */
  readonly label: string;
  /** Rows that are drawn at most; undefined where their number is no matter. See `limits.ts`. */
  readonly maxRows: number | undefined;
  /** Numeric columns that the drawing shows at most. */
  readonly maxSeries: number;
  /** Numeric columns that a tooltip lists at most. */
  readonly maxTooltipSeries: number;
  /** Returns the rows of `answer` that have a point, in the order in which the keyboard visits them. */
  readonly pointRows: (answer: Answer, formats: Formats) => readonly number[];
  /** Says how many rows cannot be drawn; undefined where all can. */
  readonly omittedNote: (answer: Answer) => string | undefined;
  /** Returns what ECharts needs besides what all modes share. */
  readonly option: (spec: ChartSpec, theme: ChartTheme, size: ChartSize) => OptionFragment;
}
