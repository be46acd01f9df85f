/**
 * Exponential smoothing in its state space form: Hyndman, Koehler, Ord and Snyder (2008), chapter 2; with several seasons
 * and first-order autoregressive errors: Taylor (2003), De Livera, Hyndman and Snyder (2011).
 */

export interface EtsForm {
  readonly error: 'A' | 'M';
  readonly trend: 'N' | 'A' | 'Ad';
  readonly season: 'N' | 'A' | 'M';
  /** Lengths of the seasons, in points; several only where they are additive. */
  readonly periods: readonly number[];
  /** True where the next error is expected to repeat a part of the last one. */
  readonly hasLingeringErrors: boolean;
}

export interface EtsParameters {
  readonly alpha: number;
  readonly beta: number;
  readonly gammas: Float64Array;
  /** Damping of the slope: 1 for none, 0 without a slope. */
  readonly phi: number;
  /** The part of an error that the next error repeats. */
  readonly rho: number;
}

/** The coming values of a season; the next point's value is at `phase`. */
export interface EtsSeason {
  readonly values: Float64Array;
  phase: number;
}

/** The state of a model after an observation. */
export interface EtsState {
  level: number;
  slope: number;
  readonly seasons: readonly EtsSeason[];
  /** The last error, before its repeated part is subtracted. */
  lastError: number;
}

export function copyState({ level, slope, seasons, lastError }: EtsState): EtsState {
  return { level, slope, seasons: seasons.map(({ values, phase }) => ({ values: values.slice(), phase })), lastError };
}

/** Returns the smoothed part of the next value: level, slope and seasons, without the rest of the last error. */
export function smoothedNext({ season }: EtsForm, { level, slope, seasons }: EtsState, phi: number): number {
  let next = level + phi * slope;
  for (const { values, phase } of seasons)
    next = season === 'M' ? next * (values[phase] ?? 0) : next + (values[phase] ?? 0);
  return next;
}

/**
 * Moves to the next point. `difference` is the value minus the smoothed part, `innovation` the unexpected part of it.
 */
export function advance(
  { trend, season }: EtsForm,
  { alpha, beta, gammas, phi }: EtsParameters,
  state: EtsState,
  difference: number,
  innovation: number,
): void {
  const base = state.level + phi * state.slope;
  const [first] = state.seasons;
  const factor = season === 'M' && first !== undefined ? (first.values[first.phase] ?? 0) : 1;
  state.level = base + (alpha * innovation) / factor;
  if (trend !== 'N') state.slope = phi * state.slope + (beta * innovation) / factor;
  for (let i = 0; i < state.seasons.length; i++) {
    const seasonState = state.seasons[i];
    if (seasonState === undefined) break;
    const gain = (gammas[i] ?? 0) * innovation;
    seasonState.values[seasonState.phase] =
      (seasonState.values[seasonState.phase] ?? 0) + (season === 'M' ? gain / base : gain);
    seasonState.phase = seasonState.phase + 1 === seasonState.values.length ? 0 : seasonState.phase + 1;
  }
  state.lastError = difference;
}
