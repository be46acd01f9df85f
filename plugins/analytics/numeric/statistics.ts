/** Elementary statistics of a list of numbers. */

/** Returns the value at `index`; the index is in range by the caller's construction. */
export function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? Number.NaN;
}

export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += at(values, i);
  return sum / values.length;
}

/** Returns the sample variance (divisor n - 1); 0 for fewer than two values. */
export function variance(values: ArrayLike<number>): number {
  if (values.length < 2) return 0;
  const center = mean(values);
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (at(values, i) - center) ** 2;
  return sum / (values.length - 1);
}

export function standardDeviation(values: ArrayLike<number>): number {
  return Math.sqrt(variance(values));
}

/** Returns the quantile of values that are sorted upwards, by linear interpolation (Hyndman and Fan 1996, type 7). */
function quantileOfSorted(sorted: ArrayLike<number>, probability: number): number {
  const position = (sorted.length - 1) * probability;
  const below = Math.floor(position);
  const low = at(sorted, below);
  if (below + 1 >= sorted.length) return low;
  return low + (position - below) * (at(sorted, below + 1) - low);
}

export function quantile(values: ArrayLike<number>, probability: number): number {
  return quantileOfSorted(new Float64Array(values).sort(), probability);
}

export function median(values: ArrayLike<number>): number {
  return quantile(values, 0.5);
}

/** 1 / Φ⁻¹(3/4): makes the median absolute deviation of normal data equal to its standard deviation. */
const MAD_TO_SIGMA = 1.482602218505602;

/** Returns the median absolute deviation from the median, scaled to the standard deviation of normal data. */
export function scaledMad(values: ArrayLike<number>): number {
  const center = median(values);
  return MAD_TO_SIGMA * median(Float64Array.from(values, (value) => Math.abs(value - center)));
}

/** Returns the steps from each value to the next. */
export function stepsOf(values: Float64Array): Float64Array {
  return values.slice(1).map((value, i) => value - at(values, i));
}

/** Returns the autocorrelation at `lag`; 0 for constant values. */
export function autocorrelation(values: ArrayLike<number>, lag: number): number {
  const center = mean(values);
  let cross = 0;
  let total = 0;
  for (let i = 0; i < values.length; i++) {
    const deviation = at(values, i) - center;
    total += deviation ** 2;
    if (i >= lag) cross += deviation * (at(values, i - lag) - center);
  }
  return total === 0 ? 0 : cross / total;
}

/** Fits a straight line by least squares: its level at `center`, the middle of the values, and its slope. */
export function fitLine(values: Float64Array): {
  readonly center: number;
  readonly level: number;
  readonly slope: number;
} {
  const center = (values.length - 1) / 2;
  const level = mean(values);
  let cross = 0;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    cross += (i - center) * (at(values, i) - level);
    squares += (i - center) ** 2;
  }
  return { center, level, slope: squares === 0 ? 0 : cross / squares };
}

/** Subtracts the straight line that fits best. */
export function withoutTrend(values: Float64Array): Float64Array {
  const { center, level, slope } = fitLine(values);
  return values.map((value, i) => value - level - slope * (i - center));
}
