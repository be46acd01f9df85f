/** Projects intermittent demand: a level of the mean demand of a period. */
import { at, mean } from '../../numeric/statistics.ts';
import { degreesOf, type Projection, type Projector, predictionVariance } from '../projection.ts';
import { meanInterval } from './demand.ts';
import { crostonRates, type DemandSmoothing, type Rates, smoothedRates, tsbRates } from './rates.ts';

/** The smoothing parameter of Croston's own examples, which later studies keep. */
const USUAL: DemandSmoothing = { size: 0.1, interval: 0.1 };
/** The parameters among which an optimised form chooses. */
const GRID = [0.02, 0.05, 0.1, 0.15, 0.2, 0.3];
/** The longest bucket of an aggregation, and the fewest buckets that are smoothed. */
const MAX_BUCKET = 24;
const MIN_BUCKETS = 4;

export const projectCroston: Projector = (values, horizon) => level(values, crostonRates(values, USUAL), horizon, 0);

export const projectSba: Projector = (values, horizon) =>
  level(values, crostonRates(values, USUAL, 1 - USUAL.interval / 2), horizon, 0);

export const projectOptimisedCroston: Projector = (values, horizon) => {
  const rates = GRID.flatMap((size) => GRID.map((interval) => crostonRates(values, { size, interval })));
  return level(values, bestRates(values, rates), horizon, 2);
};

export const projectTsb: Projector = (values, horizon) => {
  const rates = GRID.flatMap((size) => GRID.map((interval) => tsbRates(values, { size, interval })));
  return level(values, bestRates(values, rates), horizon, 2);
};

/**
 * Averages the rates of the series in buckets of 1, 2, … periods up to the mean interval between demands: Petropoulos and
 * Kourentzes, "Forecast combinations for intermittent demand", Journal of the Operational Research Society 66 (2015).
 */
export const projectImapa: Projector = (values, horizon) => {
  const longest = Math.min(MAX_BUCKET, Math.max(1, Math.round(meanInterval(values))));
  const levels = Array.from({ length: longest }, (_, k) => bucketRate(values, k + 1)).filter(Number.isFinite);
  if (levels.length === 0) return undefined;
  const rate = mean(levels);
  const base = bestRates(
    values,
    GRID.map((alpha) => smoothedRates(values, alpha)),
  );
  const projection = level(values, base, horizon, 1);
  return { ...projection, mean: new Float64Array(horizon).fill(rate) };
};

/** Returns the demand of a period by the smoothed buckets of `size` periods, which end with the series. */
export function bucketRate(values: Float64Array, size: number): number {
  const count = Math.floor(values.length / size);
  if (count < MIN_BUCKETS) return Number.NaN;
  const first = values.length - count * size;
  const buckets = Float64Array.from({ length: count }, (_, k) =>
    values.subarray(first + k * size, first + (k + 1) * size).reduce((sum, value) => sum + value, 0),
  );
  const rates = bestRates(
    buckets,
    GRID.map((alpha) => smoothedRates(buckets, alpha)),
  );
  return at(rates, count) / size;
}

/** Chooses the rates with the smallest squared errors. Absolute errors would choose zero. */
function bestRates(values: Float64Array, all: readonly Rates[]): Rates {
  return all.reduce((best, rates) => (squaresOf(values, rates) < squaresOf(values, best) ? rates : best));
}

function squaresOf(values: Float64Array, rates: Rates): number {
  return values.reduce((sum, value, i) => sum + (value - at(rates, i)) ** 2, 0);
}

/** Projects the last rate, with the deviation of the errors so far. */
function level(values: Float64Array, rates: Rates, horizon: number, parameters: number): Projection {
  const variance = predictionVariance(squaresOf(values, rates), values.length, parameters + 1);
  return {
    mean: new Float64Array(horizon).fill(at(rates, values.length)),
    deviation: new Float64Array(horizon).fill(Math.sqrt(variance)),
    degrees: degreesOf(values.length, parameters + 1),
  };
}
