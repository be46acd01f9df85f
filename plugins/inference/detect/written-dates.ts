/** Dates that a column holds as texts or as whole numbers. Pure. */
import type { ColumnView } from './columns.ts';

const TEXT_DATE = /^(\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{4}-\d{2}-\d{2})([ T]\d{2}:\d{2}.*)?$/;
/** A year, a month and a day in eight digits: `20240131`. */
const NUMBER_DATE = /^(19|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/;

/** Returns one of the dates of a column that is no date by its type, where all of its samples and both of its ends are such. */
export function writtenDate({ family, column }: ColumnView): string | undefined {
  const pattern = family === 'text' ? TEXT_DATE : family === 'integer' ? NUMBER_DATE : undefined;
  const samples = [...column.sampleValues, ...(family === 'integer' ? [column.min, column.max] : [])];
  const values = samples.filter((value) => value !== null && value !== undefined).map(String);
  return pattern !== undefined && values.length > 0 && values.every((value) => pattern.test(value))
    ? values[0]
    : undefined;
}
