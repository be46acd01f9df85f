/**
 * Writes SQL that counts the distinct values in windows. A value enters the count on its day. It leaves with the first
 * window that no longer contains it, or on the next day that has the same value, if that comes first. The running sum of
 * the values that enter and leave is the count on each day, so no window reads its rows.
 */

import type { Dialect } from '../../../../../router/capabilities/dialect.ts';
import { InternalError } from '../../../../../router/errors.ts';
import { joinSql, type SqlPart, sql } from '../../../../query-surface/index.ts';
import type { WindowLength } from '../../../model/template.ts';
import type { Windowed } from '../../nodes/plan.ts';
import { groupBy } from '../group-by.ts';
import { TURN, turns } from '../period-rows.ts';
import { firstDayOf } from '../shown-days.ts';
import { dateMoment, STEPS } from './requested-windows.ts';

export interface DistinctCount {
  /** Names of the groups that do not belong to the date. */
  readonly others: readonly string[];
  /** The expression with the counted values, read from `fact_rows`. */
  readonly value: string;
  /**
   * For each window, the end of the first one that no longer contains `seen.d`; `undefined` where every later window contains
   * it. Several windows have a `turn` each.
   */
  readonly leaves: readonly (string | undefined)[];
}

/**
 * Returns a SELECT of each day `d` on which the number of distinct values or of rows in the windows changes, with both
 * numbers and the `next_day` with a change.
 *
 * @param rows a SELECT of the groups, the day `d`, and the columns that the value reads
 */
export function distinctByDay(rows: SqlPart, { others, value, leaves }: DistinctCount, dialect: Dialect): SqlPart {
  const { columns: turn, join } = turns(leaves.length, dialect);
  const each = [...others, ...turn.map(() => TURN)];
  const of = (from: string) => each.map((name) => `${from}.${name} AS ${name}`);
  const by = (from: string, names = each.map((name) => `${from}.${name}`)) => {
    return `${names.length === 0 ? '' : `PARTITION BY ${names.join(', ')} `}ORDER BY ${from}.d`;
  };
  // The CASE has no ELSE, so that ClickHouse makes the result nullable: a last day has no next one.
  const next = (from: string) => `MIN(CASE WHEN ${from}.d IS NOT NULL THEN ${from}.d END)`;
  const following = 'ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING';
  const leaving = leaves.every((one) => one === undefined) ? undefined : leavingByTurn(leaves);
  const left =
    leaving === undefined
      ? 'seen.next_day'
      : 'CASE WHEN seen.next_day < seen.leaves OR seen.leaves IS NULL THEN seen.next_day ELSE seen.leaves END';
  const ofValue = [...others.map((name) => `seen.${name}`), ...turn.map(() => 'turns.n'), 'seen.counted'];
  // A value enters with its rows, leaves, and its rows leave.
  const steps = dialect.numbers('steps', leaving === undefined ? 2 : 3);
  const ofValues = 'CASE steps.n WHEN 0 THEN 1 WHEN 1 THEN -1 ELSE 0 END';
  const ofRows = 'CASE steps.n WHEN 0 THEN 1 WHEN 2 THEN -1 ELSE 0 END';
  return joinSql(
    [
      `    SELECT ${[...of('days'), 'days.d AS d', ...['distinct_values', 'row_count'].map((name) => `SUM(days.${name}) OVER (${by('days')}) AS ${name}`), `${next('days')} OVER (${by('days')} ${following}) AS next_day`].join(', ')}`,
      `    FROM (\n    SELECT ${[...of('changes'), 'changes.d AS d', 'SUM(changes.distinct_values) AS distinct_values', 'SUM(changes.row_count) AS row_count'].join(', ')}`,
      `    FROM (\n    SELECT ${[
        ...of('seen'),
        `CASE steps.n WHEN 0 THEN seen.d WHEN 1 THEN ${left}${leaving === undefined ? '' : ' ELSE seen.leaves'} END AS d`,
        `CASE WHEN seen.counted IS NULL THEN 0 ELSE ${ofValues} END AS distinct_values`,
        `seen.row_count * ${ofRows} AS row_count`,
      ].join(', ')}`,
      `    FROM (\n    SELECT seen.*, ${[...turn, `${next('seen')} OVER (${by('seen', ofValue)} ${following}) AS next_day`, ...(leaving === undefined ? [] : [`${leaving} AS leaves`])].join(', ')}`,
      `    FROM (\n    SELECT ${[...others.map((name) => `fact_rows.${name} AS ${name}`), 'fact_rows.d AS d', `${value} AS counted`, 'COUNT(*) AS row_count'].join(', ')}`,
      sql`    FROM (\n${rows}\n    ) AS fact_rows${groupBy(others.length + 2, '    ')}\n    ) AS seen${join}\n    ) AS seen CROSS JOIN ${steps}`,
      `    ) AS changes\n    WHERE changes.d IS NOT NULL${groupBy(each.length + 1, '    ')}\n    ) AS days`,
    ],
    '\n',
  );
}

/** Writes the day of leaving for the `turn` of each window; null where every later window contains the value. */
function leavingByTurn(leaves: readonly (string | undefined)[]): string {
  const [first] = leaves;
  if (leaves.length === 1 && first !== undefined) return first;
  return `CASE turns.n ${leaves.flatMap((one, turn) => (one === undefined ? [] : [`WHEN ${turn} THEN ${one}`])).join(' ')} END`;
}

/** Writes the end of the first window that no longer contains `day`; `undefined` where every later window contains it. */
export function dayOfLeaving(
  length: WindowLength,
  windowed: Windowed,
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
      // A window begins `steps` months before the day after its end. If the month of the end has no such day, the window
      // that no longer contains `day` ends one day later.
      const behind = shifted(shifted(day, 1, 'day'), steps, 'month');
      return `CASE WHEN ${shifted(behind, -steps, 'month')} > ${day} THEN ${shifted(behind, -1, 'day')} ELSE ${behind} END`;
    }
    case 'to_date_of_table':
    case 'last_of_table':
      throw new InternalError('the day on which a value leaves a window of a table is not computed');
  }
}
