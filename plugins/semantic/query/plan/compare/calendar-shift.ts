/** The distance between a period, or a range of days, and its base. */

import { DAY_MS, type Period } from '../../../../../router/calendar.ts';
import { ValidationError } from '../../../../../router/errors.ts';
import type { FiscalYear } from '../../../model/fiscal-year.ts';
import type { Range } from '../../nodes/date-range.ts';
import type { CompareTarget, ResolvedCompare } from '../../nodes/resolved-query.ts';
import type { Shift } from '../../nodes/shift.ts';

/** The length of each period: in months where it has whole months, else in days. */
const LENGTHS: Readonly<Record<Period, Omit<Shift, 'count'> & { readonly count: number }>> = {
  day: { unit: 'day', count: 1 },
  week: { unit: 'day', count: 7 },
  month: { unit: 'month', count: 1 },
  quarter: { unit: 'month', count: 3 },
  year: { unit: 'month', count: 12 },
};

/** A year in whole weeks, which keeps the day of the week. */
const DAYS_OF_52_WEEKS = 364;

/** The steps that lead from one period of a grain to another, by grain. */
const STEPS: Readonly<Record<Period, readonly Period[]>> = {
  day: ['day', 'week', 'month', 'quarter', 'year'],
  week: ['week', 'year'],
  month: ['month', 'quarter', 'year'],
  quarter: ['quarter', 'year'],
  year: ['year'],
};

/**
 * Returns the distance between a period of a grain and its base.
 *
 * @throws ValidationError where the step ends within a period
 */
export function shiftOfPeriods({ to, path }: ResolvedCompare, grain: Period): Shift {
  const { offset, unit } = requestedStep(to, grain);
  if (!STEPS[grain].includes(unit)) {
    throw ValidationError.at(
      [...path, 'to', 'grain'],
      `A ${unit} is not a step from one ${grain} to another.`,
      STEPS[grain],
    );
  }
  if (grain === 'week' && unit === 'year') return { unit: 'day', count: offset * DAYS_OF_52_WEEKS };
  return times(offset, unit);
}

function requestedStep(to: CompareTarget, grain: Period): { readonly offset: number; readonly unit: Period } {
  if (typeof to === 'object') return { offset: to.offset, unit: to.grain };
  return { offset: -1, unit: to === 'previous_year' ? 'year' : grain };
}

/**
 * Returns the distance between a range of days and its base. The base has the same length: whole months for whole months.
 * The base of a month (quarter, year) to date ends with the same day.
 *
 * @param toDate the period that the range begins
 * @param calendar the calendar that months are counted in
 * @throws ValidationError for the base of a range without a beginning or an end
 */
export function shiftOfRange(
  { to, path }: ResolvedCompare,
  { from, before }: Range,
  toDate: Period | undefined,
  calendar?: FiscalYear,
): Shift {
  if (typeof to === 'object') return times(to.offset, to.grain);
  if (to === 'previous_year') return times(-1, 'year');
  if (toDate !== undefined) return times(-1, toDate);
  if (from === undefined || before === undefined) {
    throw ValidationError.at(
      [...path, 'to'],
      'previous_period needs a filter with a beginning and an end, or a date with a grain in rows or columns.',
    );
  }
  const behind = calendar === undefined ? 0 : (calendar.day - 1) * DAY_MS;
  const [first, last] = [monthOf(from - behind), monthOf(before - behind)];
  if (first !== undefined && last !== undefined) return { unit: 'month', count: Math.min(first - last, -1) };
  const length = before - from;
  return length % DAY_MS === 0 && from % DAY_MS === 0
    ? { unit: 'day', count: -(length / DAY_MS) }
    : { unit: 'millisecond', count: -length };
}

function times(count: number, period: Period): Shift {
  const { unit, count: length } = LENGTHS[period];
  return { unit, count: count * length };
}

/** Returns the number of the month that begins at this moment. */
function monthOf(wall: number): number | undefined {
  const date = new Date(wall);
  if (wall % DAY_MS !== 0 || date.getUTCDate() !== 1) return undefined;
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
