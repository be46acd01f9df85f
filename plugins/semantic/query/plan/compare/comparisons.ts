/** Plans the comparisons of a request: the same query about other times. */

import type { Period } from '../../../../../router/calendar.ts';
import { isGrainOf, isMomentType } from '../../../../../router/date-grains.ts';
import { ValidationError } from '../../../../../router/errors.ts';
import type { PeriodTable } from '../../../model/period-table.ts';
import type { Comparison } from '../../nodes/comparison.ts';
import { isSameDate, rangeLeft, rangeOf } from '../../nodes/date-range.ts';
import { fieldKey } from '../../nodes/field-key.ts';
import { fiscalYearOf, tableOf } from '../../nodes/grain.ts';
import type {
  Condition,
  FieldInRole,
  ResolvedCompare,
  ResolvedFilter,
  ResolvedQuery,
} from '../../nodes/resolved-query.ts';
import { shiftOfPeriods, shiftOfRange } from './calendar-shift.ts';
import { shiftedConditions } from './shifted-conditions.ts';
import { conditionsOfPeriods, shiftOfStretch, shiftOfTable } from './table-periods.ts';

/**
 * Returns the comparisons of a request, one for each base time.
 *
 * @throws ValidationError where the request does not give the time of a value
 */
export function comparisonsOf(query: ResolvedQuery): readonly Comparison[] {
  const byTarget = new Map<string, { readonly compare: ResolvedCompare; readonly values: number[] }>();
  for (const [index, { compare }] of query.values.entries()) {
    if (compare === undefined) continue;
    const key = JSON.stringify(compare.to);
    const comparison = byTarget.get(key);
    if (comparison === undefined) byTarget.set(key, { compare, values: [index] });
    else comparison.values.push(index);
  }
  return [...byTarget.values()].map(({ compare, values }) => comparisonOf(query, compare, values));
}

function comparisonOf(query: ResolvedQuery, compare: ResolvedCompare, values: readonly number[]): Comparison {
  const { axis, date, shift } = whenOf(query, compare);
  return {
    compare,
    axis,
    date,
    shift,
    values,
    query: {
      ...query,
      values: query.values.flatMap((value, index) =>
        values.includes(index) ? [{ ...value, compare: undefined }] : [],
      ),
      conditions:
        shift.unit === 'period'
          ? conditionsOfPeriods(query.conditions, date, query.time, shift)
          : shiftedConditions(query.conditions, date, query.time, shift),
      having: [],
      sorts: [],
      limit: undefined,
      // Windows have values in periods without rows, too.
      fill: query.fill?.row === axis ? query.fill : undefined,
    },
  };
}

function whenOf(query: ResolvedQuery, compare: ResolvedCompare): Pick<Comparison, 'axis' | 'date' | 'shift'> {
  const groups = [...query.rows, ...query.columns];
  const periods = groups.flatMap((group, index) => (grainOfPeriods(group) === undefined ? [] : [index]));
  const [axis, ...others] = periods;
  if (others.length > 0) {
    const keys = periods.flatMap((index) => groups[index] ?? []).map(fieldKey);
    throw ValidationError.at(
      compare.path,
      `Periods are compared along one date, and here are several: ${keys.join(', ')}.`,
    );
  }
  const date = axis === undefined ? undefined : groups[axis];
  const grain = date && grainOfPeriods(date);
  if (date !== undefined && grain !== undefined) return { axis, date, shift: shiftAlong(date, grain, compare, query) };
  const moment = groups.find((group) => group.grain !== undefined && isGrainOf(group.grain.name, 'clock'));
  if (moment !== undefined) {
    throw ValidationError.at(
      compare.path,
      `${fieldKey(moment)} is shorter than a day; days and longer periods are compared.`,
    );
  }
  return whenOfFilters(query, compare);
}

function shiftAlong({ grain }: FieldInRole, period: Period, compare: ResolvedCompare, query: ResolvedQuery) {
  const [table, countedTable] = [tableOf(grain), tableWanted(compare, query)];
  if (table !== undefined) return shiftOfTable(table, compare, countedTable);
  if (countedTable === undefined) return shiftOfPeriods(compare, period);
  throw ValidationError.at(
    [...compare.path, 'to', 'grain'],
    `A ${countedTable.name} is not a step from one ${period} to another.`,
    [period],
  );
}

/** Returns the table with the periods that a request counts. */
function tableWanted({ to }: ResolvedCompare, { time }: ResolvedQuery): PeriodTable | undefined {
  return typeof to === 'object' ? time.tables.find(({ name }) => name === to.name) : undefined;
}

function grainOfPeriods({ grain }: FieldInRole): Period | undefined {
  return grain !== undefined && isGrainOf(grain.name, 'period') ? grain.name : undefined;
}

/** Returns the time that the filters give, where rows and columns have no periods. */
function whenOfFilters(query: ResolvedQuery, compare: ResolvedCompare): Pick<Comparison, 'axis' | 'date' | 'shift'> {
  const { conditions, time } = query;
  const filters = dateFiltersOf(conditions);
  const [date] = filters;
  if (date === undefined) {
    throw ValidationError.at(
      compare.path,
      'The query has no time: filter by a date, or name one with a grain in rows or columns.',
    );
  }
  const other = filters.find((filter) => !isSameDate(filter, date));
  if (other !== undefined) {
    const keys = [date, other].map(({ field, via }) => fieldKey({ field, via }));
    throw ValidationError.at(compare.path, `Filters are about several dates: ${keys.join(', ')}. Compare along one.`);
  }
  const range = rangeLeft(conditions, date, time);
  const toDate = filters.flatMap(({ test }) => (test.kind === 'within' ? (test.toDate ?? []) : []))[0];
  const countedTable = tableWanted(compare, query);
  if (countedTable !== undefined)
    return { axis: undefined, date, shift: shiftOfTable(countedTable, compare, countedTable) };
  const table = filters.flatMap(({ grain }) => tableOf(grain) ?? [])[0];
  const isBefore = table !== undefined && compare.to === 'previous_period' && toDate === undefined;
  const stretch = isBefore ? shiftOfStretch(table, range) : undefined;
  if (stretch !== undefined) return { axis: undefined, date, shift: stretch };
  const calendar = filters.flatMap(({ grain }) => (grain && fiscalYearOf(grain)) ?? [])[0];
  return { axis: undefined, date, shift: shiftOfRange(compare, range, toDate, calendar) };
}

/** Lists the filters that must all pass and limit a date. */
function dateFiltersOf(conditions: readonly Condition[]): readonly ResolvedFilter[] {
  return conditions.flatMap((one): readonly ResolvedFilter[] => {
    if (one.kind === 'all') return dateFiltersOf(one.of);
    if (one.kind !== 'filter' || !isMomentType(one.filter.field.type)) return [];
    const isList = one.filter.test.kind === 'in' && (one.filter.grain === undefined || grainOfPeriods(one.filter));
    return isList || rangeOf(one.filter, undefined) !== undefined ? [one.filter] : [];
  });
}
