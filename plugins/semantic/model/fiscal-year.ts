/** Calendars with years that begin on another day than January 1, computed from that day. */
import { addPeriods, DAY_MS, dayOf, type Period, startOfPeriod } from '../../../router/calendar.ts';
import { DATE_GRAIN_NAMES, type DateGrain, isGrainOf, type WeekDay } from '../../../router/date-grains.ts';

export interface FiscalYear {
  /** The first part of its grains' names. */
  readonly name: string;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 28: a day that every month has. */
  readonly day: number;
  /** The calendar year that names a fiscal year. */
  readonly labelYear: 'start' | 'end';
}

/** The grains of a fiscal year, by the calendar grains that they replace. */
export const FISCAL_GRAINS = [
  'month',
  'quarter',
  'year',
  'month_of_year',
  'quarter_of_year',
] as const satisfies readonly DateGrain[];
export type FiscalGrain = (typeof FISCAL_GRAINS)[number];

/** Returns the name of a grain of a fiscal year: `fiscal_quarter`. */
export function fiscalGrainName({ name }: FiscalYear, grain: DateGrain): string {
  return `${name}_${grain}`;
}

/** Returns the grains that these calendars add to a model, in the order of `DATE_GRAINS`. */
export function fiscalGrains(
  calendars: readonly FiscalYear[],
): readonly (readonly [string, FiscalYear, FiscalGrain])[] {
  return calendars.flatMap((calendar) =>
    FISCAL_GRAINS.map((grain) => [fiscalGrainName(calendar, grain), calendar, grain] as const),
  );
}

/** A period of the calendar, or of a fiscal year of the model. */
export interface NamedPeriod {
  readonly period: Period;
  readonly calendar: FiscalYear | undefined;
}

const PERIODS = DATE_GRAIN_NAMES.filter((grain) => isGrainOf(grain, 'period'));

/** Returns the period with a name, in a model with these calendars. */
export function periodNamed(name: string, calendars: readonly FiscalYear[]): NamedPeriod | undefined {
  const [, calendar, grain] = fiscalGrains(calendars).find(([one]) => one === name) ?? [];
  const period = PERIODS.find((one) => one === (grain ?? name));
  return period === undefined ? undefined : { period, calendar };
}

/** Returns the names of all periods of a model with these calendars. */
export function periodNames(calendars: readonly FiscalYear[]): readonly string[] {
  return [
    ...PERIODS,
    ...fiscalGrains(calendars).flatMap(([name, , grain]) => (isGrainOf(grain, 'period') ? [name] : [])),
  ];
}

/** Explains why calendars conflict with each other; `undefined` where they do not. */
export function conflictOf(calendars: readonly FiscalYear[]): string | undefined {
  const seen = new Set<string>(DATE_GRAIN_NAMES);
  const twice = fiscalGrains(calendars).find(([name]) => seen.size === seen.add(name).size);
  return twice === undefined
    ? undefined
    : `calendars give the grain ${twice[0]} twice, or one of the calendar’s own name`;
}

/** Returns how many days after the first of a month the periods of a calendar begin. */
function daysBehind(calendar: FiscalYear | undefined): number {
  return calendar === undefined ? 0 : calendar.day - 1;
}

function monthsBehind(calendar: FiscalYear | undefined): number {
  return calendar === undefined ? 0 : calendar.month - 1;
}

const MONTHS = { month: 1, quarter: 3, year: 12 } as const;

/** Returns the first day of the period that contains `day`, in the calendar year or the fiscal year. */
export function periodStart(day: number, period: Period, firstDay: WeekDay, calendar?: FiscalYear): number {
  if (calendar === undefined || period === 'day' || period === 'week') return startOfPeriod(day, period, firstDay);
  const index = fiscalMonth(day, calendar);
  const first = index - (((index % MONTHS[period]) + MONTHS[period]) % MONTHS[period]);
  return dayOf(0, first + monthsBehind(calendar), 1) + daysBehind(calendar);
}

/** Returns the first day of the period `count` periods after the one that begins on `start`. */
export function periodAfter(start: number, period: Period, count: number, calendar?: FiscalYear): number {
  const behind = period === 'day' || period === 'week' ? 0 : daysBehind(calendar);
  return addPeriods(start - behind, period, count) + behind;
}

/** Returns the number of a day's fiscal month: 12 times its fiscal year, and its place in that from 0 on. */
export function fiscalMonth(day: number, calendar: FiscalYear): number {
  const date = new Date((day - daysBehind(calendar)) * DAY_MS);
  return date.getUTCFullYear() * 12 + date.getUTCMonth() - monthsBehind(calendar);
}

/** Returns the year in the name of the fiscal year that contains a day. */
export function fiscalYearNumber(day: number, calendar: FiscalYear): number {
  return Math.floor(fiscalMonth(day, calendar) / 12) + yearsBehind(calendar);
}

/** Returns the first day of the fiscal year with this number in its name. */
export function fiscalYearStart(year: number, calendar: FiscalYear): number {
  return dayOf(year - yearsBehind(calendar), monthsBehind(calendar), 1) + daysBehind(calendar);
}

/**
 * Returns how many years after the year of its first day a fiscal year is named: 1 where it is named after its end and ends
 * in the next year.
 */
function yearsBehind({ month, day, labelYear }: FiscalYear): number {
  return labelYear === 'end' && (month > 1 || day > 1) ? 1 : 0;
}
