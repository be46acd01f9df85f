/** Values of grains as answers show them: cells in ISO 8601, labels as people write them. */

import { LRUCache } from 'lru-cache';
import { DAY_MS, dateText, dayOf, momentText, readMoment, weekOf } from '../../../../router/calendar.ts';
import type { Scalar, ScalarType } from '../../../../router/capabilities/warehouse.ts';
import { type DateGrain, isGrainOf } from '../../../../router/date-grains.ts';
import { once } from '../../../../router/once.ts';
import { offsetAt, offsetText, UTC } from '../../../../router/time-zone.ts';
import { type FiscalYear, fiscalMonth, fiscalYearNumber } from '../../model/fiscal-year.ts';
import { fiscalYearOf, type ResolvedGrain, tableOf } from '../nodes/grain.ts';
import type { FieldInRole } from '../nodes/resolved-query.ts';

/** Returns the type of a grain's values in an answer. */
export function typeOfGrain(grain: ResolvedGrain): ScalarType {
  const { name, zone } = grain;
  const table = tableOf(grain);
  if (table !== undefined) return table.keyType;
  if (isGrainOf(name, 'part')) return 'integer';
  if (isGrainOf(name, 'period')) return 'date';
  return zone === undefined ? 'timestamp' : 'timestamptz';
}

/**
 * Returns the cell of a group in the form that is the same for every engine: in a union, MariaDB returns truth values as
 * numbers.
 */
export function groupCell(value: Scalar, { field, grain }: Pick<FieldInRole, 'field' | 'grain'>): Scalar {
  if (grain !== undefined) return grainCell(value, grain);
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  return field.type === 'boolean' && isNumber ? Number(value) !== 0 : value;
}

/**
 * Returns the cell of a grain in the form that is the same for every engine. A value that is not a date (`infinity`) stays
 * unchanged.
 */
function grainCell(value: Scalar, grain: ResolvedGrain): Scalar {
  if (value === null || isGrainOf(grain.name, 'part')) return value === null ? null : Number(value);
  const moment = readMoment(String(value));
  if (moment === undefined) return value;
  const day = Math.floor(moment / DAY_MS);
  if (isGrainOf(grain.name, 'period')) return tableOf(grain)?.periods?.at(day)?.key ?? dateText(day);
  if (grain.zone === undefined) return momentText(moment);
  const offset = offsetAt(grain.zone, moment);
  return `${momentText(moment + offset * 1000)}${offsetText(offset)}`;
}

/** Writes a cell of a grain in its locale: `Jan 2024`, `Q1 2024`, `W07 2024`, `Monday`. */
export type Labeller = (cell: Scalar) => string | null;

export function labellerFor(grain: ResolvedGrain): Labeller {
  const { name, zone, firstDay, locale } = grain;
  const calendar = fiscalYearOf(grain);
  const table = tableOf(grain);
  if (table !== undefined) return (cell) => (cell === null ? null : (table.periods?.labelOf(cell) ?? String(cell)));
  const write = calendar === undefined ? WRITERS[name](locale, zone ?? UTC) : fiscalWriter(name, calendar);
  return (cell) => {
    if (cell === null) return null;
    const moment = typeof cell === 'number' ? cell : instantOf(String(cell));
    return moment === undefined || !Number.isFinite(moment) ? String(cell) : write(moment, firstDay);
  };
}

function instantOf(text: string): number | undefined {
  const moment = readMoment(text);
  const [, sign, hours, minutes, seconds = '0'] = /T.*([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  if (moment === undefined || sign === undefined) return moment;
  const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return moment - (sign === '-' ? -offset : offset) * 1000;
}

/** Makes a writer of `FY2025`, `Q1 FY2025`, `M01 FY2025`, and of parts `Q1` and `M01`. */
function fiscalWriter(name: DateGrain, calendar: FiscalYear): (value: number) => string {
  const year = (value: number) => `FY${fiscalYearNumber(Math.floor(value / DAY_MS), calendar)}`;
  const month = (value: number) => {
    const index = fiscalMonth(Math.floor(value / DAY_MS), calendar) % 12;
    return index < 0 ? index + 12 : index;
  };
  if (name === 'quarter') return (value) => `Q${Math.floor(month(value) / 3) + 1} ${year(value)}`;
  if (name === 'month') return (value) => `M${two(month(value) + 1)} ${year(value)}`;
  if (name === 'quarter_of_year') return (value) => `Q${value}`;
  return name === 'month_of_year' ? (value) => `M${two(value)}` : year;
}

type Writer = (locale: string, zone: string) => (value: number, firstDay: ResolvedGrain['firstDay']) => string;

/** Formats of dates that are kept. To make one takes 0.1 to 0.3 ms, to keep one 39 KB. */
const MAX_FORMATS = 200;
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: MAX_FORMATS });

function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { calendar: 'gregory', ...options });
  formats.set(key, format);
  return format;
}

const intl = (locale: string, timeZone: string, options: Intl.DateTimeFormatOptions) => {
  const format = formatOf(locale, { timeZone, ...options });
  const early = once(() => formatOf(locale, { timeZone, era: 'short', ...options }));
  return (value: number) => (new Date(value).getUTCFullYear() <= 0 ? early() : format).format(value);
};
const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const two = (value: number) => String(value).padStart(2, '0');
/**
 * Makes a writer of clock times. A clock without a zone has no offset; for a clock with a zone, the offset distinguishes
 * hours that are shown twice.
 */
const clock =
  (parts: Intl.DateTimeFormatOptions): Writer =>
  (locale, zone) =>
    intl(locale, zone, {
      ...DATE,
      hour: 'numeric',
      minute: '2-digit',
      ...parts,
      ...(zone === UTC ? {} : { timeZoneName: 'short' }),
    });
const number: Writer = (locale) => {
  const format = new Intl.NumberFormat(locale, { useGrouping: false });
  return (value) => format.format(value);
};
const yearOf = (value: number) => new Date(value).getUTCFullYear();
const quarterOf = (value: number) => Math.floor(new Date(value).getUTCMonth() / 3) + 1;

const WRITERS: Readonly<Record<DateGrain, Writer>> = {
  second: clock({ second: '2-digit' }),
  minute: clock({}),
  hour: clock({}),
  day: (locale) => intl(locale, UTC, DATE),
  week: () => (value, firstDay) => {
    const { year, week } = weekOf(Math.floor(value / DAY_MS), firstDay);
    return `W${two(week)} ${year}`;
  },
  month: (locale) => intl(locale, UTC, { month: 'short', year: 'numeric' }),
  quarter: () => (value) => `Q${quarterOf(value)} ${yearOf(value)}`,
  year: (locale) => intl(locale, UTC, { year: 'numeric' }),
  hour_of_day: () => (value) => `${two(value)}:00`,
  day_of_week: (locale) => {
    const write = intl(locale, UTC, { weekday: 'long' });
    // 1970-01-05 was a Monday.
    return (value) => write((value + 3) * DAY_MS);
  },
  day_of_month: number,
  day_of_year: number,
  week_of_year: () => (value) => `W${two(value)}`,
  month_of_year: (locale) => {
    const write = intl(locale, UTC, { month: 'long' });
    return (value) => write(dayOf(1970, value - 1, 1) * DAY_MS);
  },
  quarter_of_year: () => (value) => `Q${value}`,
};
