import { describe, expect, it } from 'vitest';
import { randomGenerator } from '../../numeric/random.ts';
import { firstState, fitTheta, nextState, projectTheta, type ThetaParameters } from './fit.ts';

const HALF: ThetaParameters = { alpha: 0.5, theta: 1, firstLevel: 4 };
const stateAfter = (values: readonly number[], parameters: ThetaParameters) =>
  values.reduce((state, value) => nextState(state, value, parameters), firstState(parameters));

describe('the optimised Theta model', () => {
  it('has the straight line by least squares through all values', () => {
    // Mean 5.8, slope (-2·3 - 5 + 8 + 2·9) / 10.
    const { intercept, slope, average } = stateAfter([3, 5, 4, 8, 9], HALF);
    expect(average).toBeCloseTo(5.8, 12);
    expect(slope).toBeCloseTo(1.5, 12);
    expect(intercept).toBeCloseTo(5.8 - 3 * 1.5, 12);
  });

  it('is simple exponential smoothing with theta 1, and its deviation grows by alpha at each step', () => {
    const fit = { parameters: HALF, state: stateAfter([8, 6], HALF), variance: 4, degrees: 9 };
    const { mean, deviation } = projectTheta(fit, 3);
    // From 4 to 6, and 6 again.
    expect([...mean]).toEqual([6, 6, 6]);
    expect(deviation[0]).toBeCloseTo(2, 12);
    expect(deviation[1]).toBeCloseTo(2 * Math.sqrt(1.25), 12);
    expect(deviation[2]).toBeCloseTo(2 * Math.sqrt(1.5), 12);
  });

  it('has half of the slope with theta 2, as in Assimakopoulos and Nikolopoulos', () => {
    const parameters: ThetaParameters = { alpha: 0.5, theta: 2, firstLevel: 0 };
    const state = stateAfter(
      Array.from({ length: 60 }, (_, i) => 3 * i),
      parameters,
    );
    const { mean } = projectTheta({ parameters, state, variance: 1, degrees: 9 }, 2);
    expect((mean[1] ?? 0) - (mean[0] ?? 0)).toBeCloseTo(1.5, 1);
  });

  it('continues a straight line, and stays near a level', () => {
    const line = fitTheta(Float64Array.from({ length: 40 }, (_, i) => 5 + 2 * i));
    if (line === undefined) throw new Error('no fit');
    for (const [h, value] of projectTheta(line, 5).mean.entries()) expect(value).toBeCloseTo(5 + 2 * (40 + h), 0);
    const random = randomGenerator(3);
    const level = fitTheta(Float64Array.from({ length: 120 }, () => 50 + random() - 0.5));
    if (level === undefined) throw new Error('no fit');
    for (const value of projectTheta(level, 5).mean) expect(Math.abs(value - 50)).toBeLessThan(0.5);
  });

  it('needs four values', () => {
    expect(fitTheta(Float64Array.of(1, 2, 3))).toBeUndefined();
  });
});
