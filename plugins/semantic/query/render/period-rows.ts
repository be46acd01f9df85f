/** Writes the SQL of the days of a calendar's table, each with the first day of its period. */
import type { Dialect, ExactText } from '../../../../router/capabilities/dialect.ts';
import { isMomentType } from '../../../../router/date-grains.ts';
import { UTC } from '../../../../router/time-zone.ts';
import { joinSql, type SqlPart, sql } from '../../../query-surface/index.ts';
import type { Field } from '../../model/model.ts';
import type { PeriodTable } from '../../model/period-table.ts';

type CalendarField = Pick<Field, 'type' | 'expression'>;

/** SQL of a calendar's dataset. */
export interface CalendarRows {
  readonly field: (name: string) => CalendarField;
  readonly write: (field: CalendarField) => string;
  /** The rows of the dataset that the caller may see, as an item of FROM. */
  readonly from: SqlPart;
  readonly dialect: Dialect;
  readonly indent: string;
}

interface DaysOptions {
  /**
   * True to add the first of all days with a period, as `first_of_all`. The query finds it before it makes the days
   * distinct: Trino then brings all rows together first, and does the rest there without another stage.
   */
  readonly hasFirst?: boolean;
}

/**
 * Returns a SELECT of `period_day`, each day once, with `period_key` and `period_start`, the first day of its period. If the
 * table has a day several times, its lowest key counts, so that facts are never doubled.
 */
export function daysOfPeriods(
  table: Pick<PeriodTable, 'date' | 'key'>,
  rows: CalendarRows,
  { hasFirst = false }: DaysOptions = {},
): SqlPart {
  const { field, write, from, dialect, indent } = rows;
  const date = field(table.date);
  const { type } = date;
  const dateSql = date.expression.length === 1 ? write(date) : `(${write(date)})`;
  const zone = type === 'timestamptz' ? UTC : undefined;
  // Without a warehouse the type is unknown, and no query runs.
  const day = isMomentType(type) ? dialect.grains.day({ expression: dateSql, type, zone }, 1) : dateSql;
  const start = 'MIN(period_days.period_day) OVER (PARTITION BY period_days.period_key) AS period_start';
  const key = exactKey(field(table.key), rows);
  const first = `MIN(CASE WHEN ${key} IS NOT NULL THEN ${day} END) OVER () AS first_of_all`;
  const calendarRows = sql`(SELECT ${day} AS period_day, ${key} AS period_key, ${first} FROM ${from}) AS calendar_rows`;
  const columns = [
    'SELECT period_days.period_day AS period_day, period_days.period_key AS period_key',
    ...(hasFirst ? ['period_days.first_of_all AS first_of_all'] : []),
    start,
  ];
  const lines = [
    columns.join(', '),
    hasFirst
      ? sql`FROM (SELECT calendar_rows.period_day AS period_day, MIN(calendar_rows.period_key) AS period_key, MIN(calendar_rows.first_of_all) AS first_of_all FROM ${calendarRows} GROUP BY 1) AS period_days`
      : sql`FROM (SELECT ${day} AS period_day, MIN(${key}) AS period_key FROM ${from} GROUP BY 1) AS period_days`,
    'WHERE period_days.period_day IS NOT NULL AND period_days.period_key IS NOT NULL',
  ];
  return joinSql(lines, `\n${indent}`);
}

/** The columns of `placed` by which a day finds an earlier one: the number of a later period, and of a day within it. */
interface EarlierPlace {
  readonly period: string;
  readonly day: string;
}

/** The column that numbers the windows or offsets of a query that is written for several of them. */
export const TURN = 'turn';

/** Writes a value for each number of `turn`; without a number where there is one value. */
export function byTurn(turn: string, values: readonly string[]): string {
  const [first = 'NULL', ...others] = values;
  if (others.every((other) => other === first)) return first;
  return `CASE ${turn} ${values.map((value, at) => `WHEN ${at} THEN ${value}`).join(' ')} END`;
}

/** Writes the columns and the item of FROM that repeat each row for each number; both are empty for one. */
export function turns(count: number, dialect: Dialect): { readonly columns: readonly string[]; readonly join: string } {
  if (count === 1) return { columns: [], join: '' };
  return { columns: [`turns.n AS ${TURN}`], join: ` CROSS JOIN ${dialect.numbers('turns', count)}` };
}

const IS_LAST = 'placed.day_place = placed.day_count';

/**
 * Returns a SELECT of each day as `period_day`, and as `earlier_day` the day that is `count` periods before the period of `by`,
 * at the same place in it; in a shorter period the last day. It is null before the first period. Several counts have a `turn`
 * each.
 *
 * The days are read once: each is there as the earlier day and as the day that finds it, side by side in the order of places.
 */
