/** The days at which rows are shown where a metric is offset in time, and the conditions on these days. */

import type { WeekDay } from '../../../../router/date-grains.ts';
import type { NamedPeriod } from '../../model/fiscal-year.ts';
import type { PeriodTable } from '../../model/period-table.ts';
import type { DayShift, TableDays } from '../../model/template.ts';
import type { FieldInRole, ResolvedPlace } from './resolved-query.ts';
import type { Shift } from './shift.ts';

/** The days at which one row is shown, in place of the row's own day. */
export type Spread = NumberedSpread | PairedSpread;

/** The day of the row, moved, and so many days behind it that pass. */
export interface NumberedSpread {
  readonly place: ResolvedPlace;
  readonly days: number;
  /** A day passes whose own day `by` earlier is that of the row, or that is in the period that the row's day begins. */
  readonly passes:
    | { readonly kind: 'back'; readonly shift: Shift }
    | { readonly kind: 'in'; readonly period: NamedPeriod };
  /** The grain of the answer: a day passes that begins a period of it. */
  readonly finest: NamedPeriod;
}

/** The days that periods of tables define. */
export interface PairedSpread {
  readonly place: ResolvedPlace;
  readonly pairs: Pairs;
}

/** The mapping of days to the days that show them. A day is shown at several days, at one, or at none. */
export type Pairs =
  /**
   * Days of a table, each shown at the day at the same place in the period so many behind: at its last places the last
   * day of a shorter one. Whole periods are shown at the first day of that period.
   */
  | { readonly kind: 'back'; readonly table: TableDays; readonly count: number; readonly isWhole: boolean }
  /** Days at a fixed distance before the days of a table's periods, each shown at the first day of the period. */
  | { readonly kind: 'before'; readonly shown: PeriodTable; readonly shift: DayShift; readonly within: Stretch }
  /** The first day of a period, shown at each day that begins a shorter one in it. */
  | ({ readonly kind: 'to'; readonly firstDay: WeekDay } & (
      | { readonly to: TableDays; readonly shown: NamedPeriod | PeriodTable }
      | { readonly to: NamedPeriod; readonly shown: PeriodTable }
    ));

/** Days that are shown, the last among them, as `YYYY-MM-DD`. */
export interface Stretch {
  readonly first: string | undefined;
  readonly last: string | undefined;
}

/** Returns whether a field is the days that rows are shown at, and not the row's own day: several of them, or none. */
export function isElsewhere({ grain }: FieldInRole): boolean {
  return grain?.moved !== undefined && grain.moved.kind !== 'shifted';
}

/** Returns whether filters have moved to the rows' own days; then each day is in a group once. */
export function isShownOnce(spread: Spread): boolean {
  if (!('pairs' in spread)) return spread.passes.kind === 'back';
  return spread.pairs.kind === 'before' || (spread.pairs.kind === 'back' && spread.pairs.isWhole);
}
