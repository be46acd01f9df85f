import type { TitledAnswer } from '../../router/capabilities/answer-files.ts';
import { fileValueOf, isNumeric, withoutFormula } from './cell.ts';

/**
 * Writes an answer as CSV with the decimal sign of a language: `1234.5` for English, `1234,5` for German, where the
 * separator is then a semicolon, as spreadsheets of that language read it. Numbers are not rounded or grouped; hidden
 * values are empty. The byte order mark makes Excel read UTF-8.
 */
export function toCsv({ columns, records }: Pick<TitledAnswer, 'columns' | 'records'>, locale: string): string {
  const decimal = decimalSign(locale);
  const separator = decimal === ',' ? ';' : ',';
  const quoted = (text: string) =>
    text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = [
    columns.map(({ label }) => quoted(withoutFormula(label))),
    ...records.map((record) =>
      columns.map((column) => {
        const value = fileValueOf(column, record);
        if (value === null) return '';
        if (typeof value === 'number' || (isNumeric(column) && isNumberText(value)))
          return String(value).replace('.', decimal);
        return quoted(withoutFormula(String(value)));
      }),
    ),
  ];
  return `\uFEFF${lines.map((cells) => `${cells.join(separator)}\r\n`).join('')}`;
}

function isNumberText(value: string | boolean): value is string {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
}

/** Returns the decimal sign of a language: a comma, or a point for any other sign. */
function decimalSign(locale: string): ',' | '.' {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.';
}
