/** Estimates the initial states of exponential smoothing: Hyndman, Koehler, Ord and Snyder (2008), section 2.6.1. */
import { at, fitLine, mean } from '../../numeric/statistics.ts';
import type { EtsForm, EtsSeason, EtsState } from './model.ts';

/** Points that estimate the first level and slope where there is no season. */
const FIRST_POINTS = 10;
/** Cycles that estimate a season. */
const FIRST_CYCLES = 4;

export function initialState(values: Float64Array, { trend, season, periods }: EtsForm): EtsState {
  let adjusted = values.slice(0, Math.max(FIRST_POINTS, 2 * Math.max(0, ...periods)));
  let rest = values;
  const seasons = periods.map((period): EtsSeason => {
    const cycle = firstSeason(rest, period, season === 'M' ? 'M' : 'A');
    const without = (value: number, i: number) =>
      season === 'M' ? value / at(cycle, i % period) : value - at(cycle, i % period);
    adjusted = adjusted.map(without);
    rest = rest.map(without);
    return { values: cycle, phase: 0 };
  });
  const { center, level, slope: fittedSlope } = fitLine(adjusted);
  const slope = trend === 'N' ? 0 : fittedSlope;
  return { level: trend === 'N' ? level : level - slope * (center + 1), slope, seasons, lastError: 0 };
}

/**
 * Averages the differences between the points of the first cycles and the moving average of a cycle around them.
 * Differences from the mean of a cycle would include the trend, which the season would then repeat.
 */
function firstSeason(values: Float64Array, period: number, kind: 'A' | 'M'): Float64Array {
  const cycles = Math.max(1, Math.min(FIRST_CYCLES, Math.floor(values.length / period)));
  const first = values.subarray(0, cycles * period);
  const half = Math.floor(period / 2);
  const sums = new Float64Array(period);
  const counts = new Float64Array(period);
  for (let i = half; i + half < first.length; i++) {
    const level = centredAverage(first, i, period, half);
    sums[i % period] = at(sums, i % period) + (kind === 'A' ? at(first, i) - level : at(first, i) / level);
    counts[i % period] = at(counts, i % period) + 1;
  }
  const season = sums.map((sum, phase) => (at(counts, phase) === 0 ? Number(kind === 'M') : sum / at(counts, phase)));
  const center = mean(season);
  return season.map((value) => (kind === 'A' ? value - center : Math.max(1e-3, value / center)));
}

/** Averages a whole cycle around a point. In an even cycle, both ends count half. */
function centredAverage(values: Float64Array, index: number, period: number, half: number): number {
  let sum = 0;
  for (let k = index - half; k <= index + half; k++) sum += at(values, k);
  if (period % 2 === 0) sum -= (at(values, index - half) + at(values, index + half)) / 2;
  return sum / period;
}
