/** Moves the conditions of a request to the time that it is compared with. */

import type { Parameter } from '../../../../../router/capabilities/warehouse.ts';
import { isGrainOf } from '../../../../../router/date-grains.ts';
import type { TimeSettings } from '../../../model/time-settings.ts';
import { isSameDate, momentParameter, type Range, rangeOf, wallClockOf } from '../../nodes/date-range.ts';
import { zoneOf } from '../../nodes/grain.ts';
import type { Condition, FieldInRole, Predicate, ResolvedFilter } from '../../nodes/resolved-query.ts';
import { type Shift, shifted, shiftedEnd, shiftedEndOfDay } from '../../nodes/shift.ts';

/** Returns conditions with every filter of one date moved. Filters of its parts, such as the day of the week, stay. */
export function shiftedConditions(
  conditions: readonly Condition[],
  place: FieldInRole,
  time: TimeSettings,
  shift: Shift,
): readonly Condition[] {
  return conditions.map((one): Condition => {
    if (one.kind === 'among') return one;
    if (one.kind === 'filter')
      return isSameDate(one.filter, place) ? shiftedFilter(one.filter, zoneOf(one.filter.field, time), shift) : one;
    return { kind: one.kind, of: shiftedConditions(one.of, place, time, shift) };
  });
}

function shiftedFilter(filter: ResolvedFilter, zone: string | undefined, shift: Shift): Condition {
  const { grain, test } = filter;
  const asIs: Condition = { kind: 'filter', filter };
  if (grain !== undefined && isGrainOf(grain.name, 'part')) return asIs;
  const { path, field, via, calendar } = filter;
  const make = (moved: Predicate): Condition => ({
    kind: 'filter',
    filter: { path, field, via, calendar, test: moved },
  });
  const at = (wall: number): Parameter => momentParameter(field, zone, wall);
  const endOf = test.kind === 'within' && test.toDate !== undefined ? shiftedEndOfDay : shiftedEnd;
  const within = ({ from, before }: Range): Condition => {
    const start = from === undefined ? undefined : at(shifted(from, shift));
    const end = before === undefined ? undefined : at(endOf(before, shift));
    if (start !== undefined && end !== undefined) return make({ kind: 'within', from: start, before: end });
    if (start !== undefined) return make({ kind: 'compare', operator: '>=', value: start });
    return end === undefined ? asIs : make({ kind: 'compare', operator: '<', value: end });
  };
  const equal = (value: Parameter): Condition => {
    // A moment is not a range: a value with microseconds stays exact.
    const moment = grain === undefined && field.type !== 'date' ? wallClockOf(value, zone) : undefined;
    if (moment !== undefined) return make({ kind: 'compare', operator: '=', value: at(shifted(moment, shift)) });
    const range = rangeOf({ ...filter, test: { kind: 'compare', operator: '=', value } }, zone);
    return range === undefined ? asIs : within(range);
  };
  if (test.kind === 'in') return test.values.length === 0 ? asIs : { kind: 'any', of: test.values.map(equal) };
  if (test.kind === 'compare' && test.operator === '=') return equal(test.value);
  if (test.kind === 'compare' && test.operator === '<>') {
    const range = rangeOf({ ...filter, test: { ...test, operator: '=' } }, zone);
    if (range?.from === undefined || range.before === undefined) return asIs;
    return {
      kind: 'any',
      of: [within({ from: undefined, before: range.from }), within({ from: range.before, before: undefined })],
    };
  }
  const range = rangeOf(filter, zone);
  return range === undefined ? asIs : within(range);
}