function earlierDays(days: SqlPart, counts: readonly number[], by: EarlierPlace, dialect: Dialect): SqlPart {
  const { columns: turn, join } = turns(counts.length, dialect);
  const names = turn.map(() => TURN);
  const count = byTurn('turns.n', counts.map(String));
  const columns = [
    'placed.period_day AS period_day',
    'placed.period_start AS period_start',
    'placed.first_of_all AS first_of_all',
    'sides.n AS finds',
    ...turn,
    // The count is added to one side, not subtracted from the other: ClickHouse's places are unsigned.
    `CASE WHEN sides.n = 0 THEN placed.period_place + ${count} ELSE ${by.period} END AS period_place`,
    `CASE WHEN sides.n = 0 THEN placed.day_place ELSE ${by.day} END AS day_place`,
  ];
  const earlier = 'MAX(CASE WHEN both_sides.finds = 0 THEN both_sides.period_day END)';
  const within = [...names.map((name) => `both_sides.${name}`), 'both_sides.period_place'].join(', ');
  const order = `PARTITION BY ${within} ORDER BY both_sides.day_place, both_sides.finds`;
  const found = ['period_day', 'period_start', 'first_of_all', 'earlier_day', ...names];
  const lines = [
    `SELECT ${found.map((name) => `found.${name} AS ${name}`).join(', ')}`,
    `FROM (SELECT both_sides.*, ${earlier} OVER (${order} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS earlier_day`,
    sql`FROM (SELECT ${columns.join(', ')} FROM (${placedDays(days)}) AS placed CROSS JOIN ${dialect.numbers('sides', 2)}${join}) AS both_sides) AS found`,
    'WHERE found.finds = 1',
  ];
  return joinSql(lines, '\n  ');
}

/**
 * Returns a SELECT of each day as `period_day`, with the number of its period (`period_place`), the number of the day within
 * its period (`day_place`), the number of days in the period (`day_count`), and the first of all days (`first_of_all`).
 *
 * @param days a SELECT of `daysOfPeriods` that has the first of all days
 */
function placedDays(days: SqlPart): SqlPart {
  const ofAll = [
    'days.period_day AS period_day',
    'days.period_start AS period_start',
    'DENSE_RANK() OVER (ORDER BY days.period_start) AS period_place',
    'days.first_of_all AS first_of_all',
  ];
  const ofPeriod = [
    'ROW_NUMBER() OVER (PARTITION BY numbered.period_start ORDER BY numbered.period_day) AS day_place',
    'COUNT(*) OVER (PARTITION BY numbered.period_start) AS day_count',
  ];
  // What needs all days comes first: Trino then does the rest where they are together, without another stage.
  return sql`SELECT numbered.*, ${ofPeriod.join(', ')} FROM (SELECT ${ofAll.join(', ')} FROM (${days}) AS days) AS numbered`;
}

/**
 * Returns a SELECT of each day as `period_day`, and as `window_start` the first day of the window of `count` periods that
 * ends with it. Periods are counted like months. A window that ends with the last day of a period consists of whole
 * periods. Any other window begins `count` periods earlier, one place after the place of its last day, or with the last day
 * of a shorter period. No window begins before the first day of the table.
 *
 * @param counts the windows, each with its `turn` where there are several; `undefined` for a window that begins with the
 * period of its last day
 */
export function windowStarts(days: SqlPart, counts: readonly (number | undefined)[], dialect: Dialect): SqlPart {
  if (counts.every((count) => count === undefined)) {
    return sql`SELECT days.period_day AS period_day, days.period_start AS window_start FROM (${days}) AS days`;
  }
  const next: EarlierPlace = {
    period: `CASE WHEN ${IS_LAST} THEN placed.period_place + 1 ELSE placed.period_place END`,
    day: `CASE WHEN ${IS_LAST} THEN 1 ELSE placed.day_place + 1 END`,
  };
  const earlier = earlierDays(
    days,
    counts.map((count) => count ?? 0),
    next,
    dialect,
  );
  const ofCount = 'COALESCE(ends.earlier_day, ends.first_of_all)';
  const starts = counts.map((count) => (count === undefined ? 'ends.period_start' : ofCount));
  const turn = counts.length === 1 ? '' : `, ends.${TURN} AS ${TURN}`;
  return sql`SELECT ends.period_day AS period_day, ${byTurn(`ends.${TURN}`, starts)} AS window_start${turn} FROM (${earlier}) AS ends`;
}

