import type { DateGrain } from '../../../../router/date-grains.ts';

/** The grains that follow from a period of the common calendar. */
export const GRAINS_OF: Readonly<Record<'day' | 'week' | 'month' | 'quarter' | 'year', ReadonlySet<DateGrain>>> = {
  day: new Set<DateGrain>([
    ...(['day', 'week', 'month', 'quarter', 'year', 'day_of_week', 'day_of_month', 'day_of_year'] as const),
    ...(['week_of_year', 'month_of_year', 'quarter_of_year'] as const),
  ]),
  week: new Set<DateGrain>(['week']),
  month: new Set<DateGrain>(['month', 'quarter', 'year', 'month_of_year', 'quarter_of_year']),
  quarter: new Set<DateGrain>(['quarter', 'year', 'quarter_of_year']),
  year: new Set<DateGrain>(['year']),
};
