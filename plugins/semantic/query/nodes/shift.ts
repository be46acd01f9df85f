/** Steps in time, by the calendar or by a table's periods, and the moments at their ends. */
import { addPeriods, DAY_MS, dayOf } from '../../../../router/calendar.ts';
import type { PeriodTable, TablePeriod } from '../../model/period-table.ts';

/** A step of the calendar or of the clock, towards the past where it is below 0. */
export type Shift =
  | { readonly unit: 'month'; readonly count: number }
  | { readonly unit: 'day'; readonly count: number }
  | { readonly unit: 'millisecond'; readonly count: number };

/** Returns a wall-clock moment moved by a step. A day that the new month lacks becomes the month's last day. */
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

/** Returns the moved end of a range to date, which ends with the same day of another period. */
export function shiftedEndOfDay(before: number, shift: Shift): number {
  return shifted(before - DAY_MS, shift) + DAY_MS;
}

/** Returns the moved end of a range. It is after every moved moment of the range. */
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

/** Returns the period that is one step away from the period that begins on the day `first`. */
export function periodAway(first: number, { table, count }: PeriodShift): TablePeriod | undefined {
  return table.periods?.after(first, count);
}
