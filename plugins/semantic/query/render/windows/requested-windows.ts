/** The query on the windows of a subquery, by the groups of the answer. */
import type { Dialect, StepUnit } from '../../../../../router/capabilities/dialect.ts';
import { type GrainOf, isGrainOf } from '../../../../../router/date-grains.ts';
import { InternalError } from '../../../../../router/errors.ts';
import type { Window, WindowLength } from '../../../model/template.ts';
import { tableOf } from '../../nodes/grain.ts';
import type { FactSubquery, Fill, Windowed } from '../../nodes/plan.ts';
import type { FieldInRole } from '../../nodes/resolved-query.ts';

type Period = GrainOf<'period'>;

/** A step of a period: of months, or of days. */
export const STEPS: Readonly<Record<Period, { readonly count: number; readonly unit: StepUnit }>> = {
  day: { count: 1, unit: 'day' },
  week: { count: 7, unit: 'day' },
  month: { count: 1, unit: 'month' },
  quarter: { count: 3, unit: 'month' },
  year: { count: 12, unit: 'month' },
};

/** A subquery of windows by the groups that are wanted of it. */
export interface WindowQuery {
  readonly subquery: FactSubquery;
  readonly windowed: Windowed;
  readonly window: Window;
  readonly grouping: readonly FieldInRole[];
  /** The groups that are of the date. */
  readonly axis: readonly number[];
  /** True where windows end with the last day of each group of the axis, because no period of it defines their end. */
  readonly isAnchored: boolean;
  /** True where distinct values are counted in windows that end with days, so that a value leaves each window on a known day. */
  readonly countsDistinct: boolean;
}

/** The inputs of windows: aggregates of the rows of each day, or the values that are counted distinct. */
export type MadeOf = { readonly days: readonly string[] } | { readonly value: string };

export function windowQuery(subquery: FactSubquery, requestedGroups: readonly FieldInRole[]): WindowQuery | undefined {
  const { windowed, scope } = subquery;
  const grouping = subquery.groups.slice(0, requestedGroups.length);
  if (windowed === undefined || scope.window === undefined) return undefined;
  const axis = windowed.axis.filter((index) => index < grouping.length);
  const isPart = (index: number) => {
    const grain = grouping[index]?.grain;
    return grain !== undefined && isGrainOf(grain.name, 'part');
  };
  const isAnchored = axis.length === 0 || axis.some(isPart);
  const isOfDays = (index: number) => {
    const { grain, field } = at0(grouping, index);
    return grain === undefined ? field.type === 'date' : isGrainOf(grain.name, 'period');
  };
  const countsDistinct =
    subquery.aggregates.every(({ call }) => call.distinct !== undefined) &&
    !isOfTable(scope.window.length) &&
    (isAnchored || axis.every(isOfDays));
  return { subquery, windowed, window: scope.window, grouping, axis, isAnchored, countsDistinct };
}

export const CLOCK_SECONDS = { second: 1, minute: 60, hour: 3_600 } as const;

/** Returns whether the rows of windows come from every period between two ends, or from every combination of them. */
export function isFilled({ isAnchored, axis }: WindowQuery, fill: Fill | undefined): fill is Fill {
  return fill !== undefined && !isAnchored && axis.includes(fill.group);
}

/**
 * Tells whether the value of a group is the mean of those of its days: of a period of the clock, or a date, it is the
 * one of that.
 */
export function isAveraged({ window, windowed, isAnchored, axis, grouping }: WindowQuery): boolean {
  const isPeriod = (index: number) => {
    const grain = grouping[index]?.grain;
    return grain !== undefined && isGrainOf(grain.name, 'period');
  };
  const { moved } = windowed;
  if (moved?.kind === 'to' || (moved?.kind === 'pairs' && moved.pairs.kind === 'to')) return false;
  return window.take === 'average' && (isAnchored || axis.every(isPeriod));
}

