/**
 * Prevents double counting. A subquery with rows that repeat in a group makes them distinct by the key of their dataset
 * before it aggregates them; a dataset without a key is refused.
 */
import { InternalError, ValidationError } from '../../../../router/errors.ts';
import type { FactSubquery } from '../nodes/plan.ts';
import type { ResolvedGroup } from '../nodes/resolved-query.ts';
import { isShownOnce } from '../nodes/shown-days.ts';
import type { FactRows } from './fact-rows.ts';
import type { RowsPlanner } from './rows-planner.ts';

/**
 * Returns whether a group may have a row several times: by a join to the many side, or at several days of a metric that is
 * offset.
 */
export function isRepeated(
  { fansOut, spread }: Pick<FactRows, 'fansOut'> & Pick<FactSubquery, 'spread'>,
  base: string,
  { query, model }: RowsPlanner,
): boolean {
  if (fansOut) return true;
  if (spread === undefined || !('pairs' in spread.by) || isShownOnce(spread.by)) return false;
  return query.columns.length > 0 && model.datasets.get(base)?.rowKey !== undefined;
}

/**
 * Returns the columns that identify the rows of a dataset.
 *
 * @param purpose the use of the rows, such as `The metric net_sales`
 * @param bases the datasets of all metrics of the request
 * @throws ValidationError at the first group beyond the dataset where it has no key
 */
export function distinctRowKey(
  base: string,
  purpose: string,
  bases: readonly string[],
  planner: RowsPlanner,
): readonly string[] {
  const key = planner.model.datasets.get(base)?.rowKey;
  if (key !== undefined) return key;
  const reached = planner.graph.reachable(base);
  const isBeyond = ({ field: { dataset }, calendar }: ResolvedGroup) =>
    calendar === undefined && dataset !== base && !reached.has(dataset);
  const place = planner.groups.find(isBeyond);
  if (place === undefined) throw new InternalError('rows are repeated though no group is beyond their dataset');
  throw ValidationError.at(
    [...place.path, 'dataset'],
    `${purpose} would count rows of ${base} more than once for this grouping, and ${base} has no primary_key that identifies its rows. Group by a dataset that ${base} leads to.`,
    planner.datasetsAt(place, bases),
  );
}
