import { describe, expect, it } from 'vitest';
import type { ForecastMethod } from '../methods.ts';
import { randomGenerator } from '../numeric/random.ts';
import { forecast } from './forecast.ts';

const METHODS: readonly ForecastMethod[] = ['ets', 'arima', 'prophet'];

/** Passengers of airlines, thousands a month, 1949 to 1960: Box and Jenkins, series G. */
const PASSENGERS = [
  112, 118, 132, 129, 121, 135, 148, 148, 136, 119, 104, 118, 115, 126, 141, 135, 125, 149, 170, 170, 158, 133, 114,
  140, 145, 150, 178, 163, 172, 178, 199, 199, 184, 162, 146, 166, 171, 180, 193, 181, 183, 218, 230, 242, 209, 191,
  172, 194, 196, 196, 236, 235, 229, 243, 264, 272, 237, 211, 180, 201, 204, 188, 235, 227, 234, 264, 302, 293, 259,
  229, 203, 229, 242, 233, 267, 269, 270, 315, 364, 347, 312, 274, 237, 278, 284, 277, 317, 313, 318, 374, 413, 405,
  355, 306, 271, 306, 315, 301, 356, 348, 355, 422, 465, 467, 404, 347, 305, 336, 340, 318, 362, 348, 363, 435, 491,
  505, 404, 359, 310, 337, 360, 342, 406, 396, 420, 472, 548, 559, 463, 407, 362, 405, 417, 391, 419, 461, 472, 535,
  622, 606, 508, 461, 390, 432,
];

function steps(values: readonly number[], options: Partial<Parameters<typeof forecast>[1]> = {}) {
  const result = forecast(Float64Array.from(values), {
    method: 'ets',
    horizon: 12,
    interval: 0.95,
    periods: [12],
    ...options,
  });
  if ('reason' in result) throw new Error(result.reason);
  return result.steps;
}

