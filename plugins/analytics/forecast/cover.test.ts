/** Tests that intervals cover their share of values, on processes with known next values: see `testing/processes.ts`. */
import { describe, expect, it } from 'vitest';
import type { ForecastMethod } from '../methods.ts';
import { drawSeries, GRAINS, type Grain } from '../testing/processes.ts';
import { forecast } from './forecast.ts';

const METHODS: readonly ForecastMethod[] = ['ets', 'arima', 'prophet'];
const EACH = 4;
/**
 * The errors of a series are correlated: the points of 28 series count like some hundred, with a deviation of 2 to 3 % in
 * their share.
 */
const MIN_COVER = 0.85;

/** Returns whether each of the coming values of the grain's series lies in its interval. */
function holds(method: ForecastMethod, interval: number, grain: Grain): readonly boolean[] {
  return drawSeries(grain, EACH, 7).flatMap(({ train, test }) => {
    const result = forecast(train, { method, horizon: grain.horizon, interval, periods: grain.periods });
    if ('reason' in result) throw new Error(result.reason);
    return result.steps.map(({ lower, upper }, h) => {
      const actual = test[h] ?? Number.NaN;
      return actual >= lower && actual <= upper;
    });
  });
}

const share = (all: readonly boolean[]) => all.filter(Boolean).length / all.length;

describe.each(METHODS)('%s', (method) => {
  it('intervals of 0.95 cover 90 to 98 % of all values, and about as many of each grain', () => {
    const byGrain = GRAINS.map((grain) => ({ name: grain.name, held: holds(method, 0.95, grain) }));
    for (const { name, held } of byGrain) expect(share(held), name).toBeGreaterThan(MIN_COVER);
    const all = share(byGrain.flatMap(({ held }) => held));
    expect(all).toBeGreaterThan(0.9);
    expect(all).toBeLessThan(0.98);
  });

  it('intervals of 0.5 cover about half', () => {
    const short = GRAINS.filter(({ length }) => length < 100);
    const half = share(short.flatMap((grain) => holds(method, 0.5, grain)));
    expect(half).toBeGreaterThan(0.4);
    expect(half).toBeLessThan(0.75);
  });
});
