/** A window of a local regression. */
export interface LoessWindow {
  /** The number of neighbours, which is odd; beyond the data's length, the weights widen in proportion. */
  readonly width: number;
  /** 0: a local constant, 1: a local line. */
  readonly degree: 0 | 1;
  /** The distance in points between two computed regressions; the values between them are interpolated. */
  readonly jump: number;
}

/** Evenly spaced values: `count` of a list, every `step`-th from `first` on. */
export interface LoessPoints {
  readonly values: Float64Array;
  /** One for each of `values`. */
  readonly weights: Float64Array | undefined;
  readonly first: number;
  readonly step: number;
  readonly count: number;
}

/**
 * Smooths evenly spaced values by locally weighted regression with tricube weights (Cleveland 1979); each point is also
 * weighted by its own weight. Writes every `step`-th number of `into`, from `at` on. `loessAt` reaches positions other than the data's own.
 */
export function loess(points: LoessPoints, window: LoessWindow, into: Float64Array, at: number): void {
  const { count, step } = points;
  if (count === 0) return;
  const jump = Math.min(window.jump, Math.max(1, count - 1));
  let previous = 0;
  let before = loessAt(points, 0, window);
  into[at] = before;
  for (let i = jump; i < count + jump; i += jump) {
    const position = Math.min(i, count - 1);
    if (position === previous) break;
    const here = loessAt(points, position, window);
    for (let k = previous + 1; k <= position; k++) {
      into[at + k * step] = before + ((here - before) * (k - previous)) / (position - previous);
    }
    previous = position;
    before = into[at + position * step] ?? 0;
  }
}

/** Returns the value of the local regression at `position`, which may be one step outside the data. */
export function loessAt(
  { values, weights, first: start, step, count: n }: LoessPoints,
  position: number,
  { width, degree }: LoessWindow,
): number {
  const neighbours = Math.min(width, n);
  const first = Math.max(0, Math.min(n - neighbours, Math.round(position) - Math.floor(neighbours / 2)));
  const last = first + neighbours - 1;
  let reach = Math.max(position - first, last - position);
  if (width > n) reach += Math.floor((width - n) / 2);
  if (reach === 0) return values[start + first * step] ?? 0;
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
    const weight = weights === undefined ? kernel : kernel * (weights[start + j * step] ?? 0);
    const y = values[start + j * step] ?? 0;
    total += weight;
    sumX += weight * x;
    sumY += weight * y;
    sumXX += weight * x * x;
    sumXY += weight * x * y;
  }
  // Robustness weights may remove a whole neighbourhood. The value itself is then used.
  if (total <= 1e-12) return values[start + step * Math.max(0, Math.min(n - 1, Math.round(position)))] ?? 0;
  const spread = sumXX - (sumX * sumX) / total;
  if (degree === 0 || Math.sqrt(Math.max(0, spread / total)) < 0.001 * Math.max(1, n - 1) * 0.001) return sumY / total;
  const slope = (sumXY - (sumX * sumY) / total) / spread;
  return (sumY - slope * sumX) / total;
}
