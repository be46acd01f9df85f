/**
 * The Prophet model: Taylor and Letham, "Forecasting at Scale", The American Statistician 72 (2018): a piecewise linear
 * trend with a slope that changes sparsely, Fourier seasons, normal noise. The maximum a posteriori fit is found by
 * iteratively reweighted least squares: a Laplace prior is a normal one with a scale that follows the size of the
 * coefficient.
 */
import {
  combination,
  crossProducts,
  dot,
  inverseDiagonal,
  inverseForms,
  projections,
  solveSymmetric,
} from '../../numeric/least-squares.ts';
import { mean } from '../../numeric/statistics.ts';
import { degreesOf, type Projection } from '../projection.ts';

/** The model's own defaults: `n_changepoints`, `changepoint_range`, `changepoint_prior_scale`, `seasonality_prior_scale`. */
const CHANGEPOINTS = 25;
const CHANGEPOINT_RANGE = 0.8;
const CHANGEPOINT_SCALE = 0.05;
const SEASON_SCALE = 10;
const TREND_SCALE = 5;
/** The noise, as a share of the largest value, that weighs the two wide priors. It only keeps the system solvable. */
const BASE_NOISE = 0.1;
/**
 * The most pairs of sine and cosine of a season: the model's default for a year. A season with fewer points has fewer
 * pairs.
 */
const FOURIER_ORDER = 10;
const MAX_ROUNDS = 20;
/** Sum of the changes of all coefficients, as a share of the largest value, at which the fit has converged. */
const TOLERANCE = 1e-3;

/** The origin and the unit of the values that the priors are for. */
export interface ProphetUnit {
  readonly origin: number;
  readonly size: number;
}

export interface ProphetFit {
  readonly length: number;
  readonly periods: readonly number[];
  readonly unit: ProphetUnit;
  readonly changepoints: readonly number[];
  /** Coefficients of constant, slope, sines and cosines. */
  readonly base: Float64Array;
  /** The change of the slope at each changepoint. */
  readonly changes: Float64Array;
  readonly fitted: Float64Array;
  /** The effective number of parameters: a change of slope that its prior shrinks counts in part. */
  readonly parameters: number;
  /** The posterior precision of the changes of slope, as a multiple of that of the noise. */
  readonly precision: Float64Array;
  /** The mean square of a change of slope under its posterior. */
  readonly meanSquareChange: number;
}

/**
 * Fits trend and seasons. The priors of the line and the seasons are too wide to bind. Both are therefore removed
 * from the values and from the changes of slope first (Frisch and Waugh 1933, Lovell 1963), and only the changes are
 * iterated.
 */
export function fitProphet(
  values: Float64Array,
  periods: readonly number[],
  unit: ProphetUnit = { origin: 0, size: largestOf(values.map(Math.abs)) || 1 },
): ProphetFit {
  const length = values.length;
  const target = values.map((value) => (value - unit.origin) / unit.size);
  const design = cachedDesign(length, periods);
  const { changepoints, baseColumns, changeColumns, changeProducts } = design;
  const size = changepoints.length;
  const rest = withoutBase(design, target);
  const right = projections(changeColumns, rest);
  const restSquares = dot(rest, rest);
  const precisions = changepoints.map(() => 1 / CHANGEPOINT_SCALE ** 2);
  const penalised = new Float64Array(size * size);
  let noise = 0.1;
  let changes: Float64Array = new Float64Array(size);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    penalised.set(changeProducts);
    for (let i = 0; i < size; i++) {
      penalised[i * (size + 1)] = (changeProducts[i * (size + 1)] ?? 0) + noise ** 2 * (precisions[i] ?? 0);
    }
    const next = solveSymmetric(penalised, right);
    const moved = next.reduce((sum, value, i) => sum + Math.abs(value - (changes[i] ?? 0)), 0);
    changes = next;
    noise = Math.max(1e-6, Math.sqrt(Math.max(0, squaredError(changeProducts, right, restSquares, changes)) / length));
    for (let i = 0; i < size; i++) {
      precisions[i] = 1 / (CHANGEPOINT_SCALE * Math.max(1e-8, Math.abs(changes[i] ?? 0)));
    }
    if (moved < TOLERANCE) break;
  }
  const bends = combination(ramps(length, 0, length, changepoints), changes, length);
  const base = fitBase(
    design,
    target.map((value, i) => value - (bends[i] ?? 0)),
  );
  const line = combination(baseColumns, base);
  const fitted = line.map((value, i) => unit.origin + (value + (bends[i] ?? 0)) * unit.size);
  // The trace of the matrix that maps values to fitted values: Hastie and Tibshirani (1990), section 3.5.
  const freedom = inverseDiagonal(penalised, size);
  const parameters = freedom.reduce(
    (sum, each, i) => sum + 1 - each * ((penalised[i * (size + 1)] ?? 0) - (changeProducts[i * (size + 1)] ?? 0)),
    base.length,
  );
  const squares = changes.map((change, i) => change ** 2 + noise ** 2 * (freedom[i] ?? 0));
  return {
    length,
    periods,
    unit,
    changepoints,
    base,
    changes,
    fitted,
    parameters,
    precision: penalised,
    meanSquareChange: size === 0 ? 0 : mean(squares),
  };
}

