/** Formats times as words. */
import { language, msg } from '../words/words.ts';

const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Formats a time as "in 3 days", "2 hours ago" or "a moment ago": the largest unit that fits, rounded toward now. */
export function formatRelativeTime(at: Date, now: Date): string {
  const distance = at.getTime() - now.getTime();
  for (const [unit, millis] of UNITS)
    if (Math.abs(distance) >= millis) return relative.format(Math.trunc(distance / millis), unit);
  return distance > 0 ? msg('in less than a minute') : msg('a moment ago');
}

export function formatDateTime(at: Date): string {
  return absolute.format(at);
}

/** Formats a number of hours in days: "3 days" for 72. Empty below a day. */
export function formatHoursAsDays(hours: number): string {
  const days = Math.floor(hours / 24);
  if (!Number.isInteger(hours) || days === 0) return '';
  const rest = hours % 24;
  const parts = [unitText(days, 'day'), ...(rest === 0 ? [] : [unitText(rest, 'hour')])];
  return new Intl.ListFormat(language).format(parts);
}

function unitText(count: number, unit: 'day' | 'hour'): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}
