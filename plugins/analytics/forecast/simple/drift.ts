/** The last value, and the last value with a drift: Hyndman and Athanasopoulos (2021), sections 5.2 and 5.5. */
import { at, mean, standardDeviation, stepsOf } from '../../numeric/statistics.ts';
import type { Projection } from '../projection.ts';

const MIN_POINTS = 3;
/** The standard errors by which a mean step must differ from zero for a drift. */
const SIGNIFICANT_ERRORS = 2;

/** Continues the line from the first to the last value. Its slope has an error, too. */
export function projectDrift(values: Float64Array, horizon: number): Projection | undefined {
  if (values.length < MIN_POINTS) return undefined;
  const steps = stepsOf(values);
  return walk(values, horizon, mean(steps), standardDeviation(steps));
}

/**
 * Continues a series that is too short for a model: by its drift where the steps agree on one, else by its last value.
 * The interval is that of the last value, because a few steps that agree do not prove a small error.
 */
export function projectShort(values: Float64Array, horizon: number): Projection | undefined {
  if (values.length < MIN_POINTS) return undefined;
  const steps = stepsOf(values);
  const drift = mean(steps);
  const error = standardDeviation(steps) / Math.sqrt(steps.length);
  const isDrifting = Math.abs(drift) > SIGNIFICANT_ERRORS * error;
  return walk(values, horizon, isDrifting ? drift : 0, rootMeanSquare(steps));
}

/** Projects a random walk. The error of the slope adds a share to its variance. */
function walk(values: Float64Array, horizon: number, slope: number, deviation: number): Projection {
  const last = at(values, values.length - 1);
  return {
    mean: Float64Array.from({ length: horizon }, (_, h) => last + (h + 1) * slope),
    deviation: Float64Array.from(
      { length: horizon },
      (_, h) => deviation * Math.sqrt((h + 1) * (1 + (h + 1) / (values.length - 1))),
    ),
    degrees: values.length - 2,
  };
}

function rootMeanSquare(steps: Float64Array): number {
  return Math.sqrt(mean(steps.map((step) => step * step)));
}
