/** States that exponential smoothing begins with: Hyndman, Koehler, Ord and Snyder (2008), section 2.6.1. */
import { at, mean } from '../numeric/statistics.ts';
import type { EtsForm, EtsSeason, EtsState } from './ets-model.ts';

/** Points by which the first level and slope are estimated where there is no season. */
const FIRST_POINTS = 10;
/** Cycles by which a season is estimated. */
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
  const center = (adjusted.length - 1) / 2;
  const level = mean(adjusted);
  let cross = 0;
  let squares = 0;
  for (let i = 0; i < adjusted.length; i++) {
    cross += (i - center) * (at(adjusted, i) - level);
    squares += (i - center) ** 2;
  }
  const slope = trend === 'N' || squares === 0 ? 0 : cross / squares;
  return { level: trend === 'N' ? level : level - slope * (center + 1), slope, seasons, lastError: 0 };
}

/** Averages how the points of the first cycles differ from the mean of their cycle. */
function firstSeason(values: Float64Array, period: number, kind: 'A' | 'M'): Float64Array {
  const cycles = Math.max(1, Math.min(FIRST_CYCLES, Math.floor(values.length / period)));
  const sums = new Float64Array(period);
  for (let cycle = 0; cycle < cycles; cycle++) {
    const own = values.subarray(cycle * period, (cycle + 1) * period);
    const level = mean(own);
    for (let phase = 0; phase < own.length; phase++) {
      const value = at(own, phase);
      sums[phase] = at(sums, phase) + (kind === 'A' ? value - level : value / level);
    }
  }
  const season = sums.map((sum) => sum / cycles);
  const center = mean(season);
  return season.map((value) => (kind === 'A' ? value - center : Math.max(1e-3, value / center)));
}
