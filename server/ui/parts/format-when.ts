/** Instants in the visitor's language. */
import { language } from '../words/words.ts';

const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'medium' });

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Writes an instant within a month of now as "3 days ago" or "in 2 hours", any other as a date. */
export function formatWhen(at: Date, now: Date = new Date()): string {
  const distance = at.getTime() - now.getTime();
  if (Math.abs(distance) > 30 * 86_400_000) return absolute.format(at);
  for (const [unit, millis] of UNITS)
    if (Math.abs(distance) >= millis) return relative.format(Math.trunc(distance / millis), unit);
  return relative.format(0, 'minute');
}

/** Writes an instant to the minute. */
export function formatMinute(at: Date): string {
  return absolute.format(at);
}

/** Writes an instant to the second. */
export function formatInstant(at: Date): string {
  return exact.format(at);
}

/** Writes a duration: "0.4 s", "1 min 20 s". */
export function formatDuration(millis: number): string {
  const unit = (value: number, name: 'millisecond' | 'second' | 'minute', digits = 0) =>
    new Intl.NumberFormat(language, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    }).format(value);
  if (millis < 1_000) return unit(millis, 'millisecond');
  if (millis < 60_000) return unit(millis / 1_000, 'second', 1);
  return `${unit(Math.floor(millis / 60_000), 'minute')} ${unit(Math.round((millis % 60_000) / 1_000), 'second')}`;
}
