import { expect, it } from 'vitest';
import { crossProducts, inverseForms, projections, solveSymmetric } from './least-squares.ts';
import { minimiseSquares } from './levenberg-marquardt.ts';
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

it('forms with the inverse of 2 1, 1 2, which is 2 -1, -1 2 divided by 3', () => {
  const vectors = [Float64Array.of(1, 0), Float64Array.of(1, 1), Float64Array.of(1, -1)];
  const [first, sum, difference] = inverseForms(Float64Array.of(2, 1, 1, 2), vectors);
  expect(first).toBeCloseTo(2 / 3, 12);
  expect(sum).toBeCloseTo(2 / 3, 12);
  expect(difference).toBeCloseTo(2, 12);
});

/** Rosenbrock's valley (1960): squares of two errors, with its minimum of zero at 1, 1. */
function valley([x = 0, y = 0]: Float64Array, errors: Float64Array): number {
  errors.set([1 - x, 10 * (y - x * x)]);
  return (1 - x) ** 2 + 100 * (y - x * x) ** 2;
}

it('the minimum of the valley of Rosenbrock', () => {
  const { point, squares } = minimiseSquares(valley, [-1.2, 1], 2, { maxRounds: 100 });
  expect(point[0]).toBeCloseTo(1, 3);
  expect(point[1]).toBeCloseTo(1, 3);
  expect(squares).toBeCloseTo(0, 6);
});

it('a minimum at the edge of what is allowed is approached from inside', () => {
  const halfValley = (point: Float64Array, errors: Float64Array) =>
    (point[0] ?? 0) > 0.5 ? Number.NaN : valley(point, errors);
  const { point } = minimiseSquares(halfValley, [-1.2, 1], 2, { maxRounds: 200 });
  expect(point[0]).toBeLessThanOrEqual(0.5);
  expect(point[0]).toBeGreaterThan(0.4);
});

it('no point is found where the start is not allowed', () => {
  expect(minimiseSquares(() => Number.NaN, [0, 0], 2).squares).toBe(Number.POSITIVE_INFINITY);
});
