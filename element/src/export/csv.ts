import { isNumeric } from '../api/columns.ts';
import type { Answer, Cell, Column } from '../api/parse-answer.ts';

/**
 * Writes an answer as CSV by RFC 4180: commas, CR LF, quotes where they are needed. Numbers are unformatted, so that a
 * spreadsheet can calculate with them; a hidden value is empty. The byte order mark makes Excel read UTF-8.
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
 * Quotes a text. A spreadsheet runs a text that begins like a formula (OWASP, CSV injection); an apostrophe before it
 * prevents that.
 */
function field(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
