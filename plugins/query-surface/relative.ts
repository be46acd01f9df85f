/**
 * Periods counted to today: the one list, for filters of every query surface. A period that is added does not compile until
 * each surface can tell which days it means.
 */
export const RELATIVE_PERIODS = {
  last_n_days: { says: 'the n days that end with today' },
  last_n_months: { says: 'the n months that end with the current one' },
  last_n_quarters: { says: 'the n quarters that end with the current one' },
  last_n_years: { says: 'the n years that end with the current one' },
  ytd: { says: 'from the first day of the year to today' },
  qtd: { says: 'from the first day of the quarter to today' },
  mtd: { says: 'from the first day of the month to today' },
  previous_period: { says: 'the n periods (default 1) before the current one' },
} as const satisfies Record<string, { readonly says: string }>;

export type RelativePeriod = keyof typeof RELATIVE_PERIODS;

export const RELATIVE_PERIOD_NAMES = Object.keys(RELATIVE_PERIODS) as [RelativePeriod, ...RelativePeriod[]];

/** Most periods that one filter counts. */
export const MAX_PERIODS = 10_000;