describe.each(METHODS)('%s', (method) => {
  it('halves the error of the year before on the passengers of airlines', () => {
    const past = PASSENGERS.slice(0, 132);
    const actual = PASSENGERS.slice(132);
    const mape = (values: readonly number[]) =>
      values.reduce((sum, value, i) => sum + Math.abs(value - (actual[i] ?? 0)) / (actual[i] ?? 1), 0) / 0.12;
    const naive = mape(past.slice(-12));
    expect(naive).toBeCloseTo(9.99, 2);
    expect(mape(steps(past, { method }).map(({ value }) => value))).toBeLessThan(0.5 * naive);
  });

  it('a straight line continues, also below zero', () => {
    const values = Array.from({ length: 30 }, (_, i) => 20 - i);
    for (const [k, { value }] of steps(values, { method, horizon: 3, periods: [] }).entries()) {
      expect(Math.abs(value - (-10 - k))).toBeLessThan(1);
    }
  });

  it('noise around a level stays there, and the interval covers it', () => {
    const random = randomGenerator(11);
    const values = Array.from({ length: 100 }, () => 50 + 10 * (random() - 0.5));
    for (const { value, lower, upper } of steps(values, { method, horizon: 5, periods: [12] })) {
      expect(Math.abs(value - 50)).toBeLessThan(4);
      expect(lower).toBeLessThan(46);
      expect(upper).toBeGreaterThan(54);
    }
  });

  it('a greater probability has a wider interval, and every number is finite', () => {
    const narrow = steps(PASSENGERS, { method, interval: 0.5 });
    const wide = steps(PASSENGERS, { method, interval: 0.99 });
    wide.forEach(({ value, lower, upper }, h) => {
      expect([value, lower, upper].every(Number.isFinite)).toBe(true);
      expect(upper - lower).toBeGreaterThan((narrow[h]?.upper ?? 0) - (narrow[h]?.lower ?? 0));
    });
  });

  it.each([
    ['none', [], 'too_short'],
    ['one', [3], 'too_short'],
    ['two', [3, 3], 'too_short'],
  ] as const)('%s: no forecast, and a reason', (_, values, reason) => {
    expect(forecast(Float64Array.from(values), { method, horizon: 6, interval: 0.95, periods: [12] })).toEqual({
      reason,
    });
  });

  it('always the same: that value, and the reason', () => {
    const values = new Float64Array(24).fill(7);
    expect(forecast(values, { method, horizon: 2, interval: 0.95, periods: [12] })).toEqual({
      steps: [
        { value: 7, lower: 7, upper: 7 },
        { value: 7, lower: 7, upper: 7 },
      ],
      models: [{ model: 'constant', isOnLogarithms: false, weight: 1 }],
      reason: 'constant',
    });
  });

  it('four values on a line: the line goes on, with an interval of several of its steps, and the reason', () => {
    const result = forecast(Float64Array.of(10, 20, 30, 40), { method, horizon: 2, interval: 0.95, periods: [12] });
    expect(result).toMatchObject({ reason: 'too_short', models: [{ model: 'short', weight: 1 }] });
    const [first, second] = 'steps' in result ? result.steps : [];
    expect([first?.value, second?.value]).toEqual([50, 60]);
    expect((first?.upper ?? 0) - (first?.value ?? 0)).toBeGreaterThan(20);
    expect((second?.upper ?? 0) - (second?.value ?? 0)).toBeGreaterThan((first?.upper ?? 0) - (first?.value ?? 0));
  });

  it('three values without a direction: the last value goes on', () => {
    const result = forecast(Float64Array.of(10, 14, 11), { method, horizon: 1, interval: 0.95, periods: [] });
    expect(result).toMatchObject({ reason: 'too_short', steps: [{ value: 11 }] });
  });

  it.each([
    ['zeros and ones', (i: number) => i % 2],
    ['all zero but one', (i: number) => (i === 20 ? 5 : 0)],
    ['huge numbers', (i: number) => 1e15 * (1 + (i % 7))],
    ['tiny numbers', (i: number) => 1e-15 * (1 + (i % 7))],
    ['a step', (i: number) => (i < 30 ? 1 : 1_000)],
    ['exponential growth', (i: number) => 2 ** i],
  ])('%s: numbers or a reason, never NaN', (_, course) => {
    const values = Float64Array.from({ length: 40 }, (_, i) => course(i));
    const result = forecast(values, { method, horizon: 10, interval: 0.95, periods: [7] });
    if ('reason' in result) return;
    for (const step of result.steps) expect(Object.values(step).every(Number.isFinite)).toBe(true);
  });

  it('what was never negative has no negative point and no negative bound', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const random = randomGenerator(seed);
      const demand = Array.from({ length: 60 }, () => (random() < 0.3 ? Math.ceil(random() * 20) : 0));
      for (const { value, lower } of steps(demand, { method })) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(lower).toBeGreaterThanOrEqual(0);
      }
    }
  });

  it('what was negative once may be so again', () => {
    const random = randomGenerator(5);
    const profits = Array.from({ length: 60 }, () => 10 * (random() - 0.3));
    expect(Math.min(...steps(profits, { method }).map(({ lower }) => lower))).toBeLessThan(0);
  });

  it.each([3, 6, 24])('45 months of 7 and three of 9: an interval of the size of the values, %d ahead', (horizon) => {
    const months = [...Array.from({ length: 45 }, () => 7), 9, 9, 9];
    for (const { lower, upper } of steps(months, { method, horizon })) {
      expect(upper - lower).toBeGreaterThan(0);
      expect(upper - lower).toBeLessThan(20);
    }
  });

  it('the same values give the same forecast', () => {
    expect(steps(PASSENGERS, { method })).toEqual(steps(PASSENGERS, { method }));
  });
});

describe('ets', () => {
  const modelsOf = (values: Float64Array, periods: readonly number[]) => {
    const result = forecast(values, { method: 'ets', horizon: 3, interval: 0.95, periods });
    return 'models' in result ? result.models.map(({ model }) => model) : [];
  };
  const seasonal = (length: number, period: number) => {
    const random = randomGenerator(17);
    return Float64Array.from(
      { length },
      (_, t) => 100 + 20 * Math.sin((2 * Math.PI * t) / period) + 10 * (random() - 0.5),
    );
  };

  it('describes a long season by waves as well, because few cycles say little of each of its points', () => {
    expect(modelsOf(seasonal(208, 52), [52])).toContain('prophet');
    expect(modelsOf(seasonal(96, 12), [12])).not.toContain('prophet');
  });

  it('also smooths up to ten values without a trend, because so few say little of one', () => {
    const values = (length: number) => seasonal(length, 5);
    expect(modelsOf(values(7), []).filter((model) => model === 'smoothing')).toHaveLength(2);
    expect(modelsOf(values(11), []).filter((model) => model === 'smoothing')).toHaveLength(1);
  });
});
