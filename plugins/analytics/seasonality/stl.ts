import { at, median } from '../numeric/statistics.ts';
import { type LoessWindow, loess, loessAt } from './loess.ts';

export interface Decomposition {
  readonly trend: Float64Array;
  readonly seasonal: Float64Array;
  readonly remainder: Float64Array;
}

export interface StlOptions {
  /** Window of the smoothing of each position of the season over the cycles; `periodic` keeps the season the same. */
  readonly seasonalWindow: number | 'periodic';
  /** The number of outer rounds, which give outliers less weight by the bisquare function. */
  readonly robustRounds: number;
}

/**
 * Decomposes a series into trend, season and remainder by loess: Cleveland, Cleveland, McRae and Terpenning, "STL: A
 * Seasonal-Trend Decomposition Procedure Based on Loess", Journal of Official Statistics 6 (1990). Widths follow its
 * section 3. Needs two whole cycles.
 */
export function stl(values: Float64Array, period: number, { seasonalWindow, robustRounds }: StlOptions): Decomposition {
  const n = values.length;
  const isPeriodic = seasonalWindow === 'periodic';
  const width = isPeriodic ? 10 * n + 1 : odd(seasonalWindow);
  const trendWidth = odd(Math.ceil((1.5 * period) / (1 - 1.5 / width)));
  const season = { width, degree: isPeriodic ? 0 : 1, jump: Math.ceil(width / 10) } as const;
  const trendWindow = { width: trendWidth, degree: 1, jump: Math.ceil(trendWidth / 10) } as const;
  const lowWidth = odd(period);
  const low = { width: lowWidth, degree: 1, jump: Math.ceil(lowWidth / 10) } as const;
  const trend = new Float64Array(n);
  const seasonal = new Float64Array(n);
  const remainder = new Float64Array(n);
  // The same memory serves all rounds: making lists took most of the time.
  const rest = new Float64Array(n);
  const cycle = new Float64Array(n + 2 * period);
  const averages = [new Float64Array(n + period + 1), new Float64Array(n + 2)] as const;
  const level = new Float64Array(n);
  let weights = robustRounds === 0 ? undefined : firstWeights(values, period);

  for (let round = 0; round <= robustRounds; round++) {
    for (let inner = 0; inner < (robustRounds === 0 ? 2 : 1); inner++) {
      for (let i = 0; i < n; i++) rest[i] = (values[i] ?? 0) - (trend[i] ?? 0);
      smoothCycles(rest, weights, period, season, cycle);
      loess(
        { values: lowPass(cycle, period, averages), weights: undefined, first: 0, step: 1, count: n },
        low,
        level,
        0,
      );
      for (let i = 0; i < n; i++) {
        seasonal[i] = (cycle[i + period] ?? 0) - (level[i] ?? 0);
        rest[i] = (values[i] ?? 0) - (seasonal[i] ?? 0);
      }
      loess({ values: rest, weights, first: 0, step: 1, count: n }, trendWindow, trend, 0);
    }
    if (round < robustRounds) {
      writeRemainder(values, trend, seasonal, remainder);
      weights = bisquareWeights(remainder);
    }
  }
  if (isPeriodic) averageCycle(seasonal, period);
  writeRemainder(values, trend, seasonal, remainder);
  return { trend, seasonal, remainder };
}

function writeRemainder(
  values: Float64Array,
  trend: Float64Array,
  seasonal: Float64Array,
  remainder: Float64Array,
): void {
  for (let i = 0; i < values.length; i++) remainder[i] = (values[i] ?? 0) - (trend[i] ?? 0) - (seasonal[i] ?? 0);
}

/** Smooths each position of the season on its own, and writes `cycle`, which has one cycle more at both ends. */
function smoothCycles(
  values: Float64Array,
  weights: Float64Array | undefined,
  period: number,
  window: LoessWindow,
  cycle: Float64Array,
): void {
  for (let phase = 0; phase < period; phase++) {
    const count = Math.floor((values.length - 1 - phase) / period) + 1;
    const points = { values, weights, first: phase, step: period, count };
    loess(points, window, cycle, phase + period);
    cycle[phase] = loessAt(points, -1, window);
    cycle[phase + (count + 1) * period] = loessAt(points, count, window);
  }
}

/**
 * Smooths a cycle by moving averages of its length twice and of length three; the result is as long as the series
 * again. Both lists of `averages` are overwritten, and the first has the result.
 */
function lowPass(
  cycle: Float64Array,
  period: number,
  [averages, twice]: readonly [Float64Array, Float64Array],
): Float64Array {
  const n = cycle.length - 2 * period;
  writeMovingAverage(cycle, cycle.length, period, averages);
  writeMovingAverage(averages, n + period + 1, period, twice);
  writeMovingAverage(twice, n + 2, 3, averages);
  return averages;
}

/** Writes the averages of `width` neighbours among the first `count` values. */
function writeMovingAverage(values: Float64Array, count: number, width: number, into: Float64Array): void {
  let sum = 0;
  for (let i = 0; i < count; i++) {
    sum += values[i] ?? 0;
    if (i >= width) sum -= values[i - width] ?? 0;
    if (i >= width - 1) into[i - width + 1] = sum / width;
  }
}

/**
 * The least scale of the remainder, as a part of the largest remainder, so that the rounding errors of a nearly exact
 * decomposition are not outliers.
 */
const MIN_SCALE = 1e-3;

function bisquareWeights(remainder: Float64Array): Float64Array {
  const sizes = remainder.map(Math.abs);
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
  const scale = Math.max(6 * median(sizes), MIN_SCALE * largest);
  return sizes.map((size) => {
    if (size <= 0.001 * scale) return 1;
    return size >= 0.999 * scale ? 0 : (1 - (size / scale) ** 2) ** 2;
  });
}

/**
 * Returns weights by a trend and a season of medians. The paper starts with equal weights, but then an outlier among few
 * cycles moves the mean of its season so far that the other cycles count as outliers.
 */
function firstWeights(values: Float64Array, period: number): Float64Array {
  const reach = Math.floor(period / 2);
  const level = values.map((_, i) => {
    const from = Math.max(0, Math.min(i - reach, values.length - 2 * reach - 1));
    return median(values.subarray(from, from + 2 * reach + 1));
  });
  const rest = values.map((value, i) => value - (level[i] ?? 0));
  const season = Array.from({ length: period }, (_, phase) => median(rest.filter((_, i) => i % period === phase)));
  return bisquareWeights(rest.map((value, i) => value - (season[i % period] ?? 0)));
}

/** Makes all cycles the same: their average. */
function averageCycle(seasonal: Float64Array, period: number): void {
  const sums = new Float64Array(period);
  const counts = new Float64Array(period);
  for (let i = 0; i < seasonal.length; i++) {
    sums[i % period] = (sums[i % period] ?? 0) + (seasonal[i] ?? 0);
    counts[i % period] = (counts[i % period] ?? 0) + 1;
  }
  for (let i = 0; i < seasonal.length; i++) seasonal[i] = (sums[i % period] ?? 0) / (counts[i % period] ?? 0);
}

function odd(width: number): number {
  const whole = Math.max(3, Math.ceil(width));
  return whole % 2 === 0 ? whole + 1 : whole;
}

/** Subtracts the season of a period, which is the same in every cycle. */
export function withoutSeason(values: Float64Array, period: number): Float64Array {
  const { seasonal } = stl(values, period, { seasonalWindow: 'periodic', robustRounds: 0 });
  return values.map((value, i) => value - at(seasonal, i));
}
