/** Describes a long season by a few waves instead of a value for each point. */
import { combination, crossProducts, projections, solveSymmetric } from '../numeric/least-squares.ts';

/** The most pairs of sine and cosine of a season: the default of Taylor and Letham (2018) for a year. */
const MAX_WAVES = 10;

/**
 * Fits a straight line and the waves of a season by least squares, and returns the waves' part of `count` points from `first`
 * on: the regressors of a dynamic harmonic regression, Hyndman and Athanasopoulos (2021), section 10.5.
 */
export function fitWaves(values: Float64Array, period: number): (first: number, count: number) => Float64Array {
  const columns = [
    new Float64Array(values.length).fill(1),
    values.map((_, i) => i / values.length),
    ...waveColumns(period, 0, values.length),
  ];
  const coefficients = solveSymmetric(crossProducts(columns), projections(columns, values)).subarray(2);
  return (first, count) => combination(waveColumns(period, first, count), coefficients);
}

/** Returns the number of coefficients of a season's waves. */
export function waveCount(period: number): number {
  return 2 * Math.min(MAX_WAVES, Math.floor((period - 1) / 2));
}

function waveColumns(period: number, first: number, count: number): readonly Float64Array[] {
  return Array.from({ length: waveCount(period) }, (_, k) => {
    const angle = (2 * Math.PI * (Math.floor(k / 2) + 1)) / period;
    const wave = k % 2 === 0 ? Math.sin : Math.cos;
    return Float64Array.from({ length: count }, (_, i) => wave(angle * (first + i)));
  });
}
