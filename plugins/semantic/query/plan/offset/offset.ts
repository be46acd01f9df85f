/** Plans the rows of a metric that is offset in time: the same groups and filters, for earlier rows. */

import { DAY_MS, dateText, type Period } from '../../../../../router/calendar.ts';
import { type DateGrain, isGrainOf } from '../../../../../router/date-grains.ts';
import { InternalError, ValidationError } from '../../../../../router/errors.ts';
import type { NamedPeriod } from '../../../model/fiscal-year.ts';
import type { PeriodTable } from '../../../model/period-table.ts';
import { type DayShift, isOfDays, type Offset, type TableDays } from '../../../model/template.ts';
import type { TimeSettings } from '../../../model/time-settings.ts';
import { rangeLeft } from '../../nodes/date-range.ts';
import { fieldKey } from '../../nodes/field-key.ts';
import { fiscalYearOf, grainOf, type Moved, type ResolvedGrain, tableOf } from '../../nodes/grain.ts';
import type { Condition, ResolvedGroup } from '../../nodes/resolved-query.ts';
import type { Shift } from '../../nodes/shift.ts';
import type { NumberedSpread } from '../../nodes/shown-days.ts';
import { shiftedConditions } from '../compare/shifted-conditions.ts';
import type { OffsetRequest } from './offset-request.ts';
import { dayOrGrain, isDay, isOfDate, onShown, placesOfDate } from './shown-conditions.ts';
import { daysBefore, pairsTo, periodsBack, refuseLists, startsOf } from './table-offset.ts';

/** The most days that show one day that is moved by months: 31 − 28, and the day itself. */
const DAYS_OF_ONE = 4;
const MOST_DAYS: Readonly<Record<Period, number>> = { day: 1, week: 7, month: 31, quarter: 92, year: 366 };

interface Context {
  readonly time: TimeSettings;
}

/**
 * Returns the groups and conditions with which each group has its earlier values.
 *
 * @throws ValidationError where a period of the request has no earlier one
 */
export function offsetRequest(
  offset: Offset,
  groups: readonly ResolvedGroup[],
  conditions: readonly Condition[],
  context: Context,
): OffsetRequest {
  const dated = groups.filter((group) => isOfDate(group, offset));
  const clock = dated.find(({ grain, field }) =>
    grain === undefined ? field.type !== 'date' : isGrainOf(grain.name, 'clock'),
  );
  if (clock !== undefined) {
    throw ValidationError.at(
      clock.path,
      `${fieldKey(clock)} is shorter than a day, and a metric here is offset by days and longer periods.`,
    );
  }
  const [date] = dated;
  // A row without a date has no earlier value.
  const isDated: readonly Condition[] =
    date === undefined
      ? []
      : [{ kind: 'filter', filter: { path: date.path, field: date.field, via: date.via, test: { kind: 'notNull' } } }];
  refuseUnlikePeriods(dated, context.time);
  const movedRequest = moveRequest(offset, groups, conditions, context);
  return { ...movedRequest, conditions: [...movedRequest.conditions, ...isDated] };
}

function moveRequest(
  offset: Offset,
  groups: readonly ResolvedGroup[],
  conditions: readonly Condition[],
  context: Context,
): OffsetRequest {
  if (offset.to !== undefined) return firstDays(offset.to, offset, groups, conditions, context);
  const { shift } = offset;
  return shift.unit === 'period'
    ? periodsBack(shift, offset, groups, conditions, context.time)
    : shiftedRequest(shift, offset, groups, conditions, context);
}

/**
 * Refuses periods of a table beside other periods of the same date, because a period may be in several of the others.
 * Grouping by the day too is allowed: a day is in one period of each.
 */
function refuseUnlikePeriods(dated: readonly ResolvedGroup[], time: TimeSettings): void {
  const periods = dated.filter((group) => isGrainOf(dayOrGrain(group, time).name, 'period'));
  const table = periods.find(({ grain }) => tableOf(grain) !== undefined);
  const other = periods.findLast((group) => group !== table);
  if (table === undefined || other === undefined || periods.some((group) => isDay(group, time))) return;
  throw ValidationError.at(
    [...other.path, 'grain'],
    `A metric here is offset in time, which does not move parts of ${fieldKey(table)} and ${fieldKey(other)} together. Group by one of them, or by the day too.`,
    ['day'],
  );
}

