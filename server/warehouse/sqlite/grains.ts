import { addMonths, DAY_MS, dateText, grainAt, momentText, readMoment } from '../../../router/calendar.ts';
import type { GrainFunctions, Moment, StepUnit } from '../../../router/capabilities/dialect.ts';
import { DATE_GRAIN_NAMES, DATE_GRAINS, type DateGrain, type WeekDay } from '../../../router/date-grains.ts';
import { offsetAt } from '../../../router/time-zone.ts';
import { inSingleQuotes } from '../quoting.ts';

/** A function that `reader-process.ts` adds to SQLite. SQLite's own functions have no zones and round to milliseconds. */
export const DATE_GRAIN = 'service_date_grain';

const call =
  (grain: DateGrain) =>
  ({ expression, zone }: Moment, firstDay: WeekDay) =>
    `${DATE_GRAIN}(${expression}, '${grain}', ${firstDay}, ${zone === undefined ? 'NULL' : inSingleQuotes(zone)})`;

export const sqliteGrains: GrainFunctions = {
  second: call('second'),
  minute: call('minute'),
  hour: call('hour'),
  day: call('day'),
  week: call('week'),
  month: call('month'),
  quarter: call('quarter'),
  year: call('year'),
  hour_of_day: call('hour_of_day'),
  day_of_week: call('day_of_week'),
  day_of_month: call('day_of_month'),
  day_of_year: call('day_of_year'),
  week_of_year: call('week_of_year'),
  month_of_year: call('month_of_year'),
  quarter_of_year: call('quarter_of_year'),
};

/** An offset after an instant, as SQLite's own functions read it. */
const OFFSET = /([+-])(\d\d):?(\d\d)$/;

/** A time after a day, without an offset that could change the day. */
const CLOCK = /^(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?)?$/;
/** Characters of a day with a four-digit year. */
const DAY_LENGTH = 'YYYY-MM-DD'.length;

type GrainValue = string | bigint | null;

/** Grains of days by their text: a table has few days and many rows. */
const ofDays = new Map<string, GrainValue>();
const MAX_KEPT_DAYS = 20_000;

/**
 * Returns the grain of a value, as text that sorts and compares like the dates of SQLite, or as a whole number; null
 * for a text that is not an ISO 8601 date.
 */
export function dateGrain(value: unknown, grain: unknown, firstDay: unknown, zone: unknown): GrainValue {
  const name = DATE_GRAIN_NAMES.find((one) => one === grain);
  if (typeof value !== 'string' || name === undefined) return null;
  const isOfDay = zone === null && !DATE_GRAINS[name].needsTime && CLOCK.test(value.slice(DAY_LENGTH));
  if (!isOfDay) return computed(value, name, Number(firstDay) as WeekDay, zone);
  const day = value.slice(0, DAY_LENGTH);
  const key = `${name} ${String(firstDay)} ${day}`;
  const cached = ofDays.get(key);
  if (cached !== undefined) return cached;
  const ofDay = computed(day, name, Number(firstDay) as WeekDay, zone);
  if (ofDays.size >= MAX_KEPT_DAYS) ofDays.clear();
  ofDays.set(key, ofDay);
  return ofDay;
}

/** Reads the milliseconds of a moment, which may have an offset at its end. */
function instantOf(value: string): number | undefined {
  const moment = readMoment(value);
  if (moment === undefined) return undefined;
  const [, sign, hours, minutes] = value.length > 'YYYY-MM-DD+00:00'.length ? (OFFSET.exec(value) ?? []) : [];
  const ahead = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
  return moment - ahead;
}

function computed(value: string, name: DateGrain, firstDay: WeekDay, zone: unknown): GrainValue {
  const instant = instantOf(value);
  if (instant === undefined) return null;
  const offset = typeof zone === 'string' ? offsetAt(zone, instant) * 1000 : 0;
  const grain = grainAt(instant + offset, name, firstDay);
  switch (DATE_GRAINS[name].kind) {
    case 'clock':
      return momentText(grain - offset).replace('T', ' ');
    case 'period':
      return dateText(grain / DAY_MS);
    case 'part':
      return BigInt(grain);
  }
}

/** Another function that `reader-process.ts` adds: SQLite's own convert a day that a month lacks to a day of the next month. */
export const DATE_SHIFT = 'service_date_shift';

export function sqliteShifted({ expression, type }: Moment, count: string, unit: StepUnit): string {
  return `${DATE_SHIFT}(${expression}, ${count}, '${unit}', '${type}')`;
}

/** Years that are written with four digits. */
const FIRST_MOMENT = Date.parse('0000-01-01T00:00Z');
const END_OF_MOMENTS = Date.UTC(10_000, 0, 1);

const UNIT_MS = { second: 1_000, day: DAY_MS } as const;

/**
 * Returns a moment moved by some units, as text in one format, so that moments of differently written columns compare; null for a text that is not an
 * ISO 8601 date.
 */
export function dateShift(value: unknown, count: unknown, unit: unknown, type: unknown): GrainValue {
  const instant = typeof value === 'string' ? instantOf(value) : undefined;
  const steps = Number(count);
  if (instant === undefined || !Number.isSafeInteger(steps)) return null;
  const shifted =
    unit === 'month' ? addMonths(instant, steps) : instant + steps * UNIT_MS[unit === 'day' ? unit : 'second'];
  // As texts, years of more than four digits would sort before all others.
  if (shifted < FIRST_MOMENT || shifted >= END_OF_MOMENTS) return null;
  if (type === 'date') return dateText(Math.floor(shifted / DAY_MS));
  return `${momentText(shifted).replace('T', ' ')}.${String(((shifted % 1_000) + 1_000) % 1_000).padStart(3, '0')}`;
}
