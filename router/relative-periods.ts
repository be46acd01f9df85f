/**
 * The relative periods: the only list, for filters of both query surfaces. Requests, their JSON Schemas and the table in
 * `docs/guide/time.md` are made from it. A new way to count (`kind`), or a new unit, does not compile until both surfaces
 * compute its days.
 */

type RelativeUnit = 'day' | 'month' | 'quarter' | 'year';

/**
 * The days of a period. `last`: the last n units, to the end of the current one. `to_date`: from the beginning of the
 * current unit to today. `before`: the n periods before the current one, of the filter's grain.
 */
export type RelativeDays =
  | { readonly kind: 'last' | 'to_date'; readonly unit: RelativeUnit }
  | { readonly kind: 'before' };

interface RelativePeriodFacts {
  readonly days: RelativeDays;
  /** Number of periods in a filter: required, optional (default 1), or not allowed. */
  readonly n: 'required' | 'optional' | 'refused';
  /** The days that it includes, for the docs. */
  readonly says: string;
}

export const RELATIVE_PERIODS = {
  last_n_days: {
    days: { kind: 'last', unit: 'day' },
    n: 'required',
    says: 'the `n` days that end with today',
  },
  last_n_months: {
    days: { kind: 'last', unit: 'month' },
    n: 'required',
    says: 'the `n` months that end with the current one, to its end',
  },
  last_n_quarters: {
    days: { kind: 'last', unit: 'quarter' },
    n: 'required',
    says: 'the `n` quarters that end with the current one, to its end',
  },
  last_n_years: {
    days: { kind: 'last', unit: 'year' },
    n: 'required',
    says: 'the `n` years that end with the current one, to its end',
  },
  ytd: {
    days: { kind: 'to_date', unit: 'year' },
    n: 'refused',
    says: 'from the first day of the year to the end of today',
  },
  qtd: {
    days: { kind: 'to_date', unit: 'quarter' },
    n: 'refused',
    says: 'from the first day of the quarter to the end of today',
  },
  mtd: {
    days: { kind: 'to_date', unit: 'month' },
    n: 'refused',
    says: 'from the first day of the month to the end of today',
  },
  previous_period: {
    days: { kind: 'before' },
    n: 'optional',
    says: 'the `n` periods before the current one, of the filter’s `grain`; without a grain, days',
  },
} as const satisfies Record<string, RelativePeriodFacts>;

export type RelativePeriod = keyof typeof RELATIVE_PERIODS;

export const RELATIVE_PERIOD_NAMES = Object.keys(RELATIVE_PERIODS) as [RelativePeriod, ...RelativePeriod[]];

/** Lists the periods that require a number in a filter, or allow one. */
export function relativePeriodsWith(n: 'required' | 'optional'): readonly RelativePeriod[] {
  return RELATIVE_PERIOD_NAMES.filter((name) => RELATIVE_PERIODS[name].n === n);
}

/** The most periods of one filter. */
export const MAX_PERIODS = 10_000;
