import type { Answer } from '../api/answer.ts';
import type { ChartMode } from '../chart-modes.ts';
import { CHART_MODE_DEFINITIONS } from './modes/index.ts';

const cappedRows = new WeakMap<Answer['rows'], Map<number, Answer['rows']>>();

/** Returns `answer` with the rows that a chart draws: the first ones, the same list of them for the same answer. */
export function capRows(answer: Answer, mode: ChartMode): Answer {
  const { maxRows } = CHART_MODE_DEFINITIONS[mode];
  if (maxRows === undefined || answer.rows.length <= maxRows) return answer;
  const rowsByCap = cappedRows.get(answer.rows) ?? new Map<number, Answer['rows']>();
  cappedRows.set(answer.rows, rowsByCap);
  const rows = rowsByCap.get(maxRows) ?? answer.rows.slice(0, maxRows);
  rowsByCap.set(maxRows, rows);
  return { ...answer, rows };
}
