/** Finds dates that a column has as texts or whole numbers. Pure. */
import type { ColumnView } from './column-views.ts';

/** The format in which a text or a whole number writes a date. */
export const DATE_FORMS = [
  'YYYY-MM-DD',
  'DD.MM.YYYY',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'DD-MM-YYYY',
  'MM-DD-YYYY',
  'YYYYMMDD',
  'YYYYMM',
] as const;
export type DateForm = (typeof DATE_FORMS)[number];

/** Dates in a column of another type. */
export interface WrittenDate {
  /** `undefined` where the samples do not show which part is the day and which the month. */
  readonly form: DateForm | undefined;
  readonly example: string;
}

const ISO = /^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}.*)?$/;
const PARTS = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})( \d{2}:\d{2}.*)?$/;
/** A year, a month and a day in eight digits: `20240131`. */
const NUMBER_DAY = /^(19|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/;
const NUMBER_MONTH = /^(19|20)\d{2}(0[1-9]|1[0-2])$/;
/** Numbers for no date at all, or for a date that never comes. */
const NO_DATE = /^(0|9{6,8}|99991231|999912)$/;
/** Six digits are an amount more often than a month: the name decides. */
const MONTH_WORDS: ReadonlySet<string> = new Set([
  'month',
  'monat',
  'period',
  'periode',
  'yyyymm',
  'ym',
  'yearmonth',
  'mois',
  'mes',
]);

/** Returns how a column writes its dates, where all its samples and both ends are dates. */
export function writtenDate({ family, column, words }: ColumnView): WrittenDate | undefined {
  if (family !== 'text' && family !== 'integer') return undefined;
  const ends = family === 'integer' ? [column.min, column.max] : [];
  const values = [...column.sampleValues, ...ends]
    .filter((value) => value !== null && value !== undefined)
    .map(String)
    .filter((value) => !NO_DATE.test(value));
  const [example] = values;
  if (example === undefined) return undefined;
  if (values.every((value) => NUMBER_DAY.test(value))) return { form: 'YYYYMMDD', example };
  const isMonth = words.some((word) => MONTH_WORDS.has(word));
  if (isMonth && values.every((value) => NUMBER_MONTH.test(value))) return { form: 'YYYYMM', example };
  if (family === 'integer') return undefined;
  if (values.every((value) => ISO.test(value))) return { form: 'YYYY-MM-DD', example };
  return ofParts(values, example);
}

/** Distinguishes day and month: one of them exceeds 12. */
function ofParts(values: readonly string[], example: string): WrittenDate | undefined {
  const matches = values.map((value) => PARTS.exec(value));
  const separator = matches[0]?.[2];
  if (separator === undefined || matches.some((match) => match?.[2] !== separator)) return undefined;
  if (separator === '.') return { form: 'DD.MM.YYYY', example };
  const isBeyond = (place: number): boolean => matches.some((match) => Number(match?.[place]) > 12);
  const [isDayFirst, isMonthFirst] = [isBeyond(1), isBeyond(3)];
  if (isDayFirst === isMonthFirst) return { form: undefined, example };
  if (separator === '/') return { form: isDayFirst ? 'DD/MM/YYYY' : 'MM/DD/YYYY', example };
  return { form: isDayFirst ? 'DD-MM-YYYY' : 'MM-DD-YYYY', example };
}
