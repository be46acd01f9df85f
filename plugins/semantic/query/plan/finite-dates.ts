/** Finds the dates of a dataset that have a day of the calendar in every row. */

import { dayOf } from '../../../../router/calendar.ts';
import type { DatasetFigures } from '../nodes/query-target.ts';
import type { Rewrites } from '../nodes/rewrites.ts';

/** Rows below which a statement is fast in any form. */
export const MIN_ROWS = 100_000;

/** The first day whose year has a number above 0. */
const FIRST_DAY = dayOf(1, 0, 1);

/** Returns the fields whose values are null, or days after the year 0, where it pays to know them. */
export function finiteDatesOf(
  figures: DatasetFigures | undefined,
  { numbersPeriods }: Pick<Rewrites, 'numbersPeriods'>,
): readonly string[] {
  if (figures === undefined || numbersPeriods === 'never') return [];
  if (numbersPeriods === 'where it pays' && figures.rows < MIN_ROWS) return [];
  // One day more, because a zone may show the day before.
  return [...figures.dates].flatMap(([field, { first }]) => (first > FIRST_DAY + 1 ? [field] : []));
}
