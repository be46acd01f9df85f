import { expect, it } from 'vitest';
import { randomGenerator } from '../../numeric/random.ts';
import { forecast } from '../forecast.ts';
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

it('values in other units have the same forecast in those units', () => {
  const random = randomGenerator(3);
  let level = 0;
  const values = Float64Array.from({ length: 48 }, () => {
    level += random() - 0.45;
    return 100 * Math.exp(level / 10);
  });
  const project = (series: Float64Array) => {
    const result = forecast(series, { method: 'prophet', horizon: 8, interval: 0.95, periods: [] });
    return 'steps' in result ? result.steps : [];
  };
  const thousandths = project(values.map((value) => 1_000 * value));
  expect(thousandths).toHaveLength(8);
  project(values).forEach(({ value, lower, upper }, h) => {
    const other = thousandths[h];
    expect([other?.value, other?.lower, other?.upper].map((each) => (each ?? 0) / 1_000 / value)).toEqual([
      expect.closeTo(1, 6),
      expect.closeTo(lower / value, 6),
      expect.closeTo(upper / value, 6),
    ]);
  });
});
