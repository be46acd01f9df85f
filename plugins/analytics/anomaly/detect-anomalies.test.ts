import { expect, it } from 'vitest';
import { randomGenerator } from '../numeric/random.ts';
import { detectAnomalies } from './detect-anomalies.ts';
import { madScores, zscores } from './scores.ts';

const options = { method: 'zscore', threshold: 3, periods: [] } as const;

it('a z-score compares a point with the others, so that it can pass the threshold among few', () => {
  // Others: 1 2 3 1 2 3 1 2 3 (mean 2, deviation 0.8660); a score with itself could be at most 9/√10 = 2.85.
  const { expected, score } = zscores(Float64Array.from([1, 2, 3, 1, 2, 3, 1, 2, 3, 12]));
  expect(expected[9]).toBeCloseTo(2, 12);
  // t² = 100 / (0.75·(1 + 1/9)) = 120 with 8 degrees of freedom; Wallace: √(8·ln(1 + t²/8))·(8·8+1)/(8·8+3).
  expect(score[9]).toBeCloseTo(Math.sqrt(8 * Math.log(1 + 120 / 8)) * (65 / 67), 9);
  expect(score[0]).toBeLessThan(0);
});

it('the median absolute deviation is that of Iglewicz and Hoaglin', () => {
  // Median 3, absolute deviations 2 1 0 1 97: their median 1. 0.6745·97 = 65.4.
  expect(madScores(Float64Array.from([1, 2, 3, 4, 100])).score[4]).toBeCloseTo(0.6745 * 97, 1);
  // More than half are the same: the mean absolute deviation, 10/5 = 2, times 1.2533 takes over.
  expect(madScores(Float64Array.from([5, 5, 5, 5, 15])).score[4]).toBeCloseTo(10 / (1.2533141 * 2), 5);
});

it('two outliers hide each other from the z-score, but not from the median', () => {
  const values = Float64Array.from([10, 11, 9, 10, 11, 9, 10, 11, 9, 10, 60, 61]);
  expect(detectAnomalies(values, options)).toMatchObject({ anomalies: [] });
  expect(detectAnomalies(values, { ...options, method: 'mad', threshold: 3.5 })).toMatchObject({
    anomalies: [
      { index: 10, direction: 'high', expected: 10 },
      { index: 11, direction: 'high' },
    ],
  });
});

it('stl finds a value that is ordinary for the series but not for its month', () => {
  const random = randomGenerator(3);
  const values = Float64Array.from({ length: 60 }, (_, i) => 100 + i + 30 * Math.sin((Math.PI * i) / 6) + random());
  values[33] = 100 + 33 + 5; // The season has -30 there.
  const result = detectAnomalies(values, { method: 'stl', threshold: 6, periods: [12] });
  expect(result).toMatchObject({ method: 'stl', anomalies: [{ index: 33, direction: 'high' }] });
  expect(detectAnomalies(values, { ...options, periods: [12] })).toMatchObject({ anomalies: [] });
});

it('stl says that it fell back where there is no season', () => {
  const random = randomGenerator(5);
  const values = Float64Array.from({ length: 40 }, () => random());
  expect(detectAnomalies(values, { method: 'stl', threshold: 3, periods: [12] })).toMatchObject({ method: 'zscore' });
});

it('a long series is compared with the points before, so that a new level is reported where it begins', () => {
  const random = randomGenerator(8);
  const values = Float64Array.from({ length: 120 }, (_, i) => (i < 90 ? 10 : 14) + random());
  const result = detectAnomalies(values, options);
  expect('anomalies' in result && result.anomalies[0]?.index).toBe(90);
});

it.each([
  ['one value', [5], 'too_short'],
  ['none', [], 'too_short'],
  ['always the same', [5, 5, 5, 5, 5, 5, 5, 5, 5], 'constant'],
] as const)('%s: no scores, and a reason', (_, values, reason) => {
  for (const method of ['zscore', 'mad', 'stl'] as const) {
    expect(detectAnomalies(Float64Array.from(values), { ...options, method })).toEqual({ reason });
  }
});
