import type { Answer } from '../../api/answer.ts';
import { chartColumns } from '../../api/columns.ts';
import type { Formats } from '../../formats.ts';
import { type AxesStyle, axesOption } from '../axes-option.ts';
import { locatePoints } from '../points.ts';
import type { ChartModeDefinition } from './definition.ts';

/** Creates a mode that draws metrics over categories or time. */
export function axesMode(
  label: string,
  { maxRows, ...style }: AxesStyle & Pick<ChartModeDefinition, 'maxRows'>,
): ChartModeDefinition {
  return {
    label,
    maxRows,
    maxSeries: Number.POSITIVE_INFINITY,
    maxTooltipSeries: Number.POSITIVE_INFINITY,
    pointRows: rowsAlongAxis,
    omittedNote: () => undefined,
    option: (spec, theme, size) => axesOption(spec, style, theme, size),
  };
}

/** Returns all rows of `answer` in the order of the horizontal axis. */
export function rowsAlongAxis(answer: Answer, formats: Formats): readonly number[] {
  return locatePoints(answer, chartColumns(answer).category, [], formats).rows;
}
