/** Lists the periods of one date between two ends, as numbers that identify and order them. */

import { DAY_MS, dateText, grainAt, momentText, readMoment } from '../../../../router/calendar.ts';
import type { Scalar } from '../../../../router/capabilities/warehouse.ts';
import { isGrainOf } from '../../../../router/date-grains.ts';
import { ValidationError } from '../../../../router/errors.ts';
import { wallClockAt } from '../../../../router/time-zone.ts';
import { periodAfter } from '../../model/fiscal-year.ts';
import type { PeriodTable } from '../../model/period-table.ts';
import { startAt } from '../nodes/date-range.ts';
import { fiscalYearOf, type ResolvedGrain, tableOf } from '../nodes/grain.ts';
import type { Fill } from '../nodes/plan.ts';

/** The most periods that are filled. */
export const MAX_FILLED_PERIODS = 10_000;

/** Lists all periods from the first to the last. The filters give these; without filters, the data do. */
export function periodsOf(
  dataPeriods: readonly (number | undefined)[],
  fill: Fill,
  grain: ResolvedGrain,
): readonly number[] {
  const table = tableOf(grain);
  if (table !== undefined) return periodsOfTable(dataPeriods, fill, table);
  let first = fill.range.from === undefined ? undefined : startAt(fill.range.from, grain);
  let last = fill.range.before === undefined ? undefined : startAt(fill.range.before - 1, grain);
  for (const period of dataPeriods) {
    if (period === undefined) continue;
    if (first === undefined || period < first) first = period;
    if (last === undefined || period > last) last = period;
  }
  const periods: number[] = [];
  if (first === undefined || last === undefined) return periods;
  for (let period = first; period <= last; period = periodBehind(period, grain)) {
    if (periods.length === MAX_FILLED_PERIODS) {
      throw ValidationError.at(
        fill.path,
        `There are more than ${MAX_FILLED_PERIODS} periods to fill. Filter the dates, or take a longer grain.`,
      );
    }
    periods.push(period);
  }
  return periods;
}

/** Lists the periods of a table that begin from the first to the last. */
function periodsOfTable(
  dataPeriods: readonly (number | undefined)[],
  { path, range: { from, before } }: Fill,
  { periods }: PeriodTable,
): readonly number[] {
  const days = dataPeriods.filter((one) => one !== undefined).map((period) => period / DAY_MS);
  const isIn = new Set(days);
  const ends = days.reduce<{ readonly first: number; readonly last: number } | undefined>(
    (reach, day) => ({ first: Math.min(reach?.first ?? day, day), last: Math.max(reach?.last ?? day, day) }),
    undefined,
  );
  const first = from === undefined ? ends?.first : Math.floor(from / DAY_MS);
  const last = before === undefined ? ends?.last : Math.floor((before - 1) / DAY_MS);
  const filled = (periods?.all ?? []).filter((period) => {
    const isBetween =
      first !== undefined &&
      last !== undefined &&
      (from === undefined ? period.first >= first : period.last >= first) &&
      period.first <= last;
    return isBetween || isIn.has(period.first);
  });
  if (filled.length > MAX_FILLED_PERIODS) {
    throw ValidationError.at(path, `There are more than ${MAX_FILLED_PERIODS} periods to fill. Filter the dates.`);
  }
  return filled.map((period) => period.first * DAY_MS);
}

const CLOCK_MS = { second: 1_000, minute: 60_000, hour: 3_600_000 } as const;

/**
 * Converts a period to a number that identifies and orders it: milliseconds of the clock at its beginning or, of a clock in
 * a zone, the instant, because clocks may show an hour twice. A part of a date is a number itself.
 */
export function periodOf(value: Scalar, grain: ResolvedGrain): number | undefined {
  if (value === null) return undefined;
  if (isGrainOf(grain.name, 'part')) return Number(value);
  const moment = readMoment(String(value));
  if (moment === undefined) return undefined;
  return isGrainOf(grain.name, 'period') ? Math.floor(moment / DAY_MS) * DAY_MS : moment;
}

/** Returns the next period; infinity for a part of a date. */
export function periodBehind(period: number, grain: ResolvedGrain): number {
  const { name, zone, firstDay } = grain;
  const calendar = fiscalYearOf(grain);
  if (isGrainOf(name, 'period')) return periodAfter(period / DAY_MS, name, 1, calendar) * DAY_MS;
  if (!isGrainOf(name, 'clock')) return Number.POSITIVE_INFINITY;
  const next = period + CLOCK_MS[name];
  if (zone === undefined) return next;
  // Clocks may have been turned by less than the period.
  const wall = wallClockAt(zone, next);
  const begun = next - (wall - grainAt(wall, name, firstDay));
  return begun > period ? begun : next;
}

/** Returns the cell of a period as statements return it. */
export function cellOf(period: number, { name }: ResolvedGrain): Scalar {
  if (isGrainOf(name, 'part')) return period;
  return isGrainOf(name, 'period') ? dateText(period / DAY_MS) : momentText(period);
}
