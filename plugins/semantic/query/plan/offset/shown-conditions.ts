/** Moves the conditions of a request to the days that show its rows, where these are not the rows' own days. */
import { DAY_MS, dateText } from '../../../../../router/calendar.ts';
import { isGrainOf } from '../../../../../router/date-grains.ts';
import { ValidationError } from '../../../../../router/errors.ts';
import type { Offset } from '../../../model/template.ts';
import type { TimeSettings } from '../../../model/time-settings.ts';
import { rangeOf } from '../../nodes/date-range.ts';
import { fieldKey } from '../../nodes/field-key.ts';
import { grainOf, type Moved, type ResolvedGrain, tableOf, zoneOf } from '../../nodes/grain.ts';
import type { Condition, ResolvedFilter, ResolvedGroup, ResolvedPlace } from '../../nodes/resolved-query.ts';

/** Returns whether a place of a request is on the date that an offset moves. */
export function isOfDate({ field }: ResolvedPlace, { by }: Offset): boolean {
  return field.dataset === by.dataset && field.name === by.field;
}

/** Returns the grain of a group; `day` for a date without a grain. */
export function dayOrGrain(place: ResolvedPlace, time: TimeSettings): ResolvedGrain {
  const grain = place.grain ?? grainOf('day', place.field, time);
  if (grain === undefined) throw ValidationError.at(place.path, `${fieldKey(place)} is no date.`);
  return grain;
}

/** Returns whether a group is one day. */
export function isDay(group: ResolvedGroup, time: TimeSettings): boolean {
  const grain = dayOrGrain(group, time);
  return grain.name === 'day' && tableOf(grain) === undefined;
}

/** Lists the filters on the date that an offset moves. */
export function placesOfDate(conditions: readonly Condition[], offset: Offset): readonly ResolvedFilter[] {
  return conditions.flatMap((one): readonly ResolvedFilter[] => {
    if (one.kind === 'filter') return isOfDate(one.filter, offset) ? [one.filter] : [];
    return one.kind === 'among' ? [] : placesOfDate(one.of, offset);
  });
}

/**
 * Moves filters on the date to the shown periods. A range keeps every period that it overlaps.
 *
 * @param startOf returns the first day of the period that shows a day
 */
export function onShown(
  condition: Condition,
  offset: Offset,
  startOf: (day: number) => number,
  context: { readonly time: TimeSettings; readonly moved: Moved },
): Condition {
  if (condition.kind === 'among') return condition;
  if (condition.kind !== 'filter') {
    return { kind: condition.kind, of: condition.of.map((one) => onShown(one, offset, startOf, context)) };
  }
  const { filter } = condition;
  if (!isOfDate(filter, offset)) return condition;
  const { time, moved } = context;
  const day = grainOf('day', filter.field, time);
  if (day === undefined) return condition;
  const range = rangeOf(filter, zoneOf(filter.field, time));
  const isNoDay = filter.grain === undefined ? filter.field.type !== 'date' : isGrainOf(filter.grain.name, 'part');
  // The hour of day stays the row's own.
  if (moved.kind === 'shown' && filter.grain?.name === 'hour_of_day') return condition;
  if (range === undefined && moved.kind !== 'shown' && moved.shift.count !== 0 && isNoDay) {
    // The moved conditions already test the row itself. Here the filter only requires a date.
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
  const first = from === undefined ? [] : [compared('>=', startOf(Math.floor(from / DAY_MS)))];
  const end = before === undefined ? [] : [compared('<', Math.ceil(before / DAY_MS))];
  return { kind: 'all', of: [...first, ...end] };
}
