/** Measures of forecasts with intervals, per series. */
import type { ForecastStep } from '../../plugins/analytics/index.ts';
import type { TestSeries } from '../../plugins/analytics/testing/processes.ts';

export interface Measures {
  /** Mean absolute scaled error: Hyndman and Koehler (2006). */
  readonly mase: number;
  /** Root mean squared scaled error. */
  readonly rmsse: number;
  /** The share of values in their interval. */
  readonly cover: number;
  /** Mean scaled interval score: Gneiting and Raftery (2007), scaled as in M4. */
  readonly msis: number;
}

/** Measures a forecast of a series; errors are scaled by those of the value one period before. */
export function measure(
  { train, test }: TestSeries,
  steps: readonly ForecastStep[],
  period: number,
  level: number,
): Measures {
  const size = train.length > period ? period : 1;
  const differences = train.slice(size).map((value, i) => value - (train[i] ?? 0));
  const scale = average(differences.map(Math.abs));
  const scaleOfSquares = average(differences.map((each) => each ** 2));
  const errors = test.map((value, h) => value - (steps[h]?.value ?? Number.NaN));
  const scores = test.map((value, h) => intervalScore(value, steps[h], 1 - level));
  return {
    mase: average(errors.map(Math.abs)) / scale,
    rmsse: Math.sqrt(average(errors.map((each) => each ** 2)) / scaleOfSquares),
    cover: average(test.map((value, h) => Number(value >= (steps[h]?.lower ?? 0) && value <= (steps[h]?.upper ?? 0)))),
    msis: average(scores) / scale,
  };
}

/** Averages each measure over the series. Series whose values never change have no scale and do not count. */
export function averageMeasures(all: readonly Measures[]): Measures {
  const finite = all.filter(({ mase }) => Number.isFinite(mase));
  const of = (name: keyof Measures) => average(Float64Array.from(finite, (each) => each[name]));
  return { mase: of('mase'), rmsse: of('rmsse'), cover: of('cover'), msis: of('msis') };
}

function intervalScore(value: number, step: ForecastStep | undefined, alpha: number): number {
  const { lower, upper } = step ?? { lower: Number.NaN, upper: Number.NaN };
  const miss = Math.max(0, lower - value) + Math.max(0, value - upper);
  return upper - lower + (2 / alpha) * miss;
}

function average(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