/**
 * Returns the unit of logarithms. Their differences are shares of a value already, as the values divided by the largest one
 * are: the priors mean the same on both scales, whatever the values are counted in.
 */
export function unitOfLogarithms(logarithms: Float64Array): ProphetUnit {
  return { origin: largestOf(logarithms), size: 1 };
}

function largestOf(values: Float64Array): number {
  return values.reduce((largest, value) => Math.max(largest, value), Number.NEGATIVE_INFINITY);
}

/** The part of a fit that does not depend on the values: series of one length and the same seasons share it. */
interface Design {
  readonly changepoints: readonly number[];
  readonly baseColumns: readonly Float64Array[];
  readonly baseProducts: Float64Array;
  /** The changes of slope without the part that line and seasons explain. */
  readonly changeColumns: readonly Float64Array[];
  readonly changeProducts: Float64Array;
  /** The coefficients by which line and seasons explain each change of slope. */
  readonly explained: readonly Float64Array[];
}

/** Number of cached designs: for a length and its trials, for two lengths. */
const MAX_DESIGNS = 8;
const designs = new Map<string, Design>();

function cachedDesign(length: number, periods: readonly number[]): Design {
  const key = [length, ...periods].join();
  const design = designs.get(key) ?? makeDesign(length, periods);
  designs.delete(key);
  designs.set(key, design);
  const [oldest] = designs.keys();
  if (designs.size > MAX_DESIGNS && oldest !== undefined) designs.delete(oldest);
  return design;
}

function makeDesign(length: number, periods: readonly number[]): Design {
  const reach = Math.floor(CHANGEPOINT_RANGE * length);
  const count = Math.min(CHANGEPOINTS, reach - 1);
  const changepoints = Array.from(
    { length: Math.max(0, count) },
    (_, i) => Math.round(((i + 1) * (reach - 1)) / count) / (length - 1),
  );
  const baseColumns = lineAndWaves(length, 0, length, periods);
  const baseProducts = crossProducts(baseColumns);
  for (let i = 0; i < baseColumns.length; i++) {
    const place = i * (baseColumns.length + 1);
    baseProducts[place] = (baseProducts[place] ?? 0) + BASE_NOISE ** 2 / (i < 2 ? TREND_SCALE : SEASON_SCALE) ** 2;
  }
  const bends = ramps(length, 0, length, changepoints);
  const explained = bends.map((column) => fitBase({ baseColumns, baseProducts }, column));
  const changeColumns = bends.map((column, i) => without(column, baseColumns, explained[i] ?? column));
  const changeProducts = crossProducts(changeColumns);
  return { changepoints, baseColumns, baseProducts, changeColumns, changeProducts, explained };
}

/** Returns the coefficients of constant, slope, sines and cosines that explain the target best. */
function fitBase({ baseColumns, baseProducts }: Pick<Design, 'baseColumns' | 'baseProducts'>, target: Float64Array) {
  return solveSymmetric(baseProducts, projections(baseColumns, target));
}

function withoutBase(design: Pick<Design, 'baseColumns' | 'baseProducts'>, target: Float64Array): Float64Array {
  return without(target, design.baseColumns, fitBase(design, target));
}

