/** The most rounds of the search for the parameters of a chosen model. */
export const FIT_ROUNDS = 20;

/** Options of a fit by least squares. */
export interface FitOptions {
  readonly maxRounds?: number;
  /** The `point` of a fit of the same model to similar values. */
  readonly start?: readonly number[];
}
