import { isTime } from '../api/columns.ts';
import type { Answer } from '../api/parse-answer.ts';
import type { Formats } from '../formats.ts';
import { MAX_DATE_MS, MAX_TIME_SPAN_MS } from '../limits.ts';
import { cellText } from './labels.ts';

const DAY_MS = 86_400_000;

/** Locates the rows of an answer, and the forecast behind them, on the horizontal axis. */
export interface Points {
  /** The row of each point, in drawing order. */
  readonly rows: readonly number[];
  /** Labels of the axis or the legend, including the labels of forecast points. */
  readonly labels: readonly string[];
  /**
   * The local times of the points, as epoch milliseconds to be read in UTC, ascending. Undefined where the points are
   * names.
   */
  readonly times: readonly number[] | undefined;
  /** The position of each point among all, where only some are drawn. */
  readonly places?: readonly number[];
  /** Is true where the points are periods with names. */
  readonly isNamed?: boolean;
}

/** Locates the rows of `answer` on the horizontal axis, and the forecast points `ahead` behind them. */
export function locatePoints(
  answer: Answer,
  category: number | undefined,
  ahead: readonly (string | undefined)[],
  formats: Formats,
): Points {
  const column = category === undefined ? undefined : answer.columns[category];
  const rows = answer.rows.map((_, index) => index);
  const categoryCell = (index: number) => (category === undefined ? undefined : answer.rows[index]?.[category]);
  const times =
    column && isTime(column) && rows.length > 1 ? rows.map((index) => parseTime(categoryCell(index)?.exact)) : [];
  const distinct = new Set(times).size === rows.length && times.length > 0 && isDrawableTimeSpan(times);
  if (!distinct) {
    // Parts of dates keep their own order, Monday first, whatever the order of the answer.
    if (column?.labels) rows.sort((a, b) => (categoryCell(a)?.number ?? 0) - (categoryCell(b)?.number ?? 0));
    const labels = rows.map((index) =>
      category === undefined ? String(index + 1) : cellText(categoryCell(index), column, formats),
    );
    return {
      rows,
      labels: [...labels, ...ahead.map((period, step) => period ?? `+${step + 1}`)],
      times: undefined,
    };
  }
  const ordered = [...rows].sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
  const dataType = column?.dataType ?? '';
  const rowTimes = ordered.flatMap((index) => times[index] ?? []);
  const namedTimes = namedTimesAhead(rowTimes, ahead);
  const localTimes = inTimeZone([...rowTimes, ...namedTimes], dataType, formats);
  const axisTimes =
    namedTimes.length === ahead.length ? localTimes : [...localTimes, ...timesAhead(localTimes, ahead.length)];
  const write = timeFormatter(axisTimes, formats);
  const periods = [...ordered.map((index) => categoryCell(index)?.exact), ...ahead];
  return {
    rows: ordered,
    labels: axisTimes.map((time, index) => String(column?.labels?.[periods[index] ?? ''] ?? write(time))),
    times: axisTimes,
    isNamed: column?.labels !== undefined,
  };
}

/** Reads ISO text as epoch milliseconds. A text without a zone is read in UTC. */
export function parseTime(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\d/.test(text)) return undefined;
  const zoned = /([zZ]|[+-]\d\d:?\d\d)$/.test(text) && text.length > 10;
  const time = Date.parse(zoned ? text : `${text.replace(' ', 'T')}${text.length > 10 ? 'Z' : 'T00:00Z'}`);
  return Number.isNaN(time) ? undefined : time;
}

/** Returns whether all are times, and close enough together for a readable axis. */
function isDrawableTimeSpan(times: readonly (number | undefined)[]): boolean {
  const validTimes = times.filter((time) => time !== undefined);
  const span = validTimes.reduce((a, b) => Math.max(a, b)) - validTimes.reduce((a, b) => Math.min(a, b));
  return validTimes.length === times.length && span < MAX_TIME_SPAN_MS;
}

/**
 * Converts `times` to the embed's time zone, so that an axis has its ticks at local midnights and hours. Only instants
 * are converted, and not where each is a midnight in UTC: these are days that the warehouse truncated.
 */
