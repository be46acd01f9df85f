import type { Answer } from '../api/answer.ts';
import type { ChartMode } from '../api/columns.ts';

/**
 * Rows that are drawn at most, where each has a shape of its own: some half a second of painting, and more shapes than a
 * screen has room for. A line is one shape, thinned out by ECharts, however long it is.
 */
const MAX_ROWS: Readonly<Partial<Record<ChartMode, number>>> = {
  bar: 2_000,
  'stacked-bar': 2_000,
  combo: 2_000,
  scatter: 4_000,
  pie: 200,
};

const cappedRows = new WeakMap<Answer['rows'], Map<number, Answer['rows']>>();

/** The answer as far as it is drawn: its first rows, the same list of them for the same answer. */
export function capRows(answer: Answer, mode: ChartMode): Answer {
  const maxRows = MAX_ROWS[mode];
  if (maxRows === undefined || answer.rows.length <= maxRows) return answer;
  const parts = cappedRows.get(answer.rows) ?? new Map<number, Answer['rows']>();
  cappedRows.set(answer.rows, parts);
  const rows = parts.get(maxRows) ?? answer.rows.slice(0, maxRows);
  parts.set(maxRows, rows);
  return { ...answer, rows };
}
