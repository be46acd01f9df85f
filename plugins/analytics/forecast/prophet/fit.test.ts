import { expect, it } from 'vitest';
import { fitProphet, projectionLeverage } from './fit.ts';

it('without changes of slope, the variance of the trend is that of a straight line by least squares', () => {
  const length = 20;
  // Errors that alternate have no slope that a change could follow.
  const values = Float64Array.from({ length }, (_, t) => 100 + t + (t % 2 === 0 ? 5 : -5));
  const leverage = projectionLeverage(fitProphet(values, []), 3);
  // Hyndman and Athanasopoulos (2021), section 7.9: 1/n + (x - mean)² / Σ(x - mean)², with Σ = n(n² - 1)/12 = 665.
  [20, 21, 22].forEach((x, h) => {
    const expected = 1 / 20 + (x - 9.5) ** 2 / 665;
    expect((leverage[h] ?? 0) / expected).toBeCloseTo(1, 2);
  });
});

it('changes of slope make the trend less certain', () => {
  const bent = Float64Array.from({ length: 40 }, (_, t) => 100 + (t < 15 ? t : 15 - 3 * (t - 15)) + 2 * ((t * 7) % 5));
  const fit = fitProphet(bent, []);
  expect(fit.changes.some((change) => Math.abs(change) > 0.1)).toBe(true);
  const line = 1 / 40 + (40 - 19.5) ** 2 / ((40 * (40 ** 2 - 1)) / 12);
  expect(projectionLeverage(fit, 1)[0]).toBeGreaterThan(line);
});
