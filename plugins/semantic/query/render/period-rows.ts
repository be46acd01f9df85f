/** SQL of the days of a calendar's table, each with the first day of its period. */
import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import { isMomentType } from '../../../../router/date-grains.ts';
import { UTC } from '../../../../router/time-zone.ts';
import type { Field } from '../../model/model.ts';
import type { PeriodTable } from '../../model/period-table.ts';

type CalendarField = Pick<Field, 'type' | 'expression'>;

/** SQL of a calendar's dataset. */
export interface CalendarRows {
  readonly field: (name: string) => CalendarField;
  readonly sql: (field: CalendarField) => string;
  /** The rows of the dataset that the caller may see, as an item of FROM. */
  readonly from: string;
  readonly dialect: Dialect;
  readonly indent: string;
}

/**
 * Returns a SELECT of `period_day`, each day once, with `period_key` and `period_start`, the first day of its period. If the
 * table has a day several times, its lowest key counts, so that facts are never doubled.
 */
export function daysOfPeriods(
  table: Pick<PeriodTable, 'date' | 'key'>,
  { field, sql, from, dialect, indent }: CalendarRows,
): string {
  const date = field(table.date);
  const { type } = date;
  const dateSql = date.expression.length === 1 ? sql(date) : `(${sql(date)})`;
  const zone = type === 'timestamptz' ? UTC : undefined;
  // Without a warehouse the type is unknown, and no query runs.
  const day = isMomentType(type) ? dialect.grains.day({ expression: dateSql, type, zone }, 1) : dateSql;
  const start = 'MIN(period_days.period_day) OVER (PARTITION BY period_days.period_key) AS period_start';
  return [
    `SELECT period_days.period_day AS period_day, period_days.period_key AS period_key, ${start}`,
    `FROM (SELECT ${day} AS period_day, MIN(${sql(field(table.key))}) AS period_key FROM ${from} GROUP BY 1) AS period_days`,
    'WHERE period_days.period_day IS NOT NULL AND period_days.period_key IS NOT NULL',
  ].join(`\n${indent}`);
}

/**
 * Returns a SELECT of each day as `period_day` with the place of its period, of the one `count` behind it, and its own in
 * its period, of `day_count`.
 *
 * @param more columns beside these
 */
export function placedDays(days: string, count: number, more: readonly string[] = []): string {
  const places = [
    'days.period_day AS period_day',
    'DENSE_RANK() OVER (ORDER BY days.period_start) AS period_place',
    // A column of its own: engines that look rows of a join up by an index make one of columns alone.
    `DENSE_RANK() OVER (ORDER BY days.period_start) + ${count} AS later_place`,
    'ROW_NUMBER() OVER (PARTITION BY days.period_start ORDER BY days.period_day) AS day_place',
    'COUNT(*) OVER (PARTITION BY days.period_start) AS day_count',
    ...more,
  ];
  return `SELECT ${places.join(', ')} FROM (${days}) AS days`;
}

/**
 * Returns a SELECT of each day as `period_day`, and as `window_start` the day on which the `count` periods begin that end
 * with it. They are counted as months are: behind the last day of a period they are whole, and behind another day they begin
 * with the day at the place of the next in the period so many before, at most its last. Before the first there are none.
 */
export function windowStarts(days: string, count: number): string {
  const placed = placedDays(days, count, ['MIN(days.period_day) OVER () AS first_of_all']);
  const isLast = 'placed.day_place = placed.day_count';
  const columns = [
    'placed.period_day AS period_day',
    'placed.first_of_all AS first_of_all',
    // Nothing is subtracted: places are unsigned in ClickHouse, and a difference has another type, which no join accepts.
    `CASE WHEN ${isLast} THEN placed.period_place + 1 ELSE placed.period_place END AS next_period`,
    `CASE WHEN ${isLast} THEN 1 ELSE placed.day_place + 1 END AS wanted_day`,
  ];
  return [
    'SELECT ends.period_day AS period_day, COALESCE(begins.period_day, lasts.period_day, ends.first_of_all) AS window_start',
    `FROM (SELECT ${columns.join(', ')} FROM (${placed}) AS placed) AS ends`,
    `LEFT JOIN (${placed}) AS begins ON begins.later_place = ends.next_period AND begins.day_place = ends.wanted_day`,
    `LEFT JOIN (SELECT placed.later_place AS later_place, MAX(placed.period_day) AS period_day FROM (${placed}) AS placed GROUP BY placed.later_place) AS lasts ON lasts.later_place = ends.next_period`,
  ].join('\n  ');
}

/** Returns a SELECT of the periods in their order: first and last day, key, and the lowest label that rows of it have. */
export function periodRows(table: PeriodTable, rows: CalendarRows): string {
  const { field, sql, from } = rows;
  const names =
    table.label === undefined
      ? []
      : [
          `LEFT JOIN (SELECT ${sql(field(table.key))} AS named_key, MIN(${sql(field(table.label))}) AS period_name FROM ${from} GROUP BY 1) AS period_names ON period_names.named_key = periods.period_key`,
        ];
  const columns = [
    'periods.period_start AS first_day',
    'MAX(periods.period_day) AS last_day',
    'MIN(periods.period_key) AS key_of_period',
    ...names.map(() => 'MIN(period_names.period_name) AS name_of_period'),
  ];
  return [
    `SELECT ${columns.join(', ')}`,
    `FROM (\n  ${daysOfPeriods(table, { ...rows, indent: '  ' })}\n) AS periods`,
    ...names,
    'GROUP BY periods.period_start',
    `ORDER BY ${rows.dialect.orderBy('first_day', 'asc')}`,
  ].join('\n');
}
