import type { Answer } from '../api/answer.ts';
import { isTime } from '../api/columns.ts';
import type { Formats } from '../formats.ts';
import { MAX_DATE_MS, MAX_TIME_SPAN_MS } from '../limits.ts';
import { cellText } from './labels.ts';

const DAY_MS = 86_400_000;

/** Where the rows of an answer, and what is forecast behind them, stand on the horizontal axis. */
export interface Points {
  /** The row of each point, in the order they are drawn. */
  readonly rows: readonly number[];
  /** What the axis or the legend writes, also for the points behind the last row. */
  readonly labels: readonly string[];
  /**
   * Where the points are a time, what a clock shows at each: as epoch milliseconds, to be read in UTC. Ascending.
   * Undefined where they are names.
   */
  readonly times: readonly number[] | undefined;
  /** Whether they are periods that have names. */
  readonly isNamed?: boolean;
}

/** Places the rows of `answer` on the horizontal axis, and points `ahead` behind the last, by their names. */
export function pointsOf(
  answer: Answer,
  category: number | undefined,
  ahead: readonly (string | undefined)[],
  formats: Formats,
): Points {
  const column = category === undefined ? undefined : answer.columns[category];
  const rows = answer.rows.map((_, index) => index);
  const cellOf = (index: number) => (category === undefined ? undefined : answer.rows[index]?.[category]);
  const times = column && isTime(column) && rows.length > 1 ? rows.map((index) => timeOf(cellOf(index)?.exact)) : [];
  const distinct = new Set(times).size === rows.length && times.length > 0 && isDrawableTimeSpan(times);
  if (!distinct) {
    // Parts of dates stand in their order, Monday first, however the answer is sorted.
    if (column?.labels) rows.sort((a, b) => (cellOf(a)?.number ?? 0) - (cellOf(b)?.number ?? 0));
    const labels = rows.map((index) =>
      category === undefined ? String(index + 1) : cellText(cellOf(index), column, formats),
    );
    return {
      rows,
      labels: [...labels, ...ahead.map((period, step) => period ?? `+${step + 1}`)],
      times: undefined,
    };
  }
  const ordered = [...rows].sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
  const dataType = column?.dataType ?? '';
  const told = ordered.flatMap((index) => times[index] ?? []);
  const toldAhead = namedTimesAhead(told, ahead);
  const known = inTimeZone([...told, ...toldAhead], dataType, formats);
  const all = toldAhead.length === ahead.length ? known : [...known, ...timesAhead(known, ahead.length)];
  const write = timeFormatter(all, formats);
  const periods = [...ordered.map((index) => cellOf(index)?.exact), ...ahead];
  return {
    rows: ordered,
    labels: all.map((time, index) => String(column?.labels?.[periods[index] ?? ''] ?? write(time))),
    times: all,
    isNamed: column?.labels !== undefined,
  };
}

/** Reads ISO text as epoch milliseconds; without a zone it is taken as it stands. */
function timeOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\d/.test(text)) return undefined;
  const zoned = /([zZ]|[+-]\d\d:?\d\d)$/.test(text) && text.length > 10;
  const time = Date.parse(zoned ? text : `${text.replace(' ', 'T')}${text.length > 10 ? 'Z' : 'T00:00Z'}`);
  return Number.isNaN(time) ? undefined : time;
}

/** Tells whether all are times, and not so far apart that an axis of them says nothing. */
function isDrawableTimeSpan(times: readonly (number | undefined)[]): boolean {
  const known = times.filter((time) => time !== undefined);
  const span = known.reduce((a, b) => Math.max(a, b)) - known.reduce((a, b) => Math.min(a, b));
  return known.length === times.length && span < MAX_TIME_SPAN_MS;
}

/**
 * Returns what a clock in the time zone of the embed shows at `times`, so that an axis has its ticks at that zone's
 * midnights and hours. Only instants are moved to a zone, and not where each is a midnight of UTC: those are days that
 * the warehouse cut.
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
    // A clock that is put back shows an hour twice; the line still goes on to the right.
    previous = Math.max(Date.UTC(year, month - 1, day, hour, minute, second), previous + 1);
    return previous;
  });
}

/** Returns the times of the names ahead; none where one of them is no time behind those before. */
function namedTimesAhead(times: readonly number[], ahead: readonly (string | undefined)[]): readonly number[] {
  const named = ahead.map(timeOf);
  const isAscending = named.every((time, step) => {
    const previous = step === 0 ? times.at(-1) : named[step - 1];
    return time !== undefined && previous !== undefined && time > previous && time <= MAX_DATE_MS;
  });
  return isAscending ? named.flatMap((time) => time ?? []) : [];
}

/** Returns the times after the last of `times`, a month or a fixed step apart as the ones before. */
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
 * Returns a writer of times: months where each date is the first of one, years where each is the first of January, else
 * days or minutes.
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

/** Returns the ticks of a time axis: at periods as they are called, else by how much time the axis spans. */
export function timeTicks(
  { labels, isNamed }: Points,
  times: readonly number[],
  most: number,
  formats: Formats,
): { readonly formatter: (time: number) => string | undefined; readonly customValues?: readonly number[] } {
  if (!isNamed) return { formatter: tickFormatter(times, formats) };
  const apart = Math.ceil(times.length / most);
  return {
    customValues: times.filter((_, index) => index % apart === 0),
    formatter: (time) => labels[times.indexOf(time)],
  };
}

/** Returns a writer for the ticks of a time axis, by how much time the axis spans. */
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
