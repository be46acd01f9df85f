/** Scores single points by one of three methods: by the distance of a value from the expected value. */
import { normalQuantile } from '../numeric/normal.ts';
import { randomGenerator } from '../numeric/random.ts';
import { at, mean, median, scaledMad } from '../numeric/statistics.ts';
import { mstl } from '../seasonality/mstl.ts';

export interface Scores {
  readonly expected: Float64Array;
  /** The distance in deviations, negative below the expected value; 0 where nothing varies. */
  readonly score: Float64Array;
}

/** The least number of points that a value is compared with. */
const MIN_WINDOW = 24;

/**
 * Scores by mean and standard deviation of other points. A series of fewer than two windows is compared as a whole; in a
 * longer one, each point is compared with the window before it (the first window with itself). A window has at least one
 * cycle. The point itself is left out: with it, an outlier among ten points could not score above 2.8. Because few points
 * estimate the deviation, the score is the normal quantile with the same probability as Student's (Wallace 1959).
 */
export function zscores(values: Float64Array, period = 1): Scores {
  const n = values.length;
  const window = Math.max(MIN_WINDOW, Math.ceil(MIN_WINDOW / period) * period);
  const isRolling = n >= 2 * window;
  const expected = new Float64Array(n);
  const score = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const from = isRolling ? Math.max(0, i - window) : 0;
    const to = isRolling ? Math.max(i, window + 1) : n;
    let sum = 0;
    let count = 0;
    for (let j = from; j < to; j++) {
      if (j === i) continue;
      sum += at(values, j);
      count += 1;
    }
    const center = sum / count;
    let squares = 0;
    for (let j = from; j < to; j++) if (j !== i) squares += (at(values, j) - center) ** 2;
    const deviation = Math.sqrt((squares / (count - 1)) * (1 + 1 / count));
    expected[i] = center;
    score[i] = standardized(at(values, i) - center, deviation, count - 1);
  }
  return { expected, score };
}

/** Returns the normal score with the same probability as this score of Student's distribution with `degrees`. */
function standardized(difference: number, deviation: number, degrees: number): number {
  if (difference === 0) return 0;
  // All other values are equal and this one differs: the highest score.
  const t = Math.abs(difference) / Math.max(deviation, Number.EPSILON * Math.abs(difference) * 1e6);
  const z = Math.sqrt(degrees * Math.log1p((t * t) / degrees)) * ((8 * degrees + 1) / (8 * degrees + 3));
  return Math.sign(difference) * z;
}

/** Scores by median and median absolute deviation: the modified z-score of Iglewicz and Hoaglin (1993). */
export function madScores(values: Float64Array): Scores {
  const center = median(values);
  return { expected: values.map(() => center), score: robustScores(values.map((value) => value - center)) };
}

/** √(π/2): makes the mean absolute deviation of normal data equal to its standard deviation. */
const MEAN_DEVIATION_TO_SIGMA = 1.2533141373155;

/**
 * Scores the differences by their median absolute deviation; where more than half of the values are equal, the mean absolute
 * deviation replaces it, as the authors propose.
 */
function robustScores(differences: Float64Array): Float64Array {
  const spread = scaledMad(differences);
  const size = differences.reduce((largest, each) => Math.max(largest, Math.abs(each)), 0);
  const scale = spread > 1e-9 * size ? spread : MEAN_DEVIATION_TO_SIGMA * mean(differences.map(Math.abs));
  return differences.map((each) => (scale === 0 ? 0 : each / scale));
}

/**
 * One outer round, because the first weights are already robust. Further rounds fit the other points so closely that noise
 * of few cycles gets outliers (3 % of the points of three years instead of 0.2 %). The season is the same in all cycles,
 * because a changing season would follow outliers.
 */
const DECOMPOSITION = { robustRounds: 1, minChangingCycles: Number.POSITIVE_INFINITY } as const;

/** Scores the remainder of trend and seasons. */
export function stlScores(values: Float64Array, periods: readonly number[]): Scores {
  const { remainder } = mstl(values, periods, DECOMPOSITION);
  const share = remainingShare(values.length, periods);
  return {
    expected: values.map((value, i) => value - at(remainder, i)),
    score: robustScores(remainder).map((score) => score * share),
  };
}

/** The points of noise that measure the share; the longer the series, the fewer series. */
const NOISE_POINTS = 600;
const MAX_SHARES = 100;
const shares = new Map<string, number>();

/**
 * Returns the size of the remainder of pure noise, as a share of the noise. A decomposition of few cycles follows noise
 * closely, so that unscaled scores would report every tenth point as an anomaly.
 */
function remainingShare(length: number, periods: readonly number[]): number {
  const key = [length, ...periods].join();
  const cached = shares.get(key);
  if (cached !== undefined) return cached;
  const random = randomGenerator(length);
  const repeats = Math.max(1, Math.ceil(NOISE_POINTS / length));
  const left = Array.from({ length: repeats }, () => {
    const noise = Float64Array.from({ length }, () => normalQuantile(random()));
    return [...mstl(noise, periods, DECOMPOSITION).remainder];
  });
  const share = scaledMad(left.flat());
  if (shares.size >= MAX_SHARES) shares.clear();
  shares.set(key, share);
  return share;
}
