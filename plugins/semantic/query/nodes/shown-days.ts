/** The days that show rows where a metric is offset in time, and the conditions on these days. */

import type { WeekDay } from '../../../../router/date-grains.ts';
import type { NamedPeriod } from '../../model/fiscal-year.ts';
import type { PeriodTable } from '../../model/period-table.ts';
import type { DayShift, TableDays } from '../../model/template.ts';
import type { FieldInRole, ResolvedPlace } from './resolved-query.ts';
import type { Shift } from './shift.ts';

/** The days at which one row is shown, in place of the row's own day. */
export type Spread = NumberedSpread | PairedSpread;

/** The row's day, moved, and the days after it. Only days that pass show the row. */
export interface NumberedSpread {
  readonly place: ResolvedPlace;
  readonly days: number;
  /**
   * `back`: a day passes if the shift leads from it to the row's day. `in`: a day passes if it is in the period that begins
   * with the row's day.
   */
  readonly passes:
    | { readonly kind: 'back'; readonly shift: Shift }
    | { readonly kind: 'in'; readonly period: NamedPeriod };
  /** The grain of the answer. With `in`, a day passes only if it begins such a period. */
  readonly finest: NamedPeriod;
}

/** Days that the periods of a table define. */
export interface PairedSpread {
  readonly place: ResolvedPlace;
  readonly pairs: Pairs;
  /**
   * Set where the rows of several offsets are read in one pass: the pairs of each, `pairs` among them, all of one kind. Each row
   * then has the number of its pairs.
   */
  readonly together?: readonly Pairs[] | undefined;
}

/** The mapping of days to the days that show them. A day is shown at several days, at one, or at none. */
export type Pairs =
  /**
   * A day of a table is shown at the day with the same place in the period `count` periods later. The last day of a shorter
   * period is also shown at the places that the shorter period lacks. With `isWhole`, every day is shown at the first day
   * of the later period.
   */
  | { readonly kind: 'back'; readonly table: TableDays; readonly count: number; readonly isWhole: boolean }
  /** Days at a fixed distance before the days of a table's periods, each shown at the first day of the period. */
  | { readonly kind: 'before'; readonly shown: PeriodTable; readonly shift: DayShift; readonly within: Stretch }
  /** The first day of a period is shown at each day that begins a shorter period in it. */
  | ({ readonly kind: 'to'; readonly firstDay: WeekDay } & (
      | { readonly to: TableDays; readonly shown: NamedPeriod | PeriodTable }
      | { readonly to: NamedPeriod; readonly shown: PeriodTable }
    ));

/** A range of shown days, both ends included, as `YYYY-MM-DD`. */
export interface Stretch {
  readonly first: string | undefined;
  readonly last: string | undefined;
}

/**
 * Returns whether a field is the day that shows a row, and not the row's own day. A row may be shown at several days or
 * none.
 */
export function isElsewhere({ grain }: FieldInRole): boolean {
  return grain?.moved !== undefined && grain.moved.kind !== 'shifted';
}

/** Returns whether the filters test the rows' own days, so that a group has each day once. */
export function isShownOnce(spread: Spread): boolean {
  if (!('pairs' in spread)) return spread.passes.kind === 'back';
  return spread.pairs.kind === 'before' || (spread.pairs.kind === 'back' && spread.pairs.isWhole);
}
