import { eachDay, epochDay, isoWeek, isoWeekday } from './dates.ts';
import { promotionOn } from './promotions.ts';
import { FIRST_DAY, LAST_DAY, ONLINE_OUTAGE } from './story.ts';

/** Describes one day of the calendar, with its demand. */
export interface Day {
  readonly date: string;
  readonly year: number;
  readonly quarter: string;
  /** First day of the month: a date, so that a chart can put months on a time axis. */
  readonly month: string;
  readonly monthNumber: number;
  readonly monthName: string;
  readonly isoWeek: number;
  readonly weekday: string;
  readonly weekdayNumber: number;
  readonly isWeekend: boolean;
  readonly isHoliday: boolean;
  readonly holidayName: string | undefined;
  /** Expected orders relative to an average day of the first year. */
  readonly demand: number;
  /** Share of orders from the web shop. */
  readonly onlineShare: number;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');
const WEEKDAY_DEMAND = [0.82, 0.84, 0.9, 0.99, 1.2, 1.5, 0.75];
/** Demand at the middle of each month; days between are interpolated. */
const MONTH_DEMAND = [0.84, 0.83, 0.93, 1.0, 1.05, 1.02, 0.95, 0.92, 0.97, 1.0, 1.08, 1.26];
const YEARLY_GROWTH = 0.055;

const FIXED_HOLIDAYS: Readonly<Record<string, string>> = {
  '01-01': "New Year's Day",
  '05-01': 'Labour Day',
  '12-25': 'Christmas Day',
  '12-26': 'Second Day of Christmas',
};
/** Easter Sundays of the three years (computus; Gregorian calendar). */
const EASTER_SUNDAYS = ['2023-04-09', '2024-03-31', '2025-04-20'];
const EASTER_OFFSETS: Readonly<Record<number, string>> = {
  [-2]: 'Good Friday',
  0: 'Easter Sunday',
  1: 'Easter Monday',
};

function holidayOn(date: string): string | undefined {
  for (const sunday of EASTER_SUNDAYS) {
    const name = EASTER_OFFSETS[epochDay(date) - epochDay(sunday)];
    if (name !== undefined) return name;
  }
  return FIXED_HOLIDAYS[date.slice(5)];
}

function at(list: readonly number[], index: number): number {
  return list[((index % list.length) + list.length) % list.length] ?? 1;
}

function monthDemand(date: string): number {
  const month = Number(date.slice(5, 7)) - 1;
  const fromMiddle = (Number(date.slice(8, 10)) - 15.5) / 30.5;
  const neighbour = at(MONTH_DEMAND, month + Math.sign(fromMiddle));
  return at(MONTH_DEMAND, month) + (neighbour - at(MONTH_DEMAND, month)) * Math.abs(fromMiddle);
}

/** Returns the factor for the weeks before Christmas and the days before Easter. */
function holidayRush(date: string): number {
  const monthDay = date.slice(5);
  if (monthDay >= '12-01' && monthDay <= '12-23') return 1.05 + (Number(date.slice(8)) / 23) * 0.65;
  const beforeEaster = EASTER_SUNDAYS.map((sunday) => epochDay(sunday) - epochDay(date)).some(
    (days) => days >= 3 && days <= 9,
  );
  return beforeEaster ? 1.18 : 1;
}

function demandOn(date: string): number {
  const growth = 1 + YEARLY_GROWTH * ((epochDay(date) - epochDay(FIRST_DAY)) / 365.25);
  const holiday = holidayOn(date) === undefined ? holidayRush(date) : 0.22;
  const lift = promotionOn(date)?.lift ?? 1;
  return growth * monthDemand(date) * at(WEEKDAY_DEMAND, isoWeekday(date) - 1) * holiday * lift;
}

function onlineShareOn(date: string): number {
  return 0.12 + 0.1 * ((epochDay(date) - epochDay(FIRST_DAY)) / (epochDay(LAST_DAY) - epochDay(FIRST_DAY)));
}

function day(date: string): Day {
  const monthNumber = Number(date.slice(5, 7));
  const weekdayNumber = isoWeekday(date);
  const holidayName = holidayOn(date);
  const outage = date === ONLINE_OUTAGE.on;
  return {
    date,
    year: Number(date.slice(0, 4)),
    quarter: `${date.slice(0, 4)}-Q${Math.ceil(monthNumber / 3)}`,
    month: `${date.slice(0, 7)}-01`,
    monthNumber,
    monthName: MONTHS[monthNumber - 1] ?? '',
    isoWeek: isoWeek(date),
    weekday: WEEKDAYS[weekdayNumber - 1] ?? '',
    weekdayNumber,
    isWeekend: weekdayNumber >= 6,
    isHoliday: holidayName !== undefined,
    holidayName,
    demand: demandOn(date) * (outage ? 1 - onlineShareOn(date) : 1),
    onlineShare: outage ? 0 : onlineShareOn(date),
  };
}

/** Returns every day of the three years, in order. */
export function calendar(): readonly Day[] {
  return [...eachDay(FIRST_DAY, LAST_DAY)].map(day);
}
