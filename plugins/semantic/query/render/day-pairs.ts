/**
 * Writes the SQL of pairs of days: a row's own day, and a day that shows the row, where a calendar's table defines the
 * periods.
 */

import type { Dialect, Moment } from '../../../../router/capabilities/dialect.ts';
import { InternalError } from '../../../../router/errors.ts';
import { type SqlPart, sql } from '../../../query-surface/index.ts';
import type { NamedPeriod } from '../../model/fiscal-year.ts';
import type { PeriodTable } from '../../model/period-table.ts';
import { isOfDays, type TableDays } from '../../model/template.ts';
import type { Pairs } from '../nodes/shown-days.ts';
import { grainSql } from './grain-sql.ts';
import { byTurn, daysAtPlaces, daysOfWholePeriods, turns } from './period-rows.ts';

interface PairsWriting {
  /** Writes the SELECT of a table's days: `period_day`, each once, and `period_start`. */
  readonly days: (table: PeriodTable | TableDays) => SqlPart;
  readonly dialect: Dialect;
}

/**
 * Returns a SELECT of pairs, each once: `own_day`, and a `shown_day` that shows the rows of `own_day`. Several pairs of one kind
 * and one table have a `turn` each.
 */
export function pairsOfDays(all: readonly Pairs[], { days, dialect }: PairsWriting): SqlPart {
  const [pairs] = all;
  switch (pairs?.kind) {
    case 'back': {
      const counts = all.flatMap((one) => (one.kind === 'back' ? [one.count] : []));
      return pairs.isWhole
        ? daysOfWholePeriods(days(pairs.table), counts, dialect)
        : daysAtPlaces(days(pairs.table), counts, dialect);
    }
    case 'before': {
      const { columns: turn, join } = turns(all.length, dialect);
      const before = all.filter((one) => one.kind === 'before');
      const ownDay = before.map(({ shift: { unit, count } }) => {
        return dialect.shifted(dateMoment('days.period_day'), String(-count), unit);
      });
      const { first, last } = pairs.within;
      const within = [
        ...(first === undefined ? [] : [`days.period_day >= ${dialect.literal(first, 'date')}`]),
        ...(last === undefined ? [] : [`days.period_day <= ${dialect.literal(last, 'date')}`]),
      ];
      const where = within.length === 0 ? '' : ` WHERE ${within.join(' AND ')}`;
      const columns = [`${byTurn('turns.n', ownDay)} AS own_day`, 'days.period_start AS shown_day', ...turn].join(', ');
      return sql`SELECT DISTINCT ${columns} FROM (${days(pairs.shown)}) AS days${join}${where}`;
    }
    case 'to':
      return firstDays(pairs, { days, dialect });
    case undefined:
      throw new InternalError('rows are shown at days that no pairs name');
  }
}

function firstDays(pairs: ToPairs, { days, dialect }: PairsWriting): SqlPart {
  const begins = (period: NamedPeriod, day: string) =>
    grainSql(dateMoment(day), { name: period.period, calendar: period.calendar, firstDay: pairs.firstDay }, dialect);
  const starts = (table: PeriodTable) =>
    sql`SELECT DISTINCT days.period_start AS period_start FROM (${days(table)}) AS days`;
  if (!isToTable(pairs)) {
    return sql`SELECT ${begins(pairs.to, 'starts.period_start')} AS own_day, starts.period_start AS shown_day FROM (${starts(pairs.shown)}) AS starts`;
  }
  const { to, shown } = pairs;
  const select = 'SELECT days.period_start AS own_day, days.period_day AS shown_day';
  if ('periods' in shown) {
    return sql`${select} FROM (${days(to)}) AS days INNER JOIN (${starts(shown)}) AS starts ON starts.period_start = days.period_day`;
  }
  const where = shown.period === 'day' ? '' : ` WHERE ${begins(shown, 'days.period_day')} = days.period_day`;
  return sql`${select} FROM (${days(to)}) AS days${where}`;
}

type ToPairs = Extract<Pairs, { readonly kind: 'to' }>;

function isToTable(pairs: ToPairs): pairs is Extract<ToPairs, { readonly to: TableDays }> {
  return isOfDays(pairs.to);
}

function dateMoment(expression: string): Moment {
  return { expression, type: 'date', zone: undefined };
}
