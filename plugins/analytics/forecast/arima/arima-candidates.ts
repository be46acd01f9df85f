/** The candidates of the method `arima`. */
import type { ForecastModel } from '../../forecast-models.ts';
import { at, mean } from '../../numeric/statistics.ts';
import { fitWaves } from '../../seasonality/waves.ts';
import {
  cumulativeDeviation,
  fitAutoregression,
  MAX_NEAR_CYCLES,
  projectAutoregression,
  seasonalLags,
} from '../autoregression.ts';
import { type Candidate, candidate, candidateOnLogarithms } from '../candidate.ts';
import { difference, integrate, integratedWeights, neededDifferences } from '../differencing.ts';
import { logarithmsOf, type Projector } from '../projection.ts';
import { decompositionOf, onAdjusted } from '../seasonal-adjustment.ts';
import { selectSarima } from './order-search.ts';
import { fitSarima, projectSarima } from './sarima-model.ts';

/**
 * The longest season and series for the full search. Beyond them it would take seconds, and long autoregressions replace
 * it.
 */
const MAX_SEARCH_PERIOD = 12;
const MAX_SEARCH_LENGTH = 400;
/** Orders of the long autoregressions that are compared. */
const ORDERS = [1, 2, 3, 4];
/** The cycles of a single season that a long autoregression reads. */
const SEASONAL_ORDER = 2;

/** Returns the candidates. */
export function arimaCandidates(values: Float64Array, periods: readonly number[]): readonly Candidate[] {
  const isPositive = values.every((value) => value > 0);
  const [shortest = 1, ...longer] = periods;
  const isSearched = values.length <= MAX_SEARCH_LENGTH;
  if (isSearched && longer.length === 0 && shortest <= MAX_SEARCH_PERIOD) {
    // The order of the logarithms serves both scales: one search instead of two.
    const project = automatic(isPositive ? logarithmsOf(values) : values, shortest);
    return onBothScales('sarima', project, isPositive);
  }
  const isLong = Math.max(0, ...longer) > MAX_NEAR_CYCLES * shortest;
  const autoregressions = ([1, 0] as const).flatMap((seasonalD) =>
    isLong
      ? onBothScales('harmonic_autoregression', harmonic(periods, seasonalD), isPositive)
      : onBothScales('autoregression', multiSeasonal(periods, seasonalD), isPositive),
  );
  return isSearched
    ? [candidate('decomposed_sarima', decomposed(values, periods)), ...autoregressions]
    : autoregressions;
}

function onBothScales(model: ForecastModel, project: Projector, isPositive: boolean): readonly Candidate[] {
  return [candidate(model, project), ...(isPositive ? [candidateOnLogarithms(model, project)] : [])];
}

function automatic(values: Float64Array, period: number): Projector {
  const found = selectSarima(values, neededDifferences(values, period));
  return (history, horizon) => {
    const fit = found === undefined ? undefined : fitSarima(history, found.order, { start: found.point });
    return fit === undefined ? undefined : projectSarima(fit, history, horizon);
  };
}

/** Models the series without its seasons, and then repeats the seasons: Hyndman and Athanasopoulos (2021), section 5.7. */
function decomposed(all: Float64Array, periods: readonly number[]): Projector {
  if (all.length < 2 * Math.max(...periods)) return () => undefined;
  return onAdjusted(automatic(decompositionOf(all, periods).adjusted, 1), { periods, isScaled: false, isFixed: false });
}

/**
 * Describes the long seasons by waves and models the rest with the shortest season. An autoregression would need the lags of
 * every week of a year.
 */
function harmonic([shortest = 1, ...longer]: readonly number[], seasonalD: 0 | 1): Projector {
  const rest = multiSeasonal([shortest], seasonalD);
  return (values, horizon) => {
    const waves = longer.filter((period) => values.length >= 2 * period).map((period) => fitWaves(values, period));
    const past = total(waves, 0, values.length);
    const projection = rest(
      values.map((value, i) => value - at(past, i)),
      horizon,
    );
    if (projection === undefined) return undefined;
    const future = total(waves, values.length, horizon);
    return { ...projection, mean: projection.mean.map((value, h) => value + at(future, h)) };
  };
}

/** Adds the waves of `count` points from `first` on. */
function total(waves: readonly ReturnType<typeof fitWaves>[], first: number, count: number): Float64Array {
  const sum = new Float64Array(count);
  for (const wave of waves) {
    wave(first, count).forEach((value, i) => {
      sum[i] = at(sum, i) + value;
    });
  }
  return sum;
}

/**
 * Fits an autoregression of several seasons, after Taylor, "Triple seasonal methods for short-term electricity demand
 * forecasting", European Journal of Operational Research 204 (2010): the lags of the multiplicative form up to one
 * cycle of the longest season, each with its own coefficient. The order is chosen by Akaike's criterion on the
 * same points.
 */
function multiSeasonal(periods: readonly number[], seasonalD: 0 | 1): Projector {
  return (values, horizon) => {
    const [shortest = 1] = periods;
    const differencing = { d: 0, seasonalD, period: shortest };
    const differenced = difference(values, differencing);
    const constant = seasonalD === 0 ? mean(differenced) : 0;
    const stationary = differenced.map((value) => value - constant);
    const candidates = ORDERS.map((p) => seasonalLags(p, SEASONAL_ORDER, periods));
    const first = Math.max(...candidates.flat());
    const [fit, ...others] = candidates.flatMap((lags) => fitAutoregression(stationary, lags, first) ?? []);
    if (fit === undefined) return undefined;
    const best = others.reduce((chosen, other) => (other.aicc < chosen.aicc ? other : chosen), fit);
    const projection = projectAutoregression(best, stationary, horizon);
    return {
      mean: integrate(
        projection.mean.map((value) => value + constant),
        values,
        differencing,
      ),
      deviation: cumulativeDeviation(integratedWeights(projection.weights, differencing), best.variance),
      degrees: best.degrees,
    };
  };
}
