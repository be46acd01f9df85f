/** The range of a date that the filters of a request leave, in wall-clock time. */

import { DAY_MS, dateText, grainAt, momentText, readMoment } from '../../../../router/calendar.ts';
import type { Parameter } from '../../../../router/capabilities/warehouse.ts';
import { isGrainOf } from '../../../../router/date-grains.ts';
import { instantAt, wallClockAt } from '../../../../router/time-zone.ts';
import { periodAfter, periodStart } from '../../model/fiscal-year.ts';
import type { Field } from '../../model/model.ts';
import type { TimeSettings } from '../../model/time-settings.ts';
import { fiscalYearOf, type ResolvedGrain, tableOf, zoneOf } from './grain.ts';
import type { Condition, FieldInRole, ResolvedFilter } from './resolved-query.ts';

/** A range in milliseconds of a wall clock, as in `calendar.ts`. `undefined` is an open end. */
export interface Range {
  readonly from: number | undefined;
  /** The first moment after the range. */
  readonly before: number | undefined;
}

const CLOCK_MS = { second: 1_000, minute: 60_000, hour: 3_600_000 } as const;

/** Returns the wall-clock milliseconds of a field's value in a zone. */
export function wallClockOf({ type, value }: Parameter, zone: string | undefined): number | undefined {
  const moment = readMoment(String(value));
  if (moment === undefined || type === 'date' || zone === undefined) return moment;
  return wallClockAt(zone, moment);
}

/** Returns the value of a field at wall-clock milliseconds. */
export function momentParameter({ type }: Field, zone: string | undefined, wall: number): Parameter {
  if (type === 'date') return { type: 'date', value: dateText(Math.floor(wall / DAY_MS)) };
  const moment = zone === undefined ? wall : instantAt(zone, wall);
  const fraction = moment % 1000 === 0 ? '' : `.${String(((moment % 1000) + 1000) % 1000).padStart(3, '0')}`;
  const text = `${momentText(moment)}${fraction}`;
  return type === 'timestamptz' ? { type: 'timestamptz', value: `${text}Z` } : { type: 'timestamp', value: text };
}

/** Returns a number that identifies the beginning of the period in which a clock shows `wall`. */
export function startAt(wall: number, grain: ResolvedGrain): number {
  const { name, zone, firstDay } = grain;
  const calendar = fiscalYearOf(grain);
  if (isGrainOf(name, 'period')) return periodStart(Math.floor(wall / DAY_MS), name, firstDay, calendar) * DAY_MS;
  const start = grainAt(wall, name, firstDay);
  return zone === undefined ? start : instantAt(zone, start);
}

/** Returns the wall clock at which the next period of a grain begins. */
function nextPeriod(wall: number, grain: ResolvedGrain): number {
  const { name } = grain;
  if (isGrainOf(name, 'clock')) return wall + CLOCK_MS[name];
  const day = Math.floor(wall / DAY_MS);
  const table = tableOf(grain);
  if (table !== undefined) return ((table.periods?.at(day)?.last ?? day) + 1) * DAY_MS;
  if (isGrainOf(name, 'period')) return periodAfter(day, name, 1, fiscalYearOf(grain)) * DAY_MS;
  return wall;
}

/**
 * Returns whether two references mean one field with one `via`, at any grain. The calendar's date means the main dates of
 * all facts.
 */
export function isSameDate(left: FieldInRole, right: FieldInRole): boolean {
  const isMeant = (field: Field) => field === right.field || right.calendar?.meant.includes(field) === true;
  const fields = [left.field, ...(left.calendar?.meant ?? [])];
  return fields.some(isMeant) && left.via.join() === right.via.join();
}

/**
 * Returns the range that a filter on a date lets through; `undefined` for a filter without one range: on a part of a date,
 * on a list, on null, or on all values except one.
 */
export function rangeOf({ field, grain, test }: ResolvedFilter, zone: string | undefined): Range | undefined {
  if (grain !== undefined && isGrainOf(grain.name, 'part')) return undefined;
  const wall = (parameter: Parameter) => wallClockOf(parameter, zone);
  const behind = (parameter: Parameter) => {
    const start = wall(parameter);
    if (start === undefined) return undefined;
    if (grain !== undefined) return nextPeriod(start, grain);
    return start + (field.type === 'date' ? DAY_MS : 1);
  };
  switch (test.kind) {
    case 'within':
      return { from: wall(test.from), before: wall(test.before) };
    case 'between':
      return { from: wall(test.low), before: behind(test.high) };
    case 'compare':
      switch (test.operator) {
        case '=':
          return { from: wall(test.value), before: behind(test.value) };
        case '>=':
          return { from: wall(test.value), before: undefined };
        case '>':
          return { from: behind(test.value), before: undefined };
        case '<':
          return { from: undefined, before: wall(test.value) };
        case '<=':
          return { from: undefined, before: behind(test.value) };
        case '<>':
          return undefined;
      }
      break;
    default:
      return undefined;
  }
}

/** Returns the range of a date that all conditions together leave. */
export function rangeLeft(conditions: readonly Condition[], place: FieldInRole, time: TimeSettings): Range {
  return rangeOfAll(rangesOf(conditions, place, time, rangeOf));
}

/** Returns the range of a date that all conditions together leave; a list counts from its first to its last period. */
export function endsLeft(conditions: readonly Condition[], place: FieldInRole, time: TimeSettings): Range {
  return rangeOfAll(rangesOf(conditions, place, time, endsOf));
}

/** Returns a range outside which a filter lets nothing through; `undefined` for a filter without such a range. */
function endsOf(filter: ResolvedFilter, zone: string | undefined): Range | undefined {
  if (filter.test.kind !== 'in') return rangeOf(filter, zone);
  let from: number | undefined;
  let before: number | undefined;
  for (const value of filter.test.values) {
    const range = rangeOf({ ...filter, test: { kind: 'compare', operator: '=', value } }, zone);
    if (range?.from === undefined || range.before === undefined) return undefined;
    from = Math.min(from ?? range.from, range.from);
    before = Math.max(before ?? range.before, range.before);
  }
  return from === undefined ? undefined : { from, before };
}

function rangeOfAll(ranges: readonly Range[]): Range {
  let from: number | undefined;
  let before: number | undefined;
  for (const range of ranges) {
    if (range.from !== undefined) from = Math.max(from ?? range.from, range.from);
    if (range.before !== undefined) before = Math.min(before ?? range.before, range.before);
  }
  return { from, before };
}

function rangesOf(
  conditions: readonly Condition[],
  place: FieldInRole,
  time: TimeSettings,
  of: typeof rangeOf,
): readonly Range[] {
  return conditions.flatMap((one): readonly Range[] => {
    if (one.kind === 'all' || (one.kind === 'any' && one.of.length === 1)) return rangesOf(one.of, place, time, of);
    // A filter on the shown day does not limit the row's own day; see `plan/offset/`.
    if (one.kind !== 'filter' || !isSameDate(one.filter, place) || one.filter.grain?.moved !== undefined) return [];
    const range = of(one.filter, zoneOf(one.filter.field, time));
    return range === undefined ? [] : [range];
  });
}
