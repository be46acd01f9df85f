/** The candidates of the method `ets`: exponential smoothing in all its forms, and the models that it is combined with. */

import { arimaCandidates } from '../arima/arima-candidates.ts';
import { type Candidate, candidate, candidateOnLogarithms } from '../candidate.ts';
import { fitCes, projectCes } from '../ces/fit.ts';
import type { FitOptions } from '../fit-options.ts';
import { isIntermittent } from '../intermittent/demand.ts';
import { INTERMITTENT_CANDIDATES } from '../intermittent/intermittent-candidates.ts';
import { logarithmsOf, type Projection, type Projector } from '../projection.ts';
import { prophetCandidates } from '../prophet/prophet-candidates.ts';
import { decompositionOf, onAdjusted } from '../seasonal-adjustment.ts';
import { projectDrift } from '../simple/drift.ts';
import { fitTheta, projectTheta } from '../theta/fit.ts';
import { type EtsFit, fitEts, projectEts, SEARCH_ROUNDS, startingPoint } from './fit.ts';
import type { EtsForm } from './model.ts';

/** The longest season that a model has as its own states: Hyndman and Athanasopoulos (2021), section 8.6. */
const MAX_STATE_PERIOD = 24;

type Outline = Pick<EtsForm, 'error' | 'trend' | 'season'>;

const TRENDS = ['N', 'A', 'Ad'] as const;
/** Combinations that are numerically unsound are left out: Hyndman and Athanasopoulos (2021), section 8.6. */
const ADDITIVE: readonly Outline[] = TRENDS.map((trend) => ({ error: 'A', trend, season: 'N' }));
const RELATIVE: readonly Outline[] = TRENDS.map((trend) => ({ error: 'M', trend, season: 'N' }));
const SEASONAL: readonly Outline[] = TRENDS.map((trend) => ({ error: 'A', trend, season: 'A' }));
const RELATIVE_SEASONAL: readonly Outline[] = TRENDS.flatMap((trend) => [
  { error: 'M', trend, season: 'A' },
  { error: 'M', trend, season: 'M' },
]);

/**
 * The longest series that a drift is a candidate for, instead of ARIMA: a search among its orders needs more points. So few
 * values say little about a trend, and smoothing without one is a candidate too, as in the combination of smoothing methods
 * of Makridakis and Hibon, "The M3-Competition", International Journal of Forecasting 16 (2000).
 */
const MAX_DRIFT_POINTS = 10;

/** Smoothing without a trend. */
const LEVEL: readonly Outline[] = ADDITIVE.filter(({ trend }) => trend === 'N');

/**
 * Returns the candidates: smoothing, Theta, complex smoothing and ARIMA, whose combination is better than each of them.
 * Petropoulos and Svetunkov, "A simple combination of univariate models", International Journal of Forecasting 36 (2020).
 */
export function etsCandidates(values: Float64Array, periods: readonly number[]): readonly Candidate[] {
  const isPositive = values.every((value) => value > 0);
  const related = lines(periods, isPositive);
  if (periods.length > 0) {
    return [
      ...seasonalSmoothing(values, periods, isPositive),
      ...related,
      ...arimaCandidates(values, periods),
      ...(isSingleLong(periods) ? prophetCandidates(values, periods) : []),
    ];
  }
  const smoothing = candidate('smoothing', automatic(values, isPositive ? [...ADDITIVE, ...RELATIVE] : ADDITIVE, []));
  if (isIntermittent(values)) return [smoothing, ...INTERMITTENT_CANDIDATES];
  if (values.length > MAX_DRIFT_POINTS) return [smoothing, ...related, ...arimaCandidates(values, periods)];
  return [
    smoothing,
    candidate('smoothing', automatic(values, LEVEL, [])),
    ...related,
    candidate('drift', projectDrift),
  ];
}

/**
 * Returns whether the only season is a long one. The other candidates estimate a value for each of its points, from few cycles;
 * the waves of Prophet need fewer parameters.
 */
function isSingleLong([shortest = 1, ...longer]: readonly number[]): boolean {
  return longer.length === 0 && shortest > MAX_STATE_PERIOD;
}

/** Returns the models without seasons of their own, on the adjusted series. */
function lines(periods: readonly number[], isScaled: boolean): readonly Candidate[] {
  return [
    candidate('theta', onAdjusted(theta(), { periods, isScaled, isFixed: true })),
    ...(isScaled
      ? [candidateOnLogarithms('theta', onAdjusted(theta(), { periods, isScaled: false, isFixed: true }))]
      : []),
    candidate('ces', onAdjusted(ces(), { periods, isScaled, isFixed: true })),
  ];
}

