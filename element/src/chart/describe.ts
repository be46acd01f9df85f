import type { Answer } from '../api/answer.ts';
import { chartColumns } from '../api/columns.ts';
import type { ChartMode } from '../chart-modes.ts';
import type { Formats } from '../formats.ts';
import { CHART_MODE_DEFINITIONS } from './modes/registry.ts';

/** Describes the rows of `answer` that the capped `plotted` does not draw; undefined where it draws all. */
export function omittedNote(answer: Answer, plotted: Answer, mode: ChartMode, { number }: Formats): string | undefined {
  if (plotted.rows.length < answer.rows.length)
    return `First ${number(plotted.rows.length)} of ${number(answer.rows.length)} points; all are in the table`;
  return CHART_MODE_DEFINITIONS[mode].omittedNote(answer);
}

/** Describes a chart in one sentence for screen readers. A table beside it contains the numbers. */
export function describeChart(answer: Answer, mode: ChartMode, title: string): string {
  const { label, maxSeries } = CHART_MODE_DEFINITIONS[mode];
  const { category, series } = chartColumns(answer);
  const plotted = series.slice(0, maxSeries);
  const what = plotted.map((index) => answer.columns[index]?.label ?? '').join(', ');
  const by = category === undefined ? '' : ` by ${answer.columns[category]?.label ?? ''}`;
  const points = answer.rows.length === 1 ? '1 point' : `${answer.rows.length} points`;
  return `${label}: ${title}. ${what}${by}, ${points}. The values follow as a table.`;
}
