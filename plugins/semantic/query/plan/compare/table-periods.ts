/** Plans comparisons by the periods of a calendar's table, which defines their lengths. */

import { DAY_MS, dateText, readMoment } from '../../../../../router/calendar.ts';
import type { Parameter } from '../../../../../router/capabilities/warehouse.ts';
import { isGrainOf } from '../../../../../router/date-grains.ts';
import { ValidationError } from '../../../../../router/errors.ts';
import type { PeriodTable } from '../../../model/period-table.ts';
import type { TimeSettings } from '../../../model/time-settings.ts';
import { isSameDate, momentParameter, type Range, rangeOf } from '../../nodes/date-range.ts';
import { tableOf, zoneOf } from '../../nodes/grain.ts';
import type { Condition, FieldInRole, Predicate, ResolvedCompare, ResolvedFilter } from '../../nodes/resolved-query.ts';
import { type PeriodShift, periodAway } from '../../nodes/shift.ts';

/**
 * Returns the distance between a period of a table and its base.
 *
 * @param countedTable the table with the periods that the request counts
 * @throws ValidationError where the step does not lead from one period of the table to another
 */
export function shiftOfTable(
  table: PeriodTable,
  { to, path }: ResolvedCompare,
  countedTable: PeriodTable | undefined,
): PeriodShift {
  if (to === 'previous_period') return { unit: 'period', count: -1, table };
  if (to === 'previous_year') {
    throw ValidationError.at(
      [...path, 'to'],
      `A table of days does not define which ${table.name} is a year before. Name the number of periods, such as {"offset": -52, "grain": "${table.name}"}.`,
    );
  }
  if (countedTable?.name === table.name) return { unit: 'period', count: to.offset, table };
  const message = `A ${to.name} is not a step from one ${table.name} to another.`;
  throw ValidationError.at([...path, 'to', 'grain'], message, [table.name]);
}

/**
 * Returns the step from a range of days to the range before it with as many periods; `undefined` for a range with an open
 * end.
 */
export function shiftOfStretch(table: PeriodTable, { from, before }: Range): PeriodShift | undefined {
  if (from === undefined || before === undefined) return undefined;
  const within = table.periods?.within(Math.floor(from / DAY_MS), Math.floor((before - 1) / DAY_MS)) ?? [];
  return { unit: 'period', count: -Math.max(within.length, 1), table };
}

/** Returns conditions with every filter of one date moved by periods. Filters of its parts stay. */
export function conditionsOfPeriods(
  conditions: readonly Condition[],
  place: FieldInRole,
  time: TimeSettings,
  shift: PeriodShift,
): readonly Condition[] {
  return conditions.map((one): Condition => {
    if (one.kind === 'among') return one;
    if (one.kind !== 'filter') return { kind: one.kind, of: conditionsOfPeriods(one.of, place, time, shift) };
    const { filter } = one;
    const isPart = filter.grain !== undefined && isGrainOf(filter.grain.name, 'part');
    if (!isSameDate(filter, place) || isPart || filter.test.kind === 'null' || filter.test.kind === 'notNull')
      return one;
    return tableOf(filter.grain)?.name === shift.table.name
      ? movedPeriods(filter, shift)
      : movedDays(filter, zoneOf(filter.field, time), shift);
  });
}

