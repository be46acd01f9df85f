import type { Answer } from '../api/answer.ts';
import { type ChartMode, chartColumns } from '../api/columns.ts';
import type { Formats } from '../formats.ts';

const CHART_NAMES: Readonly<Record<ChartMode, string>> = {
  bar: 'Bar chart',
  line: 'Line chart',
  pie: 'Pie chart',
  'stacked-bar': 'Stacked bar chart',
  area: 'Area chart',
  scatter: 'Scatter plot',
  combo: 'Bar and line chart',
};

/** What of `answer` is not in its drawing of `drawn`; undefined where all is. */
export function omittedNote(answer: Answer, plotted: Answer, mode: ChartMode, { number }: Formats): string | undefined {
  if (plotted.rows.length < answer.rows.length)
    return `First ${number(plotted.rows.length)} of ${number(answer.rows.length)} points; all are in the table`;
  const withoutSlice = mode === 'pie' ? countWithoutSlice(answer) : 0;
  return withoutSlice > 0 ? `Without ${withoutSlice} of zero or less` : undefined;
}

/** How many rows a pie leaves out: no slice has a size of zero or less. */
function countWithoutSlice(answer: Answer): number {
  const position = chartColumns(answer).series[0] ?? -1;
  return answer.rows.filter((row) => (row[position]?.number ?? 1) <= 0).length;
}

/** What a chart shows, in one sentence for those who do not see it. The numbers stand in a table beside it. */
export function describeChart(answer: Answer, mode: ChartMode, title: string): string {
  const { category, series } = chartColumns(answer);
  const plotted = mode === 'pie' ? series.slice(0, 1) : mode === 'scatter' ? series.slice(0, 2) : series;
  const what = plotted.map((index) => answer.columns[index]?.label ?? '').join(', ');
  const by = category === undefined ? '' : ` by ${answer.columns[category]?.label ?? ''}`;
  const points = answer.rows.length === 1 ? '1 point' : `${answer.rows.length} points`;
  return `${CHART_NAMES[mode]}: ${title}. ${what}${by}, ${points}. The values follow as a table.`;
}
