/** Finds the column with the currency of each row, and its currencies. Pure. */
import type { ColumnView, TableView } from '../detect/column-views.ts';

const CURRENCY_WORDS: ReadonlySet<string> = new Set([
  'currency',
  'ccy',
  'waehrung',
  'währung',
  'currencycode',
  'devise',
]);

/** Returns the column of a table's currencies, where there are several. */
export function currencyColumnOf({ columns }: TableView): ColumnView | undefined {
  return columns.find(
    ({ family, words, column }) =>
      family === 'text' && column.distinctApprox > 1 && words.some((word) => CURRENCY_WORDS.has(word)),
  );
}

/** Returns the currencies of a column where its sample values are all of them. */
export function currenciesOf({ column }: ColumnView): readonly string[] | undefined {
  const values = [...new Set(column.sampleValues.filter((value) => typeof value === 'string' && value !== ''))];
  return values.length >= column.distinctApprox ? values.map(String).sort() : undefined;
}
