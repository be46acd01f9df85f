import { isNumeric } from '../api/columns.ts';
import type { Answer, Cell, Column } from '../api/parse-answer.ts';

/**
 * Writes an answer as CSV by RFC 4180: commas unless `notation` has another separator, CR LF, quotes where they are
 * needed. Numbers are unformatted, so that a spreadsheet can calculate with them; a hidden value is empty. The byte order
 * mark makes Excel read UTF-8.
 */
export function toCsv(answer: Answer, order: readonly number[] | undefined, notation = PLAIN): string {
  const { separator } = notation;
  const head = answer.columns.map(({ label }) => field(label, separator));
  const rows = answer.rows.map((_, index) => {
    const row = answer.rows[order?.[index] ?? index] ?? [];
    return row.map((cell, position) => value(cell, answer.columns[position], notation));
  });
  return `\uFEFF${[head, ...rows].map((cells) => `${cells.join(separator)}\r\n`).join('')}`;
}

interface Notation {
  readonly separator: ',' | ';';
  readonly decimal: ',' | '.';
}

const PLAIN: Notation = { separator: ',', decimal: '.' };

/** Returns the notation that spreadsheets of a language read: a decimal comma goes with semicolons. */
export function notationOf(locale: string | undefined): Notation {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',')
    ? { separator: ';', decimal: ',' }
    : PLAIN;
}

function value(cell: Cell, column: Column | undefined, { separator, decimal }: Notation): string {
  if (cell.text === undefined || cell.suppressed) return '';
  return column && isNumeric(column) && cell.number !== undefined
    ? (cell.exact ?? String(cell.number)).replace('.', decimal)
    : field(cell.text, separator);
}

/**
 * Quotes a text. A spreadsheet runs a text that begins like a formula (OWASP, CSV injection); an apostrophe before it
 * prevents that.
 */
function field(text: string, separator: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /["\r\n]/.test(safe) || safe.includes(separator) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