function shiftedRequest(
  shift: DayShift,
  offset: Offset,
  groups: readonly ResolvedGroup[],
  conditions: readonly Condition[],
  { time }: Context,
): OffsetRequest {
  const dated = groups.filter((group) => isOfDate(group, offset));
  const week = dated.find(({ grain }) => grain?.name === 'week');
  if (week !== undefined && shift.unit === 'month') {
    throw ValidationError.at(
      [...week.path, 'grain'],
      'A metric here is offset by months, which do not move one week to another.',
      ['day', 'month', 'quarter', 'year'],
    );
  }
  const byDay = dated.find((group) => isDay(group, time));
  const byTable = byDay === undefined ? dated.find(({ grain }) => tableOf(grain) !== undefined) : undefined;
  const isSpread = shift.unit === 'month' && byDay !== undefined;
  const moved: Moved = { kind: isSpread ? 'spread' : 'shifted', shift };
  const movedGroup = (group: ResolvedGroup): ResolvedGroup => {
    if (!isOfDate(group, offset)) return group;
    const grain = dayOrGrain(group, time);
    if (group === byTable) return { ...group, grain: { ...grain, moved: { kind: 'shown' } } };
    return isMoved(grain.name, moved) ? { ...group, grain: { ...grain, moved } } : group;
  };
  const back = { ...shift, count: -shift.count };
  const [place] = [...dated, ...placesOfDate(conditions, offset)];
  const shifted = place === undefined ? conditions : shiftedConditions(conditions, place, time, back);
  return {
    groups: groups.map(movedGroup),
    conditions: [
      ...shifted.map((one) => withParts(one, offset, { kind: 'shifted', shift })),
      // The last day of a month is shown at several days, and filters may leave only some of them.
      ...(isSpread ? conditions.filter((one) => placesOfDate([one], offset).length > 0) : []).map((one) =>
        onShown(one, offset, (day) => day, { time, moved }),
      ),
    ],
    spread:
      byTable !== undefined
        ? daysBefore(byTable, shift, conditions, time)
        : byDay === undefined || !isSpread
          ? undefined
          : { place: byDay, days: DAYS_OF_ONE, passes: { kind: 'back', shift: back }, finest: DAYS },
  };
}

/**
 * Returns whether a grain moves with an offset. Periods move, and so do the parts that follow from a moved period. Other
 * parts stay the row's own, as in comparisons.
 */
function isMoved(grain: DateGrain, moved: Moved): boolean {
  if (isGrainOf(grain, 'period') || moved.kind !== 'shifted') return true;
  const { shift } = moved;
  return shift.unit === 'month' ? ['month_of_year', 'quarter_of_year'].includes(grain) : grain !== 'hour_of_day';
}

/** Moves filters on moving parts to the shown day. */
function withParts(condition: Condition, offset: Offset, moved: Moved): Condition {
  if (condition.kind === 'among') return condition;
  if (condition.kind !== 'filter') {
    return { kind: condition.kind, of: condition.of.map((one) => withParts(one, offset, moved)) };
  }
  const { filter } = condition;
  const { grain } = filter;
  // A test for null at a table's grain tests the shown day.
  const isOfNone = tableOf(grain) !== undefined && (filter.test.kind === 'null' || filter.test.kind === 'notNull');
  if (grain === undefined || !isOfDate(filter, offset) || !(isOfNone || isGrainOf(grain.name, 'part')))
    return condition;
  return isMoved(grain.name, moved) ? { kind: 'filter', filter: { ...filter, grain: { ...grain, moved } } } : condition;
}

const DAYS: NamedPeriod = { period: 'day', calendar: undefined };
const NO_SHIFT: Shift = { unit: 'day', count: 0 };
const FINEST_FIRST: readonly Period[] = ['day', 'week', 'month', 'quarter', 'year'];

