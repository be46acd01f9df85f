import { at } from './statistics.ts';

/** Fills missing values (NaN) by the straight line between their neighbours; returns their number. The first and the last exist. */
export function fillGaps(values: Float64Array): number {
  let filled = 0;
  let previous = 0;
  for (let i = 1; i < values.length; i++) {
    if (Number.isNaN(at(values, i))) continue;
    const [from, to] = [at(values, previous), at(values, i)];
    for (let k = previous + 1; k < i; k++) {
      values[k] = from + ((to - from) * (k - previous)) / (i - previous);
      filled += 1;
    }
    previous = i;
  }
  return filled;
}
