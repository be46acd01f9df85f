/** Decides which seasons of a series a forecast may repeat. */
import { at, median, stepsOf, withoutTrend } from '../numeric/statistics.ts';
import { withoutSeason } from './stl.ts';

/** The least whole cycles in which a forecast looks for a season. */
const MIN_CYCLES = 3;
/** With as many cycles, the autocorrelation is evidence enough. */
const MANY_CYCLES = 4;
/** The largest share of its deviations that a cycle may keep when the other cycles predict it. */
const MAX_ERROR_SHARE = 0.95;

/** Returns the seasons (ascending) that have three whole cycles and, where these are few, predict each other's values. */
export function repeatingPeriods(values: Float64Array, periods: readonly number[]): readonly number[] {
  const repeating: number[] = [];
  for (const period of periods) {
    const cycles = Math.floor(values.length / period);
    if (cycles < MIN_CYCLES) continue;
    const rest = repeating.reduce(withoutSeason, values);
    if (cycles >= MANY_CYCLES || predictsItself(withoutTrend(rest), period) || repeatsSteps(rest, period))
      repeating.push(period);
  }
  return repeating;
}

/**
 * Returns whether the steps from value to value repeat with the period: each cycle's steps are predicted by the others. A
 * level that walks hides a season from the autocorrelation of the values, but not from the steps. Needs two whole cycles.
 */
export function repeatsSteps(values: Float64Array, period: number): boolean {
  return predictsItself(stepsOf(values), period);
}

/**
 * Returns whether the mean of the other cycles predicts a cycle better than the cycle's level does: a cross-validation by
 * cycles. Errors are absolute and the level is the median, so that an outlier does not decide.
 */
function predictsItself(values: Float64Array, period: number): boolean {
  const count = Math.floor(values.length / period);
  const cycles = Array.from({ length: count }, (_, k) => {
    const end = values.length - k * period;
    const cycle = values.subarray(end - period, end);
    const center = median(cycle);
    return cycle.map((value) => value - center);
  });
  let withSeason = 0;
  let withoutSeason = 0;
  for (let phase = 0; phase < period; phase++) {
    const sum = cycles.reduce((total, cycle) => total + at(cycle, phase), 0);
    for (const cycle of cycles) {
      const value = at(cycle, phase);
      withSeason += Math.abs(value - (sum - value) / (count - 1));
      withoutSeason += Math.abs(value);
    }
  }
  return withSeason < MAX_ERROR_SHARE * withoutSeason;
}
