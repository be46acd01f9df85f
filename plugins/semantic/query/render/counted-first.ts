/**
 * Writes subqueries whose rows are grouped by the values of a distinct count first. Some engines sort all rows of a group for
 * `COUNT(DISTINCT …)`, which takes up to five times as long. The other aggregates of the smaller groups are combined afterwards.
 */
import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import { InternalError } from '../../../../router/errors.ts';
import { type SqlPart, sql } from '../../../query-surface/index.ts';
import type { Aggregation } from '../../model/aggregations.ts';
import { addsUp } from '../../model/exact-sums.ts';
import type { Bound } from '../../model/template.ts';
import { isCounting } from '../nodes/aggregate-kinds.ts';
import type { AggregateRef, FactSubquery } from '../nodes/plan.ts';
import type { Rewrites } from '../nodes/rewrites.ts';
import { isLayered } from '../nodes/subquery-kinds.ts';
import { groupBy } from './group-by.ts';
import { FACTS, ofCombinations } from './keys-first.ts';

/** The rows of each group and counted value. */
const COUNTED = 'counted';

/**
 * Returns the expression with the counted values of a subquery that is grouped by them first; `undefined` for any other. By
 * default it has only counts, because the states of sums take more memory than sorted rows do, and no key is counted, of which each row
 * has another value. An engine with collations counts texts by what they are written like, which groups do not.
 */
export function countedFirst(
  subquery: FactSubquery,
  { countsGroups }: Rewrites,
  { sortsToCountDistinct, exactText }: Dialect,
  isKey: (expression: Bound) => boolean,
): Bound | undefined {
  const isAlways = countsGroups === 'always';
  if (exactText !== undefined || !(isAlways || (countsGroups === 'where it pays' && sortsToCountDistinct)))
    return undefined;
  const { aggregates, distinct, scope, spread, countedBy } = subquery;
  const isPlain = !isLayered(subquery) && distinct === undefined && scope.taken === undefined && spread === undefined;
  const [counted, ...others] = new Map(
    aggregates.flatMap((each) => {
      const values = countedOf(each);
      return values === undefined ? [] : [[JSON.stringify(values), values] as const];
    }),
  ).values();
  if (!isPlain || countedBy !== undefined || counted === undefined || others.length > 0) return undefined;
  const isCombined = aggregates.every((each) => countedOf(each) !== undefined || combines(each, isAlways));
  return isCombined && (isAlways || !isKey(counted)) ? counted : undefined;
}

function countedOf({ call, aggregation }: AggregateRef): Bound | undefined {
  return aggregation === undefined && call.aggregation === 'count_distinct' ? call.distinct : undefined;
}

function combines(ref: AggregateRef, isAlways: boolean): boolean {
  const { call, aggregation, sumsCounts = false } = ref;
  return !sumsCounts && addsUp(call, aggregation ?? call.aggregation) && (isAlways || isCounting(ref));
}

/** Returns the SQL of an aggregate of a group, from its groups by counted values. */
export function aggregateOfCounted(
  ref: AggregateRef,
  index: number,
  aggregation: Aggregation,
  dialect: Dialect,
): string {
  return countedOf(ref) === undefined
    ? ofCombinations(`${COUNTED}.service_a${index}`, aggregation, dialect)
    : `COUNT(${COUNTED}.service_value)`;
}

export function rowCountOfCounted(dialect: Dialect): string {
  return ofCombinations(`${COUNTED}.${FACTS}`, 'count', dialect);
}

/**
 * Returns the SELECT … GROUP BY of a subquery: its groups as `g…` and then `computed`.
 *
 * @param parts the SQL of the groups as `g…`, of the counted value, and of each aggregate of the rows
 * @param from the rows
 */
export function selectCounted(
  { aggregates }: FactSubquery,
  parts: { readonly groups: readonly string[]; readonly value: string; readonly aggregates: readonly string[] },
  computed: readonly string[],
  from: SqlPart,
): SqlPart {
  const columns = [
    ...parts.groups,
    `${parts.value} AS service_value`,
    ...parts.aggregates.flatMap((aggregate, index) => {
      const ref = aggregates[index];
      if (ref === undefined) throw new InternalError('a subquery lacks an aggregate');
      return countedOf(ref) === undefined ? [`${aggregate} AS service_a${index}`] : [];
    }),
    ...(computed.some((one) => one.includes(FACTS)) ? [`COUNT(*) AS ${FACTS}`] : []),
  ];
  const counted = sql`SELECT ${columns.join(', ')}\n    ${from}${groupBy(parts.groups.length + 1, '    ')}`;
  const shown = parts.groups.map((_, index) => `${COUNTED}.g${index} AS g${index}`);
  return sql`  SELECT ${[...shown, ...computed].join(', ')}\n  FROM (\n    ${counted}\n  ) AS ${COUNTED}${groupBy(shown.length)}`;
}
