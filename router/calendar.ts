/**
 * Days and moments by the proleptic Gregorian calendar, as the engines count them: a day is the number of days since
 * 1970-01-01, a moment the milliseconds of a wall clock since that day's 0:00. Year 0 is 1 BC, as in ISO 8601.
 */
import type { DateGrain, GrainOf, WeekDay } from './date-grains.ts';

export const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Months of each period that consists of months. */
const MONTHS = { month: 1, quarter: 3, year: 12 } as const;

export type Period = GrainOf<'period'>;

/** Returns the day of a date; months above 11 or below 0 are months of other years. */
export function dayOf(year: number, monthIndex: number, dayOfMonth: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, monthIndex, dayOfMonth);
  return date.getTime() / DAY_MS;
}

/** Returns the first day of the period that contains `day`. */
export function startOfPeriod(day: number, period: Period, firstDay: WeekDay): number {
  switch (period) {
    case 'day':
      return day;
    case 'week':
      return day - ((weekDay(day) - firstDay + 7) % 7);
    case 'month':
    case 'quarter':
    case 'year': {
      const date = new Date(day * DAY_MS);
      const month = date.getUTCMonth();
      return dayOf(date.getUTCFullYear(), month - (month % MONTHS[period]), 1);
    }
  }
}

/** Returns the first day of the period `count` periods after the one that begins on `start`. */
export function addPeriods(start: number, period: Period, count: number): number {
  if (period === 'day') return start + count;
  if (period === 'week') return start + 7 * count;
  const date = new Date(start * DAY_MS);
  return dayOf(date.getUTCFullYear(), date.getUTCMonth() + count * MONTHS[period], 1);
}

/** Returns the moment `count` months later; a day that the month lacks becomes its last day. */
export function addMonths(moment: number, count: number): number {
  const day = Math.floor(moment / DAY_MS);
  const date = new Date(day * DAY_MS);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + count];
  const last = dayOf(year, month + 1, 0);
  const shifted = Math.min(dayOf(year, month, 1) + date.getUTCDate() - 1, last);
  return shifted * DAY_MS + (moment - day * DAY_MS);
}

/** Returns the day of the week, 1 for Monday. */
export function weekDay(day: number): WeekDay {
  const fromMonday = (((day + 3) % 7) + 7) % 7;
  return (fromMonday + 1) as WeekDay;
}

/** Returns the year and the number of a week. A week belongs to the year with most of its days. Weeks from Monday are the weeks of ISO 8601. */
export function weekOf(day: number, firstDay: WeekDay): { readonly year: number; readonly week: number } {
  const middle = startOfPeriod(day, 'week', firstDay) + 3;
  const year = new Date(middle * DAY_MS).getUTCFullYear();
  return { year, week: Math.floor((middle - dayOf(year, 0, 1)) / 7) + 1 };
}

/**
 * Returns the value of a grain at a moment: milliseconds of the clock for grains of the clock and the calendar, a
 * number for a part.
 */
export function grainAt(moment: number, grain: DateGrain, firstDay: WeekDay): number {
  const day = Math.floor(moment / DAY_MS);
  const date = new Date(moment);
  switch (grain) {
    case 'second':
      return Math.floor(moment / SECOND_MS) * SECOND_MS;
    case 'minute':
      return Math.floor(moment / MINUTE_MS) * MINUTE_MS;
    case 'hour':
      return Math.floor(moment / HOUR_MS) * HOUR_MS;
    case 'day':
    case 'week':
    case 'month':
    case 'quarter':
    case 'year':
      return startOfPeriod(day, grain, firstDay) * DAY_MS;
    case 'hour_of_day':
      return date.getUTCHours();
    case 'day_of_week':
      return weekDay(day);
    case 'day_of_month':
      return date.getUTCDate();
    case 'day_of_year':
      return day - startOfPeriod(day, 'year', firstDay) + 1;
    case 'week_of_year':
      return weekOf(day, firstDay).week;
    case 'month_of_year':
      return date.getUTCMonth() + 1;
    case 'quarter_of_year':
      return Math.floor(date.getUTCMonth() / 3) + 1;
  }
}

/** Writes a day as ISO 8601: `2024-02-29`, `-000044-03-15`. */
export function dateText(day: number): string {
  const text = new Date(day * DAY_MS).toISOString();
  return text.slice(0, text.indexOf('T'));
}

/** Writes a moment of a clock as ISO 8601 to the second, without a zone. */
export function momentText(moment: number): string {
  return new Date(moment).toISOString().slice(0, -'.000Z'.length);
}

const MOMENT = /^([+-]\d{6}|\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?/;

/** Reads an ISO 8601 date or moment, to the millisecond (finer digits are cut); `undefined` for any other text. */
export function readMoment(text: string): number | undefined {
  const parts = MOMENT.exec(text);
  if (parts === null) return undefined;
  const [, year, month, day, hours = '0', minutes = '0', seconds = '0', fraction = ''] = parts;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // An impossible day, such as 30 February, is refused, and so is the year -000000.
  if (date.getUTCDate() !== Number(day) || date.getUTCMonth() !== Number(month) - 1 || year === '-000000')
    return undefined;
  const clock = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * SECOND_MS;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  return date.getTime() + clock + Number(fraction.padEnd(3, '0').slice(0, 3));
}
