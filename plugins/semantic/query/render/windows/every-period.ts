/** Writes SQL of all periods between two ends, including periods without facts. */

import { DAY_MS, dateText, momentText } from '../../../../../router/calendar.ts';
import type { Dialect } from '../../../../../router/capabilities/dialect.ts';
import { isGrainOf, isMomentType, type MomentType } from '../../../../../router/date-grains.ts';
import { InternalError } from '../../../../../router/errors.ts';
import { joinSql, type SqlPart, sql } from '../../../../query-surface/index.ts';
import type { PeriodTable } from '../../../model/period-table.ts';
import { startAt } from '../../nodes/date-range.ts';
import { fieldAtGrain, type ResolvedGrain, tableOf } from '../../nodes/grain.ts';
import type { Fill } from '../../nodes/plan.ts';
import type { FieldInRole } from '../../nodes/resolved-query.ts';
import type { RowsRenderer } from '../rows.ts';
import { CLOCK_SECONDS, MAX_PERIODS, STEPS } from './requested-windows.ts';

/**
 * Writes all periods of a date from the first to the last, up to the most that are filled.
 *
 * @param periodsWithFacts a SELECT of the periods that have facts, as `g…`
 */
export function everyPeriod(
  { field, grain }: FieldInRole,
  { group, range }: Fill,
  periodsWithFacts: SqlPart,
  rows: RowsRenderer,
  dialect: Dialect,
): SqlPart {
  if (grain === undefined) throw new InternalError('a date without a grain is filled');
  const table = tableOf(grain);
  if (table !== undefined) return everyPeriodOf(table, { group, range }, periodsWithFacts, rows, dialect);
  const { type } = fieldAtGrain(field, grain);
  if (!isMomentType(type)) throw new InternalError('a field that is not a date is filled');
  const literal = (wall: number) => startLiteral(wall, grain, type, dialect);
  const first = range.from === undefined ? `MIN(known.g${group})` : literal(range.from);
  const last = range.before === undefined ? `MAX(known.g${group})` : literal(range.before - 1);
  const hasBothEnds = range.from !== undefined && range.before !== undefined;
  const { count, unit } = isGrainOf(grain.name, 'period')
    ? STEPS[grain.name]
    : { count: CLOCK_SECONDS[isGrainOf(grain.name, 'clock') ? grain.name : 'hour'], unit: 'second' as const };
  const moment = { expression: 'bounds.first_period', type, zone: grain.zone };
  const period = dialect.shifted(moment, `numbers.n * ${count}`, unit);
  const lines = [
    `SELECT ${period} AS g${group}`,
    sql`    FROM (SELECT ${first} AS first_period, ${last} AS last_period${hasBothEnds ? '' : sql` FROM (${periodsWithFacts}) AS known`}) AS bounds`,
    `    CROSS JOIN ${dialect.numbers('numbers', MAX_PERIODS)}`,
    `    WHERE ${period} <= bounds.last_period`,
  ];
  return joinSql(lines, '\n');
}

/** Writes all periods of a table from the first to the last. */
function everyPeriodOf(
  table: PeriodTable,
  { group, range }: Pick<Fill, 'group' | 'range'>,
  periodsWithFacts: SqlPart,
  rows: RowsRenderer,
  dialect: Dialect,
): SqlPart {
  const { from, before } = range;
  const literal = (wall: number) => dialect.literal(dateText(Math.floor(wall / DAY_MS)), 'date');
  const first = from === undefined ? `MIN(known.g${group})` : literal(from);
  const last = before === undefined ? `MAX(known.g${group})` : literal(before - 1);
  const hasBothEnds = from !== undefined && before !== undefined;
  const begins = from === undefined ? 'days.period_start' : 'days.period_day';
  const lines = [
    `SELECT DISTINCT days.period_start AS g${group}`,
    sql`    FROM (SELECT ${first} AS first_day, ${last} AS last_day${hasBothEnds ? '' : sql` FROM (${periodsWithFacts}) AS known`}) AS bounds`,
    sql`    CROSS JOIN (${rows.daysOf(table, '    ')}) AS days`,
    `    WHERE ${begins} >= bounds.first_day AND days.period_start <= bounds.last_day`,
  ];
  return joinSql(lines, '\n');
}

/** Writes the beginning of the period in which a clock shows `wall`. */
export function startLiteral(wall: number, grain: ResolvedGrain, type: MomentType, dialect: Dialect): string {
  const start = startAt(wall, grain);
  const isDay = isGrainOf(grain.name, 'period');
  const text = isDay ? dateText(start / DAY_MS) : `${momentText(start)}${type === 'timestamptz' ? 'Z' : ''}`;
  return dialect.literal(text, type);
}
