/** A candidate: a model that a forecast may be combined from. */
import type { ForecastModel } from '../forecast-models.ts';
import { onLogarithms, type Projector } from './projection.ts';

export interface Candidate {
  readonly model: ForecastModel;
  readonly isOnLogarithms: boolean;
  readonly project: Projector;
}

export function candidate(model: ForecastModel, project: Projector): Candidate {
  return { model, isOnLogarithms: false, project };
}

/** Returns the candidate that fits the logarithms of the values, with a projector that expects logarithms. */
export function candidateOnLogarithms(model: ForecastModel, project: Projector): Candidate {
  return { model, isOnLogarithms: true, project: onLogarithms(project) };
}

/** A model's part in a forecast. */
export interface ModelShare {
  readonly model: ForecastModel;
  /** True where it was fitted to logarithms. */
  readonly isOnLogarithms: boolean;
  /** Between 0 and 1; the weights of a forecast add up to 1. */
  readonly weight: number;
}
