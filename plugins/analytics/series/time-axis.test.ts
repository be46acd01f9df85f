import { expect, it } from 'vitest';
import { parsePeriod } from './period.ts';
import { readTimeAxis } from './time-axis.ts';

/** Grain, positions, the label one step behind the last position, seasons. */
function read(texts: readonly (string | null)[]) {
  const axis = readTimeAxis(texts);
  if (axis === undefined) return undefined;
  const last = Math.max(...axis.positions.map((position) => position ?? 0));
  return [axis.grain, axis.positions, axis.labelAt(last + 1), axis.seasons];
}

it('months as text: a missing month leaves its place, the year turns', () => {
  expect(read(['2023-11', '2024-02', '2023-12'])).toEqual(['month', [0, 3, 1], '2024-03', [12]]);
});

it('years, quarters in three spellings, ISO weeks', () => {
  expect(read(['2019', '2020', '2022'])).toEqual(['year', [0, 1, 3], '2023', []]);
  expect(read(['2024-Q3', '2024-Q4'])).toEqual(['quarter', [0, 1], '2025-Q1', [4]]);
  expect(read(['Q3 2024', 'Q4 2024'])).toEqual(['quarter', [0, 1], 'Q1 2025', [4]]);
  expect(read(['2024q1'])).toEqual(['quarter', [0], '2024q2', [4]]);
  // 2020 has 53 ISO weeks.
  expect(read(['2020-W52', '2020-W53'])).toEqual(['week', [0, 1], '2021-W01', [52]]);
});

it('dates at the same place of their months are months, quarters or years; the end of a month stays one', () => {
  expect(read(['2024-01-01', '2024-02-01', '2024-04-01'])).toEqual(['month', [0, 1, 3], '2024-05-01', [12]]);
  expect(read(['2023-11-30', '2023-12-31', '2024-01-31'])).toEqual(['month', [0, 1, 2], '2024-02-29', [12]]);
  expect(read(['2022-06-30', '2022-09-30', '2022-12-31'])).toEqual(['quarter', [0, 1, 2], '2023-03-31', [4]]);
  expect(read(['2022-01-01', '2023-01-01'])).toEqual(['year', [0, 1], '2024-01-01', []]);
});

it('days, weeks and working days', () => {
  expect(read(['2024-02-27', '2024-02-28'])).toEqual(['day', [0, 1], '2024-02-29', [7, 365]]);
  expect(read(['2024-01-01', '2024-01-08', '2024-01-22'])).toEqual(['week', [0, 1, 3], '2024-01-29', [52]]);
  // 2024-01-01 was a Monday.
  const days = ['01', '02', '03', '04', '05', '08', '09', '10', '11', '12'].map((day) => `2024-01-${day}`);
  expect(read(days)).toEqual(['business day', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], '2024-01-15', [5]]);
});

it('times of day: hours, quarters of an hour, and days that are written as times', () => {
  expect(read(['2024-01-01T22:00:00', '2024-01-01T23:00:00'])).toEqual([
    'hour',
    [0, 1],
    '2024-01-02T00:00:00',
    [24, 168],
  ]);
  expect(read(['2024-01-01 00:00', '2024-01-01 00:15'])).toEqual(['15 minutes', [0, 1], '2024-01-01 00:30', [4, 96]]);
  expect(read(['2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z'])).toEqual([
    'day',
    [0, 1],
    '2024-01-03T00:00:00Z',
    [7, 365],
  ]);
});

it('a row without a period has no position', () => {
  expect(read(['2024-01', null, '2024-02'])).toEqual(['month', [0, undefined, 1], '2024-03', [12]]);
});

it('what is no time is refused, also among times, and two kinds of periods together', () => {
  expect(read(['Lighting', 'Garden'])).toBeUndefined();
  expect(read(['2024-01', 'unknown'])).toBeUndefined();
  expect(read(['2024', '2024-01'])).toBeUndefined();
  expect(parsePeriod('2024-02-30')).toBeUndefined();
  expect(parsePeriod('2024-13')).toBeUndefined();
});

it('dates without a common step keep their order and promise nothing behind them', () => {
  expect(read(['2024-01-01', '2024-01-02', '2024-03-09', '2024-09-01'])).toEqual([
    'irregular',
    [0, 1, 2, 3],
    undefined,
    undefined,
  ]);
});
