import { expect, it } from 'vitest';
import { parsePeriod } from './period.ts';
import { orderedAxis, readTimeAxis } from './time-axis.ts';

/** Reads grain, positions, the label one step behind the last position, and seasons. */
async function read(texts: readonly (string | null)[]) {
  const axis = await readTimeAxis(texts);
  if (axis === undefined) return undefined;
  const last = Math.max(...axis.positions.map((position) => position ?? 0));
  return [axis.grain, axis.positions, axis.labelAt(last + 1), axis.seasons];
}

it('months as text: a missing month leaves its place, the year turns', async () => {
  expect(await read(['2023-11', '2024-02', '2023-12'])).toEqual(['month', [0, 3, 1], '2024-03', [12]]);
});

it('years, quarters in three spellings, ISO weeks', async () => {
  expect(await read(['2019', '2020', '2022'])).toEqual(['year', [0, 1, 3], '2023', []]);
  expect(await read(['2024-Q3', '2024-Q4'])).toEqual(['quarter', [0, 1], '2025-Q1', [4]]);
  expect(await read(['Q3 2024', 'Q4 2024'])).toEqual(['quarter', [0, 1], 'Q1 2025', [4]]);
  expect(await read(['2024q1'])).toEqual(['quarter', [0], '2024q2', [4]]);
  // 2020 has 53 ISO weeks.
  expect(await read(['2020-W52', '2020-W53'])).toEqual(['week', [0, 1], '2021-W01', [52]]);
});

it('dates at the same place of their months are months, quarters or years; the end of a month stays one', async () => {
  expect(await read(['2024-01-01', '2024-02-01', '2024-04-01'])).toEqual(['month', [0, 1, 3], '2024-05-01', [12]]);
  expect(await read(['2023-11-30', '2023-12-31', '2024-01-31'])).toEqual(['month', [0, 1, 2], '2024-02-29', [12]]);
  expect(await read(['2022-06-30', '2022-09-30', '2022-12-31'])).toEqual(['quarter', [0, 1, 2], '2023-03-31', [4]]);
  expect(await read(['2022-01-01', '2023-01-01'])).toEqual(['year', [0, 1], '2024-01-01', []]);
});

it('days, weeks and working days', async () => {
  expect(await read(['2024-02-27', '2024-02-28'])).toEqual(['day', [0, 1], '2024-02-29', [7, 365]]);
  expect(await read(['2024-01-01', '2024-01-08', '2024-01-22'])).toEqual(['week', [0, 1, 3], '2024-01-29', [52]]);
  // 2024-01-01 was a Monday.
  const days = ['01', '02', '03', '04', '05', '08', '09', '10', '11', '12'].map((day) => `2024-01-${day}`);
  expect(await read(days)).toEqual(['business day', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], '2024-01-15', [5]]);
});

it('times of day: hours, quarters of an hour, and days that are written as times', async () => {
  expect(await read(['2024-01-01T22:00:00', '2024-01-01T23:00:00'])).toEqual([
    'hour',
    [0, 1],
    '2024-01-02T00:00:00',
    [24, 168],
  ]);
  expect(await read(['2024-01-01 00:00', '2024-01-01 00:15'])).toEqual([
    '15 minutes',
    [0, 1],
    '2024-01-01 00:30',
    [4, 96],
  ]);
  expect(await read(['2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z'])).toEqual([
    'day',
    [0, 1],
    '2024-01-03T00:00:00Z',
    [7, 365],
  ]);
});

it('a row without a period has no position', async () => {
  expect(await read(['2024-01', null, '2024-02'])).toEqual(['month', [0, undefined, 1], '2024-03', [12]]);
});

it('a text that is not a time is refused, also among times, and so are two kinds of periods together', async () => {
  expect(await read(['Lighting', 'Garden'])).toBeUndefined();
  expect(await read(['2024-01', 'unknown'])).toBeUndefined();
  expect(await read(['2024', '2024-01'])).toBeUndefined();
  expect(parsePeriod('2024-02-30')).toBeUndefined();
  expect(parsePeriod('2024-13')).toBeUndefined();
});

it('dates without a common step keep their order and name no later period', async () => {
  expect(await read(['2024-01-01', '2024-01-02', '2024-03-09', '2024-09-01'])).toEqual([
    'irregular',
    [0, 1, 2, 3],
    undefined,
    undefined,
  ]);
});

it('members that are not periods: captions that repeat after a cycle name the next ones', async () => {
  const months = ['Nov', 'Dec', 'Jan', 'Nov', 'Dec'];
  const axis = orderedAxis([0, 1, 2, 3, 4], months);
  expect([axis.labelAt(5), axis.labelAt(6), axis.seasons]).toEqual(['Jan', 'Nov', [3]]);
  const unlike = orderedAxis([0, 1, 2], ['Nov', 'Jan', 'Nov']);
  expect(unlike.labelAt(3)).toBe('Jan');
  expect(orderedAxis([0, 1], ['P1', 'P2']).labelAt(2)).toBeUndefined();
  expect(orderedAxis([0, 1, 2, 3], ['Jan', 'Feb', 'Feb', 'Jan']).labelAt(4)).toBeUndefined();
});
