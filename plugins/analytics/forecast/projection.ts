import { keptOfValues } from '../numeric/kept-of-values.ts';
import { at } from '../numeric/statistics.ts';

/** The forecast of a fitted model. */
export interface Projection {
  readonly mean: Float64Array;
  /** Standard deviation of the error at each point, as the model has it. */
  readonly deviation: Float64Array;
  /**
   * The number of values minus the number of parameters that were estimated from them: the degrees of freedom of the
   * deviations.
   */
  readonly degrees: number;
}

/**
 * Returns the variance of the error of a coming value: the fit's variance on its degrees of freedom, plus the error of the
 * estimated parameters. Akaike, "Fitting autoregressive models for prediction", Annals of the Institute of Statistical
 * Mathematics 21 (1969): the final prediction error. `parameters` counts everything that was estimated, such as the values
 * of a season and the effective parameters of a smooth curve (Hastie and Tibshirani 1990, section 3.5).
 */
export function predictionVariance(squares: number, count: number, parameters: number): number {
  return (squares / degreesOf(count, parameters)) * (1 + Math.min(1, parameters / count));
}

/**
 * The parameters that a search among orders is counted as. It finds the smallest errors, which are smaller than those to
 * come: Ye, "On measuring and correcting the effects of data mining and model selection", Journal
 * of the American Statistical Association 93 (1998).
 */
export const SEARCH_PARAMETERS = 2;

/** Returns the degrees of freedom that are left, at least one. */
export function degreesOf(count: number, parameters: number): number {
  return Math.max(1, count - parameters);
}

/** Fits a model to values and projects it; `undefined` where they are too few or the model does not suit them. */
export type Projector = (values: Float64Array, horizon: number) => Projection | undefined;

/** Makes a projector work on logarithms. The path is the median of the values, not their mean. */
export function onLogarithms(project: Projector): Projector {
  return (values, horizon) => {
    const projection = project(logarithmsOf(values), horizon);
    if (projection === undefined) return undefined;
    const path = projection.mean.map(Math.exp);
    return {
      ...projection,
      mean: path,
      deviation: projection.deviation.map((each, h) => at(path, h) * Math.min(each, MAX_LOG_DEVIATION)),
    };
  };
}

/** The largest deviation of a logarithm that is converted to a relative deviation. */
const MAX_LOG_DEVIATION = 3;

const keptLogarithms = keptOfValues(
  (values) => values.map(Math.log),
  () => '',
);

/** Returns the logarithms of values, which must not change later. */
export function logarithmsOf(values: Float64Array): Float64Array {
  return keptLogarithms(values, undefined);
}
