// Written by `npx tsx scripts/element-lists.ts` from router/csv.ts; do not edit.

/**
 * Writes CSV by RFC 4180, for every part of the product: `scripts/element-lists.ts` copies this file into the element, so it
 * imports nothing.
 */

/** The signs of a CSV file. */
export interface CsvNotation {
  readonly separator: ',' | ';';
  readonly decimal: ',' | '.';
}

/** The notation of programs, and of spreadsheets in English. */
export const PLAIN_CSV: CsvNotation = { separator: ',', decimal: '.' };

/** Makes Excel read a file as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** Returns the notation that spreadsheets of a language read: a decimal comma goes with semicolons. */
export function csvNotationOf(locale: string | undefined): CsvNotation {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',')
    ? { separator: ';', decimal: ',' }
    : PLAIN_CSV;
}

/** Writes a number, given in digits with a point, without rounding or grouping. */
export function csvNumber(digits: string, { decimal }: CsvNotation): string {
  return decimal === '.' ? digits : digits.replace('.', decimal);
}

/** Writes a text, in quotes where it needs them. */
export function csvText(text: string, { separator }: CsvNotation): string {
  return /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Returns a text that no spreadsheet runs as a formula (OWASP, CSV injection): an apostrophe stands before a text that
 * begins like one.
 */
export function withoutFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

/** Writes a line of cells that are already written. */
export function csvLine(cells: readonly string[], { separator }: CsvNotation): string {
  return `${cells.join(separator)}\r\n`;
}
