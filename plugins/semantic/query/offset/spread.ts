/** At which days rows are shown where a metric is offset in time, and what is asked of them then. */
import type { NamedPeriod } from '../../model/fiscal-year.ts';
import type { Shift } from '../compare/shift.ts';
import type { Condition, FieldInRole, ResolvedGroup, ResolvedPlace } from '../resolved.ts';
import type { Pairs } from './pairs.ts';

/** The days that one row is shown at, which stand for the day of the row at the place. */
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

/** The days that periods of tables say. */
export interface PairedSpread {
  readonly place: ResolvedPlace;
  readonly pairs: Pairs;
}

export interface OffsetRequest {
  readonly groups: readonly ResolvedGroup[];
  readonly conditions: readonly Condition[];
  readonly spread: Spread | undefined;
  /** True where nothing says which day is meant, so that there is no value. */
  readonly isOfNoDay?: boolean | undefined;
  /** The one day that is meant, where the filters say it and no part of the date is asked for. */
  readonly day?: string | undefined;
}

/** Tells whether a field is that of days that rows are shown at, and not of the row: several of them, or none. */
export function isElsewhere({ grain }: FieldInRole): boolean {
  return grain?.moved !== undefined && grain.moved.kind !== 'shifted';
}

/** Tells whether filters have moved to the rows' own days, each of which is then in a group once. */
export function isShownOnce(spread: Spread): boolean {
  if (!('pairs' in spread)) return spread.passes.kind === 'back';
  return spread.pairs.kind === 'before' || (spread.pairs.kind === 'back' && spread.pairs.isWhole);
}
