/** Resolves relative periods to their first day and the day after their last. */

import { DAY_MS, dateText, momentText, type Period } from '../../../../router/calendar.ts';
import type { Parameter } from '../../../../router/capabilities/warehouse.ts';
import type { WeekDay } from '../../../../router/date-grains.ts';
import { instantAt, UTC, wallClockAt } from '../../../../router/time-zone.ts';
import type { RelativeDays } from '../../../query-surface/index.ts';
import { type FiscalYear, periodAfter, periodStart } from '../../model/fiscal-year.ts';
import type { Field } from '../../model/model.ts';
import type { TimeSettings } from '../../model/time-settings.ts';
import { zoneOf } from '../nodes/grain.ts';

/** The period of the grain that a filter names. */
interface GrainPeriod {
  readonly period: Period;
  readonly calendar: FiscalYear | undefined;
}

interface Days {
  readonly from: number;
  /** The day after the period. */
  readonly before: number;
}

/** Returns the days of a period. */
function daysOf(days: RelativeDays, today: number, n: number, periodOfGrain: GrainPeriod, firstDay: WeekDay): Days {
  const { calendar } = periodOfGrain;
  switch (days.kind) {
    case 'last': {
      const current = periodStart(today, days.unit, firstDay, calendar);
      return {
        from: periodAfter(current, days.unit, 1 - n, calendar),
        before: periodAfter(current, days.unit, 1, calendar),
      };
    }
    case 'to_date':
      return { from: periodStart(today, days.unit, firstDay, calendar), before: today + 1 };
    case 'before': {
      const current = periodStart(today, periodOfGrain.period, firstDay, calendar);
      return { from: periodAfter(current, periodOfGrain.period, -n, calendar), before: current };
    }
  }
}

/**
 * Returns the bounds of a period as values of a field: `from` is in it, `before` is not. Today is the date in the request's
 * time zone, or in UTC without one.
 *
 * @param periodOfGrain the period that the filter counts in, and the calendar of its years, quarters and months
 */
export function relativeBounds(
  days: RelativeDays,
  n: number,
  periodOfGrain: GrainPeriod,
  field: Field,
  time: TimeSettings,
  now: number,
): { readonly from: Parameter; readonly before: Parameter } {
  const today = Math.floor(wallClockAt(time.timezone ?? UTC, now) / DAY_MS);
  const { from, before } = daysOf(days, today, n, periodOfGrain, time.firstDay);
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
