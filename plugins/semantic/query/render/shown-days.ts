/** SQL of the days that rows are shown at where a metric is offset in time. */

import type { Dialect, Moment } from '../../../../router/capabilities/dialect.ts';
import type { NamedPeriod } from '../../model/fiscal-year.ts';
import type { ResolvedGrain } from '../nodes/grain.ts';
import type { NumberedSpread } from '../nodes/shown-days.ts';
import { grainSql } from './grain-sql.ts';

/** The number of a day behind the first that a row is shown at. */
const NUMBER = 'service_spread.day_number';
const DIGITS = 10;

/** The day at which a row is shown, where pairs of days define it. */
const SHOWN = 'service_spread.shown_day';

/** Returns the day that is shown for a moment of a row; `undefined` where that is its own. */
export function movedDay(
  moment: Moment,
  { moved, firstDay, calendar }: ResolvedGrain,
  dialect: Dialect,
): Moment | undefined {
  if (moved === undefined) return undefined;
  if (moved.kind === 'shown') return day(SHOWN);
  const { kind, shift } = moved;
  if (kind === 'spread') return spreadDay(moment, shift, firstDay, dialect);
  // A month is moved by its first day, which every month has, that of a fiscal year too.
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

/** Returns the condition for a row to be shown at a numbered day. */
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

/** Returns the first day of the period of a moment. */
export function firstDayOf(
  { period, calendar }: NamedPeriod,
  moment: Moment,
  firstDay: ResolvedGrain['firstDay'],
  dialect: Dialect,
): string {
  return grainSql(moment, { name: period, firstDay, calendar }, dialect);
}

/** Returns the numbers from 0 on, `count` of them, to be joined to every row. */
export function spreadJoin(count: number): string {
  const digits = (name: string, until: number) =>
    `(${Array.from({ length: until }, (_, digit) => (digit === 0 ? `SELECT 0 AS ${name}` : `SELECT ${digit}`)).join(' UNION ALL ')}) AS ${name}s`;
  const tens = Math.ceil(count / DIGITS);
  const hundreds = Math.ceil(tens / DIGITS);
  const parts = [
    { name: 'ones', sql: digits('one', Math.min(count, DIGITS)), is: 'ones.one' },
    { name: 'tens', sql: digits('ten', Math.min(tens, DIGITS)), is: `tens.ten * ${DIGITS}` },
    { name: 'hundreds', sql: digits('hundred', hundreds), is: `hundreds.hundred * ${DIGITS * DIGITS}` },
  ];
  const number = parts.map(({ is }) => is).join(' + ');
  const from = parts.map(({ sql }) => sql).join(' CROSS JOIN ');
  return `CROSS JOIN (SELECT ${number} AS day_number FROM ${from}) AS service_spread`;
}

function day(expression: string): Moment {
  return { expression, type: 'date', zone: undefined };
}

function shiftUnit({ unit }: { readonly unit: string }): 'month' | 'day' {
  return unit === 'month' ? 'month' : 'day';
}
