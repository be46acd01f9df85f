import type { TitledAnswer } from '../../router/capabilities/answer-files.ts';
import type { FileValue } from '../../router/capabilities/answer-rows.ts';
import {
  BYTE_ORDER_MARK,
  type CsvNotation,
  csvLine,
  csvNotationOf,
  csvNumber,
  csvText,
  withoutFormula,
} from '../../router/csv.ts';
import { fileValueOf, isNumeric } from './cell.ts';

/**
 * Writes an answer as CSV with the decimal sign of a language: `1234.5` for English, `1234,5` for German, where the
 * separator is then a semicolon, as spreadsheets of that language read it. Numbers are not rounded or grouped; hidden
 * values are empty. The byte order mark makes Excel read UTF-8.
 */
export function toCsv({ columns, records }: Pick<TitledAnswer, 'columns' | 'records'>, locale: string): string {
  const notation = csvNotationOf(locale);
  const lines = [
    csvHead(columns, notation),
    ...records.map((record) =>
      csvLine(
        columns.map((column) => csvCell(fileValueOf(column, record), isNumeric(column), notation)),
        notation,
      ),
    ),
  ];
  return lines.join('');
}

/** Writes the line of labels, after the byte order mark. */
export function csvHead(columns: readonly { readonly label: string }[], notation: CsvNotation): string {
  const labels = columns.map(({ label }) => csvText(withoutFormula(label), notation));
  return `${BYTE_ORDER_MARK}${csvLine(labels, notation)}`;
}

/** Writes one cell. */
export function csvCell(value: FileValue, isQuantity: boolean, notation: CsvNotation): string {
  if (value === null) return '';
  if (typeof value === 'number' || (isQuantity && isNumberText(value))) return csvNumber(String(value), notation);
  return csvText(withoutFormula(String(value)), notation);
}

function isNumberText(value: string | boolean): value is string {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
}
