import { expect, it } from 'vitest';
import { nextRun } from './next-run.ts';

const at = (text: string) => Date.parse(text);
const berlin = (time: string) => ({ at: time, timeZone: 'Europe/Berlin' });
const next = (rhythm: Parameters<typeof nextRun>[0], after: string) =>
  new Date(nextRun(rhythm, at(after))).toISOString();

it('an interval counts from the run before', () => {
  expect(next({ everyMinutes: 90 }, '2026-03-04T10:00:00Z')).toBe('2026-03-04T11:30:00.000Z');
});

it('a time of day is of its zone, today or tomorrow, and also in summer', () => {
  expect(next(berlin('06:30'), '2026-01-05T05:00:00Z')).toBe('2026-01-05T05:30:00.000Z');
  expect(next(berlin('06:30'), '2026-01-05T05:30:00Z')).toBe('2026-01-06T05:30:00.000Z');
  expect(next(berlin('06:30'), '2026-07-05T00:00:00Z')).toBe('2026-07-05T04:30:00.000Z');
  expect(next({ at: '23:00', timeZone: 'America/New_York' }, '2026-01-05T04:30:00Z')).toBe('2026-01-06T04:00:00.000Z');
});

it('a change of clocks moves the instant, and a skipped time is taken an hour later', () => {
  // Clocks in Berlin go from 02:00 to 03:00 on 29 March 2026.
  expect(next(berlin('06:30'), '2026-03-28T06:00:00Z')).toBe('2026-03-29T04:30:00.000Z');
  expect(next(berlin('02:30'), '2026-03-29T00:00:00Z')).toBe('2026-03-29T01:30:00.000Z');
});
