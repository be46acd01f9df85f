/** Dates of a table as a dimension of years, quarters, months and days. Pure. */

import { writeCaption } from '../detect/column-names.ts';
import type { ColumnView } from '../detect/column-views.ts';
import { isTemporal } from '../detect/type-family.ts';
import { type DateForm, writtenDate } from '../detect/written-dates.ts';
import type { Dimension, Level } from '../proposal/schema.ts';
import type { Titles } from '../proposal/titles.ts';

/** The joins from the facts to the table of a dimension. */
export type DimensionPlace = Pick<Dimension, 'foreignKey' | 'tableSchema' | 'tableName' | 'primaryKey' | 'joins'>;

/** Returns whether a column has dates, be it as texts or as numbers. */
export function isDate(column: ColumnView): boolean {
  return isTemporal(column.family) || writtenDate(column)?.form !== undefined;
}

export function dateDimension(column: ColumnView, place: DimensionPlace, name: string, titles: Titles): Dimension {
  const { joins = [] } = place;
  const form = writtenDate(column)?.form;
  const part = (caption: string, datePart: Level['datePart'], type: Level['type'], uniqueMembers: boolean): Level => ({
    name: caption,
    column: column.name,
    type,
    uniqueMembers,
    datePart,
    ...(form === undefined ? {} : { dateForm: form }),
    ...(joins.length === 0 ? {} : { tableName: column.table.name }),
  });
  return {
    name,
    ...place,
    levels: [
      part(titles.year, 'year', 'Integer', true),
      part(titles.quarter, 'quarter', 'Integer', false),
      part(titles.month, 'month', 'Integer', false),
      ...(form === 'YYYYMM' ? [] : [part(titles.day, 'day', 'Date', true)]),
    ],
    reason: form === undefined ? 'A date: years, quarters, months and days follow from it.' : readAs(column, form),
  };
}

/** Returns the caption of a date's dimension. */
export function dateName({ name }: ColumnView): string {
  return writeCaption(name);
}

/** Notes how the dates of a column are read. */
export function readAs({ name, family }: ColumnView, form: DateForm): string {
  const written = family === 'text' ? 'texts' : 'numbers';
  const kind = form === 'YYYYMM' ? 'months' : 'dates';
  return `${name} has ${kind} as ${written}, ${form}. The cube reads them as dates; other values are in the group without a date.`;
}
