/** Steps in time, of the calendar or by the periods of a table, and the moments that they lead to. */
import { addPeriods, DAY_MS, dayOf } from '../../../../router/calendar.ts';
import type { PeriodTable, TablePeriod } from '../../model/period-table.ts';

/** A step of the calendar or of the clock, towards the past where it is below 0. */
export type Shift =
  | { readonly unit: 'month'; readonly count: number }
  | { readonly unit: 'day'; readonly count: number }
  | { readonly unit: 'millisecond'; readonly count: number };

/** Returns the moment of a clock that is so far away. A day that the month has not is its last one. */
export function shifted(wall: number, { unit, count }: Shift): number {
  if (unit === 'millisecond') return wall + count;
  if (unit === 'day') return wall + count * DAY_MS;
  const day = Math.floor(wall / DAY_MS);
  const date = new Date(day * DAY_MS);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + count];
  const first = dayOf(year, month, 1);
  const last = addPeriods(first, 'month', 1) - 1;
  return Math.min(first + date.getUTCDate() - 1, last) * DAY_MS + (wall - day * DAY_MS);
}

/** Returns the end of a stretch to a day, which ends on the same day elsewhere. */
export function shiftedEndOfDay(before: number, shift: Shift): number {
  return shifted(before - DAY_MS, shift) + DAY_MS;
}

/** Returns the end of a stretch that is so far away: behind every moment that moments of the stretch are compared with. */
export function shiftedEnd(before: number, shift: Shift): number {
  const end = shifted(before, shift);
  if (shift.unit !== 'month' || before % DAY_MS !== 0) return end;
  return Math.max(end, shifted(before - DAY_MS, shift) + DAY_MS);
}

/** A step by periods of a table, towards the past where it is below 0. */
export interface PeriodShift {
  readonly unit: 'period';
  readonly count: number;
  readonly table: PeriodTable;
}

/** Returns the period that one which begins on a day is compared with. */
export function periodAway(first: number, { table, count }: PeriodShift): TablePeriod | undefined {
  return table.periods?.after(first, count);
}
