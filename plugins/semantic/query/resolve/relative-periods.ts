/** Periods counted to today, as the first day and the day after the last. */

import { DAY_MS, dateText, momentText, type Period } from '../../../../router/calendar.ts';
import type { Parameter } from '../../../../router/capabilities/warehouse.ts';
import type { WeekDay } from '../../../../router/date-grains.ts';
import { instantAt, UTC, wallClockAt } from '../../../../router/time-zone.ts';
import type { RelativePeriod } from '../../../query-surface/index.ts';
import { type FiscalYear, periodAfter, periodStart } from '../../model/fiscal-year.ts';
import type { Field } from '../../model/model.ts';
import type { TimeSettings } from '../../model/time-settings.ts';
import { zoneOf } from '../nodes/grain.ts';

/** A period as a reference names it. */
interface OwnPeriod {
  readonly period: Period;
  readonly calendar: FiscalYear | undefined;
}

interface Days {
  readonly from: number;
  /** Not of the period any more. */
  readonly before: number;
}

/** What a period reaches over: whole periods up to the current one, from a beginning to today, or those before the current one. */
const REACHES: Readonly<Record<RelativePeriod, (today: number, n: number, own: OwnPeriod, firstDay: WeekDay) => Days>> =
  {
    last_n_days: last('day'),
    last_n_months: last('month'),
    last_n_quarters: last('quarter'),
    last_n_years: last('year'),
    ytd: toDate('year'),
    qtd: toDate('quarter'),
    mtd: toDate('month'),
    previous_period: (today, n, { period, calendar }, firstDay) => {
      const current = periodStart(today, period, firstDay, calendar);
      return { from: periodAfter(current, period, -n, calendar), before: current };
    },
  };

function last(unit: Period) {
  return (today: number, n: number, { calendar }: OwnPeriod, firstDay: WeekDay): Days => {
    const current = periodStart(today, unit, firstDay, calendar);
    return { from: periodAfter(current, unit, 1 - n, calendar), before: periodAfter(current, unit, 1, calendar) };
  };
}

function toDate(unit: Period) {
  return (today: number, _: number, { calendar }: OwnPeriod, firstDay: WeekDay): Days => {
    return { from: periodStart(today, unit, firstDay, calendar), before: today + 1 };
  };
}

/**
 * Returns the bounds of a period as values of a field: `from` is in it, `before` is not. Today is that of the clocks that
 * the request reads, UTC where it reads none.
 *
 * @param own the field's own period, which `previous_period` counts, and the calendar that years, quarters and months are of
 */
export function relativeBounds(
  period: RelativePeriod,
  n: number,
  own: OwnPeriod,
  field: Field,
  time: TimeSettings,
  now: number,
): { readonly from: Parameter; readonly before: Parameter } {
  const today = Math.floor(wallClockAt(time.timezone ?? UTC, now) / DAY_MS);
  const { from, before } = REACHES[period](today, n, own, time.firstDay);
  const zone = zoneOf(field, time);
  const bound = (day: number): Parameter => {
    if (field.type === 'date') return { type: 'date', value: dateText(day) };
    const moment = zone === undefined ? day * DAY_MS : instantAt(zone, day * DAY_MS);
    const text = momentText(moment);
    return field.type === 'timestamptz'
      ? { type: 'timestamptz', value: `${text}Z` }
      : { type: 'timestamp', value: text };
  };
  return { from: bound(from), before: bound(before) };
}
