import { expect, it } from 'vitest';
import { fitWaves, waveCount } from './waves.ts';

it('separates the waves of a season from level and slope, and continues them', () => {
  const season = (i: number) => 2 * Math.sin((2 * Math.PI * i) / 50) - 3 * Math.cos((6 * Math.PI * i) / 50);
  const waves = fitWaves(
    Float64Array.from({ length: 170 }, (_, i) => 40 + 0.1 * i + season(i)),
    50,
  );
  for (const [h, value] of waves(170, 20).entries()) expect(value).toBeCloseTo(season(170 + h), 6);
});

it('a short season has no more waves than it can distinguish', () => {
  expect([3, 4, 7, 365].map(waveCount)).toEqual([2, 2, 6, 20]);
});