function without(target: Float64Array, columns: readonly Float64Array[], coefficients: Float64Array): Float64Array {
  const explained = combination(columns, coefficients, target.length);
  return target.map((value, i) => value - (explained[i] ?? 0));
}

/**
 * Returns the posterior variance of trend and seasons at the `horizon` next points, as a multiple of that of the noise: that
 * of a line and waves, and that of the changes of slope that they do not explain (Gelman and others 2013, section 14.2).
 */
export function projectionLeverage({ length, periods, precision }: ProphetFit, horizon: number): Float64Array {
  const { changepoints, baseProducts, explained } = cachedDesign(length, periods);
  const base = lineAndWaves(horizon, length, length, periods);
  const bends = ramps(horizon, length, length, changepoints).map((column, i) =>
    without(column, base, explained[i] ?? column),
  );
  const ofBase = inverseForms(baseProducts, transposed(base, horizon));
  const ofChanges = inverseForms(precision, transposed(bends, horizon));
  return ofBase.map((each, h) => each + (ofChanges[h] ?? 0));
}

function transposed(columns: readonly Float64Array[], length: number): readonly Float64Array[] {
  return Array.from({ length }, (_, h) => Float64Array.from(columns, (column) => column[h] ?? 0));
}

/**
 * Projects trend and seasons. The deviation is only the trend's: changes of slope continue with the frequency and mean square
 * of the past (section 3.1.4 of the paper; the variance of its simulated paths in closed form). The square counts how uncertain
 * each change is, because the prior makes the most probable changes too small: the expectation step for a variance of
 * coefficients, Gelman and others (2013), sections 13.4 and 13.6.
 */
export function projectProphet(
  { length, periods, unit, changepoints, base, changes, parameters, meanSquareChange }: ProphetFit,
  horizon: number,
): Projection {
  const line = combination(lineAndWaves(horizon, length, length, periods), base);
  const bends = combination(ramps(horizon, length, length, changepoints), changes, horizon);
  const rate = changepoints.length / CHANGEPOINT_RANGE;
  return {
    degrees: degreesOf(length, parameters),
    mean: line.map((value, h) => unit.origin + (value + (bends[h] ?? 0)) * unit.size),
    deviation: line.map((_, h) => {
      const ahead = (h + 1) / (length - 1);
      return unit.size * Math.sqrt((rate * meanSquareChange * ahead ** 3) / 3);
    }),
  };
}

/** Returns constant, slope, sines and cosines of `count` points from `first` on. */
function lineAndWaves(
  count: number,
  first: number,
  length: number,
  periods: readonly number[],
): readonly Float64Array[] {
  const column = (value: (index: number) => number) => new Float64Array(count).map((_, i) => value(first + i));
  const waves = periods.flatMap((period) =>
    Array.from({ length: Math.min(FOURIER_ORDER, Math.floor(period / 2)) }, (_, k) => period / (k + 1)),
  );
  return [
    column(() => 1),
    column((index) => index / (length - 1)),
    ...waves.flatMap((wave) => {
      const angle = (2 * Math.PI) / wave;
      const cosine = column((index) => Math.cos(angle * index));
      // The sine of a wave of two points is zero at each of them, and no parameter.
      return wave === 2 ? [cosine] : [column((index) => Math.sin(angle * index)), cosine];
    }),
  ];
}

/** Returns the effect of one unit of change of slope at each changepoint on `count` points from `first` on. */
function ramps(count: number, first: number, length: number, changepoints: readonly number[]): readonly Float64Array[] {
  return changepoints.map((point) =>
    new Float64Array(count).map((_, i) => Math.max(0, (first + i) / (length - 1) - point)),
  );
}

/** Returns the sum of squared errors from the normal equations, without a pass over the points. */
function squaredError(
  products: Float64Array,
  right: Float64Array,
  targetSquares: number,
  coefficients: Float64Array,
): number {
  const size = coefficients.length;
  let sum = targetSquares;
  for (let i = 0; i < size; i++) {
    let product = 0;
    for (let j = 0; j < size; j++) product += (products[i * size + j] ?? 0) * (coefficients[j] ?? 0);
    sum += (coefficients[i] ?? 0) * (product - 2 * (right[i] ?? 0));
  }
  return sum;
}
