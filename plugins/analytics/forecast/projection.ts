import { at } from '../numeric/statistics.ts';

/** What a fitted model says of the coming points. */
export interface Projection {
  readonly mean: Float64Array;
  /** Standard deviation of the error at each point, as the model has it. */
  readonly deviation: Float64Array;
}

/** Fits a model to values and projects it; `undefined` where they are too few or the model does not suit them. */
export type Projector = (values: Float64Array, horizon: number) => Projection | undefined;

/** Makes a projector work on logarithms. The path is the median of the values, not their mean. */
export function onLogarithms(project: Projector): Projector {
  return (values, horizon) => {
    const projection = project(values.map(Math.log), horizon);
    if (projection === undefined) return undefined;
    const path = projection.mean.map(Math.exp);
    return {
      mean: path,
      deviation: projection.deviation.map((each, h) => at(path, h) * Math.min(each, MAX_LOG_DEVIATION)),
    };
  };
}

/** Keeps the deviation of a logarithm readable as a relative one. */
const MAX_LOG_DEVIATION = 3;