/** Returns whether windows may end with the last day that filters leave, within a group. */
export function isCut(query: WindowQuery): boolean {
  const { window, windowed, isAnchored } = query;
  // Rows that are shown at other days are looked up among the days that the filters leave.
  if (windowed.moved?.kind === 'pairs') return false;
  return windowed.lastDay !== undefined && !isAnchored && !isAveraged(query) && window.take !== 'first';
}

/**
 * Lists the names of the windows' beginnings. Of several ends the earliest is the end, or the latest, and the window begins
 * where that of this one does.
 */
export function startNames(query: WindowQuery): readonly string[] {
  const { window, axis, isAnchored, countsDistinct } = query;
  if (countsDistinct || window.length.kind === 'all') return [];
  if (isAveraged(query) || isOfTable(window.length)) return ['s0'];
  const ends = isAnchored ? 1 : axis.length;
  return Array.from({ length: ends + (isCut(query) ? 1 : 0) }, (_, at) => `s${at}`);
}

/** A window that begins with the periods of a table. */
export type LengthOfTable = Extract<WindowLength, { readonly table: unknown }>;

export function isOfTable(length: WindowLength): length is LengthOfTable {
  return length.kind === 'to_date_of_table' || length.kind === 'last_of_table';
}

/** Writes the numbers from 0 to 9,999, as many periods as are filled at most, or of so many digits. */
export function numbers(width = 4): string {
  const digits = Array.from({ length: 10 }, (_, digit) => `SELECT ${digit}${digit === 0 ? ' AS d' : ''}`).join(
    ' UNION ALL ',
  );
  const places = [1, 10, 100, 1_000, 10_000].slice(0, width);
  const sum = places.map((place, at) => (place === 1 ? `d${at}.d` : `d${at}.d * ${place}`)).join(' + ');
  return `SELECT ${sum} AS n FROM ${places.map((_, at) => `(${digits}) AS d${at}`).join(' CROSS JOIN ')}`;
}

/**
 * Returns whether the end of a window is the latest of its ends, and not the earliest: the first day that is in all of
 * several periods of a date is the day on which the last of them begins.
 */
export function endsLatest(query: WindowQuery): boolean {
  return query.window.take === 'first' && !query.isAnchored;
}

/** Names the query with the last days of a table's periods. */
export function lastDaysOf(index: number): string {
  return `service_last_days_${index}`;
}

/**
 * Returns whether the windows of a group of the axis end with days of their own, and not with all days of each of its
 * values.
 */
export function hasEnd({ window, windowed, grouping }: WindowQuery, index: number): boolean {
  const grain = grouping[index]?.grain;
  // A day that is of no period still counts in the windows that end behind it.
  if (tableOf(grain) !== undefined) return true;
  const isLonger = grain !== undefined && isGrainOf(grain.name, 'period');
  return windowed.moved !== undefined || (window.take === 'first' && isLonger);
}

const PERIODS_FROM_FINEST: readonly Period[] = ['day', 'week', 'month', 'quarter', 'year'];

export function dateMoment(expression: string) {
  return { expression, type: 'date', zone: undefined } as const;
}

/** Writes the last day of a period that begins with `value`. */
export function lastDayOf(value: string, name: Period, dialect: Dialect): string {
  if (name === 'day') return value;
  const { count, unit } = STEPS[name];
  if (unit === 'day') return dialect.shifted(dateMoment(value), String(count - 1), 'day');
  return dialect.shifted(dateMoment(dialect.shifted(dateMoment(value), String(count), unit)), '-1', 'day');
}

export function at0<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new InternalError('a window lacks one of its groups');
  return item;
}

/** Returns the grain of a group, a date itself being its day. */
function grainNamed(group: FieldInRole | undefined): string {
  return group?.grain?.name ?? 'day';
}

/** Returns the group of the axis with the shortest periods, where any has periods. */
export function finestOf({ axis, grouping }: WindowQuery): number | undefined {
  const finestFirst = PERIODS_FROM_FINEST.flatMap(
    (name) => axis.find((index) => grainNamed(grouping[index]) === name) ?? [],
  );
  return finestFirst[0];
}
