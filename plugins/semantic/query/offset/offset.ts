/** What a metric that is offset in time asks for: the same groups and filters, about earlier rows. */
import { DAY_MS, dateText, type Period } from '../../../../router/calendar.ts';
import { type DateGrain, isGrainOf } from '../../../../router/date-grains.ts';
import { ValidationError } from '../../../../router/errors.ts';
import { type NamedPeriod, periodStart } from '../../model/fiscal-year.ts';
import type { Offset } from '../../model/template.ts';
import type { TimeSettings } from '../../model/time-settings.ts';
import type { Shift } from '../compare/shift.ts';
import { shiftedConditions } from '../compare/shifted-conditions.ts';
import { fiscalYearOf, grainOf, type Moved, type ResolvedGrain, tableOf, zoneOf } from '../grain/grain.ts';
import { rangeLeft, rangeOf } from '../grain/range.ts';
import { keyOf } from '../resolve/field-key.ts';
import type { Condition, ResolvedFilter, ResolvedGroup, ResolvedPlace } from '../resolved.ts';

/** The days that one row is shown at: the day of the row, moved, and so many days behind it that pass. */
export interface Spread {
  readonly place: ResolvedPlace;
  readonly days: number;
  /** A day passes whose own day `by` earlier is that of the row, or that is in the period that the row's day begins. */
  readonly passes:
    | { readonly kind: 'back'; readonly shift: Shift }
    | { readonly kind: 'in'; readonly period: NamedPeriod };
  /** The grain of the answer: a day passes that begins a period of it. */
  readonly finest: NamedPeriod;
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

/** Days of the longest month less those of the shortest, and the day itself. */
const DAYS_OF_ONE = 4;
const MOST_DAYS: Readonly<Record<Period, number>> = { day: 1, week: 7, month: 31, quarter: 92, year: 366 };

interface Context {
  readonly time: TimeSettings;
}

/** Tells whether a place of a request is of the date that an offset goes by. */
export function isOfDate({ field }: ResolvedPlace, { by }: Offset): boolean {
  return field.dataset === by.dataset && field.name === by.field;
}

/**
 * Returns what is asked of the rows, so that each group has what it had earlier.
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
      `${keyOf(clock)} is shorter than a day, and a metric here is offset by days and longer periods.`,
    );
  }
  const ofTable = [...dated, ...placesOfDate(conditions, offset)].find(({ grain }) => tableOf(grain) !== undefined);
  if (ofTable !== undefined) {
    throw ValidationError.at(
      [...ofTable.path, 'grain'],
      `A metric here is offset in time, which leads from no ${keyOf(ofTable)} to another: its periods stand in a table.`,
      ['day', 'week', 'month', 'quarter', 'year'],
    );
  }
  const [date] = dated;
  // What has no date was nothing at an earlier one.
  const isDated: readonly Condition[] =
    date === undefined
      ? []
      : [{ kind: 'filter', filter: { path: date.path, field: date.field, via: date.via, test: { kind: 'notNull' } } }];
  const asked =
    offset.to === undefined
      ? shiftedRequest(offset.shift, offset, groups, conditions, context)
      : firstDays(offset.to, offset, groups, conditions, context);
  return { ...asked, conditions: [...asked.conditions, ...isDated] };
}

/** Returns the grain of a group, a date itself being its day. */
function dayOrGrain(place: ResolvedPlace, time: TimeSettings): ResolvedGrain {
  const grain = place.grain ?? grainOf('day', place.field, time);
  if (grain === undefined) throw ValidationError.at(place.path, `${keyOf(place)} is no date.`);
  return grain;
}

function shiftedRequest(
  shift: Shift,
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
      'A metric here is offset by months, which lead from no week to another.',
      ['day', 'month', 'quarter', 'year'],
    );
  }
  const byDay = dated.find((group) => dayOrGrain(group, time).name === 'day');
  const isSpread = shift.unit === 'month' && byDay !== undefined;
  const moved: Moved = { kind: isSpread ? 'spread' : 'shifted', shift };
  const movedGroup = (group: ResolvedGroup): ResolvedGroup => {
    if (!isOfDate(group, offset)) return group;
    const grain = dayOrGrain(group, time);
    return isMoved(grain.name, moved) ? { ...group, grain: { ...grain, moved } } : group;
  };
  const back = { ...shift, count: -shift.count };
  const [place] = [...dated, ...placesOfDate(conditions, offset)];
  const shifted = place === undefined ? conditions : shiftedConditions(conditions, place, time, back);
  return {
    groups: groups.map(movedGroup),
    conditions: [
      ...shifted.map((one) => withParts(one, offset, { kind: 'shifted', shift })),
      // The last day of a month is shown at several, of which filters may leave some.
      ...(isSpread ? conditions.filter((one) => placesOfDate([one], offset).length > 0) : []).map((one) =>
        onShown(one, offset, DAYS, { time, moved }),
      ),
    ],
    spread:
      byDay === undefined || !isSpread
        ? undefined
        : { place: byDay, days: DAYS_OF_ONE, passes: { kind: 'back', shift: back }, finest: DAYS },
  };
}

/**
 * Tells whether a grain moves: periods do, and so do the parts that these decide; other parts are those of the row,
 * as in comparisons.
 */
function isMoved(grain: DateGrain, { kind, shift }: Moved): boolean {
  if (isGrainOf(grain, 'period') || kind === 'spread') return true;
  return shift.unit === 'month' ? ['month_of_year', 'quarter_of_year'].includes(grain) : grain !== 'hour_of_day';
}

