/** Plans metrics that are offset by the periods of a calendar's table, or shown in such periods. */

import { DAY_MS, dateText } from '../../../../../router/calendar.ts';
import { isGrainOf } from '../../../../../router/date-grains.ts';
import { InternalError, ValidationError } from '../../../../../router/errors.ts';
import { type NamedPeriod, periodStart } from '../../../model/fiscal-year.ts';
import type { Periods, PeriodTable } from '../../../model/period-table.ts';
import { type DayShift, isOfDays, type Offset, type TableDays, type TableShift } from '../../../model/template.ts';
import type { TimeSettings } from '../../../model/time-settings.ts';
import { rangeLeft, rangeOf } from '../../nodes/date-range.ts';
import { fieldKey } from '../../nodes/field-key.ts';
import { type Moved, tableOf, zoneOf } from '../../nodes/grain.ts';
import type { Condition, ResolvedFilter, ResolvedGroup } from '../../nodes/resolved-query.ts';
import type { PairedSpread, Pairs } from '../../nodes/shown-days.ts';
import { conditionsOfPeriods } from '../compare/table-periods.ts';
import type { OffsetRequest } from './offset-request.ts';
import { dayOrGrain, isDay, isOfDate, onShown, placesOfDate } from './shown-conditions.ts';

const SHOWN: Moved = { kind: 'shown' };

/**
 * Shows the rows of a table's period `count` periods later: whole periods in whole periods, days at the days with the same
 * places. If the answer has neither, the filters move instead, as in comparisons.
 *
 * @throws ValidationError for other periods, because a step of the table does not lead from one of them to another
 */
export function periodsBack(
  { table, count }: TableShift,
  offset: Offset,
  groups: readonly ResolvedGroup[],
  conditions: readonly Condition[],
  time: TimeSettings,
): OffsetRequest {
  const dated = groups.filter((group) => isOfDate(group, offset));
  const periods = dated.filter((group) => isGrainOf(dayOrGrain(group, time).name, 'period'));
  const byDay = periods.find((group) => isDay(group, time));
  if (byDay !== undefined) {
    refuseMoments(conditions, offset, table, time);
    return {
      groups: groups.map((group) => (isOfDate(group, offset) ? shownAt(group, time) : group)),
      conditions: conditions.map((one) => onShown(one, offset, (day) => day, { time, moved: SHOWN })),
      spread: { place: byDay, pairs: { kind: 'back', table, count, isWhole: false } },
    };
  }
  const other = periods.find(({ grain }) => tableOf(grain)?.name !== table.name);
  if (other !== undefined) {
    throw ValidationError.at(
      [...other.path, 'grain'],
      `A metric here is offset by ${table.name}, which does not move one ${fieldKey(other)} to another.`,
      ['day', ...time.tables.flatMap(({ name }) => (name === table.name ? [name] : []))],
    );
  }
  const [byPeriod] = periods;
  const [place] = placesOfDate(conditions, offset);
  return {
    groups: groups.map((group) => (periods.includes(group) ? shownAt(group, time) : group)),
    conditions:
      place === undefined
        ? conditions
        : conditionsOfPeriods(conditions, place, time, {
            unit: 'period',
            count: -count,
            table: countedTable(table, time),
          }),
    spread: byPeriod && { place: byPeriod, pairs: { kind: 'back', table, count, isWhole: true } },
  };
}

/** Shows each day in the periods of a table that have a day `shift` later, once in each period. */
export function daysBefore(
  place: ResolvedGroup,
  shift: DayShift,
  conditions: readonly Condition[],
  time: TimeSettings,
): PairedSpread {
  const shown = tableOf(place.grain);
  if (shown === undefined) throw new InternalError('no table defines the periods that show the rows');
  const { from, before } = rangeLeft(conditions, place, time);
  const within = {
    first: from === undefined ? undefined : dateText(Math.floor(from / DAY_MS)),
    last: before === undefined ? undefined : dateText(Math.ceil(before / DAY_MS) - 1),
  };
  return { place, pairs: { kind: 'before', shown, shift, within } };
}

/** Returns the pairs of first days and the days that show them; `undefined` where no table defines the periods. */
export function pairsTo(
  to: NamedPeriod | TableDays,
  shown: NamedPeriod | PeriodTable,
  { firstDay }: TimeSettings,
): Pairs | undefined {
  if (isOfDays(to)) return { kind: 'to', to, shown, firstDay };
  return 'periods' in shown ? { kind: 'to', to, shown, firstDay } : undefined;
}

/**
 * Returns a function from a day to the first day of its period; the function returns `undefined` for a day without a
 * period.
 */
export function startsOf(
  period: NamedPeriod | TableDays | PeriodTable,
  time: TimeSettings,
): (day: number) => number | undefined {
  if ('period' in period) return (day) => periodStart(day, period.period, time.firstDay, period.calendar);
  return (day) => {
    const { periods } = 'periods' in period ? period : countedTable(period, time);
    return periods?.within(day, day).at(-1)?.first;
  };
}

/** Refuses lists of moments, because rows are shown by whole days. */
export function refuseLists(conditions: readonly Condition[], offset: Offset): void {
  for (const filter of momentsOf(conditions, offset)) {
    if (rangeOf(filter, undefined) === undefined) throw refusedMoment(filter, ['day']);
  }
}

function refuseMoments(
  conditions: readonly Condition[],
  offset: Offset,
  { name }: TableDays,
  time: TimeSettings,
): void {
  for (const filter of momentsOf(conditions, offset)) {
    const range = rangeOf(filter, zoneOf(filter.field, time));
    const ends = range === undefined ? [1] : [range.from ?? 0, range.before ?? 0];
    if (ends.some((end) => end % DAY_MS !== 0)) throw refusedMoment(filter, ['day', name]);
  }
}

/** Lists the filters on the date that name moments within a day. */
function momentsOf(conditions: readonly Condition[], offset: Offset): readonly ResolvedFilter[] {
  return placesOfDate(conditions, offset).filter(({ field, grain, test }) => {
    const isMoment = grain === undefined ? field.type !== 'date' : isGrainOf(grain.name, 'clock');
    return isMoment && test.kind !== 'null' && test.kind !== 'notNull';
  });
}

function refusedMoment(filter: ResolvedFilter, available: readonly string[]): ValidationError {
  return ValidationError.at(
    filter.path,
    `A metric here is offset by whole days of a calendar’s table. Filter ${fieldKey(filter)} by a grain of days.`,
    available,
  );
}

/** Moves a group to the shown day; the hour of day stays the row's own. */
function shownAt(group: ResolvedGroup, time: TimeSettings): ResolvedGroup {
  const grain = dayOrGrain(group, time);
  return grain.name === 'hour_of_day' ? group : { ...group, grain: { ...grain, moved: SHOWN } };
}

function countedTable(
  { name }: TableDays,
  { counted = [] }: TimeSettings,
): PeriodTable & { readonly periods: Periods } {
  const readTable = counted.find((one) => one.name === name);
  if (readTable?.periods === undefined) {
    throw new InternalError('the periods that a metric is offset by were not read before the query was planned');
  }
  return { ...readTable, periods: readTable.periods };
}
