/**
 * Groups months, quarters and years of dates as whole numbers, and writes their first days afterwards, once for each group.
 * Engines with `Dialect.periodNumbers` group whole numbers several times as fast as dates.
 */
import type { NumberedPeriod } from '../../../../router/capabilities/dialect.ts';
import { type SqlPart, sql } from '../../../query-surface/index.ts';
import type { FactSubquery } from '../nodes/plan.ts';
import type { RowsRenderer } from './rows.ts';

const PERIODS: readonly NumberedPeriod[] = ['month', 'quarter', 'year'];

/** A group whose periods are grouped as numbers. */
export interface NumberedGroup {
  /** The SQL of the number in a row. */
  readonly number: string;
  /** Writes the first day of the period with a number. */
  readonly firstDay: (number: string) => string;
}

/** Returns the groups of a subquery whose periods can be grouped as numbers, by their index. */
export function numberedGroups(
  { groups, groupNodes, tree: { root }, finiteDates = [] }: FactSubquery,
  groupCount: number,
  rows: RowsRenderer,
): ReadonlyMap<number, NumberedGroup> {
  const numbers = rows.periodNumbers;
  if (numbers === undefined) return new Map();
  return new Map(
    groups.slice(0, groupCount).flatMap((group, index): readonly [number, NumberedGroup][] => {
      const { field, grain } = group;
      const node = groupNodes[index];
      const period = PERIODS.find((one) => one === grain?.name);
      if (node?.dataset !== root.dataset || node.role !== root.role || !finiteDates.includes(field.name)) return [];
      if (period === undefined || grain?.calendar !== undefined || grain?.moved !== undefined) return [];
      const number = numbers.of(period, rows.momentOf(group, node));
      return [[index, { number, firstDay: (one) => numbers.firstDay(period, one) }]];
    }),
  );
}

/** The item of FROM with the groups whose periods are numbers. */
const NUMBERED = 'numbered_periods';

/**
 * Writes the first days of the groups of a SELECT whose periods are numbers.
 *
 * @param rows the SELECT, with groups `g…` and computed columns
 * @param values the names of the computed columns
 */
export function selectFirstDays(
  numbered: ReadonlyMap<number, NumberedGroup>,
  groupCount: number,
  { rows, values }: { readonly rows: SqlPart; readonly values: readonly string[] },
): SqlPart {
  const groups = Array.from({ length: groupCount }, (_, index) => {
    const value = `${NUMBERED}.g${index}`;
    return `${numbered.get(index)?.firstDay(value) ?? value} AS g${index}`;
  });
  const columns = [...groups, ...values.map((name) => `${NUMBERED}.${name} AS ${name}`)];
  return sql`  SELECT ${columns.join(', ')}\n  FROM (\n${rows}\n  ) AS ${NUMBERED}`;
}
