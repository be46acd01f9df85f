/** Writes quantities in the largest unit in which they are whole, for texts that name the value of a setting. */

import { plural } from './plural.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const DURATION_UNITS: readonly (readonly [ms: number, noun: string])[] = [
  [DAY_MS, 'day'],
  [HOUR_MS, 'hour'],
  [MINUTE_MS, 'minute'],
  [1_000, 'second'],
];

const SIZE_UNITS: readonly (readonly [bytes: number, unit: string])[] = [
  [1024 ** 3, 'GB'],
  [1024 ** 2, 'MB'],
  [1024, 'KB'],
];

/**
 * Returns a duration such as `1 hour` or `90 minutes`; one below a second or with a fraction of one, such as `1500
 * ms`.
 */
export function durationText(ms: number): string {
  const unit = DURATION_UNITS.find(([length]) => ms >= length && ms % length === 0);
  if (unit === undefined) return `${ms} ms`;
  const count = ms / unit[0];
  return `${count} ${plural(count, unit[1])}`;
}

/** Returns a size such as `32 MB`, in binary units; in bytes where no unit divides it. */
export function sizeText(bytes: number): string {
  const unit = SIZE_UNITS.find(([size]) => bytes >= size && bytes % size === 0);
  return unit === undefined ? `${bytes} ${plural(bytes, 'byte')}` : `${bytes / unit[0]} ${unit[1]}`;
}
