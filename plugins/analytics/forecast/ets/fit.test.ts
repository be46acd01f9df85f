import { expect, it } from 'vitest';
import { normalQuantile } from '../../numeric/normal.ts';
import { randomGenerator } from '../../numeric/random.ts';
import { mean } from '../../numeric/statistics.ts';
import { fitEts } from './fit.ts';

it('the variance of a seasonal fit is that of the best forecast of a level that walks', () => {
  const random = randomGenerator(17);
  const normal = () => normalQuantile(random());
  const variances = Float64Array.from({ length: 200 }, () => {
    let level = 100;
    const values = Float64Array.from({ length: 48 }, (_, t) => {
      level += 2 * normal();
      return level + 10 * Math.cos((Math.PI * t) / 2) + normal();
    });
    const fit = fitEts(values, { error: 'A', trend: 'N', season: 'A', periods: [4], hasLingeringErrors: false });
    return fit?.variance ?? Number.NaN;
  });
  // Kalman's filter in its steady state, for steps of variance 4 and noise of variance 1: P² = 4·P + 4, variance P + 1.
  const best = 2 + Math.sqrt(8) + 1;
  // Twelve years estimate the season and the parameters with some error, so that the fit expects a little more.
  expect(mean(variances) / best).toBeGreaterThan(0.98);
  expect(mean(variances) / best).toBeLessThan(1.2);
});