/** Moves a filter on the table's periods: each period to its base. */
function movedPeriods(filter: ResolvedFilter, shift: PeriodShift): Condition {
  const make = (test: Predicate): Condition => ({ kind: 'filter', filter: { ...filter, test } });
  const [all, none] = [make({ kind: 'notNull' }), make({ kind: 'in', values: [] })];
  const away = ({ value }: Parameter): Parameter | undefined => {
    const moment = readMoment(String(value));
    const period = moment === undefined ? undefined : periodAway(moment / DAY_MS, shift);
    return period && { type: 'date', value: dateText(period.first) };
  };
  const compared = (operator: '=' | '<>' | '<' | '<=' | '>' | '>=', value: Parameter): Condition => {
    const moved = away(value);
    if (moved !== undefined) return make({ kind: 'compare', operator, value: moved });
    if (operator === '=') return none;
    if (operator === '<>') return all;
    // The base is before the first period or after the last, so all periods are on one side of it.
    return operator.startsWith('>') === shift.count < 0 ? all : none;
  };
  const { test } = filter;
  switch (test.kind) {
    case 'compare':
      return compared(test.operator, test.value);
    case 'in':
      return make({ kind: 'in', values: test.values.flatMap((value) => away(value) ?? []) });
    case 'between':
      return { kind: 'all', of: [compared('>=', test.low), compared('<=', test.high)] };
    case 'within':
      return movedDays(filter, undefined, shift);
    case 'null':
    case 'notNull':
      return make(test);
  }
}

/** Moves a filter on days: each day to the day with the same place in the other period, and the last day to the last. */
function movedDays(filter: ResolvedFilter, zone: string | undefined, shift: PeriodShift): Condition {
  const { path, field, via, calendar, test } = filter;
  const make = (moved: Predicate): Condition => ({
    kind: 'filter',
    filter: { path, field, via, calendar, test: moved },
  });
  const none = make({ kind: 'in', values: [] });
  const isPast = shift.count < 0;
  const within = ({ from, before }: Range): Condition => {
    const [start, end] = [from === undefined ? undefined : startAway(from, shift), endAway(before, shift)];
    if (
      (from !== undefined && start === undefined && !isPast) ||
      (before !== undefined && end === undefined && isPast)
    ) {
      return none;
    }
    const bounds: Condition[] = [];
    if (start !== undefined) {
      bounds.push(make({ kind: 'compare', operator: '>=', value: momentParameter(field, zone, start) }));
    }
    if (end !== undefined) {
      bounds.push(make({ kind: 'compare', operator: '<', value: momentParameter(field, zone, end) }));
    }
    return bounds.length === 0 ? make({ kind: 'notNull' }) : { kind: 'all', of: bounds };
  };
  const equal = (value: Parameter): Condition => {
    const range = rangeOf({ ...filter, test: { kind: 'compare', operator: '=', value } }, zone);
    return range === undefined ? none : within(range);
  };
  if (test.kind === 'in') return test.values.length === 0 ? none : { kind: 'any', of: test.values.map(equal) };
  if (test.kind === 'compare' && test.operator === '<>') {
    const range = rangeOf({ ...filter, test: { ...test, operator: '=' } }, zone);
    if (range?.from === undefined || range.before === undefined) return make({ kind: 'notNull' });
    const others = [
      { from: undefined, before: range.from },
      { from: range.before, before: undefined },
    ];
    return { kind: 'any', of: others.map(within) };
  }
  const range = rangeOf(filter, zone);
  return range === undefined ? none : within(range);
}

/** Returns the moved beginning of a range; `undefined` where the table has no period there. */
function startAway(from: number, shift: PeriodShift): number | undefined {
  const day = Math.floor(from / DAY_MS);
  const period = shift.table.periods?.endingFrom(day);
  const other = period && periodAway(period.first, shift);
  if (period === undefined || other === undefined) return undefined;
  if (day < period.first) return other.first * DAY_MS;
  return Math.min(day - period.first + other.first, other.last) * DAY_MS + (from - day * DAY_MS);
}

function endAway(before: number | undefined, shift: PeriodShift): number | undefined {
  if (before === undefined) return undefined;
  const day = Math.ceil(before / DAY_MS) - 1;
  const period = shift.table.periods?.beginningBy(day);
  const other = period && periodAway(period.first, shift);
  if (period === undefined || other === undefined) return undefined;
  if (day >= period.last && before % DAY_MS === 0) return (other.last + 1) * DAY_MS;
  return Math.min(day - period.first + other.first, other.last) * DAY_MS + (before - day * DAY_MS);
}
