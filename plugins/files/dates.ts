/** Dates of answers as spreadsheets compute with them: days since 1900, without a time zone. */
import type { FileColumn } from '../../router/capabilities/answer-files.ts';

export interface DateCell {
  /** The wall time, as if it were UTC. */
  readonly date: Date;
  readonly format: string;
}

/** The first day that all spreadsheets count alike: an older one takes 1900 for a leap year. */
const FIRST_DAY = Date.UTC(1900, 2, 1);

/** Reads a date of a column; undefined for what is none, and for periods that only their label names. */
export function dateCellOf(column: FileColumn, value: unknown, timeZone: string): DateCell | undefined {
  if (typeof value !== 'string' || !/^(date|timestamp)/.test(column.dataType)) return undefined;
  const isMonth = column.grain === 'month';
  if (column.labels !== undefined && !isMonth) return undefined;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value);
  const isInstant = column.dataType === 'timestamptz' || /z$/i.test(value);
  const read = new Date(isDay || isInstant ? value : `${value.replace(' ', 'T')}Z`);
  if (Number.isNaN(read.getTime())) return undefined;
  const date = isInstant && !isDay ? wallTime(read, timeZone) : read;
  if (date.getTime() < FIRST_DAY) return undefined;
  if (isMonth) return { date, format: 'mmm yyyy' };
  return { date, format: isDay || column.dataType === 'date' ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss' };
}

/** Returns the date and time that clocks of a zone show at an instant, as if it were UTC. */
function wallTime(instant: Date, timeZone: string): Date {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((each) => each.type === type)?.value ?? 0);
  return new Date(Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')));
}
