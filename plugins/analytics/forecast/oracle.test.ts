/** Tests the models against another implementation: augurs, with Stan's optimizer for Prophet. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AutoETS, initSync as initEts } from '@bsull/augurs/ets';
import { initSync as initProphet, Prophet } from '@bsull/augurs/prophet';
import { optimizer } from '@bsull/augurs-prophet-wasmstan';
import { beforeAll, expect, it } from 'vitest';
import { normalQuantile } from '../numeric/normal.ts';
import { median, quantile, standardDeviation } from '../numeric/statistics.ts';
import { drawSeries, GRAINS } from '../testing/processes.ts';
import { fitEts, projectEts } from './ets/fit.ts';
import { fitProphet, projectProphet } from './prophet/fit.ts';

const resolve = createRequire(import.meta.url).resolve;
const wasm = (part: string) => readFileSync(resolve(`@bsull/augurs/${part}`).replace(/\.js$/, '_bg.wasm'));
const HORIZON = 3;

beforeAll(() => {
  initEts({ module: wasm('ets') });
  initProphet({ module: wasm('prophet') });
});

const seriesOf = (name: string, each: number) =>
  GRAINS.filter((grain) => grain.name === name).flatMap((grain) =>
    drawSeries(grain, each, 3).map(({ train }) => train),
  );

it('exponential smoothing without season: the same forecasts and widths as AutoETS, unless another form is as good', () => {
  const compared = seriesOf('yearly', 5).flatMap((values) => {
    const theirs = new AutoETS(1, 'ZZN');
    theirs.fit(values);
    const { point, intervals } = theirs.predict(HORIZON, 0.95);
    const fits = (['N', 'A', 'Ad'] as const).flatMap(
      (trend) => fitEts(values, { error: 'A', trend, season: 'N', periods: [], hasLingeringErrors: false }) ?? [],
    );
    const [first, ...others] = fits;
    if (first === undefined) return [];
    const { mean, deviation } = projectEts(
      others.reduce((best, fit) => (fit.aicc < best.aicc ? fit : best), first),
      HORIZON,
    );
    const steps = standardDeviation(values.slice(1).map((value, i) => value - (values[i] ?? 0)));
    const [upper = 0, lower = 0] = [intervals?.upper[0], intervals?.lower[0]];
    return [
      {
        difference: Math.abs((point[0] ?? Number.NaN) - (mean[0] ?? 0)) / steps,
        width: (upper - lower) / (2 * normalQuantile(0.975)) / (deviation[0] ?? 0),
      },
    ];
  });
  expect(compared).toHaveLength(35);
  const differences = compared.map(({ difference }) => difference);
  expect(median(differences)).toBeLessThan(0.15);
  expect(quantile(differences, 0.9)).toBeLessThan(0.6);
  // The other implementation ignores the error of the parameters.
  const width = median(compared.map((each) => each.width));
  expect(width).toBeGreaterThan(0.8);
  expect(width).toBeLessThan(1.05);
});

it('the trend of Prophet: within a tenth of a deviation of what Stan finds, fitted and a year ahead', () => {
  const off = { type: 'manual', enabled: false } as const;
  for (const values of seriesOf('monthly', 1)) {
    const theirs = new Prophet({ optimizer, yearlySeasonality: off, weeklySeasonality: off, dailySeasonality: off });
    const days = (count: number) => Array.from({ length: count }, (_, i) => 1_420_070_400 + 86_400 * i);
    theirs.fit({ ds: days(values.length), y: [...values] });
    const { point } = theirs.predict({ ds: days(values.length + 12) }).yhat;
    const fit = fitProphet(values, []);
    const estimates = [...fit.fitted, ...projectProphet(fit, 12).mean];
    const spread = standardDeviation(values);
    const differences = estimates.map((value, i) => Math.abs(value - (point[i] ?? Number.NaN)) / spread);
    expect(Math.max(...differences)).toBeLessThan(0.1);
  }
});
