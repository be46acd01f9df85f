import { isNumeric } from '../api/columns.ts';
import type { Answer, Cell, Column } from '../api/parse-answer.ts';
import {
  BYTE_ORDER_MARK,
  type CsvNotation,
  csvLine,
  csvNumber,
  csvText,
  PLAIN_CSV,
  withoutFormula,
} from '../generated/csv.ts';

export { csvNotationOf } from '../generated/csv.ts';

/**
 * Writes an answer as CSV by RFC 4180: commas unless `notation` has another separator, CR LF, quotes where they are
 * needed. Numbers are unformatted, so that a spreadsheet can calculate with them; a hidden value is empty. The byte order
 * mark makes Excel read UTF-8.
 */
export function toCsv(answer: Answer, order: readonly number[] | undefined, notation = PLAIN_CSV): string {
  const head = answer.columns.map(({ label }) => csvText(withoutFormula(label), notation));
  const rows = answer.rows.map((_, index) => {
    const row = answer.rows[order?.[index] ?? index] ?? [];
    return row.map((cell, position) => value(cell, answer.columns[position], notation));
  });
  return `${BYTE_ORDER_MARK}${[head, ...rows].map((cells) => csvLine(cells, notation)).join('')}`;
}

function value(cell: Cell, column: Column | undefined, notation: CsvNotation): string {
  if (cell.text === undefined || cell.suppressed) return '';
  return column && isNumeric(column) && cell.number !== undefined
    ? csvNumber(cell.exact ?? String(cell.number), notation)
    : csvText(withoutFormula(cell.text), notation);
}