function inTimeZone(times: readonly number[], dataType: string, { timeZone }: Formats): readonly number[] {
  if (dataType !== 'timestamptz' || times.every((time) => time % DAY_MS === 0)) return times;
  const clock = new Intl.DateTimeFormat('en', {
    ...(timeZone ? { timeZone } : {}),
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  let previous = Number.NEGATIVE_INFINITY;
  return times.map((time) => {
    const parts = new Map(clock.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    const [year = 0, month = 1, day, hour, minute, second] = (
      ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
    ).map((part) => parts.get(part) ?? 0);
    // A clock that is set back shows an hour twice; the line still continues to the right.
    previous = Math.max(Date.UTC(year, month - 1, day, hour, minute, second), previous + 1);
    return previous;
  });
}

/** Returns the times of the named forecast points; an empty list where one of them is not later than the one before. */
function namedTimesAhead(times: readonly number[], ahead: readonly (string | undefined)[]): readonly number[] {
  const named = ahead.map(parseTime);
  const isAscending = named.every((time, step) => {
    const previous = step === 0 ? times.at(-1) : named[step - 1];
    return time !== undefined && previous !== undefined && time > previous && time <= MAX_DATE_MS;
  });
  return isAscending ? named.flatMap((time) => time ?? []) : [];
}

/** Returns the times after the last of `times`, a month or a fixed step apart like the ones before. */
function timesAhead(times: readonly number[], forecastCount: number): readonly number[] {
  const last = times.at(-1) ?? 0;
  const previous = times.at(-2) ?? last;
  const [a, b] = [new Date(previous), new Date(last)];
  const months = (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth();
  const monthly = months > 0 && a.getUTCDate() === b.getUTCDate();
  return Array.from({ length: forecastCount }, (_, step) => {
    const next = monthly
      ? Date.UTC(b.getUTCFullYear(), b.getUTCMonth() + months * (step + 1), b.getUTCDate())
      : last + (last - previous) * (step + 1);
    return next > MAX_DATE_MS || Number.isNaN(next) ? MAX_DATE_MS : next;
  });
}

/**
 * Returns a formatter of times: months where each date is the first of a month, years where each is the first of
 * January, else days or minutes.
 */
function timeFormatter(times: readonly number[], formats: Formats): (time: number) => string {
  const dates = times.map((time) => new Date(time));
  const midnight = times.every((time) => time % DAY_MS === 0);
  const monthly = midnight && dates.every((date) => date.getUTCDate() === 1);
  const yearly = monthly && dates.every((date) => date.getUTCMonth() === 0);
  const options: Intl.DateTimeFormatOptions = yearly
    ? { year: 'numeric' }
    : monthly
      ? { month: 'short', year: 'numeric' }
      : midnight
        ? { day: 'numeric', month: 'short', year: 'numeric' }
        : { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' };
  return (time) => formats.date(new Date(time), { ...options, timeZone: 'UTC' });
}

/** Steps between the labels of periods that divide a year, or several. */
const EVEN_STEPS = [1, 2, 3, 4, 6, 12, 24, 36, 60, 120];

/** Returns the ticks of a time axis: at named periods, else by the time that the axis spans. */
export function timeTicks(
  { labels, isNamed }: Points,
  times: readonly number[],
  most: number,
  formats: Formats,
): { readonly formatter: (time: number) => string | undefined; readonly customValues?: readonly number[] } {
  if (!isNamed) return { formatter: tickFormatter(times, formats) };
  const least = Math.ceil(times.length / most);
  const apart = EVEN_STEPS.find((step) => step >= least) ?? least;
  return {
    customValues: times.filter((_, index) => index % apart === 0),
    formatter: (time) => labels[times.indexOf(time)],
  };
}

/** Returns a formatter for the ticks of a time axis, by the time that the axis spans. */
function tickFormatter(times: readonly number[], formats: Formats): (time: number) => string {
  const days = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / DAY_MS;
  const write = (time: number, options: Intl.DateTimeFormatOptions) =>
    formats.date(new Date(time), { timeZone: 'UTC', ...options });
  return (time) => {
    const date = new Date(time);
    const newYear = date.getUTCMonth() === 0 && date.getUTCDate() === 1;
    if (days > 1_500) return write(time, { year: 'numeric' });
    if (days > 62)
      return newYear
        ? write(time, { year: 'numeric' })
        : write(time, { month: 'short', ...(date.getUTCDate() === 1 ? {} : { day: 'numeric' }) });
    if (days > 2) return write(time, { month: 'short', day: 'numeric' });
    return write(time, { hour: 'numeric', minute: '2-digit' });
  };
}