const theta = () => fromFirstFit(fitTheta, projectTheta);
const ces = () => fromFirstFit(fitCes, projectCes);

/** Returns a projector that starts the search for the parameters where it ended for the first values. */
function fromFirstFit<Fit extends { readonly point: readonly number[] }>(
  fitted: (values: Float64Array, options: FitOptions) => Fit | undefined,
  project: (fit: Fit, horizon: number) => Projection,
): Projector {
  let options: FitOptions = {};
  return (values, horizon) => {
    const fit = fitted(values, options);
    if (fit === undefined) return undefined;
    options = { start: options.start ?? fit.point };
    return project(fit, horizon);
  };
}

function seasonalSmoothing(
  values: Float64Array,
  periods: readonly number[],
  isPositive: boolean,
): readonly Candidate[] {
  const [shortest = 1, ...longer] = periods;
  const plain = [candidate('decomposed_smoothing', decomposed(values, periods))];
  const relative = isPositive
    ? [candidateOnLogarithms('decomposed_smoothing', decomposed(logarithmsOf(values), periods))]
    : [];
  if (longer.length === 0 && shortest <= MAX_STATE_PERIOD) {
    const outlines = isPositive ? [...SEASONAL, ...RELATIVE_SEASONAL] : SEASONAL;
    return [candidate('smoothing', automatic(values, outlines, [shortest])), ...plain, ...relative];
  }
  const projectors = [periods, ...(longer.length === 0 ? [] : [[shortest]])].map(lingering);
  const onLogs = isPositive ? projectors.map((project) => candidateOnLogarithms('seasonal_smoothing', project)) : [];
  return [...projectors.map((project) => candidate('seasonal_smoothing', project)), ...plain, ...onLogs, ...relative];
}

/**
 * Chooses the form by Akaike's criterion on all of `values`: errors and season without a trend first, then the trend. The
 * projector fits that form to its own values.
 */
function automatic(values: Float64Array, outlines: readonly Outline[], periods: readonly number[]): Projector {
  const level = bestFit(
    values,
    outlines.filter(({ trend }) => trend === 'N'),
    periods,
  );
  if (level === undefined) return () => undefined;
  const trends = outlines.filter(
    ({ error, trend, season }) => trend !== 'N' && error === level.form.error && season === level.form.season,
  );
  const sloped = bestFit(values, trends, periods, level);
  const { form, point } = sloped !== undefined && sloped.aicc < level.aicc ? sloped : level;
  return (history, horizon) => {
    const fit = fitEts(history, form, { start: point });
    return fit === undefined ? undefined : projectEts(fit, horizon);
  };
}

/** Fits the forms and returns the best by Akaike's criterion. Each search begins near a fit without a trend: `near`, else the best so far. */
function bestFit(
  values: Float64Array,
  outlines: readonly Outline[],
  periods: readonly number[],
  near?: EtsFit,
): EtsFit | undefined {
  let best: EtsFit | undefined;
  for (const outline of outlines) {
    const form = { ...outline, periods, hasLingeringErrors: false };
    const fit = fitEts(values, form, { maxRounds: SEARCH_ROUNDS, start: startingPoint(form, near ?? best) });
    if (fit !== undefined && (best === undefined || fit.aicc < best.aicc)) best = fit;
  }
  return best;
}

/** Projects with additive seasons and errors that linger: Taylor (2003). */
function lingering(periods: readonly number[]): Projector {
  return (values, horizon) => {
    if (values.length < 2 * Math.max(...periods)) return undefined;
    const fit = fitEts(values, { error: 'A', trend: 'N', season: 'A', periods, hasLingeringErrors: true });
    return fit === undefined ? undefined : projectEts(fit, horizon);
  };
}

/** Smooths the series without its seasons, and then repeats the seasons: Hyndman and Athanasopoulos (2021), section 5.7. */
function decomposed(all: Float64Array, periods: readonly number[]): Projector {
  if (all.length < 2 * Math.max(...periods)) return () => undefined;
  return onAdjusted(automatic(decompositionOf(all, periods).adjusted, ADDITIVE, []), {
    periods,
    isScaled: false,
    isFixed: false,
  });
}
