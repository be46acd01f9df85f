import type { Answer } from '../../api/answer.ts';
import type { Formats } from '../../formats.ts';
import type { ChartSize, ChartSpec } from '../spec.ts';
import type { ChartTheme } from '../theme.ts';
import type { OptionFragment } from '../tooltip.ts';

/**
 * Contains all differences between chart modes. Each mode is one file in this folder and one entry of `registry.ts`.
 */
export interface ChartModeDefinition {
  /** Names the chart in its description: "Bar chart". */
  readonly label: string;
  /** Maximum number of drawn rows; undefined for no maximum. See `limits.ts`. */
  readonly maxRows: number | undefined;
  /** Maximum number of numeric columns in the drawing. */
  readonly maxSeries: number;
  /** Maximum number of numeric columns in a tooltip. */
  readonly maxTooltipSeries: number;
  /** Returns the rows of `answer` that have a point, in the keyboard's order. */
  readonly pointRows: (answer: Answer, formats: Formats) => readonly number[];
  /** Describes how many rows cannot be drawn; undefined where all can. */
  readonly omittedNote: (answer: Answer) => string | undefined;
  /** Returns the ECharts options that other modes do not share. */
  readonly option: (spec: ChartSpec, theme: ChartTheme, size: ChartSize) => OptionFragment;
}
