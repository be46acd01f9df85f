/** Writes the SQL of the days that show a row where a metric is offset in time. */

import type { Dialect, Moment } from '../../../../router/capabilities/dialect.ts';
import type { NamedPeriod } from '../../model/fiscal-year.ts';
import type { ResolvedGrain } from '../nodes/grain.ts';
import type { NumberedSpread } from '../nodes/shown-days.ts';
import { grainSql } from './grain-sql.ts';

/** The item of FROM with the days that show rows. */
export const SPREAD = 'service_spread';

/** The number of days after the first day that shows a row. */
const NUMBER = `${SPREAD}.n`;

/** The day that shows a row, where pairs of days define it. */
const SHOWN = `${SPREAD}.shown_day`;

/** Returns the day that shows a row's moment; `undefined` where it is the moment's own day. */
export function movedDay(
  moment: Moment,
  { moved, firstDay, calendar }: ResolvedGrain,
  dialect: Dialect,
): Moment | undefined {
  if (moved === undefined) return undefined;
  if (moved.kind === 'shown') return day(SHOWN);
  const { kind, shift } = moved;
  if (kind === 'spread') return spreadDay(moment, shift, firstDay, dialect);
  // A month is moved by its first day, because not every month has the later days. This applies to months of a fiscal year
  // too.
  const start = grainSql(moment, { name: shift.unit === 'month' ? 'month' : 'day', firstDay, calendar }, dialect);
  return day(dialect.shifted(day(start), String(shift.count), shiftUnit(shift)));
}

function spreadDay(
  moment: Moment,
  shift: { readonly unit: string; readonly count: number },
  firstDay: ResolvedGrain['firstDay'],
  dialect: Dialect,
): Moment {
  const dayOfRow = day(dialect.grains.day(moment, firstDay));
  const first = shift.count === 0 ? dayOfRow : day(dialect.shifted(dayOfRow, String(shift.count), shiftUnit(shift)));
  return day(dialect.shifted(first, NUMBER, 'day'));
}

/** Returns the conditions under which a numbered day shows a row. */
export function spreadConditions(
  { passes, finest }: NumberedSpread,
  moment: Moment,
  { firstDay, moved }: ResolvedGrain,
  dialect: Dialect,
): readonly string[] {
  if (moved === undefined || moved.kind === 'shown') return [];
  const dayOfRow = dialect.grains.day(moment, firstDay);
  const shown = spreadDay(moment, moved.shift, firstDay, dialect);
  if (passes.kind === 'back') {
    return [`${dialect.shifted(shown, String(passes.shift.count), shiftUnit(passes.shift))} = ${dayOfRow}`];
  }
  return [
    `${firstDayOf(passes.period, shown, firstDay, dialect)} = ${dayOfRow}`,
    ...(finest.period === 'day' ? [] : [`${firstDayOf(finest, shown, firstDay, dialect)} = ${shown.expression}`]),
  ];
}

/** Returns the SQL of the first day of a moment's period. */
export function firstDayOf(
  { period, calendar }: NamedPeriod,
  moment: Moment,
  firstDay: ResolvedGrain['firstDay'],
  dialect: Dialect,
): string {
  return grainSql(moment, { name: period, firstDay, calendar }, dialect);
}

/** Joins the numbers from 0 on, `count` of them, to every row. */
export function spreadJoin(count: number, dialect: Dialect): string {
  return `CROSS JOIN ${dialect.numbers(SPREAD, count)}`;
}

function day(expression: string): Moment {
  return { expression, type: 'date', zone: undefined };
}

function shiftUnit({ unit }: { readonly unit: string }): 'month' | 'day' {
  return unit === 'month' ? 'month' : 'day';
}