/** Shows the rows of the first day of a period in each period of the answer that begins in it. */
function firstDays(
  to: NamedPeriod | TableDays,
  offset: Offset,
  groups: readonly ResolvedGroup[],
  conditions: readonly Condition[],
  { time }: Context,
): OffsetRequest {
  const dated = groups.filter((group) => isOfDate(group, offset));
  const finest = finestOf(dated, time);
  if (finest === undefined) return firstDayOfFilters(startsOf(to, time), offset, groups, conditions, { time });
  const { place, shown } = finest;
  const pairs = pairsTo(to, shown, time);
  const moved: Moved = pairs === undefined ? { kind: 'spread', shift: NO_SHIFT } : { kind: 'shown' };
  if (pairs !== undefined) refuseLists(conditions, offset);
  const isOfRow = ({ name }: ResolvedGrain) => pairs !== undefined && name === 'hour_of_day';
  const movedGroup = (group: ResolvedGroup): ResolvedGroup => {
    const grain = isOfDate(group, offset) ? dayOrGrain(group, time) : undefined;
    return grain === undefined || isOfRow(grain) ? group : { ...group, grain: { ...grain, moved } };
  };
  const startOf = (day: number) => startsOf(shown, time)(day) ?? day;
  return {
    groups: groups.map(movedGroup),
    conditions: conditions.map((one) => onShown(one, offset, startOf, { time, moved })),
    spread: pairs === undefined ? numberedTo(to, shown, place) : { place, pairs },
  };
}

/** Returns the numbered days that show the first day of a period in the periods that begin in it. */
function numberedTo(
  to: NamedPeriod | TableDays,
  shown: NamedPeriod | PeriodTable,
  place: ResolvedGroup,
): NumberedSpread {
  if (isOfDays(to) || !('period' in shown)) throw new InternalError('days of a table are numbered without the table');
  return { place, days: MOST_DAYS[to.period], passes: { kind: 'in', period: to }, finest: shown };
}

/** Returns the shortest period of the date in the request. */
function finestOf(
  dated: readonly ResolvedGroup[],
  time: TimeSettings,
): { readonly place: ResolvedGroup; readonly shown: NamedPeriod | PeriodTable } | undefined {
  const [finest] = FINEST_FIRST.flatMap((name) => {
    return dated.filter((group) => dayOrGrain(group, time).name === name);
  }).toSorted((a, b) => Number(isDay(b, time)) - Number(isDay(a, time)));
  if (finest === undefined) return undefined;
  const { grain } = finest;
  const period = FINEST_FIRST.find((name) => name === dayOrGrain(finest, time).name) ?? 'day';
  return { place: finest, shown: tableOf(grain) ?? { period, calendar: grain && fiscalYearOf(grain) } };
}

/**
 * Limits the rows to the first day of the period in which the filters' range begins. Without periods in the answer, the
 * filters give the time.
 */
function firstDayOfFilters(
  startOf: (day: number) => number | undefined,
  offset: Offset,
  groups: readonly ResolvedGroup[],
  conditions: readonly Condition[],
  { time }: Context,
): OffsetRequest {
  const [place] = placesOfDate(conditions, offset);
  const from = place === undefined ? undefined : rangeLeft(conditions, place, time).from;
  const day = place === undefined ? undefined : grainOf('day', place.field, time);
  const start = from === undefined ? undefined : startOf(Math.floor(from / DAY_MS));
  if (place === undefined || start === undefined || day === undefined) {
    return { groups, conditions, spread: undefined, isOfNoDay: true };
  }
  const first = dateText(start);
  const { path, field, via } = place;
  const test = { kind: 'compare', operator: '=', value: { type: 'date', value: first } } as const;
  return {
    groups,
    conditions: [
      ...conditions.filter((one) => placesOfDate([one], offset).length === 0),
      { kind: 'filter', filter: { path, field, via, grain: day, test } },
    ],
    spread: undefined,
    day: groups.some((group) => isOfDate(group, offset)) ? undefined : first,
  };
}
