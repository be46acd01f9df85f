import { describe, expect, it } from 'vitest';
import { forecast } from '../forecast/forecast.ts';
import { randomGenerator } from '../numeric/random.ts';
import { fillBySeason } from './fill-by-season.ts';

const LENGTH = 126;
const AHEAD = 14;
const WEEK = [30, 12, 10, 11, 14, 40, 55];

/**
 * Draws 18 weeks and the two that follow them, at a rising level. A third of the days, and one whole week, are gaps: `lines` has
 * the straight lines between their neighbours.
 */
function drawWithGaps(seed: number) {
  const random = randomGenerator(seed);
  const truth = Float64Array.from({ length: LENGTH + AHEAD }, (_, day) => (WEEK[day % 7] ?? 0) + day / 10 + random());
  const isGap = (day: number) => day > 0 && day < LENGTH - 1 && ((day >= 70 && day < 77) || random() < 0.33);
  const gaps = Array.from(truth.keys()).filter(isGap);
  const lines = truth.slice();
  for (const day of gaps) {
    const next = Array.from(truth.keys()).find((other) => other > day && !gaps.includes(other)) ?? day;
    const before = day - 1;
    lines[day] = (lines[before] ?? 0) + ((truth[next] ?? 0) - (lines[before] ?? 0)) / (next - before);
  }
  return { truth, gaps, lines };
}

const errorAt = (positions: readonly number[], filled: Float64Array, truth: Float64Array) =>
  positions.reduce((sum, i) => sum + Math.abs((filled[i] ?? 0) - (truth[i] ?? 0)), 0) / positions.length;

describe('a gap in a seasonal series', () => {
  it('is filled by the season, with at most a fourth of the error of straight lines', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const { truth, gaps, lines } = drawWithGaps(seed);
      const filled = fillBySeason(lines, gaps, [7]);
      expect(errorAt(gaps, filled, truth)).toBeLessThan(errorAt(gaps, lines, truth) / 4);
      const present = [...truth.keys()].filter((day) => !gaps.includes(day));
      expect(errorAt(present, filled, truth)).toBe(0);
    }
  });

  it.each(['ets', 'arima', 'prophet'] as const)('makes the forecast by %s better', (method) => {
    const errors = (withGaps: boolean) =>
      Array.from({ length: 10 }, (_, seed) => {
        const { truth, gaps, lines } = drawWithGaps(seed + 1);
        const series = lines.slice(0, LENGTH);
        const options = { method, horizon: AHEAD, interval: 0.95, periods: [7], gaps: withGaps ? gaps : [] };
        const result = forecast(series, options);
        if ('reason' in result) throw new Error(result.reason);
        return result.steps.reduce((sum, { value }, h) => sum + Math.abs(value - (truth[LENGTH + h] ?? 0)), 0) / AHEAD;
      }).reduce((sum, error) => sum + error, 0);
    expect(errors(true)).toBeLessThan(0.95 * errors(false));
  });

  it('of a series without a season stays on its line', () => {
    const values = Float64Array.from([1, 2, 3, 4]);
    expect(fillBySeason(values, [1], [])).toBe(values);
  });
});
