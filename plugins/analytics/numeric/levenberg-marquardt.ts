/** Fits the parameters of a model by nonlinear least squares. */
import { crossProducts, dot, solveInPlace } from './least-squares.ts';

export interface LeastSquares {
  readonly point: Float64Array;
  /** The sum of the squared errors at the point; infinite where it could not be computed at the start. */
  readonly squares: number;
}

/**
 * Writes the errors of a model with the parameters of `point` into `errors`, and returns the sum of their squares: infinite
 * or not a number where the parameters are not allowed.
 */
export type ErrorsOf = (point: Float64Array, errors: Float64Array) => number;

export interface LeastSquaresOptions {
  /** The decrease of the sum, as a share of it, at which the search ends. */
  readonly tolerance?: number;
  /** The most computed directions. Each costs one run of the model for each parameter, and one or two more. */
  readonly maxRounds?: number;
}

/** The step of a parameter in a difference quotient. */
const DIFFERENCE = 1e-4;
/**
 * The longest step of a parameter. The models map parameters of any size to a range, so that a step of two moves through
 * most of it.
 */
const MAX_STEP = 2;
const FIRST_DAMPING = 1e-2;
const MIN_DAMPING = 1e-7;
/** The damping at which a direction is no longer shortened. */
const MAX_DAMPING = 1e5;
const EASING = 0.1;
const TIGHTENING = 8;
/** The smallest curvature of a parameter, as a share of the largest: a parameter without an effect keeps its value. */
const MIN_CURVATURE = 1e-8;

/**
 * Minimises the sum of `count` squared errors: Marquardt, "An algorithm for least-squares estimation of nonlinear
 * parameters", Journal of the Society for Industrial and Applied Mathematics 11 (1963), with derivatives by differences. A
 * search that reads the sum alone, such as that of Nelder and Mead (1965), needs several times as many runs of the model.
 */
export function minimiseSquares(
  errorsOf: ErrorsOf,
  start: readonly number[],
  count: number,
  { tolerance = 1e-4, maxRounds = 20 }: LeastSquaresOptions = {},
): LeastSquares {
  const size = start.length;
  let point = Float64Array.from(start);
  const take = memoryFor((size + 2) * count + size * (2 * size + 2));
  let errors = take(count);
  let squares = finite(errorsOf(point, errors));
  if (size === 0 || squares === Number.POSITIVE_INFINITY) return { point, squares };
  let triedErrors = take(count);
  let tried = new Float64Array(size);
  const slopes = start.map(() => take(count));
  const products = take(size * size);
  const damped = take(size * size);
  const downhill = take(size);
  const step = take(size);
  let damping = FIRST_DAMPING;
  for (let round = 0; round < maxRounds; round++) {
    differentiate(errorsOf, point, errors, slopes);
    crossProducts(slopes, products);
    for (let i = 0; i < size; i++) downhill[i] = -dot(slopes[i] ?? errors, errors);
    let largest = 1e-300;
    for (let i = 0; i < size; i++) largest = Math.max(largest, products[i * (size + 1)] ?? 0);
    let decrease = 0;
    for (; damping < MAX_DAMPING; damping *= TIGHTENING) {
      damped.set(products);
      for (let i = 0; i < size; i++) {
        const place = i * (size + 1);
        damped[place] = (1 + damping) * Math.max(products[place] ?? 0, MIN_CURVATURE * largest);
      }
      step.set(downhill);
      solveInPlace(damped, step);
      for (let i = 0; i < size; i++) {
        tried[i] = (point[i] ?? 0) + Math.max(-MAX_STEP, Math.min(MAX_STEP, step[i] ?? 0));
      }
      const next = finite(errorsOf(tried, triedErrors));
      if (next < squares) {
        decrease = squares - next;
        squares = next;
        [point, tried] = [tried, point];
        [errors, triedErrors] = [triedErrors, errors];
        damping = Math.max(MIN_DAMPING, damping * EASING);
        break;
      }
    }
    if (decrease <= tolerance * squares) break;
  }
  return { point, squares };
}

/** The most numbers that are kept for the next search: enough for some thousand values. */
const MAX_KEPT = 100_000;
let kept = new Float64Array(0);

/**
 * Returns a function that takes zeros from memory for `size` numbers. Searches follow one another, so that the next one uses
 * the same memory: the short lists of some thousand rounds would cost a tenth of the time of a forecast.
 */
function memoryFor(size: number): (count: number) => Float64Array {
  const memory = size <= kept.length ? kept : new Float64Array(size);
  if (size <= MAX_KEPT) kept = memory;
  memory.fill(0, 0, size);
  let from = 0;
  return (count) => {
    from += count;
    return memory.subarray(from - count, from);
  };
}

/** Writes the derivatives of the errors by each parameter; zero where no step of the parameter is allowed. */
function differentiate(
  errorsOf: ErrorsOf,
  point: Float64Array,
  errors: Float64Array,
  slopes: readonly Float64Array[],
): void {
  for (let i = 0; i < slopes.length; i++) {
    const slope = slopes[i] ?? errors;
    const value = point[i] ?? 0;
    let step = DIFFERENCE;
    point[i] = value + step;
    if (finite(errorsOf(point, slope)) === Number.POSITIVE_INFINITY) {
      step = -DIFFERENCE;
      point[i] = value + step;
      if (finite(errorsOf(point, slope)) === Number.POSITIVE_INFINITY) step = 0;
    }
    point[i] = value;
    if (step === 0) slope.fill(0);
    else {
      const scale = 1 / step;
      for (let t = 0; t < slope.length; t++) slope[t] = ((slope[t] ?? 0) - (errors[t] ?? 0)) * scale;
    }
  }
}

function finite(squares: number): number {
  return Number.isFinite(squares) ? squares : Number.POSITIVE_INFINITY;
}
