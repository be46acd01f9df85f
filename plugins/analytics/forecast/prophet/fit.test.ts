import { expect, it } from 'vitest';
import { inverseDiagonal } from '../../numeric/least-squares.ts';
import { normalQuantile } from '../../numeric/normal.ts';
import { randomGenerator } from '../../numeric/random.ts';
import { forecast } from '../forecast.ts';
import { fitProphet, projectionLeverage, projectProphet } from './fit.ts';

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

it('a season of an even number of points has one parameter less than points', () => {
  const values = Float64Array.from({ length: 60 }, (_, t) => 100 + (t % 4) * 3 + ((t * 7) % 5));
  const line = 2;
  expect(fitProphet(values, [4]).base).toHaveLength(line + 3);
  expect(fitProphet(values, [12]).base).toHaveLength(line + 11);
  expect(fitProphet(values, [7]).base).toHaveLength(line + 6);
});

it('the deviation of the trend is that of simulated trends whose changes are drawn from the posterior', () => {
  const length = 40;
  const random = randomGenerator(8);
  const normal = () => normalQuantile(random());
  const values = Float64Array.from({ length }, (_, t) => 100 + 0.3 * t + 4 * normal());
  const fit = fitProphet(values, []);
  const residuals = values.map((value, t) => (value - (fit.fitted[t] ?? 0)) / fit.unit.size);
  const noise = Math.sqrt(residuals.reduce((sum, each) => sum + each ** 2, 0) / length);
  const deviations = inverseDiagonal(fit.precision, fit.changes.length).map((each) => noise * Math.sqrt(each));
  const horizon = 8;
  // A future point has a change of slope as often as one in the first 80 % of the series, which have all of them.
  const rate = fit.changepoints.length / 0.8 / (length - 1);
  const ends = Array.from({ length: 20_000 }, () => {
    const steps = 20;
    let [slope, value] = [0, 0];
    for (let t = 0; t < horizon * steps; t++) {
      if (random() < rate / steps) {
        const i = Math.floor(random() * fit.changes.length);
        slope += (fit.changes[i] ?? 0) + (deviations[i] ?? 0) * normal();
      }
      value += slope / steps / (length - 1);
    }
    return fit.unit.size * value;
  });
  const simulated = Math.sqrt(ends.reduce((sum, each) => sum + each ** 2, 0) / ends.length);
  expect((projectProphet(fit, horizon).deviation[horizon - 1] ?? 0) / simulated).toBeCloseTo(1, 1);
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
