import { fillGaps } from '../numeric/fill-gaps.ts';
import { at } from '../numeric/statistics.ts';
import { mstl } from './mstl.ts';

/** Filled values flatten the seasons that fill them. With half of the values missing, each round halves that error. */
const ROUNDS = 6;

/**
 * Fills gaps by the seasons: the straight line between the neighbours of a gap without their seasons, plus the season of
 * each point.
 *
 * @param values with a number at each gap
 * @param gaps positions, ascending
 * @param periods ascending, each with two cycles at least
 */
export function fillBySeason(values: Float64Array, gaps: readonly number[], periods: readonly number[]): Float64Array {
  if (gaps.length === 0 || periods.length === 0) return values;
  const filled = values.slice();
  for (let round = 0; round < ROUNDS; round++) {
    const { adjusted } = mstl(filled, periods);
    const seasonal = filled.map((value, i) => value - at(adjusted, i));
    for (const gap of gaps) adjusted[gap] = Number.NaN;
    fillGaps(adjusted);
    for (const gap of gaps) filled[gap] = at(adjusted, gap) + at(seasonal, gap);
  }
  return filled;
}
