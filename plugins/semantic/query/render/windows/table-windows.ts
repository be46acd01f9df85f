/** Writes the SQL of windows that begin with periods of a calendar's table: each end is joined to the table's days. */

import type { Dialect } from '../../../../../router/capabilities/dialect.ts';
import { type SqlPart, sql } from '../../../../query-surface/index.ts';
import { tableOf } from '../../nodes/grain.ts';
import { grainSql } from '../grain-sql.ts';
import { TURN, windowStarts } from '../period-rows.ts';
import type { RowsRenderer } from '../rows.ts';
import {
  at0,
  dateMoment,
  endsLatest,
  hasEnd,
  isAveraged,
  type LengthOfTable,
  type WindowQuery,
} from './requested-windows.ts';

/** The grain of a day, which is its own first day. */
const DAYS = { name: 'day', firstDay: 1, calendar: undefined } as const;

/**
 * Returns a SELECT of a table's days as `period_day`, each with `window_start`, the first day of the window that ends with
 * it. Several windows have a `turn` each.
 */
export function startsOf(lengths: readonly LengthOfTable[], days: SqlPart, dialect: Dialect): SqlPart {
  const counts = lengths.map((length) => (length.kind === 'last_of_table' ? length.count : undefined));
  return windowStarts(days, counts, dialect);
}

/** Writes the end of a window: the earliest of its possible ends, or the latest (see `endsLatest`). */
export function windowEnd(query: WindowQuery, days: readonly string[]): string {
  const sign = endsLatest(query) ? '>=' : '<=';
  return `${days.reduce((one, other) => `CASE WHEN ${one} ${sign} ${other} THEN ${one} ELSE ${other} END`)} AS window_end`;
}

/** Joins the beginnings of windows to the ends in `ends`, by `window_end`. A day without a period has no window. */
export function withStarts(ends: SqlPart, query: WindowQuery, starts: SqlPart): SqlPart {
  const columns = [
    ...endColumns(query).map((name) => `window_ends.${name} AS ${name}`),
    'window_starts.window_start AS s0',
    ...(query.lengths.length === 1 ? [] : [`window_starts.${TURN} AS ${TURN}`]),
  ].join(', ');
  const join = sql`LEFT JOIN (${starts}) AS window_starts ON window_starts.period_day = window_ends.window_end`;
  return sql`  SELECT ${columns}\n  FROM (\n${ends}\n  ) AS window_ends\n  ${join}`;
}

/** Lists the groups and the ends of windows among the columns of a spine. */
export function endColumns(query: WindowQuery): readonly string[] {
  const { axis, isAnchored } = query;
  const hasOneEnd = isAnchored || isAveraged(query);
  const endNames = hasOneEnd ? ['e0'] : axis.flatMap((index, at) => (hasEnd(query, index) ? [`e${at}`] : []));
  return [...axis.map((index) => `g${index}`), ...endNames];
}

/**
 * Writes the days of each value of a group, as `period_day` and `period_start`, where tables define them; `undefined` where
 * no table does.
 */
export function daysOfGroup(
  { grouping, windowed: { moved } }: WindowQuery,
  index: number,
  rows: RowsRenderer,
  dialect: Dialect,
): SqlPart | undefined {
  const { grain } = at0(grouping, index);
  const table = tableOf(grain);
  if (moved?.kind !== 'pairs') return table && rows.daysOf(table, '    ');
  const from = sql`FROM (${rows.pairs([moved.pairs], '    ')}) AS pairs`;
  if (table !== undefined) {
    return sql`SELECT DISTINCT days.period_start AS period_start, pairs.own_day AS period_day ${from} INNER JOIN (${rows.daysOf(table, '    ')}) AS days ON days.period_day = pairs.shown_day`;
  }
  const shown = grainSql(dateMoment('pairs.shown_day'), grain ?? DAYS, dialect);
  return sql`SELECT DISTINCT ${shown} AS period_start, pairs.own_day AS period_day ${from}`;
}
