import { at } from '../numeric/statistics.ts';
import { stl } from './stl.ts';

export interface SeasonalComponent {
  readonly period: number;
  readonly values: Float64Array;
}

export interface MultiDecomposition {
  readonly seasons: readonly SeasonalComponent[];
  /** The series without its seasons. */
  readonly adjusted: Float64Array;
  readonly trend: Float64Array;
  readonly remainder: Float64Array;
}

const ROUNDS = 2;
/** The least cycles for a season that changes: with fewer, a change cannot be distinguished from chance. */
const MIN_CHANGING_CYCLES = 6;

/**
 * Decomposes a series with several seasons by repeated STL, shortest period first: Bandara, Hyndman and Bergmeir, "MSTL"
 * (2021). With enough cycles, season i of the list has the window 7 + 4i, as in the paper.
 */
export function mstl(
  values: Float64Array,
  periods: readonly number[],
  { robustRounds = 0, minChangingCycles = MIN_CHANGING_CYCLES } = {},
): MultiDecomposition {
  const ascending = periods.toSorted((left, right) => left - right);
  const seasons = ascending.map((period): { readonly period: number; values: Float64Array } => ({
    period,
    values: new Float64Array(values.length),
  }));
  let rest = values;
  let trend: Float64Array = new Float64Array(values.length);
  for (let round = 0; round < (seasons.length > 1 ? ROUNDS : 1); round++) {
    for (const [index, season] of seasons.entries()) {
      const withSeason = rest.map((value, i) => value + at(season.values, i));
      const cycles = Math.floor(values.length / season.period);
      const seasonalWindow = cycles < minChangingCycles ? 'periodic' : 7 + 4 * (index + 1);
      const decomposition = stl(withSeason, season.period, { seasonalWindow, robustRounds });
      season.values = decomposition.seasonal;
      trend = decomposition.trend;
      rest = withSeason.map((value, i) => value - at(decomposition.seasonal, i));
    }
  }
  return { seasons, adjusted: rest, trend, remainder: rest.map((value, i) => value - at(trend, i)) };
}

/** Returns the sum of the seasons `horizon` points ahead: each repeats its last cycle. */
export function projectedSeasons(seasons: readonly SeasonalComponent[], horizon: number): Float64Array {
  return Float64Array.from({ length: horizon }, (_, h) =>
    seasons.reduce((sum, { period, values }) => sum + at(values, values.length - period + (h % period)), 0),
  );
}
