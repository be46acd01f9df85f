/** The names of periods and the headings of columns in files: those of the model, or those of the reader's language. */
import type { Sheet, WorkbookTask } from '../../router/capabilities/answer-files.ts';
import { type HeadedColumn, rewriteHeading } from '../../router/column-headings.ts';
import { type LabelledColumn, rewriteLabels } from '../../router/period-labels.ts';
import { filled, wordsOf } from './words.ts';

/** Returns the labels of a column in a language. */
export function periodsIn(column: LabelledColumn, locale: string): Readonly<Record<string, string>> {
  const { periods } = wordsOf(locale);
  return rewriteLabels(column, { locale, say: (english, ...values) => filled(periods[english] ?? english, ...values) });
}

/** Returns the heading of a column in a language. */
export function headingIn(column: HeadedColumn, locale: string): string {
  const { headings } = wordsOf(locale);
  return rewriteHeading(column, {
    locale,
    say: (english, ...values) => filled(headings[english] ?? english, ...values),
  });
}

/** Returns whether a label is the date of its period. Labels of a model's own are the same in all languages. */
export function isDateLabel(value: string, label: string, grain: string): boolean {
  const column = { labels: { [value]: label }, grain };
  return periodsIn(column, 'en')[value] !== periodsIn(column, 'ja')[value];
}

/** Returns the sheets of a task as its reader names their periods. */
export function readableSheets({ sheets, labels, locale }: WorkbookTask): readonly Sheet[] {
  if (labels !== 'locale') return sheets;
  return sheets.map((sheet) =>
    'missing' in sheet
      ? sheet
      : {
          ...sheet,
          columns: sheet.columns.map((column) => ({
            ...column,
            label: headingIn(column, locale),
            ...(column.labels === undefined ? {} : { labels: periodsIn(column, locale) }),
          })),
        },
  );
}