/**
 * Returns a SELECT of pairs: each day as `shown_day`, and as `own_day` the day at its place in the period `count` before, or the
 * last day of that period where it is shorter. Several counts have a `turn` each.
 */
export function daysAtPlaces(days: SqlPart, counts: readonly number[], dialect: Dialect): SqlPart {
  const pairs = earlierDays(days, counts, { period: 'placed.period_place', day: 'placed.day_place' }, dialect);
  const turn = counts.length === 1 ? '' : `, pairs.${TURN} AS ${TURN}`;
  return sql`SELECT pairs.earlier_day AS own_day, pairs.period_day AS shown_day${turn} FROM (${pairs}) AS pairs WHERE pairs.earlier_day IS NOT NULL`;
}

/**
 * Returns a SELECT of pairs: each day as `own_day`, and as `shown_day` the first day of the period `count` later. The days are read
 * once, as in `earlierDays`. Several counts have a `turn` each.
 */
export function daysOfWholePeriods(days: SqlPart, counts: readonly number[], dialect: Dialect): SqlPart {
  const { columns: turn, join } = turns(counts.length, dialect);
  const names = turn.map(() => TURN);
  const placed =
    'SELECT days.period_day AS period_day, days.period_start AS period_start, DENSE_RANK() OVER (ORDER BY days.period_start) AS period_place';
  const columns = [
    'placed.period_day AS period_day',
    'placed.period_start AS period_start',
    'sides.n AS finds',
    ...turn,
    `CASE WHEN sides.n = 0 THEN placed.period_place ELSE placed.period_place + ${byTurn('turns.n', counts.map(String))} END AS period_place`,
  ];
  const later = 'MAX(CASE WHEN both_sides.finds = 0 THEN both_sides.period_start END)';
  const within = [...names.map((name) => `both_sides.${name}`), 'both_sides.period_place'].join(', ');
  const lines = [
    `SELECT ${['found.period_day AS own_day', 'found.shown_day AS shown_day', ...names.map((name) => `found.${name} AS ${name}`)].join(', ')}`,
    `FROM (SELECT both_sides.*, ${later} OVER (PARTITION BY ${within}) AS shown_day`,
    sql`FROM (SELECT ${columns.join(', ')} FROM (${placed} FROM (${days}) AS days) AS placed CROSS JOIN ${dialect.numbers('sides', 2)}${join}) AS both_sides) AS found`,
    'WHERE found.finds = 1 AND found.shown_day IS NOT NULL',
  ];
  return joinSql(lines, '\n  ');
}

/** Returns a SELECT of the periods in their order: first day, last day, key, and the lowest label of the period's rows. */
export function periodRows(table: PeriodTable, rows: CalendarRows): SqlPart {
  const { from } = rows;
  const key = rows.field(table.key);
  const names =
    table.label === undefined
      ? []
      : [
          sql`LEFT JOIN (SELECT ${exactKey(key, rows)} AS named_key, ${lowest(rows.field(table.label), rows)} AS period_name FROM ${from} GROUP BY 1) AS period_names ON period_names.named_key = periods.period_key`,
        ];
  const exactText = exactTextOf(key, rows);
  const columns = [
    'periods.period_start AS first_day',
    'MAX(periods.period_day) AS last_day',
    `${exactText === undefined ? 'MIN(periods.period_key)' : exactText.textOfKey('MIN(periods.period_key)')} AS key_of_period`,
    ...names.map(() => 'MIN(period_names.period_name) AS name_of_period'),
  ];
  const lines = [
    `SELECT ${columns.join(', ')}`,
    sql`FROM (\n  ${daysOfPeriods(table, { ...rows, indent: '  ' })}\n) AS periods`,
    ...names,
    'GROUP BY periods.period_start',
    `ORDER BY ${rows.dialect.orderBy('first_day', 'asc')}`,
  ];
  return joinSql(lines, '\n');
}

/** Writes the lowest value of a calendar's field; of texts the lowest spelling. */
function lowest(field: CalendarField, rows: CalendarRows): string {
  const value = rows.write(field);
  return exactTextOf(field, rows)?.lowest(value) ?? `MIN(${value})`;
}

/** Writes the key of a row's period. Texts differ where they are written differently, as the keys in requests do. */
function exactKey(field: CalendarField, rows: CalendarRows): string {
  const value = rows.write(field);
  return exactTextOf(field, rows)?.key(value) ?? value;
}

function exactTextOf({ type }: CalendarField, { dialect: { exactText } }: CalendarRows): ExactText | undefined {
  return type === 'text' ? exactText : undefined;
}
