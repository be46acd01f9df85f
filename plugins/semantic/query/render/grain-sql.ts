/** Writes the SQL of a date's grain. */
import type { Dialect, Moment } from '../../../../router/capabilities/dialect.ts';
import { isGrainOf, isMomentType } from '../../../../router/date-grains.ts';
import { InternalError } from '../../../../router/errors.ts';
import type { Field } from '../../model/model.ts';
import { fiscalYearOf, type ResolvedGrain } from '../nodes/grain.ts';

/**
 * Returns the expression of a grain. For a fiscal year it moves the date back, as if the year began on January 1, takes the
 * calendar's period there, and moves its start forward again.
 */
export function grainSql(
  moment: Moment,
  grain: Pick<ResolvedGrain, 'name' | 'firstDay' | 'calendar'>,
  dialect: Dialect,
): string {
  const { name, firstDay } = grain;
  const calendar = fiscalYearOf(grain);
  if (calendar === undefined) return dialect.grains[name](moment, firstDay);
  const { month, day } = calendar;
  const date = (expression: string): Moment => ({ expression, type: 'date', zone: undefined });
  const moved = (expression: string, count: number, unit: 'day' | 'month') =>
    count === 0 ? expression : dialect.shifted(date(expression), String(count), unit);
  const before = moved(moved(dialect.grains.day(moment, firstDay), 1 - day, 'day'), 1 - month, 'month');
  const period = dialect.grains[name](date(before), firstDay);
  return isGrainOf(name, 'part') ? period : moved(moved(period, month - 1, 'month'), day - 1, 'day');
}

/** Returns an expression with the type and the zone that a dialect needs to compute its grain. */
export function momentOf(expression: string, { type }: Field, { zone }: ResolvedGrain): Moment {
  if (!isMomentType(type)) throw new InternalError('a grain is requested of a field that is not a date');
  return { expression, type, zone };
}
