/** SQL of days that are shown at other days, where periods of calendars' tables say which: pairs of both. */
import type { Dialect, Moment } from '../../../../router/capabilities/dialect.ts';
import type { WeekDay } from '../../../../router/date-grains.ts';
import { plural } from '../../../../router/plural.ts';
import type { NamedPeriod } from '../../model/fiscal-year.ts';
import type { PeriodTable } from '../../model/period-table.ts';
import { type DayShift, isOfDays, type TableDays } from '../../model/template.ts';
import { grainSql } from '../grain/grain.ts';
import { placedDays } from '../grain/period-rows.ts';

/** Which day of rows is shown at which day. A day is shown at several, at one, or at none. */
export type Pairs =
  /**
   * Days of a table, each shown at the day at the same place in the period so many behind: at its last places the last
   * day of a shorter one. Whole periods are shown at the first day of that period.
   */
  | { readonly kind: 'back'; readonly table: TableDays; readonly count: number; readonly isWhole: boolean }
  /** Days so much before those of a table's periods, each shown at the first day of the period. */
  | { readonly kind: 'before'; readonly shown: PeriodTable; readonly shift: DayShift; readonly within: Stretch }
  /** The first day of a period, shown at each day that begins a shorter one in it. */
  | ({ readonly kind: 'to'; readonly firstDay: WeekDay } & (
      | { readonly to: TableDays; readonly shown: NamedPeriod | PeriodTable }
      | { readonly to: NamedPeriod; readonly shown: PeriodTable }
    ));

/** Days that are shown, the last among them, as `YYYY-MM-DD`. */
export interface Stretch {
  readonly first: string | undefined;
  readonly last: string | undefined;
}

interface PairsWriting {
  /** Writes the SELECT of a table's days: `period_day`, each once, and `period_start`. */
  readonly days: (table: PeriodTable | TableDays) => string;
  readonly dialect: Dialect;
}

/** Returns a SELECT of pairs, each once: `own_day`, and the `shown_day` at which rows of it are shown. */
export function pairsOfDays(pairs: Pairs, { days, dialect }: PairsWriting): string {
  switch (pairs.kind) {
    case 'back':
      return pairs.isWhole
        ? wholePeriods(days(pairs.table), pairs.count)
        : daysAtPlaces(days(pairs.table), pairs.count);
    case 'before': {
      const { unit, count } = pairs.shift;
      const own = dialect.shifted(dateOf('days.period_day'), String(-count), unit);
      const { first, last } = pairs.within;
      const within = [
        ...(first === undefined ? [] : [`days.period_day >= ${dialect.literal(first, 'date')}`]),
        ...(last === undefined ? [] : [`days.period_day <= ${dialect.literal(last, 'date')}`]),
      ];
      const where = within.length === 0 ? '' : ` WHERE ${within.join(' AND ')}`;
      return `SELECT DISTINCT ${own} AS own_day, days.period_start AS shown_day FROM (${days(pairs.shown)}) AS days${where}`;
    }
    case 'to':
      return firstDays(pairs, { days, dialect });
  }
}

/** Says at which days rows are shown, for the plan in words. */
export function describePairs(pairs: Pairs): string {
  const periodsOf = ({ dataset, key, date }: TableDays) =>
    `a period of ${dataset}.${key.name} (by ${dataset}.${date.name})`;
  if (pairs.kind === 'before') {
    const { shown, shift } = pairs;
    const step = `${shift.count} ${plural(shift.count, shift.unit)}`;
    return `A period of ${shown.dataset}.${shown.key} has the rows of the days ${step} before its days, each once`;
  }
  if (pairs.kind === 'to') {
    const { to, shown } = pairs;
    const period = isOfDays(to) ? periodsOf(to) : `a ${to.period}`;
    const each = 'periods' in shown ? shown.name : shown.period;
    return `Rows of the first day of ${period} are shown in each ${each} that begins in it`;
  }
  const behind = `the one ${pairs.count} behind it in the order of their first days`;
  return pairs.isWhole
    ? `Rows of ${periodsOf(pairs.table)} are shown in ${behind}`
    : `Rows of a day of ${periodsOf(pairs.table)} are shown at the day at its place in ${behind}, those of the last day also behind it`;
}

function daysAtPlaces(days: string, count: number): string {
  const placed = placedDays(days, count);
  const select = 'SELECT own_days.period_day AS own_day, shown_days.period_day AS shown_day';
  const join = `FROM (${placed}) AS own_days INNER JOIN (${placed}) AS shown_days ON shown_days.period_place = own_days.later_place`;
  return [
    `${select} ${join} AND shown_days.day_place = own_days.day_place`,
    'UNION ALL',
    `${select} ${join}`,
    'WHERE own_days.day_place = own_days.day_count AND shown_days.day_place > own_days.day_place',
  ].join('\n  ');
}

function wholePeriods(days: string, count: number): string {
  const own = `SELECT days.period_day AS period_day, DENSE_RANK() OVER (ORDER BY days.period_start) + ${count} AS later_place FROM (${days}) AS days`;
  const shown = `SELECT starts.period_start AS period_start, DENSE_RANK() OVER (ORDER BY starts.period_start) AS period_place FROM (SELECT DISTINCT days.period_start AS period_start FROM (${days}) AS days) AS starts`;
  return [
    'SELECT own_days.period_day AS own_day, shown_periods.period_start AS shown_day',
    `FROM (${own}) AS own_days INNER JOIN (${shown}) AS shown_periods ON shown_periods.period_place = own_days.later_place`,
  ].join('\n  ');
}

function firstDays(pairs: ToPairs, { days, dialect }: PairsWriting): string {
  const begins = (period: NamedPeriod, day: string) =>
    grainSql(dateOf(day), { name: period.period, calendar: period.calendar, firstDay: pairs.firstDay }, dialect);
  const starts = (table: PeriodTable) =>
    `SELECT DISTINCT days.period_start AS period_start FROM (${days(table)}) AS days`;
  if (!isToTable(pairs)) {
    return `SELECT ${begins(pairs.to, 'starts.period_start')} AS own_day, starts.period_start AS shown_day FROM (${starts(pairs.shown)}) AS starts`;
  }
  const { to, shown } = pairs;
  const select = 'SELECT days.period_start AS own_day, days.period_day AS shown_day';
  if ('periods' in shown) {
    return `${select} FROM (${days(to)}) AS days INNER JOIN (${starts(shown)}) AS starts ON starts.period_start = days.period_day`;
  }
  const where = shown.period === 'day' ? '' : ` WHERE ${begins(shown, 'days.period_day')} = days.period_day`;
  return `${select} FROM (${days(to)}) AS days${where}`;
}

type ToPairs = Extract<Pairs, { readonly kind: 'to' }>;

function isToTable(pairs: ToPairs): pairs is Extract<ToPairs, { readonly to: TableDays }> {
  return isOfDays(pairs.to);
}

function dateOf(expression: string): Moment {
  return { expression, type: 'date', zone: undefined };
}
