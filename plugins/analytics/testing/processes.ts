/** Draws series from known processes of seven kinds, so that no method has an advantage in all of them. */
import { normalQuantile } from '../numeric/normal.ts';
import { randomGenerator } from '../numeric/random.ts';

export interface TestSeries {
  readonly train: Float64Array;
  readonly test: Float64Array;
}

export interface Grain {
  readonly name: string;
  readonly length: number;
  readonly horizon: number;
  /** The period of the naive forecast. */
  readonly period: number;
  /** The possible seasons of the series' time axis. */
  readonly periods: readonly number[];
}

export const GRAINS: readonly Grain[] = [
  { name: 'yearly', length: 24, horizon: 6, period: 1, periods: [] },
  { name: 'quarterly', length: 48, horizon: 8, period: 4, periods: [4] },
  { name: 'quarterly, 4 years', length: 16, horizon: 4, period: 4, periods: [4] },
  { name: 'monthly, 3 years', length: 36, horizon: 6, period: 12, periods: [12] },
  { name: 'monthly', length: 120, horizon: 12, period: 12, periods: [12] },
  { name: 'weekly', length: 208, horizon: 13, period: 52, periods: [52] },
  { name: 'daily, 8 weeks', length: 56, horizon: 7, period: 7, periods: [7, 365] },
  { name: 'daily', length: 365, horizon: 14, period: 7, periods: [7, 365] },
];

const KINDS = [
  'growth',
  'level',
  'autoregressive',
  'random walk',
  'damped trend',
  'straight line',
  'level shift',
] as const;

/** Draws `count` series of each kind; the same seed gives the same series. */
export function drawSeries({ length, horizon, period }: Grain, count: number, seed: number): readonly TestSeries[] {
  const random = randomGenerator(seed);
  const normal = () => normalQuantile(random());
  return KINDS.flatMap((kind) =>
    Array.from({ length: count }, () => {
      const values = draw(kind, length + horizon, period, random, normal);
      return { train: values.slice(0, length), test: values.slice(length) };
    }),
  );
}

function draw(
  kind: (typeof KINDS)[number],
  length: number,
  period: number,
  random: () => number,
  normal: () => number,
): Float64Array {
  const season = Array.from({ length: period }, (_, i) => {
    const angle = (2 * Math.PI * i) / period;
    return period === 1 ? 0 : Math.sin(angle) + 0.5 * Math.cos(2 * angle) + 0.3 * normal();
  });
  let level = 100;
  let slope = kind === 'damped trend' ? 1 : 0.4 * random();
  let memory = 0;
  const shiftsAt = length * (0.2 + 0.5 * random());
  return Float64Array.from({ length }, (_, t) => {
    const seasonal = season[t % period] ?? 0;
    switch (kind) {
      case 'growth':
        level *= 1 + slope / (period === 1 ? 10 : period) + 0.004 * normal();
        return level * (1 + 0.15 * seasonal) * (1 + 0.03 * normal());
      case 'level':
        return level + 12 * seasonal + 3 * normal();
      case 'autoregressive':
        memory = 0.7 * memory + 3 * normal();
        return level + 12 * seasonal + memory;
      case 'random walk':
        level += 2 * normal();
        return level + 12 * seasonal + normal();
      case 'damped trend':
        slope *= 0.98;
        level += slope + 0.5 * normal();
        return level + 12 * seasonal + 3 * normal();
      case 'straight line':
        return level + slope * t + 12 * seasonal + 3 * normal();
      case 'level shift':
        return level + (t < shiftsAt ? 0 : 40 * (slope - 0.2)) + 12 * seasonal + 3 * normal();
    }
  });
}
