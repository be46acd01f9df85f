/**
 * Writes the SQL of pairs of days: a row's own day, and a day that shows the row, where a calendar's table defines the
 * periods.
 */

import type { Dialect, Moment } from '../../../../router/capabilities/dialect.ts';
import type { NamedPeriod } from '../../model/fiscal-year.ts';
import type { PeriodTable } from '../../model/period-table.ts';
import { isOfDays, type TableDays } from '../../model/template.ts';
import type { Pairs } from '../nodes/shown-days.ts';
import { grainSql } from './grain-sql.ts';
import { daysAtPlaces, daysOfWholePeriods } from './period-rows.ts';

interface PairsWriting {
  /** Writes the SELECT of a table's days: `period_day`, each once, and `period_start`. */
  readonly days: (table: PeriodTable | TableDays) => string;
  readonly dialect: Dialect;
}

/** Returns a SELECT of pairs, each once: `own_day`, and a `shown_day` that shows the rows of `own_day`. */
export function pairsOfDays(pairs: Pairs, { days, dialect }: PairsWriting): string {
  switch (pairs.kind) {
    case 'back':
      return pairs.isWhole
        ? daysOfWholePeriods(days(pairs.table), pairs.count, dialect)
        : daysAtPlaces(days(pairs.table), pairs.count, dialect);
    case 'before': {
      const { unit, count } = pairs.shift;
      const ownDay = dialect.shifted(dateMoment('days.period_day'), String(-count), unit);
      const { first, last } = pairs.within;
      const within = [
        ...(first === undefined ? [] : [`days.period_day >= ${dialect.literal(first, 'date')}`]),
        ...(last === undefined ? [] : [`days.period_day <= ${dialect.literal(last, 'date')}`]),
      ];
      const where = within.length === 0 ? '' : ` WHERE ${within.join(' AND ')}`;
      return `SELECT DISTINCT ${ownDay} AS own_day, days.period_start AS shown_day FROM (${days(pairs.shown)}) AS days${where}`;
    }
    case 'to':
      return firstDays(pairs, { days, dialect });
  }
}

function firstDays(pairs: ToPairs, { days, dialect }: PairsWriting): string {
  const begins = (period: NamedPeriod, day: string) =>
    grainSql(dateMoment(day), { name: period.period, calendar: period.calendar, firstDay: pairs.firstDay }, dialect);
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

function dateMoment(expression: string): Moment {
  return { expression, type: 'date', zone: undefined };
}
