/** Dates of answers as spreadsheets compute with them: days since 1900, without a time zone. */
import type { FileColumn } from '../../router/capabilities/answer-files.ts';
import { wallClockAt } from '../../router/time-zone.ts';
import { isDateLabel } from './period-words.ts';

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
  // A month of a model's own, such as `M01 FY2025`, is its label.
  const label = column.labels?.[value];
  const isMonth = column.grain === 'month' && (label === undefined || isDateLabel(value, label, 'month'));
  if (column.labels !== undefined && !isMonth) return undefined;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value);
  const isInstant = column.dataType === 'timestamptz' || /z$/i.test(value);
  const read = new Date(isDay || isInstant ? value : `${value.replace(' ', 'T')}Z`);
  if (Number.isNaN(read.getTime())) return undefined;
  const date = isInstant && !isDay ? secondOf(wallClockAt(timeZone, read.getTime())) : read;
  if (date.getTime() < FIRST_DAY) return undefined;
  if (isMonth) return { date, format: 'mmm yyyy' };
  return { date, format: isDay || column.dataType === 'date' ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss' };
}

function secondOf(millis: number): Date {
  return new Date(Math.floor(millis / 1_000) * 1_000);
}
