import { expect, it } from 'vitest';
import { rulesOf } from './time-zone.ts';

const HOUR = 3_600;

/** The clock changes of a year: the day in UTC, and the hours ahead of UTC from then on. */
const changesIn = (zone: string, year: number) =>
  rulesOf(zone, year).changes.map(({ at, offset }) => [new Date(at).toISOString(), offset / HOUR]);

it.each([
  // The summer time of 2000 ended after a week: tz database, file `southamerica`.
  ['America/Boa_Vista', '2000-10-08T04:00:00.000Z', -3, '2000-10-15T03:00:00.000Z', -4],
  ['America/Recife', '2000-10-08T03:00:00.000Z', -2, '2000-10-15T02:00:00.000Z', -3],
  ['America/Noronha', '2000-10-08T02:00:00.000Z', -1, '2000-10-15T01:00:00.000Z', -2],
] as const)('a summer time of one week in %s is recognized', (zone, start, ahead, end, after) => {
  expect(changesIn(zone, 2000).slice(-2)).toEqual([
    [start, ahead],
    [end, after],
  ]);
});

it('a zone with two changes, a zone with none, and UTC', () => {
  expect(changesIn('Europe/Berlin', 2024)).toEqual([
    ['2024-03-31T01:00:00.000Z', 2],
    ['2024-10-27T01:00:00.000Z', 1],
  ]);
  expect(rulesOf('Asia/Kolkata', 2024)).toEqual({ first: 5.5 * HOUR, changes: [] });
  expect(rulesOf('UTC', 2024)).toEqual({ first: 0, changes: [] });
});
