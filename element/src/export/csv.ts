import type { Answer, Cell, Column } from '../api/answer.ts';
import { isNumeric } from '../api/columns.ts';

/**
 * Writes an answer as CSV by RFC 4180: commas, lines ended by CR LF, quotes where they are needed. Numbers stand as
 * numbers, not as they are formatted, so that they can be counted with; a hidden value is empty. The mark at the start
 * tells Excel that it is UTF-8.
 */
export function toCsv(answer: Answer, order: readonly number[] | undefined): string {
  const head = answer.columns.map(({ label }) => field(label));
  const rows = answer.rows.map((_, index) => {
    const row = answer.rows[order?.[index] ?? index] ?? [];
    return row.map((cell, position) => value(cell, answer.columns[position]));
  });
  return `\uFEFF${[head, ...rows].map((cells) => `${cells.join(',')}\r\n`).join('')}`;
}

function value(cell: Cell, column: Column | undefined): string {
  if (cell.text === undefined || cell.suppressed) return '';
  return column && isNumeric(column) && cell.number !== undefined
    ? (cell.exact ?? String(cell.number))
    : field(cell.text);
}

/**
 * Quotes a text. A spreadsheet runs what begins like a formula (OWASP, CSV injection); an apostrophe before it makes it
 * text. The data of an embed is somebody else's.
 */
function field(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
