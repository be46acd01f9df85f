import type { Answer } from '../read/answer.ts';
import type { ChartMode } from './columns.ts';

/**
 * Rows that are drawn at most, where each has a shape of its own: some half a second of painting, and more shapes than a
 * screen has room for. A line is one shape, thinned out by ECharts, however long it is.
 */
const MOST: Readonly<Partial<Record<ChartMode, number>>> = {
  bar: 2_000,
  'stacked-bar': 2_000,
  combo: 2_000,
  scatter: 4_000,
  pie: 200,
};

const known = new WeakMap<Answer['rows'], Map<number, Answer['rows']>>();

/** The answer as far as it is drawn: its first rows, the same list of them for the same answer. */
export function drawnPart(answer: Answer, mode: ChartMode): Answer {
  const most = MOST[mode];
  if (most === undefined || answer.rows.length <= most) return answer;
  const parts = known.get(answer.rows) ?? new Map<number, Answer['rows']>();
  known.set(answer.rows, parts);
  const rows = parts.get(most) ?? answer.rows.slice(0, most);
  parts.set(most, rows);
  return { ...answer, rows };
}
