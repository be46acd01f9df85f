/** Estimates the mean demand of a period, after each period. */
import { at, mean } from '../../numeric/statistics.ts';

/** The estimated demand of the next period: before the first value, and after each one. */
export type Rates = Float64Array;

/** Smoothing parameters: of the size of a demand, and of the interval or the probability of a demand. */
export interface DemandSmoothing {
  readonly size: number;
  readonly interval: number;
}

/**
 * Estimates size and interval of demands separately, when a demand occurs: Croston, "Forecasting and stock control for
 * intermittent demands", Operational Research Quarterly 23 (1972). `correction` is a factor of the rate: Syntetos and
 * Boylan, "The accuracy of intermittent demand estimates", International Journal of Forecasting 21 (2005), use
 * 1 - interval / 2 against the bias of a quotient.
 */
export function crostonRates(values: Float64Array, { size, interval }: DemandSmoothing, correction = 1): Rates {
  const demands = values.filter((value) => value !== 0);
  let demand = demands.length === 0 ? 0 : mean(demands.subarray(0, FIRST_DEMANDS));
  let gap = values.length / Math.max(1, demands.length);
  let waited = 1;
  return track(values, correction * (demand / gap), (value) => {
    if (value === 0) waited += 1;
    else {
      demand += size * (value - demand);
      gap += interval * (waited - gap);
      waited = 1;
    }
    return (correction * demand) / gap;
  });
}

/**
 * Estimates the probability of a demand in every period, and its size when one occurs, so that the rate falls when demand
 * ends: Teunter, Syntetos and Babai, "Intermittent demand: linking forecasting to inventory obsolescence", European Journal
 * of Operational Research 214 (2011).
 */
export function tsbRates(values: Float64Array, { size, interval }: DemandSmoothing): Rates {
  const demands = values.filter((value) => value !== 0);
  let demand = demands.length === 0 ? 0 : mean(demands.subarray(0, FIRST_DEMANDS));
  let probability = demands.length / Math.max(1, values.length);
  return track(values, demand * probability, (value) => {
    probability += interval * (Number(value !== 0) - probability);
    if (value !== 0) demand += size * (value - demand);
    return demand * probability;
  });
}

/** Smooths the values themselves: Brown's simple exponential smoothing. */
export function smoothedRates(values: Float64Array, alpha: number): Rates {
  let level = mean(values.subarray(0, FIRST_PERIODS));
  return track(values, level, (value) => {
    level += alpha * (value - level);
    return level;
  });
}

/** The demands and periods that estimate the first state. */
const FIRST_DEMANDS = 3;
const FIRST_PERIODS = 10;

function track(values: Float64Array, first: number, next: (value: number) => number): Rates {
  const rates = new Float64Array(values.length + 1);
  rates[0] = first;
  for (let i = 0; i < values.length; i++) rates[i + 1] = next(at(values, i));
  return rates;
}
