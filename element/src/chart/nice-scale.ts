/** The ends and the step of a linear axis. */
export interface NiceScale {
  readonly min: number;
  readonly max: number;
  readonly interval: number;
}

/**
 * Returns round ends of an axis that contain all values and, unless the axis may be cut, zero. Steps are 1, 2 or 5 times a
 * power of ten (Heckbert 1990, "Nice numbers for graph labels").
 */
export function niceScale(values: Iterable<number>, steps: number, isCut = false): NiceScale {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) [low, high] = [0, 1];
  if (!isCut) [low, high] = [Math.min(low, 0), Math.max(high, 0)];
  if (low === high) [low, high] = low === 0 ? [0, 1] : [Math.min(low, 0), Math.max(high, 0)];
  const rough = (high - low) / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const interval = power * ([1, 2, 5, 10].find((step) => step * power >= rough * 0.999) ?? 10);
  const clean = (value: number) => Number(value.toPrecision(12));
  return {
    min: clean(Math.floor(low / interval + 1e-9) * interval),
    max: clean(Math.ceil(high / interval - 1e-9) * interval),
    interval: clean(interval),
  };
}
