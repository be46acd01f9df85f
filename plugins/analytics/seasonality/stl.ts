import { at, median } from '../numeric/statistics.ts';
import { loess, loessAt } from './loess.ts';

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
  let trend: Float64Array = new Float64Array(n);
  let seasonal: Float64Array = new Float64Array(n);
  let weights = robustRounds === 0 ? undefined : firstWeights(values, period);

  for (let round = 0; round <= robustRounds; round++) {
    for (let inner = 0; inner < (robustRounds === 0 ? 2 : 1); inner++) {
      const cycle = smoothedCycles(
        values.map((value, i) => value - (trend[i] ?? 0)),
        weights,
        period,
        season,
      );
      const level = loess(lowPass(cycle, period), undefined, low);
      seasonal = Float64Array.from({ length: n }, (_, i) => (cycle[i + period] ?? 0) - (level[i] ?? 0));
      trend = loess(
        values.map((value, i) => value - (seasonal[i] ?? 0)),
        weights,
        trendWindow,
      );
    }
    if (round < robustRounds)
      weights = bisquareWeights(values.map((value, i) => value - (trend[i] ?? 0) - (seasonal[i] ?? 0)));
  }
  if (isPeriodic) seasonal = averagedCycle(seasonal, period);
  return { trend, seasonal, remainder: values.map((value, i) => value - (trend[i] ?? 0) - (seasonal[i] ?? 0)) };
}

/** Smooths each position of the season on its own, extended by one cycle at both ends. */
function smoothedCycles(
  values: Float64Array,
  weights: Float64Array | undefined,
  period: number,
  window: { readonly width: number; readonly degree: 0 | 1; readonly jump: number },
): Float64Array {
  const n = values.length;
  const cycle = new Float64Array(n + 2 * period);
  for (let phase = 0; phase < period; phase++) {
    const count = Math.floor((n - 1 - phase) / period) + 1;
    const phaseValues = Float64Array.from({ length: count }, (_, k) => values[phase + k * period] ?? 0);
    const ownWeights =
      weights === undefined
        ? undefined
        : Float64Array.from({ length: count }, (_, k) => weights[phase + k * period] ?? 0);
    const smooth = loess(phaseValues, ownWeights, window);
    cycle[phase] = loessAt(phaseValues, ownWeights, -1, window);
    for (let k = 0; k < count; k++) cycle[phase + (k + 1) * period] = smooth[k] ?? 0;
    cycle[phase + (count + 1) * period] = loessAt(phaseValues, ownWeights, count, window);
  }
  return cycle;
}

/**
 * Smooths a cycle by moving averages of its length twice and of length three; the result is as long as the series
 * again.
 */
function lowPass(cycle: Float64Array, period: number): Float64Array {
  return movingAverage(movingAverage(movingAverage(cycle, period), period), 3);
}

function movingAverage(values: Float64Array, width: number): Float64Array {
  const averages = new Float64Array(values.length - width + 1);
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    sum += values[i] ?? 0;
    if (i >= width) sum -= values[i - width] ?? 0;
    if (i >= width - 1) averages[i - width + 1] = sum / width;
  }
  return averages;
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

function averagedCycle(seasonal: Float64Array, period: number): Float64Array {
  const sums = new Float64Array(period);
  const counts = new Float64Array(period);
  for (let i = 0; i < seasonal.length; i++) {
    sums[i % period] = (sums[i % period] ?? 0) + (seasonal[i] ?? 0);
    counts[i % period] = (counts[i % period] ?? 0) + 1;
  }
  return seasonal.map((_, i) => (sums[i % period] ?? 0) / (counts[i % period] ?? 0));
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
