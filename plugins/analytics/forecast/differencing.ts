/** Makes a series stationary by differences, and tests how many it needs. */
import { at, mean, variance } from '../numeric/statistics.ts';
import { stl } from '../seasonality/stl.ts';

export interface Differencing {
  readonly d: number;
  readonly seasonalD: number;
  /** 1 for series without season. */
  readonly period: number;
}

export function difference(values: Float64Array, { d, seasonalD, period }: Differencing): Float64Array {
  let result = values;
  for (let i = 0; i < seasonalD; i++) result = lagged(result, period);
  for (let i = 0; i < d; i++) result = lagged(result, 1);
  return result;
}

function lagged(values: Float64Array, lag: number): Float64Array {
  const differences = new Float64Array(Math.max(0, values.length - lag));
  for (let i = 0; i < differences.length; i++) differences[i] = at(values, i + lag) - at(values, i);
  return differences;
}

/** Undoes `difference` for points that follow `values`. */
export function integrate(future: Float64Array, values: Float64Array, differencing: Differencing): Float64Array {
  const { d, seasonalD, period } = differencing;
  const lags = [...Array.from({ length: seasonalD }, () => period), ...Array.from({ length: d }, () => 1)];
  const levels = [values];
  for (const lag of lags) levels.push(lagged(levels.at(-1) ?? values, lag));
  let result = future;
  for (let i = lags.length - 1; i >= 0; i--) {
    const lag = at(lags, i);
    const past = levels[i] ?? values;
    const path = new Float64Array(past.length + result.length);
    path.set(past);
    result.forEach((value, h) => {
      path[past.length + h] = value + (past.length + h >= lag ? at(path, past.length + h - lag) : 0);
    });
    result = path.slice(past.length);
  }
  return result;
}

/** Returns the weights of past errors after differences are undone. */
export function integratedWeights(weights: Float64Array, differencing: Differencing): Float64Array {
  return integrate(
    weights,
    new Float64Array(differencing.period * differencing.seasonalD + differencing.d),
    differencing,
  );
}

/**
 * Seasonal strength from which a seasonal difference is used: Wang, Smith and Hyndman (2006), as in Hyndman and
 * Athanasopoulos (2021), section 9.1.
 */
const SEASONAL_STRENGTH_THRESHOLD = 0.64;
/** 5 % point of the statistic for a constant level: Kwiatkowski, Phillips, Schmidt and Shin (1992), table 1. */
const KPSS_THRESHOLD = 0.463;
const MAX_DIFFERENCES = 2;

export function neededDifferences(values: Float64Array, period: number): Differencing {
  const canSeason = period > 1 && values.length >= 2 * period + 4;
  const seasonalD = canSeason && seasonalStrength(values, period) > SEASONAL_STRENGTH_THRESHOLD ? 1 : 0;
  let rest = difference(values, { d: 0, seasonalD, period });
  let d = 0;
  while (d + seasonalD < MAX_DIFFERENCES && rest.length > 8 && kpss(rest) > KPSS_THRESHOLD) {
    rest = lagged(rest, 1);
    d += 1;
  }
  return { d, seasonalD, period };
}

/** Returns the seasonal share of the variance without the trend, 0 to 1. */
function seasonalStrength(values: Float64Array, period: number): number {
  const { seasonal, remainder } = stl(values, period, { seasonalWindow: 'periodic', robustRounds: 0 });
  const both = variance(seasonal.map((value, i) => value + at(remainder, i)));
  return both <= 0 ? 0 : Math.max(0, 1 - variance(remainder) / both);
}

/** Returns the statistic for stationarity around a level, with Bartlett weights up to 4(n/100)^¼ lags. */
function kpss(values: Float64Array): number {
  const center = mean(values);
  const n = values.length;
  let sum = 0;
  let squares = 0;
  let longRun = 0;
  for (let i = 0; i < n; i++) {
    sum += at(values, i) - center;
    squares += sum * sum;
    longRun += (at(values, i) - center) ** 2;
  }
  const lags = Math.trunc(4 * (n / 100) ** 0.25);
  for (let lag = 1; lag <= lags; lag++) {
    let cross = 0;
    for (let i = lag; i < n; i++) cross += (at(values, i) - center) * (at(values, i - lag) - center);
    longRun += 2 * (1 - lag / (lags + 1)) * cross;
  }
  return longRun <= 1e-12 * n ? 0 : squares / (n * longRun);
}
