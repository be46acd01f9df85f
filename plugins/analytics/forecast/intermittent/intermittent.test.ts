import { describe, expect, it } from 'vitest';
import { mean } from '../../numeric/statistics.ts';
import { drawIntermittent } from '../../testing/intermittent-demand.ts';
import { forecast } from '../forecast.ts';
import { isIntermittent } from './demand.ts';
import { bucketRate, projectCroston, projectImapa, projectSba, projectTsb } from './project.ts';
import { crostonRates, smoothedRates, tsbRates } from './rates.ts';

const VALUES = Float64Array.of(0, 4, 0, 0, 6);
const SMOOTHING = { size: 1, interval: 0.5 };

const expectRates = (rates: Float64Array, expected: readonly number[]) => {
  expect(rates).toHaveLength(expected.length);
  for (const [i, rate] of rates.entries()) expect(rate).toBeCloseTo(expected[i] ?? Number.NaN, 12);
};

describe('rates of intermittent demand', () => {
  it("Croston's changes when a demand occurs", () => {
    // A mean demand of 5 every 2.5 periods; then 4 after 2 periods, and 6 after 3.
    const [first, second] = [4 / 2.25, 6 / 2.625];
    expectRates(crostonRates(VALUES, SMOOTHING), [2, 2, first, first, first, second]);
  });

  it("Syntetos and Boylan's is smaller by half of the smoothing parameter", () => {
    const longer = Float64Array.from({ length: 30 }, (_, i) => (i % 3 === 0 ? 6 : 0));
    expect(projectSba(longer, 1)?.mean[0]).toBeCloseTo(0.95 * (projectCroston(longer, 1)?.mean[0] ?? 0), 12);
  });

  it("Teunter, Syntetos and Babai's falls without demand", () => {
    // Probabilities 0.4, 0.2, 0.6, 0.3, 0.15, 0.575; sizes 5, then 4, then 6.
    expectRates(tsbRates(VALUES, SMOOTHING), [2, 1, 2.4, 1.2, 0.6, 3.45]);
  });

  it('simple smoothing begins at the mean of the first values', () => {
    expectRates(smoothedRates(VALUES, 0.5), [2, 1, 2.5, 1.25, 0.625, 3.3125]);
  });

  it('a bucket that always has the same demand has that rate', () => {
    const alternating = Float64Array.from({ length: 11 }, (_, i) => (i % 2 === 0 ? 3 : 0));
    expect(bucketRate(alternating, 2)).toBeCloseTo(1.5, 12);
    expect(bucketRate(alternating, 3)).toBeNaN();
    const rates = [bucketRate(alternating, 1), bucketRate(alternating, 2)];
    expect(projectImapa(alternating, 2)?.mean[1]).toBeCloseTo(mean(rates), 12);
  });

  it('when demand has ended, only the rate by probability follows', () => {
    const ended = Float64Array.from({ length: 100 }, (_, i) => (i < 60 && i % 2 === 0 ? 5 : 0));
    expect(projectTsb(ended, 1)?.mean[0]).toBeLessThan(0.5);
    expect(projectCroston(ended, 1)?.mean[0]).toBeGreaterThan(1.5);
  });
});

describe('a forecast of intermittent demand', () => {
  it.each([
    ['every third period', [0, 0, 5, 0, 0, 5], true],
    ['three of four periods', [1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0], true],
    ['four of five periods', [1, 1, 1, 1, 0, 1, 1, 1, 1, 0], false],
    ['negative once', [0, 0, -5, 0, 0, 5], false],
    ['one demand', [0, 0, 0, 5, 0, 0], false],
  ])('%s', (_, values, expected) => {
    expect(isIntermittent(Float64Array.from(values))).toBe(expected);
  });

  it('is the mean demand of the process, over many series', () => {
    const ratios = drawIntermittent(90, 30, 30, 7).flatMap(({ train, test }) => {
      const result = forecast(train, { method: 'ets', horizon: 30, interval: 0.95, periods: [] });
      return 'steps' in result ? [[mean(result.steps.map(({ value }) => value)), mean(test)] as const] : [];
    });
    expect(ratios).toHaveLength(120);
    const forecasts = mean(ratios.map(([value]) => value));
    const actual = mean(ratios.map(([, value]) => value));
    expect(forecasts / actual).toBeGreaterThan(0.9);
    expect(forecasts / actual).toBeLessThan(1.1);
  });

  it('names the models of intermittent demand, with weights that add up to 1', () => {
    const [series] = drawIntermittent(90, 1, 1, 7);
    const result = forecast(series?.train ?? VALUES, { method: 'ets', horizon: 1, interval: 0.95, periods: [] });
    const models = 'models' in result ? result.models : [];
    const names = ['croston', 'sba', 'optimised_croston', 'tsb', 'imapa', 'smoothing'];
    for (const { model } of models) expect(names).toContain(model);
    expect(models.length).toBeGreaterThan(1);
    expect(models.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12);
  });
});
