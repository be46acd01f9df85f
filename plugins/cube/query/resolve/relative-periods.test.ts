import { describe, expect, it } from 'vitest';
import type { LevelType } from '../../schema/model.ts';
import { beginningOf, type DatedMember, isFineEnough, windowOf } from './resolve-relative-periods.ts';

/** Thursday, 20 November 2025, in the afternoon. */
const NOW = Date.UTC(2025, 10, 20, 15, 30);
const day = (millis: number | undefined) =>
  millis === undefined ? undefined : new Date(millis).toISOString().slice(0, 10);

describe('the days of a relative value', () => {
  it.each([
    ['last_n_days', 1, 'day', '2025-11-20', '2025-11-20'],
    ['last_n_days', 30, 'day', '2025-10-22', '2025-11-20'],
    ['last_n_months', 1, 'month', '2025-11-01', '2025-11-20'],
    ['last_n_months', 12, 'month', '2024-12-01', '2025-11-20'],
    ['last_n_quarters', 2, 'quarter', '2025-07-01', '2025-11-20'],
    ['last_n_years', 2, 'month', '2024-01-01', '2025-11-20'],
    ['ytd', 1, 'month', '2025-01-01', '2025-11-20'],
    ['qtd', 1, 'day', '2025-10-01', '2025-11-20'],
    ['mtd', 1, 'day', '2025-11-01', '2025-11-20'],
    ['previous_period', 1, 'month', '2025-10-01', '2025-10-31'],
    ['previous_period', 1, 'quarter', '2025-07-01', '2025-09-30'],
    ['previous_period', 2, 'year', '2023-01-01', '2024-12-31'],
    ['previous_period', 1, 'half', '2025-01-01', '2025-06-30'],
    ['previous_period', 1, 'day', '2025-11-19', '2025-11-19'],
  ] as const)('%s of %i, of periods of a %s', (value, n, unit, from, to) => {
    expect(windowOf(value, n, unit, NOW).map(day)).toEqual([from, to]);
  });

  it('select members of levels that are not coarser', () => {
    expect(isFineEnough('month', 'last_n_quarters')).toBe(true);
    expect(isFineEnough('month', 'last_n_months')).toBe(true);
    expect(isFineEnough('quarter', 'last_n_months')).toBe(false);
    expect(isFineEnough('year', 'previous_period')).toBe(true);
  });
});

describe('the period of a member', () => {
  function member(...path: readonly (readonly [LevelType, string, string?])[]): DatedMember {
    let lowest: DatedMember | undefined;
    for (const [type, name, caption = name] of path) {
      lowest = { level: { type }, key: name, name, caption, treeParent: lowest };
    }
    if (lowest === undefined) throw new Error('a path has members');
    return lowest;
  }

  it.each([
    ['a year', member(['TimeYears', '2025']), '2025-01-01'],
    ['a fiscal year', member(['TimeYears', 'FY 2025']), '2025-01-01'],
    ['a half-year', member(['TimeYears', '2025'], ['TimeHalfYears', 'H2']), '2025-07-01'],
    ['a quarter', member(['TimeYears', '2025'], ['TimeQuarters', 'Q4']), '2025-10-01'],
    ['a quarter with its year', member(['TimeYears', '2025'], ['TimeQuarters', '2025-Q3']), '2025-07-01'],
    ['a quarter by its number', member(['TimeYears', '2025'], ['TimeQuarters', '2']), '2025-04-01'],
    [
      'a month by its number',
      member(['TimeYears', '2025'], ['TimeQuarters', 'Q4'], ['TimeMonths', '11']),
      '2025-11-01',
    ],
    ['a month by its name', member(['TimeYears', '2025'], ['TimeMonths', 'Sept.']), '2025-09-01'],
    ['a month by its caption', member(['TimeYears', '2025'], ['TimeMonths', '#9', 'September']), '2025-09-01'],
    ['a month with its year', member(['TimeYears', '2025'], ['TimeMonths', '2025-02']), '2025-02-01'],
    [
      'a month that begins with its year and no dash',
      member(['TimeYears', '2025'], ['TimeMonths', '202512']),
      '2025-12-01',
    ],
    ['a day of a month', member(['TimeYears', '2025'], ['TimeMonths', '3'], ['TimeDays', '31']), '2025-03-31'],
    [
      'a day by its date, below anything',
      member(['TimeYears', 'x'], ['TimeWeeks', '9'], ['TimeDays', '2025-03-05']),
      '2025-03-05',
    ],
    ['a month by a timestamp', member(['TimeMonths', '2025-03-01T00:00:00']), '2025-03-01'],
    ['a day without a month', member(['TimeYears', '2025'], ['TimeDays', '5']), undefined],
    ['a month without a year', member(['TimeMonths', '5']), undefined],
    ['a week', member(['TimeYears', '2025'], ['TimeWeeks', '5']), undefined],
    ['what is no date', member(['TimeYears', '2025'], ['TimeMonths', 'Bergen']), undefined],
  ])('of %s', (_, dated, expected) => {
    expect(day(beginningOf(dated))).toBe(expected);
  });
});
