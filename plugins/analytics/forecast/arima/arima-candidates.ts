/** The candidates of the method `arima`. */
import { mean } from '../../numeric/statistics.ts';
import { mstl } from '../../seasonality/mstl.ts';
import { cumulativeDeviation, fitAutoregression, projectAutoregression, seasonalLags } from '../autoregression.ts';
import { difference, integrate, integratedWeights, neededDifferences } from '../differencing.ts';
import { onLogarithms, type Projector } from '../projection.ts';
import { withSeasons } from '../seasonal-adjustment.ts';
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

/** Returns the candidates. The first is used where no trial can compare them. */
export function arimaCandidates(values: Float64Array, periods: readonly number[]): readonly Projector[] {
  const isPositive = values.every((value) => value > 0);
  const [shortest = 1, ...longer] = periods;
  const candidates: Projector[] = [];
  const isSearched = values.length <= MAX_SEARCH_LENGTH;
  if (isSearched && longer.length === 0 && shortest <= MAX_SEARCH_PERIOD) {
    // The order of the logarithms serves both scales: one search instead of two.
    const project = automatic(isPositive ? values.map(Math.log) : values, shortest);
    candidates.push(project, ...(isPositive ? [onLogarithms(project)] : []));
  } else {
    if (isSearched) candidates.push(decomposed(values, periods));
    for (const seasonalD of [1, 0] as const) {
      const projector = multiSeasonal(periods, seasonalD);
      candidates.push(projector, ...(isPositive ? [onLogarithms(projector)] : []));
    }
  }
  return candidates;
}

function automatic(values: Float64Array, period: number): Projector {
  const order = selectSarima(values, neededDifferences(values, period))?.order;
  return (history, horizon) => {
    const fit = order === undefined ? undefined : fitSarima(history, order);
    return fit === undefined ? undefined : projectSarima(fit, history, horizon);
  };
}

/** Models the series without its seasons, and then repeats the seasons: Hyndman and Athanasopoulos (2021), section 5.7. */
function decomposed(all: Float64Array, periods: readonly number[]): Projector {
  const whole = all.length < 2 * Math.max(...periods) ? undefined : mstl(all, periods).adjusted;
  const order = whole === undefined ? undefined : selectSarima(whole, neededDifferences(whole, 1))?.order;
  return (values, horizon) => {
    if (order === undefined || values.length < 2 * Math.max(...periods)) return undefined;
    const { adjusted, seasons } = mstl(values, periods);
    const fit = fitSarima(adjusted, order);
    return fit === undefined ? undefined : withSeasons(projectSarima(fit, adjusted, horizon), seasons, values.length);
  };
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
    const longest = Math.max(1, ...periods);
    const seasonalOrder = longest > shortest ? Math.floor(longest / shortest) : SEASONAL_ORDER;
    const differencing = { d: 0, seasonalD, period: shortest };
    const differenced = difference(values, differencing);
    const constant = seasonalD === 0 ? mean(differenced) : 0;
    const stationary = differenced.map((value) => value - constant);
    const candidates = ORDERS.map((p) => seasonalLags(p, shortest === 1 ? 0 : seasonalOrder, shortest));
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
