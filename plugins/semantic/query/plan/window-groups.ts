/** Finds the groups that the answer of a cumulative metric shows, and the end of each group's window. */
import { DAY_MS, dateText } from '../../../../router/calendar.ts';
import { isGrainOf } from '../../../../router/date-grains.ts';
import { ValidationError } from '../../../../router/errors.ts';
import type { RequestPath } from '../../../../router/path.ts';
import type { Field, Model } from '../../model/model.ts';
import type { ScopeDate } from '../../model/template.ts';
import type { TimeSettings } from '../../model/time-settings.ts';
import { isSameDate, momentParameter, rangeLeft } from '../nodes/date-range.ts';
import { fieldKey } from '../nodes/field-key.ts';
import { grainOf, tableOf, zoneOf } from '../nodes/grain.ts';
import type { Condition, ResolvedGroup, ResolvedPlace } from '../nodes/resolved-query.ts';

/** Conditions of a request, by their effect on a window. */
export interface WindowConditions {
  /** The conditions that are not on the date, and the end of the date's range: rows before its beginning still count. */
  readonly past: readonly Condition[];
  /** The conditions that are only on the date. */
  readonly dates: readonly Condition[];
  readonly firstDay: string | undefined;
  readonly lastDay: string | undefined;
}

/** The last day that every engine accepts as a date. */
const LAST_MOMENT = Date.UTC(9999, 11, 31);

/** Returns the field of a date. A date that the caller may not name, or that is only a column, has default properties. */
export function fieldOfDate(date: ScopeDate, { datasets }: Model): Field {
  const field = datasets.get(date.dataset)?.fields.get(date.name);
  return field ?? { ...UNNAMED, ...date, label: date.name };
}

const UNNAMED = {
  description: undefined,
  synonyms: [],
  instructions: undefined,
  aiExamples: [],
  isTime: true,
  display: { hidden: true },
  roles: { allow: undefined, deny: [] },
  extensions: [],
} as const;

/** Returns the date of a window by day, with the `via` that the request names for it. */
export function windowDate(
  field: Field,
  places: readonly ResolvedPlace[],
  path: RequestPath,
  time: TimeSettings,
): ResolvedPlace {
  const named = places.find((place) => isOfDate(place, field));
  refusePartsOfTables(places.filter((place) => isOfDate(place, field) && !('test' in place)));
  return { path, field, via: named?.via ?? [], grain: grainOf('day', field, time) };
}

/**
 * Refuses a part of the date beside periods of a table: the window of a part ends with the last date of the part, which the
 * table does not define.
 */
function refusePartsOfTables(places: readonly ResolvedPlace[]): void {
  const place = places.find(({ grain }) => tableOf(grain) !== undefined);
  const part = places.find(({ grain }) => grain !== undefined && isGrainOf(grain.name, 'part'));
  if (place === undefined || part === undefined) return;
  throw ValidationError.at(
    [...part.path, 'grain'],
    `A cumulative metric has no values by ${fieldKey(part)} beside ${fieldKey(place)}, whose periods a table defines.`,
    ['day', 'week', 'month', 'quarter', 'year'],
  );
}

/** Returns the conditions that remove rows without a period of a table, because these have no window. */
export function knownPeriods(groups: readonly ResolvedGroup[]): readonly Condition[] {
  return groups
    .filter(({ grain }) => tableOf(grain) !== undefined)
    .map((group) => ({ kind: 'filter', filter: { ...group, test: { kind: 'notNull' } } }));
}

/** Returns whether a place of the request is a date, at any grain. */
function isOfDate(place: ResolvedPlace, field: Field): boolean {
  return place.field.dataset === field.dataset && place.field.name === field.name;
}

/** Separates the filters on a date from the other conditions. `past` has only the end of the date's range. */
export function windowConditions(
  conditions: readonly Condition[],
  date: ResolvedPlace,
  time: TimeSettings,
): WindowConditions {
  const isDate = (place: ResolvedPlace) => isSameDate(place, date);
  const others = withoutDate(conditions, isDate);
  const zone = zoneOf(date.field, time);
  const { from, before } = rangeLeft(conditions, date, time);
  const firstDay = from === undefined ? undefined : dateText(Math.floor(from / DAY_MS));
  const dates = conditions.filter((one) => isOnlyOf(one, isDate));
  if (before === undefined || before > LAST_MOMENT) return { past: others, dates, firstDay, lastDay: undefined };
  const { path, field, via } = date;
  const test = { kind: 'compare', operator: '<', value: momentParameter(field, zone, before) } as const;
  return {
    past: [...others, { kind: 'filter', filter: { path, field, via, test } }],
    dates,
    firstDay,
    lastDay: dateText(Math.floor((before - 1) / DAY_MS)),
  };
}

/** Removes every filter of the date from the conditions. */
function withoutDate(
  conditions: readonly Condition[],
  isDate: (place: ResolvedPlace) => boolean,
): readonly Condition[] {
  return conditions.flatMap((one): readonly Condition[] => {
    if (one.kind === 'filter') return isDate(one.filter) ? [] : [one];
    if (one.kind === 'among') return one.among.places.some(isDate) ? [] : [one];
    const of = one.of.flatMap((each) => withoutDate([each], isDate));
    const passes = one.kind === 'any' ? of.length < one.of.length : of.length === 0;
    return passes ? [] : [{ kind: one.kind, of }];
  });
}

function isOnlyOf(condition: Condition, isDate: (place: ResolvedPlace) => boolean): boolean {
  switch (condition.kind) {
    case 'filter':
      return isDate(condition.filter);
    case 'among':
      return condition.among.places.every(isDate);
    case 'all':
    case 'any':
      return condition.of.every((one) => isOnlyOf(one, isDate));
  }
}
