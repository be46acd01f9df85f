/**
 * Writes SQL that counts the distinct values of windows. Each value enters on its own day and leaves with the windows that
 * end one window length later, or where its next day comes first. The sum of the values that enter and leave by day is the
 * number on each day, so that no window reads its rows.
 */
import type { Dialect } from '../../../../../router/capabilities/dialect.ts';
import { InternalError } from '../../../../../router/errors.ts';
import { joinSql, type SqlPart, sql } from '../../../../query-surface/index.ts';
import { firstDayOf } from '../shown-days.ts';
import { dateMoment, STEPS, type WindowQuery } from './requested-windows.ts';

export interface DistinctCount {
  /** The groups that are not of the date. */
  readonly others: readonly string[];
  /** The expressions that distinct values are counted of, read from `fact_rows`. */
  readonly value: string;
  /** The first day with a window that no longer has `seen.d`; `undefined` where all windows have it. */
  readonly leaves: string | undefined;
}

/**
 * Returns the SELECT of each day `d` at which the windows' number of `distinct_values`, or of rows, changes, with the
 * `next_day` of that kind.
 *
 * @param rows a SELECT of the groups, the day `d`, and the columns that the value reads
 */
export function distinctByDay(rows: SqlPart, { others, value, leaves }: DistinctCount): SqlPart {
  const of = (from: string) => others.map((name) => `${from}.${name} AS ${name}`);
  const by = (from: string, ...more: readonly string[]) => {
    const names = [...others.map((name) => `${from}.${name}`), ...more];
    return `${names.length === 0 ? '' : `PARTITION BY ${names.join(', ')} `}ORDER BY ${from}.d`;
  };
  // Without an ELSE, so that ClickHouse knows it for a day that may be missing.
  const next = (from: string) => `MIN(CASE WHEN ${from}.d IS NOT NULL THEN ${from}.d END)`;
  const following = 'ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING';
  const groupBy = (count: number) => `GROUP BY ${Array.from({ length: count }, (_, index) => index + 1).join(', ')}`;
  const left =
    leaves === undefined
      ? 'seen.next_day'
      : 'CASE WHEN seen.next_day < seen.leaves OR seen.leaves IS NULL THEN seen.next_day ELSE seen.leaves END';
  const steps = [
    'SELECT 0 AS nth, 1 AS of_values, 1 AS of_rows',
    'SELECT 1, -1, 0',
    ...(leaves === undefined ? [] : ['SELECT 2, 0, -1']),
  ];
  return joinSql(
    [
      `    SELECT ${[...of('days'), 'days.d AS d', ...['distinct_values', 'row_count'].map((name) => `SUM(days.${name}) OVER (${by('days')}) AS ${name}`), `${next('days')} OVER (${by('days')} ${following}) AS next_day`].join(', ')}`,
      `    FROM (\n    SELECT ${[...of('changes'), 'changes.d AS d', 'SUM(changes.distinct_values) AS distinct_values', 'SUM(changes.row_count) AS row_count'].join(', ')}`,
      `    FROM (\n    SELECT ${[
        ...of('seen'),
        `CASE steps.nth WHEN 0 THEN seen.d WHEN 1 THEN ${left}${leaves === undefined ? '' : ' ELSE seen.leaves'} END AS d`,
        'CASE WHEN seen.counted IS NULL THEN 0 ELSE steps.of_values END AS distinct_values',
        'seen.row_count * steps.of_rows AS row_count',
      ].join(', ')}`,
      `    FROM (\n    SELECT seen.*, ${[`${next('seen')} OVER (${by('seen', 'seen.counted')} ${following}) AS next_day`, ...(leaves === undefined ? [] : [`${leaves} AS leaves`])].join(', ')}`,
      `    FROM (\n    SELECT ${[...of('fact_rows'), 'fact_rows.d AS d', `${value} AS counted`, 'COUNT(*) AS row_count'].join(', ')}`,
      sql`    FROM (\n${rows}\n    ) AS fact_rows\n    ${groupBy(others.length + 2)}\n    ) AS seen\n    ) AS seen CROSS JOIN (${steps.join(' UNION ALL ')}) AS steps`,
      `    ) AS changes\n    WHERE changes.d IS NOT NULL\n    ${groupBy(others.length + 1)}\n    ) AS days`,
    ],
    '\n',
  );
}

/** Writes the day with which the first window ends that has a day no more; `undefined` where all that end later have it. */
export function dayOfLeaving(
  { window: { length }, windowed }: WindowQuery,
  day: string,
  dialect: Dialect,
): string | undefined {
  const shifted = (from: string, count: number, unit: 'day' | 'month') =>
    dialect.shifted(dateMoment(from), String(count), unit);
  switch (length.kind) {
    case 'all':
      return undefined;
    case 'to_date': {
      const { count, unit } = STEPS[length.period.period];
      const first = firstDayOf(length.period, dateMoment(day), windowed.by.grain?.firstDay ?? 1, dialect);
      return dialect.shifted(dateMoment(first), String(count), unit);
    }
    case 'last': {
      const { count, unit } = STEPS[length.grain];
      const steps = count * length.count;
      if (unit === 'day') return shifted(day, steps, 'day');
      // So many months behind the day after; where that month has no such day, the month after it begins before one leaves.
      const behind = shifted(shifted(day, 1, 'day'), steps, 'month');
      return `CASE WHEN ${shifted(behind, -steps, 'month')} > ${day} THEN ${shifted(behind, -1, 'day')} ELSE ${behind} END`;
    }
    case 'to_date_of_table':
    case 'last_of_table':
      throw new InternalError('values in windows of a table leave on no day that is computed');
  }
}
