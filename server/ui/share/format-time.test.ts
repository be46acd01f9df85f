import { expect, test } from 'vitest';
import { formatHoursAsDays, formatRelativeTime } from './format-time.ts';

const NOW = new Date('2026-11-21T12:00:00Z');

test.each([
  ['2026-11-21T11:59:40Z', 'a moment ago'],
  ['2026-11-21T12:00:30Z', 'in less than a minute'],
  ['2026-11-21T11:58:01Z', '1 minute ago'],
  ['2026-11-21T10:00:00Z', '2 hours ago'],
  ['2026-11-20T12:00:00Z', 'yesterday'],
  ['2026-11-24T11:59:00Z', 'in 2 days'],
])('%s is %s', (at, words) => {
  expect(formatRelativeTime(new Date(at), NOW)).toBe(words);
});

test.each([
  [72, '3 days'],
  [24, '1 day'],
  [50, '2 days and 2 hours'],
  [25, '1 day and 1 hour'],
  [23, ''],
  [24.5, ''],
  [Number.NaN, ''],
])('%s hours in days: "%s"', (hours, words) => {
  expect(formatHoursAsDays(hours)).toBe(words);
});
