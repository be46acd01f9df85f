import { at } from '../numeric/statistics.ts';

/** A window of a local regression. */
export interface LoessWindow {
  /** The number of neighbours, which is odd; beyond the data's length, the weights widen in proportion. */
  readonly width: number;
  /** 0: a local constant, 1: a local line. */
  readonly degree: 0 | 1;
  /** The distance in points between two computed regressions; the values between them are interpolated. */
  readonly jump: number;
}

/**
 * Smooths evenly spaced values by locally weighted regression with tricube weights (Cleveland 1979); each point is also
 * weighted by `weights`. `loessAt` reaches `positions` other than the data's own.
 */
export function loess(values: Float64Array, weights: Float64Array | undefined, window: LoessWindow): Float64Array {
  const n = values.length;
  const smooth = new Float64Array(n);
  if (n === 0) return smooth;
  const jump = Math.min(window.jump, Math.max(1, n - 1));
  let previous = 0;
  smooth[0] = loessAt(values, weights, 0, window);
  for (let i = jump; i < n + jump; i += jump) {
    const position = Math.min(i, n - 1);
    if (position === previous) break;
    const here = loessAt(values, weights, position, window);
    const before = smooth[previous] ?? 0;
    for (let k = previous + 1; k <= position; k++) {
      smooth[k] = before + ((here - before) * (k - previous)) / (position - previous);
    }
    previous = position;
  }
  return smooth;
}

/** Returns the value of the local regression at `position`, which may be one step outside the data. */
export function loessAt(
  values: Float64Array,
  weights: Float64Array | undefined,
  position: number,
  { width, degree }: LoessWindow,
): number {
  const n = values.length;
  const neighbours = Math.min(width, n);
  const first = Math.max(0, Math.min(n - neighbours, Math.round(position) - Math.floor(neighbours / 2)));
  const last = first + neighbours - 1;
  let reach = Math.max(position - first, last - position);
  if (width > n) reach += Math.floor((width - n) / 2);
  if (reach === 0) return values[first] ?? 0;
  let total = 0;
  let sumX = 0;
  let sumY = 0;
  let sumXX = 0;
  let sumXY = 0;
  for (let j = first; j <= last; j++) {
    const x = j - position;
    const distance = Math.abs(x) / reach;
    if (distance > 0.999) continue;
    const edge = 1 - distance * distance * distance;
    const kernel = distance < 0.001 ? 1 : edge * edge * edge;
    const weight = weights === undefined ? kernel : kernel * (weights[j] ?? 0);
    const y = values[j] ?? 0;
    total += weight;
    sumX += weight * x;
    sumY += weight * y;
    sumXX += weight * x * x;
    sumXY += weight * x * y;
  }
  // Robustness weights may remove a whole neighbourhood. The value itself is then used.
  if (total <= 1e-12) return at(values, Math.max(0, Math.min(n - 1, Math.round(position))));
  const spread = sumXX - (sumX * sumX) / total;
  if (degree === 0 || Math.sqrt(Math.max(0, spread / total)) < 0.001 * Math.max(1, n - 1) * 0.001) return sumY / total;
  const slope = (sumXY - (sumX * sumY) / total) / spread;
  return (sumY - slope * sumX) / total;
}
