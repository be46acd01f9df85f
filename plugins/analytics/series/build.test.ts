import { expect, it } from 'vitest';
import { holdOf } from '../../../router/testing/loop-delay.ts';
import { buildSeries } from './build.ts';
import { readTimeAxis } from './time-axis.ts';

async function series(rows: readonly (readonly [string, number | null, string?])[]) {
  const axis = await readTimeAxis(rows.map(([period]) => period));
  if (axis === undefined) throw new Error('no axis');
  const table = rows.map(([, value, shop]) => ({ by: shop === undefined ? {} : { shop }, values: [value] }));
  return buildSeries(table, axis, 1);
}

it('rows in any order become one series in the order of time; a gap is filled by a straight line and counted', async () => {
  const [only] = await series([
    ['2024-04', 40],
    ['2024-01', 10],
    ['2024-02', null],
    ['2024-05', 35],
  ]);
  expect([...(only?.values ?? [])]).toEqual([10, 20, 30, 40, 35]);
  expect(only).toMatchObject({ gaps: 2, rowOf: [1, undefined, undefined, 0, 3], reason: undefined });
});

it('each combination of the other fields is a separate series', async () => {
  const result = await series([
    ['2024-01', 1, 'A'],
    ['2024-01', 5, 'B'],
    ['2024-02', 2, 'A'],
    ['2024-03', 7, 'B'],
  ]);
  expect(result.map(({ by, values }) => [by.shop, ...values])).toEqual([
    ['A', 1, 2],
    ['B', 5, 6, 7],
  ]);
});

it('nulls at the end are missing periods, not values; all nulls are an empty series', async () => {
  const [only] = await series([
    ['2024-01', 3],
    ['2024-02', 4],
    ['2024-03', null],
  ]);
  expect(only).toMatchObject({ missingAtEnd: 1, gaps: 0 });
  expect([...(only?.values ?? [])]).toEqual([3, 4]);
  expect((await series([['2024-01', null]]))[0]).toMatchObject({ reason: 'empty' });
});

it('a series with more gaps than values is not analysed', async () => {
  const [only] = await series([
    ['2024-01', 3],
    ['2024-02', null],
    ['2024-03', null],
    ['2024-04', null],
    ['2024-05', 3],
  ]);
  expect(only).toMatchObject({ gaps: 3, reason: 'too_many_gaps' });
});

it('two rows at one period are not a series', async () => {
  const [only] = await series([
    ['2024-Q1', 3],
    ['Q1 2024', 4],
    ['2024-Q2', 5],
  ]);
  expect(only).toMatchObject({ reason: 'duplicate_periods' });
  const [lone] = await series([
    ['2024-Q1', 3],
    ['Q1 2024', null],
    ['2024-Q2', 5],
  ]);
  expect([...(lone?.values ?? [])]).toEqual([3, 5]);
});

it('members with the same caption are separate series', async () => {
  const axis = await readTimeAxis(['2024', '2024']);
  if (axis === undefined) throw new Error('no axis');
  const rows = ['[USA].[Springfield]', '[Canada].[Springfield]'].map((key, i) => ({
    key,
    by: { city: 'Springfield' },
    values: [i],
  }));
  expect(await buildSeries(rows, axis, 1)).toHaveLength(2);
});

it('more series, or more points, than one request may have are refused', async () => {
  const shops = Array.from({ length: 501 }, (_, i): [string, number, string] => ['2024', i, `shop ${i}`]);
  await expect(series(shops)).rejects.toMatchObject({ field: 'query.rows', message: expect.stringContaining('501') });
  const day = (i: number) => new Date(Date.UTC(2000, 0, 1 + i)).toISOString().slice(0, 10);
  const whole = Array.from({ length: 5_000 }, (_, i): [string, number, string] => [day(i), i, 'shop 0']);
  // A first and a last day, and 4,998 gaps between them.
  const ends = Array.from({ length: 80 }, (_, i): [string, number, string] => [
    day(4_999 * (i % 2)),
    i,
    `shop ${1 + Math.floor(i / 2)}`,
  ]);
  await expect(series([...whole, ...ends])).rejects.toMatchObject({
    field: 'query.rows',
    message: expect.stringContaining('200000'),
  });
});

/** Returns the share of the work's time that it blocks the event loop at once: the least of some attempts, because a garbage collection blocks it too. */
async function leastShareHeld(work: () => Promise<unknown>): Promise<number> {
  let least = 1;
  for (let attempt = 0; attempt < 6 && least >= MAX_HELD_SHARE; attempt++) {
    const { heldMillis, totalMillis } = await holdOf(work);
    least = Math.min(least, heldMillis / totalMillis);
  }
  return least;
}

/** Without checks of the clock, it would be 1. */
const MAX_HELD_SHARE = 1 / 3;

const minute = (count: number) => `${new Date(60_000 * count).toISOString().slice(0, 16)}Z`;

it.each([
  ['40 shops by the minute, the last first', (i: number) => [minute(2_500 - Math.floor(i / 40)), i % 40] as const],
  ['one series of minutes without a common step', (i: number) => [minute(7 * i + (i % 2)), 0] as const],
])('100,000 rows do not hold the event loop: %s', async (_, at) => {
  const periods = Array.from({ length: 100_000 }, (_, i) => at(i));
  const texts = periods.map(([period]) => period);
  const rows = periods.map(([, shop], i) => ({ by: { shop }, values: [i] }));
  const work = async () => {
    const axis = await readTimeAxis(texts);
    if (axis !== undefined) await buildSeries(rows, axis, 1);
  };
  expect(await leastShareHeld(work)).toBeLessThan(MAX_HELD_SHARE);
});
