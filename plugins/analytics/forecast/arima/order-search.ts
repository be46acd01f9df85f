/**
 * Finds the order of a seasonal ARIMA model by the stepwise search of Hyndman and Khandakar, "Automatic Time Series
 * Forecasting", Journal of Statistical Software 27 (2008).
 */
import type { Differencing } from '../differencing.ts';
import { fitSarima, type SarimaFit } from './sarima-model.ts';

/** Largest orders: as in the paper, with p and q one step lower, since the series are short. */
const MAX_ORDER = 4;
const MAX_SEASONAL_ORDER = 2;
const MAX_TERMS = 5;
/** The most rounds of a fit when orders are compared. */
const SEARCH_ROUNDS = 10;

/** Returns the best fit that the search finds; `undefined` where no order can be fitted. */
export function selectSarima(values: Float64Array, differencing: Differencing): SarimaFit | undefined {
  const isSeasonal = differencing.period > 1;
  const canDrift = differencing.d + differencing.seasonalD < 2;
  const fits = new Map<string, SarimaFit | undefined>();
  const attempt = (p: number, q: number, seasonalP: number, seasonalQ: number, hasConstant: boolean) => {
    const isLegal =
      Math.min(p, q, seasonalP, seasonalQ) >= 0 &&
      Math.max(p, q) <= MAX_ORDER &&
      Math.max(seasonalP, seasonalQ) <= (isSeasonal ? MAX_SEASONAL_ORDER : 0) &&
      p + q + seasonalP + seasonalQ <= MAX_TERMS &&
      (canDrift || !hasConstant);
    const key = [p, q, seasonalP, seasonalQ, hasConstant].join();
    if (!isLegal || fits.has(key)) return;
    const fit = fitSarima(
      values,
      { ...differencing, p, q, seasonalP, seasonalQ, hasConstant },
      { maxRounds: SEARCH_ROUNDS },
    );
    fits.set(key, fit);
    if (fit !== undefined && (best === undefined || fit.aicc < best.aicc)) best = fit;
  };
  let best: SarimaFit | undefined;
  const seasonalOne = isSeasonal ? 1 : 0;
  attempt(2, 2, seasonalOne, seasonalOne, canDrift);
  attempt(0, 0, 0, 0, canDrift);
  attempt(1, 0, seasonalOne, 0, canDrift);
  attempt(0, 1, 0, seasonalOne, canDrift);
  for (let previous: SarimaFit | undefined; best !== undefined && best !== previous; ) {
    previous = best;
    const { p, q, seasonalP, seasonalQ, hasConstant } = previous.order;
    for (const step of [-1, 1]) {
      attempt(p + step, q, seasonalP, seasonalQ, hasConstant);
      attempt(p, q + step, seasonalP, seasonalQ, hasConstant);
      attempt(p + step, q + step, seasonalP, seasonalQ, hasConstant);
      attempt(p, q, seasonalP + step, seasonalQ, hasConstant);
      attempt(p, q, seasonalP, seasonalQ + step, hasConstant);
    }
    attempt(p, q, seasonalP, seasonalQ, !hasConstant);
  }
  return best;
}
