import { expect, it } from 'vitest';
import { buildSeries } from './build.ts';
import { readTimeAxis } from './time-axis.ts';

function series(rows: readonly (readonly [string, number | null, string?])[]) {
  const axis = readTimeAxis(rows.map(([period]) => period));
  if (axis === undefined) throw new Error('no axis');
  const table = rows.map(([, value, shop]) => ({ by: shop === undefined ? {} : { shop }, values: [value] }));
  return buildSeries(table, axis, 1);
}

it('rows in any order become one series in the order of time; a gap is filled by a straight line and counted', () => {
  const [only] = series([
    ['2024-04', 40],
    ['2024-01', 10],
    ['2024-02', null],
    ['2024-05', 35],
  ]);
  expect([...(only?.values ?? [])]).toEqual([10, 20, 30, 40, 35]);
  expect(only).toMatchObject({ gaps: 2, rowOf: [1, undefined, undefined, 0, 3], reason: undefined });
});

it('each combination of the other fields is a series of its own', () => {
  const found = series([
    ['2024-01', 1, 'A'],
    ['2024-01', 5, 'B'],
    ['2024-02', 2, 'A'],
    ['2024-03', 7, 'B'],
  ]);
  expect(found.map(({ by, values }) => [by.shop, ...values])).toEqual([
    ['A', 1, 2],
    ['B', 5, 6, 7],
  ]);
});

it('nulls at the end are missing periods, not values; all nulls are an empty series', () => {
  const [only] = series([
    ['2024-01', 3],
    ['2024-02', 4],
    ['2024-03', null],
  ]);
  expect(only).toMatchObject({ missingAtEnd: 1, gaps: 0 });
  expect([...(only?.values ?? [])]).toEqual([3, 4]);
  expect(series([['2024-01', null]])[0]).toMatchObject({ reason: 'empty' });
});

it('a series with more gaps than values is not worked on', () => {
  const [only] = series([
    ['2024-01', 3],
    ['2024-02', null],
    ['2024-03', null],
    ['2024-04', null],
    ['2024-05', 3],
  ]);
  expect(only).toMatchObject({ gaps: 3, reason: 'too_many_gaps' });
});
