import type { Answer } from '../api/parse-answer.ts';
import type { ChartMode } from '../chart-modes.ts';
import { defineMode } from './modes/all-modes.ts';

const cappedRows = new WeakMap<Answer['rows'], Map<number, Answer['rows']>>();

/** Cuts `answer` to the rows that a chart draws. The same answer always gives the same object. */
export function capRows(answer: Answer, mode: ChartMode): Answer {
  const { maxRows } = defineMode(mode);
  if (maxRows === undefined || answer.rows.length <= maxRows) return answer;
  const rowsByCap = cappedRows.get(answer.rows) ?? new Map<number, Answer['rows']>();
  cappedRows.set(answer.rows, rowsByCap);
  const rows = rowsByCap.get(maxRows) ?? answer.rows.slice(0, maxRows);
  rowsByCap.set(maxRows, rows);
  return { ...answer, rows };
}
