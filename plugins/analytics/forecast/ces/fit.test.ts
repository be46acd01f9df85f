import { describe, expect, it } from 'vitest';
import { randomGenerator } from '../../numeric/random.ts';
import { fitCes, isStableCes, nextCes, projectCes } from './fit.ts';

describe('complex exponential smoothing', () => {
  it('moves level and potential by an error', () => {
    // 10 - 0.2·5 + (1.5 - 0.8)·2 and 10 - 0.5·5 + (1.5 + 0.8)·2.
    const { level, potential } = nextCes({ level: 10, potential: 5 }, 2, { real: 1.5, imaginary: 0.8 });
    expect(level).toBeCloseTo(10.4, 12);
    expect(potential).toBeCloseTo(12.1, 12);
  });

  it('smooths the level by the difference of both parts where the imaginary part is 1', () => {
    const fit = {
      parameters: { real: 1.3, imaginary: 1 },
      state: { level: 7, potential: 3 },
      variance: 1,
      degrees: 9,
    };
    const { mean, deviation } = projectCes(fit, 3);
    expect([...mean]).toEqual([7, 7, 7]);
    expect(deviation[1]).toBeCloseTo(Math.sqrt(1 + 0.3 ** 2), 12);
    expect(deviation[2]).toBeCloseTo(Math.sqrt(1 + 2 * 0.3 ** 2), 12);
  });

  it.each([
    [1.3, 1, true],
    [1, 1, false],
    [0, 1, false],
    [2.6, 1, false],
    [1.5, 0.9, true],
  ])('%d + %di: stable is %s', (real, imaginary, isStable) => {
    expect(isStableCes({ real, imaginary })).toBe(isStable);
    // The discount matrix, applied to any state a thousand times.
    let [level, potential] = [1, 1];
    for (let i = 0; i < 1_000; i++) {
      [level, potential] = [
        (1 - real + imaginary) * level - (1 - imaginary) * potential,
        (1 - real - imaginary) * level + (1 - real) * potential,
      ];
    }
    expect(Math.hypot(level, potential) < 1e-6).toBe(isStable);
  });

  it('continues a trend, and stays near a level', () => {
    const random = randomGenerator(3);
    const noise = () => random() - 0.5;
    const trend = fitCes(Float64Array.from({ length: 80 }, (_, i) => 50 + 3 * i + noise()));
    const level = fitCes(Float64Array.from({ length: 120 }, () => 50 + noise()));
    if (trend === undefined || level === undefined) throw new Error('no fit');
    for (const [h, value] of projectCes(trend, 3).mean.entries()) {
      // The model continues a line as a curve that is close to it.
      expect(Math.abs(value / (50 + 3 * (80 + h)) - 1)).toBeLessThan(0.02);
    }
    for (const value of projectCes(level, 5).mean) expect(Math.abs(value - 50)).toBeLessThan(0.5);
  });

  it('needs twelve values', () => {
    expect(fitCes(new Float64Array(11))).toBeUndefined();
  });
});
