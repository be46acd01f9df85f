/**
 * Writes SQL of all combinations of one date's grains on the days between two ends, including combinations without facts.
 */

import type { Dialect } from '../../../../../router/capabilities/dialect.ts';
import { isGrainOf } from '../../../../../router/date-grains.ts';
import { InternalError } from '../../../../../router/errors.ts';
import { joinSql, type SqlPart, sql } from '../../../../query-surface/index.ts';
import { fieldAtGrain, tableOf } from '../../nodes/grain.ts';
import type { Fill } from '../../nodes/plan.ts';
import type { FieldInRole } from '../../nodes/resolved-query.ts';
import { grainSql, momentOf } from '../grain-sql.ts';
import type { RowsRenderer } from '../rows.ts';
import { everyPeriod, startLiteral } from './every-period.ts';
import { at0, CLOCK_SECONDS, dateMoment, lastDayOf, MAX_DAYS, type WindowQuery } from './requested-windows.ts';

/** A group that belongs to the date, with its index among the groups. */
interface DateGroup {
  readonly index: number;
  readonly group: FieldInRole;
}

const CLOCKS_FROM_FINEST = Object.keys(CLOCK_SECONDS);

/**
 * Writes all combinations of a date's periods, up to the most that are filled.
 *
 * @param groupsWithFacts a SELECT of the combinations that have facts, as `g…`
 */
export function everyCombination(
  { axis, grouping }: WindowQuery,
  fill: Fill,
  groupsWithFacts: SqlPart,
  rows: RowsRenderer,
  dialect: Dialect,
): SqlPart {
  const dates = axis.map((index): DateGroup => ({ index, group: at0(grouping, index) }));
  const [only, ...more] = dates;
  if (only === undefined) throw new InternalError('no date is filled');
  if (more.length === 0) return everyPeriod(only.group, fill, groupsWithFacts, rows, dialect);
  const combinations =
    ofClock(dates, fill, groupsWithFacts, rows, dialect) ?? ofDays(dates, fill, groupsWithFacts, rows, dialect);
  // Facts may have combinations that the days of the range lack: the days of two periods of a table may overlap.
  const names = axis.map((index) => `found.g${index}`).join(', ');
  return sql`SELECT ${names} FROM (\n    ${combinations}\n    UNION ALL\n    ${groupsWithFacts}\n    ) AS found`;
}

/**
 * Writes the combinations of all hours, minutes or seconds, whichever is the shortest group; `undefined` where none is a
 * group.
 */
function ofClock(
  dates: readonly DateGroup[],
  fill: Fill,
  groupsWithFacts: SqlPart,
  rows: RowsRenderer,
  dialect: Dialect,
): SqlPart | undefined {
  const finest = CLOCKS_FROM_FINEST.flatMap((name) => dates.find(({ group }) => group.grain?.name === name) ?? [])[0];
  const clock = finest?.group.grain;
  if (finest === undefined || clock === undefined) return undefined;
  const { index, group } = finest;
  const value = `units.g${index}`;
  const moment = momentOf(value, fieldAtGrain(group.field, clock), clock);
  const units = everyPeriod(group, { ...fill, group: index }, groupsWithFacts, rows, dialect);
  const day = dialect.grains.day(moment, clock.firstDay);
  const columns = dates.map(({ index: groupIndex, group: { grain } }) => {
    if (groupIndex === index) return `${value} AS g${groupIndex}`;
    if (tableOf(grain) !== undefined) return `days_${groupIndex}.period_start AS g${groupIndex}`;
    return `${grain === undefined ? day : grainSql(moment, grain, dialect)} AS g${groupIndex}`;
  });
  return sql`SELECT DISTINCT ${columns.join(', ')}\n    FROM (${units}) AS units${joins(dates, day, rows)}`;
}

/** Writes the combinations of all days. */
function ofDays(
  dates: readonly DateGroup[],
  fill: Fill,
  groupsWithFacts: SqlPart,
  rows: RowsRenderer,
  dialect: Dialect,
): SqlPart {
  const { from, before } = fill.range;
  const zoned = dates.find(({ group }) => group.grain !== undefined)?.group.grain;
  if (zoned === undefined) throw new InternalError('a date without a grain is filled');
  const literal = (wall: number) =>
    startLiteral(wall, { ...zoned, name: 'day', calendar: undefined, zone: undefined }, 'date', dialect);
  const pick = (sql: readonly string[], sign: '<' | '>') =>
    sql.reduce((one, other) => `CASE WHEN ${one} ${sign} ${other} THEN ${one} ELSE ${other} END`);
  const starts = dates.map(({ index }) => `known.g${index}`);
  const ends = dates.map(({ index, group: { grain } }) => {
    if (tableOf(grain) !== undefined) return `ends_${index}.period_end`;
    const name = grain?.name ?? 'day';
    return isGrainOf(name, 'period') ? lastDayOf(`known.g${index}`, name, dialect) : `known.g${index}`;
  });
  const first = from === undefined ? `MIN(${pick(starts, '>')})` : literal(from);
  const last = before === undefined ? `MAX(${pick(ends, '<')})` : literal(before - 1);
  const hasBothEnds = from !== undefined && before !== undefined;
  const lastDays = dates.flatMap(({ index, group: { grain } }) => {
    const table = tableOf(grain);
    if (table === undefined || before !== undefined) return [];
    const days = sql`SELECT days.period_start AS period_start, MAX(days.period_day) AS period_end FROM (${rows.daysOf(table, '    ')}) AS days GROUP BY days.period_start`;
    return [
      sql`\n    LEFT JOIN (${days}) AS ends_${String(index)} ON ends_${String(index)}.period_start = known.g${String(index)}`,
    ];
  });
  const day = dialect.shifted(dateMoment('bounds.first_day'), 'numbers.n', 'day');
  const columns = dates.map(({ index, group: { grain } }) => {
    if (tableOf(grain) !== undefined) return `days_${index}.period_start AS g${index}`;
    return `${grain === undefined ? 'days.d' : grainSql(dateMoment('days.d'), grain, dialect)} AS g${index}`;
  });
  const lines = [
    `SELECT DISTINCT ${columns.join(', ')}`,
    `    FROM (SELECT DISTINCT ${day} AS d`,
    sql`    FROM (SELECT ${first} AS first_day, ${last} AS last_day${hasBothEnds ? '' : sql` FROM (${groupsWithFacts}) AS known${joinSql(lastDays, '')}`}) AS bounds`,
    `    CROSS JOIN ${dialect.numbers('numbers', MAX_DAYS)}`,
    sql`    WHERE ${day} <= bounds.last_day) AS days${joins(dates, 'days.d', rows)}`,
  ];
  return joinSql(lines, '\n');
}

/** Joins the tables that define periods by the day. */
function joins(dates: readonly DateGroup[], day: string, rows: RowsRenderer): SqlPart {
  const joined = dates.flatMap(({ index, group: { grain } }) => {
    const table = tableOf(grain);
    if (table === undefined) return [];
    return [
      sql`\n    LEFT JOIN (${rows.daysOf(table, '    ')}) AS days_${String(index)} ON days_${String(index)}.period_day = ${day}`,
    ];
  });
  return joinSql(joined, '');
}
