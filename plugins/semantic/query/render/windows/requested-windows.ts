/** Describes the windows of a subquery for the groups of an answer. */
import type { Dialect, StepUnit } from '../../../../../router/capabilities/dialect.ts';
import { type GrainOf, isGrainOf } from '../../../../../router/date-grains.ts';
import { InternalError } from '../../../../../router/errors.ts';
import type { Window, WindowLength } from '../../../model/template.ts';
import { tableOf } from '../../nodes/grain.ts';
import type { FactSubquery, Fill, Windowed } from '../../nodes/plan.ts';
import type { FieldInRole } from '../../nodes/resolved-query.ts';

type Period = GrainOf<'period'>;

/** The length of each period, in months or in days. */
export const STEPS: Readonly<Record<Period, { readonly count: number; readonly unit: StepUnit }>> = {
  day: { count: 1, unit: 'day' },
  week: { count: 7, unit: 'day' },
  month: { count: 1, unit: 'month' },
  quarter: { count: 3, unit: 'month' },
  year: { count: 12, unit: 'month' },
};

/** A subquery with windows, and the groups of the answer. */
export interface WindowQuery {
  readonly subquery: FactSubquery;
  readonly windowed: Windowed;
  /** The windows; the first of them where several are written together. */
  readonly window: Window;
  /**
   * The lengths of all windows that are written together. The rows of several have the number of their length, `turn`.
   */
  readonly lengths: readonly WindowLength[];
  readonly grouping: readonly FieldInRole[];
  /** Indexes of the groups that belong to the date. */
  readonly axis: readonly number[];
  /**
   * True where no period defines the end of windows: the axis is empty, or has a part of the date. Each window then ends
   * with a day that has facts: the last of its group, or the first where the metric takes the first.
   */
  readonly isAnchored: boolean;
  /**
   * True where windows count distinct values and end with days, so that the day on which a value leaves can be computed.
   */
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
  const { window } = scope;
  return { subquery, windowed, window, lengths: [window.length], grouping, axis, isAnchored, countsDistinct };
}

export const CLOCK_SECONDS = { second: 1, minute: 60, hour: 3_600 } as const;

/** Returns whether windows end with every period between two ends, including periods without facts. */
export function isFilled({ isAnchored, axis }: WindowQuery, fill: Fill | undefined): fill is Fill {
  return fill !== undefined && !isAnchored && axis.includes(fill.group);
}

/**
 * Returns whether the value of a group is the mean over its days. A date without a grain and a period of the clock have one
 * value, and so has a group that shows the first day of a period.
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

/** Returns whether the filters may end within a group, so that its window ends with the last day that they leave. */
export function isCut(query: WindowQuery): boolean {
  const { window, windowed, isAnchored } = query;
  // Rows that are shown at other days join the days that the filters leave.
  if (windowed.moved?.kind === 'pairs') return false;
  return windowed.lastDay !== undefined && !isAnchored && !isAveraged(query) && window.take !== 'first';
}

/**
 * Lists the columns with the beginnings of windows, one for each possible end. The window ends with the earliest of these
 * ends, or with the latest (see `endsLatest`), and begins with the beginning that belongs to it.
 */
export function startNames(query: WindowQuery): readonly string[] {
  const { lengths, axis, isAnchored, countsDistinct } = query;
  if (countsDistinct || lengths.every(({ kind }) => kind === 'all')) return [];
  if (isAveraged(query) || lengths.some(isOfTable)) return ['s0'];
  const ends = isAnchored ? 1 : axis.length;
  return Array.from({ length: ends + (isCut(query) ? 1 : 0) }, (_, at) => `s${at}`);
}

/** A window that begins with the periods of a table. */
export type LengthOfTable = Extract<WindowLength, { readonly table: unknown }>;

export function isOfTable(length: WindowLength): length is LengthOfTable {
  return length.kind === 'to_date_of_table' || length.kind === 'last_of_table';
}

/** Periods that are filled at most, and days that windows end with at most. */
export const MAX_PERIODS = 10_000;
export const MAX_DAYS = 100_000;

/**
 * Returns whether a window ends with the latest of its possible ends, and not with the earliest. A metric that takes the
 * first value needs the latest: the first day in all of several periods is the day on which the last of them begins.
 */
export function endsLatest(query: WindowQuery): boolean {
  return query.window.take === 'first' && !query.isAnchored;
}

/** Returns the name of the query with the first and last days of a table's periods. */
export function lastDaysOf(index: number): string {
  return `service_last_days_${index}`;
}

/**
 * Returns whether the windows of a group of the axis end with a computed day. Otherwise the group of each row is compared
 * with the group of the window, so that the window ends with all days of its group.
 */
export function hasEnd({ window, windowed, grouping }: WindowQuery, index: number): boolean {
  const grain = grouping[index]?.grain;
  // A day without a period still counts in windows that end after it.
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

/** Returns the name of a group's grain: `day` for a date without a grain. */
function grainNamed(group: FieldInRole | undefined): string {
  return group?.grain?.name ?? 'day';
}

/** Returns the index of the axis' group with the shortest periods; `undefined` where no group has periods. */
export function finestOf({ axis, grouping }: WindowQuery): number | undefined {
  const finestFirst = PERIODS_FROM_FINEST.flatMap(
    (name) => axis.find((index) => grainNamed(grouping[index]) === name) ?? [],
  );
  return finestFirst[0];
}
