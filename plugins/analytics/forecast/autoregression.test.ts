import { describe, expect, it } from 'vitest';
import { seasonalLags } from './autoregression.ts';

describe('lags of a seasonal autoregression', () => {
  it.each([
    ['no season', 2, [], [1, 2]],
    ['one season, two cycles', 1, [12], [1, 12, 13, 24, 25]],
    ['a season in another, up to its cycle', 1, [7, 21], [1, 7, 8, 14, 15, 21, 22]],
    ['weeks in a year: eight near ones and the last', 0, [7, 365], [7, 14, 21, 28, 35, 42, 49, 56, 364, 365]],
  ] as const)('%s', (_, p, periods, lags) => {
    expect(seasonalLags(p, 2, periods)).toEqual(lags);
  });
});
