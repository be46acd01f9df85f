import { describe, expect, it } from 'vitest';
import { randomGenerator } from '../numeric/random.ts';
import { detectPeriods } from './detect-periods.ts';
import { repeatingPeriods } from './repeating-periods.ts';

const DAYS = [7, 365];
const found = (values: Float64Array, periods = DAYS) => repeatingPeriods(values, detectPeriods(values, periods));

/** Draws daily values: a random walk, a week of `week` and a year of `year` to each side, and noise. */
function drawDays(seed: number, length: number, { week = 0, year = 0, walk = 0 }): Float64Array {
  const random = randomGenerator(seed);
  let level = 0;
  return Float64Array.from({ length }, (_, day) => {
    level += walk * (random() - 0.5);
    const seasons = week * Math.sin((2 * Math.PI * day) / 7) + year * Math.sin((2 * Math.PI * day) / 365);
    return 100 + level + seasons + 4 * (random() - 0.5);
  });
}

describe('a season', () => {
  it('of 365 days is not looked for in two years', () => {
    for (let seed = 0; seed < 20; seed++) expect(found(drawDays(seed, 735, { week: 5, year: 20 }))).toEqual([7]);
  });

  it.each([1_100, 1_500, 1_900])(
    'of 365 days is not taken from a walk of %d days in more than one of ten',
    (length) => {
      const taken = Array.from({ length: 50 }, (_, seed) => found(drawDays(seed, length, { week: 5, walk: 4 })));
      expect(taken.filter((periods) => periods.includes(365)).length).toBeLessThanOrEqual(5);
      expect(taken.filter((periods) => periods.includes(7))).toHaveLength(50);
    },
  );

  it.each([1_500, 2_500])('of 365 days is kept where %d days repeat it, also beside a strong week', (length) => {
    for (let seed = 0; seed < 10; seed++)
      expect(found(drawDays(seed, length, { week: 20, year: 10, walk: 0.5 }))).toEqual(DAYS);
  });

  it('of 365 days repeats in three years', () => {
    for (let seed = 0; seed < 10; seed++)
      expect(repeatingPeriods(drawDays(seed, 1_100, { week: 20, year: 10, walk: 0.5 }), DAYS)).toEqual(DAYS);
  });

  it('of 52 weeks is found on a level that walks further than the season, and not without it', () => {
    const drawn = (size: number) =>
      Array.from({ length: 20 }, (_, seed) => {
        const random = randomGenerator(seed + 1);
        const season = Array.from({ length: 52 }, () => size * (random() - 0.5));
        let level = 100;
        return Float64Array.from({ length: 208 }, (_, week) => {
          level += 10 * (random() - 0.5);
          return level + (season[week % 52] ?? 0);
        });
      });
    const count = (all: readonly Float64Array[]) => all.filter((values) => found(values, [52]).length > 0).length;
    expect(count(drawn(15))).toBe(20);
    expect(count(drawn(0))).toBeLessThanOrEqual(1);
  });

  it('of 12 months needs 36', () => {
    const months = (length: number) => Float64Array.from({ length }, (_, i) => 10 + (i % 12) + ((i * 7) % 5) / 10);
    expect([found(months(35), [12]), found(months(36), [12])]).toEqual([[], [12]]);
  });

  it.each([3, 29, 35])('of 12 months is kept with an outlier in month %d', (outlier) => {
    const months = Float64Array.from(
      { length: 36 },
      (_, i) => 200 + 3 * i + 40 * Math.sin((i * Math.PI) / 6) + ((7 * i) % 5) + (i === outlier ? 300 : 0),
    );
    expect(repeatingPeriods(months, [12])).toEqual([12]);
  });

  it('is taken from pure noise in less than one of ten', () => {
    const taken = Array.from({ length: 200 }, (_, seed) => {
      const random = randomGenerator(seed + 1);
      return repeatingPeriods(
        Float64Array.from({ length: 36 }, () => random()),
        [12],
      );
    });
    expect(taken.filter(({ length }) => length > 0).length).toBeLessThan(20);
  });
});