/** Moves filters of parts that move to what is shown. */
function withParts(condition: Condition, offset: Offset, moved: Moved): Condition {
  if (condition.kind === 'among') return condition;
  if (condition.kind !== 'filter') {
    return { kind: condition.kind, of: condition.of.map((one) => withParts(one, offset, moved)) };
  }
  const { filter } = condition;
  const { grain } = filter;
  if (grain === undefined || !isOfDate(filter, offset) || !isGrainOf(grain.name, 'part')) return condition;
  return isMoved(grain.name, moved) ? { kind: 'filter', filter: { ...filter, grain: { ...grain, moved } } } : condition;
}

function placesOfDate(conditions: readonly Condition[], offset: Offset): readonly ResolvedFilter[] {
  return conditions.flatMap((one): readonly ResolvedFilter[] => {
    if (one.kind === 'filter') return isOfDate(one.filter, offset) ? [one.filter] : [];
    return one.kind === 'among' ? [] : placesOfDate(one.of, offset);
  });
}

const DAYS: NamedPeriod = { period: 'day', calendar: undefined };
const NO_SHIFT: Shift = { unit: 'day', count: 0 };
const FINEST_FIRST: readonly Period[] = ['day', 'week', 'month', 'quarter', 'year'];

/** Shows the rows of the first day of a period in each period of the answer that begins in it. */
function firstDays(
  period: NamedPeriod,
  offset: Offset,
  groups: readonly ResolvedGroup[],
  conditions: readonly Condition[],
  { time }: Context,
): OffsetRequest {
  const dated = groups.filter((group) => isOfDate(group, offset));
  const [finest] = FINEST_FIRST.flatMap((name): readonly (NamedPeriod & { readonly place: ResolvedGroup })[] => {
    const place = dated.find((group) => dayOrGrain(group, time).name === name);
    return place === undefined ? [] : [{ period: name, calendar: place.grain && fiscalYearOf(place.grain), place }];
  });
  if (finest === undefined) return firstDayOfFilters(period, offset, groups, conditions, { time });
  const { place } = finest;
  const moved: Moved = { kind: 'spread', shift: NO_SHIFT };
  const shown = (group: ResolvedGroup): ResolvedGroup =>
    isOfDate(group, offset) ? { ...group, grain: { ...dayOrGrain(group, time), moved } } : group;
  return {
    groups: groups.map(shown),
    conditions: conditions.map((one) => onShown(one, offset, finest, { time, moved })),
    spread: {
      place,
      days: MOST_DAYS[period.period],
      passes: { kind: 'in', period },
      finest: { period: finest.period, calendar: finest.calendar },
    },
  };
}

/** Moves filters of the date to the periods that are shown: a stretch keeps those that it meets. */
function onShown(
  condition: Condition,
  offset: Offset,
  finest: NamedPeriod,
  context: { readonly time: TimeSettings; readonly moved: Moved },
): Condition {
  if (condition.kind === 'among') return condition;
  if (condition.kind !== 'filter') {
    return { kind: condition.kind, of: condition.of.map((one) => onShown(one, offset, finest, context)) };
  }
  const { filter } = condition;
  if (!isOfDate(filter, offset)) return condition;
  const { time, moved } = context;
  const day = grainOf('day', filter.field, time);
  if (day === undefined) return condition;
  const range = rangeOf(filter, zoneOf(filter.field, time));
  const isNoDay = filter.grain === undefined ? filter.field.type !== 'date' : isGrainOf(filter.grain.name, 'part');
  if (range === undefined && moved.shift.count !== 0 && isNoDay) {
    // What these test is the row itself, which the moved filters do; every row has a date.
    return { kind: 'filter', filter: { ...filter, grain: undefined, test: { kind: 'notNull' } } };
  }
  if (range === undefined) {
    return { kind: 'filter', filter: { ...filter, grain: { ...(filter.grain ?? day), moved } } };
  }
  const compared = (operator: '>=' | '<', at: number): Condition => ({
    kind: 'filter',
    filter: {
      ...filter,
      grain: { ...day, moved },
      test: { kind: 'compare', operator, value: { type: 'date', value: dateText(at) } },
    },
  });
  const { from, before } = range;
  const first =
    from === undefined
      ? []
      : [compared('>=', periodStart(Math.floor(from / DAY_MS), finest.period, time.firstDay, finest.calendar))];
  const end = before === undefined ? [] : [compared('<', Math.ceil(before / DAY_MS))];
  return { kind: 'all', of: [...first, ...end] };
}

/**
 * Finds the first day of the period in which the stretch of the filters begins: without periods in the answer they
 * say when.
 */
function firstDayOfFilters(
  { period, calendar }: NamedPeriod,
  offset: Offset,
  groups: readonly ResolvedGroup[],
  conditions: readonly Condition[],
  { time }: Context,
): OffsetRequest {
  const [place] = placesOfDate(conditions, offset);
  const from = place === undefined ? undefined : rangeLeft(conditions, place, time).from;
  const day = place === undefined ? undefined : grainOf('day', place.field, time);
  if (place === undefined || from === undefined || day === undefined) {
    return { groups, conditions, spread: undefined, isOfNoDay: true };
  }
  const first = dateText(periodStart(Math.floor(from / DAY_MS), period, time.firstDay, calendar));
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
