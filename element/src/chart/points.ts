import type { Formats } from '../formats.ts';
import type { Answer } from '../read/answer.ts';
import { isTime } from './columns.ts';
import { cellText } from './labels.ts';

/** Where the rows of an answer, and what is forecast behind them, stand on the horizontal axis. */
export interface Points {
  /** The row of each point, in the order they are drawn. */
  readonly rows: readonly number[];
  /** What the axis or the legend writes, also for the points behind the last row. */
  readonly labels: readonly string[];
  /** Epoch milliseconds of each label where they are a time; undefined where they are names. */
  readonly times: readonly number[] | undefined;
}

/** `ahead` points are added behind the last. */
export function pointsOf(answer: Answer, category: number | undefined, ahead: number, formats: Formats): Points {
  const column = category === undefined ? undefined : answer.columns[category];
  const rows = answer.rows.map((_, index) => index);
  const texts = rows.map((index) => (category === undefined ? undefined : answer.rows[index]?.[category]?.text));
  const times = column && isTime(column) && rows.length > 1 ? texts.map((text) => timeOf(text)) : [];
  const distinct = new Set(times).size === rows.length && !times.includes(undefined) && times.length > 0;
  if (!distinct) {
    const labels = rows.map((index) =>
      category === undefined ? String(index + 1) : cellText(answer.rows[index]?.[category], column, formats),
    );
    return {
      rows,
      labels: [...labels, ...Array.from({ length: ahead }, (_, step) => `+${step + 1}`)],
      times: undefined,
    };
  }
  const ordered = [...rows].sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
  const known = ordered.flatMap((index) => times[index] ?? []);
  const all = [...known, ...continued(known, ahead)];
  const write = timeWriter(all, column?.dataType ?? '', formats);
  return { rows: ordered, labels: all.map(write), times: all };
}

/** Epoch milliseconds of ISO text; without a zone it is taken as it stands. */
function timeOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\d/.test(text)) return undefined;
  const zoned = /([zZ]|[+-]\d\d:?\d\d)$/.test(text) && text.length > 10;
  const time = Date.parse(zoned ? text : `${text.replace(' ', 'T')}${text.length > 10 ? 'Z' : 'T00:00Z'}`);
  return Number.isNaN(time) ? undefined : time;
}

/** The times after the last of `times`, a month or a fixed step apart as the ones before. */
function continued(times: readonly number[], ahead: number): readonly number[] {
  const last = times.at(-1) ?? 0;
  const before = times.at(-2) ?? last;
  const [a, b] = [new Date(before), new Date(last)];
  const months = (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth();
  const monthly = months > 0 && a.getUTCDate() === b.getUTCDate();
  return Array.from({ length: ahead }, (_, step) =>
    monthly
      ? Date.UTC(b.getUTCFullYear(), b.getUTCMonth() + months * (step + 1), b.getUTCDate())
      : last + (last - before) * (step + 1),
  );
}

/** Months where each date is the first of one, years where each is the first of January, else days or minutes. */
function timeWriter(times: readonly number[], dataType: string, formats: Formats): (time: number) => string {
  const dates = times.map((time) => new Date(time));
  const midnight = dates.every((date) => date.getTime() % 86_400_000 === 0);
  const monthly = midnight && dates.every((date) => date.getUTCDate() === 1);
  const yearly = monthly && dates.every((date) => date.getUTCMonth() === 0);
  const options: Intl.DateTimeFormatOptions = yearly
    ? { year: 'numeric' }
    : monthly
      ? { month: 'short', year: 'numeric' }
      : midnight
        ? { day: 'numeric', month: 'short', year: 'numeric' }
        : { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' };
  // Only an instant is moved to a zone.
  const zone = dataType === 'timestamptz' && !midnight ? {} : { timeZone: 'UTC' };
  return (time) => formats.date(new Date(time), { ...options, ...zone });
}

/** What a tick of a time axis writes, by how much time the axis spans. */
export function tickWriter(times: readonly number[], formats: Formats): (time: number) => string {
  const days = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 86_400_000;
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
