/** The rows of a file in the order in which their reader sees them. */
import type { TitledAnswer } from '../../router/capabilities/answer-files.ts';
import type { AnswerRecord } from '../../router/capabilities/query-source.ts';

export interface FileSort {
  /** Key of the column. */
  readonly column: string;
  readonly direction: 'asc' | 'desc';
}

/**
 * Returns the records in the order of a column, as a table of the element sorts them: numbers by size, everything else by the
 * rules of the language. Missing and hidden values come last in either direction; equal rows keep their order.
 */
export function sortRecords(
  { columns, records }: Pick<TitledAnswer, 'columns' | 'records'>,
  { column, direction }: FileSort,
  locale: string,
): readonly AnswerRecord[] {
  const labels = columns.find(({ key }) => key === column)?.labels ?? {};
  const values = records
    .map((record) => sortValueOf(Object.hasOwn(record, column) ? record[column] : null))
    .map((value) => (value !== undefined && Object.hasOwn(labels, value) && labels[value] === '' ? undefined : value));
  const isNumeric = values.every((value) => value === undefined || isNumber(value));
  const { compare } = new Intl.Collator(locale, { numeric: true });
  // Each distinct text is ranked once: comparing by the rules of a language is slow.
  const distinct = isNumeric ? [] : [...new Set(values.filter((value) => value !== undefined))].sort(compare);
  const ranks = new Map(distinct.map((text, rank) => [text, rank]));
  const sign = direction === 'desc' ? -1 : 1;
  const keys = values.map((value) =>
    value === undefined ? undefined : sign * (isNumeric ? Number(value) : (ranks.get(value) ?? 0)),
  );
  return records
    .map((record, at) => ({ record, key: keys[at], at }))
    .sort((a, b) => compareKeys(a.key, b.key) || a.at - b.at)
    .map(({ record }) => record);
}

function compareKeys(a: number | undefined, b: number | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the value of a cell as text; undefined where there is none to see. */
function sortValueOf(cell: AnswerRecord[string] | undefined): string | undefined {
  const value = typeof cell === 'object' && cell !== null ? (cell.suppressed === true ? null : cell.value) : cell;
  return value === null || value === undefined || value === '' ? undefined : String(value);
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}
