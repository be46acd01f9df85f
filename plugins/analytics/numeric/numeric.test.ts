import { expect, it } from 'vitest';
import { crossProducts, projections, solveSymmetric } from './least-squares.ts';
import { nelderMead } from './nelder-mead.ts';
import { normalQuantile, studentQuantile } from './normal.ts';
import { autocorrelation, quantile, scaledMad, variance } from './statistics.ts';

it('quantiles equal the published tables', () => {
  expect(normalQuantile(0.975)).toBeCloseTo(1.959964, 5);
  expect(normalQuantile(0.001)).toBeCloseTo(-3.090232, 5);
  expect(studentQuantile(0.975, 10)).toBeCloseTo(2.228, 2);
  expect(studentQuantile(0.975, 1e9)).toBeCloseTo(1.959964, 5);
});

it('statistics of a few numbers', () => {
  expect(quantile([1, 2, 3, 4], 0.25)).toBeCloseTo(1.75, 12);
  expect(variance([1, 2, 3, 4])).toBeCloseTo(5 / 3, 12);
  expect(scaledMad([1, 1, 2, 2, 4, 6, 9])).toBeCloseTo(1.482602, 5);
  // Deviations -1.5 -0.5 0.5 1.5: (0.75 - 0.25 + 0.75) / 5.
  expect(autocorrelation([1, 2, 3, 4], 1)).toBeCloseTo(0.25, 12);
});

it('least squares: the line through four points, by hand 1.52 + 0.72x', () => {
  const columns = [Float64Array.of(1, 1, 1, 1), Float64Array.of(0, 1, 2, 3)];
  const right = projections(columns, Float64Array.of(1, 3, 3, 3.4));
  const [constant, slope] = solveSymmetric(crossProducts(columns), right);
  expect(constant).toBeCloseTo(1.52, 10);
  expect(slope).toBeCloseTo(0.72, 10);
});

it('the minimum of the valley of Rosenbrock', () => {
  const { point } = nelderMead(([x = 0, y = 0]) => (1 - x) ** 2 + 100 * (y - x * x) ** 2, [-1.2, 1], {
    tolerance: 1e-12,
    maxEvaluations: 2_000,
  });
  expect(point[0]).toBeCloseTo(1, 3);
  expect(point[1]).toBeCloseTo(1, 3);
});
