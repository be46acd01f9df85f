/** Plans the order of groups, their number, and the filling of periods. */
import { ValidationError } from '../../../../router/errors.ts';
import { withoutUnused } from '../joins/join-tree.ts';
import { testsOf } from '../nodes/conditions.ts';
import { endsLeft, isSameDate } from '../nodes/date-range.ts';
import type { FactSubquery, Fill, Node, Order, PlacedCondition, Plan } from '../nodes/plan.ts';
import type { ResolvedQuery } from '../nodes/resolved-query.ts';
import { isElsewhere, isShownOnce } from '../nodes/shown-days.ts';

/** Returns the request's sorts, then the groups in their order, so that equal rows always come in one order. */
export function orderOf(query: ResolvedQuery, subqueries: readonly FactSubquery[]): Pick<Plan, 'crosstab' | 'order'> {
  const { rows, columns, sorts, limit } = query;
  const requested = sorts.map(
    ({ by, index, direction }): Order => ({ by: by === 'group' ? 'group' : 'metric', index, direction }),
  );
  const sorted = new Set(requested.filter(({ by }) => by === 'group').map(({ index }) => index));
  const ties = [...rows, ...columns].flatMap((_, index): readonly Order[] =>
    sorted.has(index) ? [] : [{ by: 'group', index, direction: 'asc' }],
  );
  const order = [...requested, ...ties];
  if (rows.length === 0 || columns.length === 0) return { crosstab: undefined, order };
  refuseFillOfRowGroups(query, order);
  if (query.having.length > 0 && sorts.some(({ by }) => by === 'value')) {
    throw ValidationError.at(
      ['filters'],
      'With rows and columns a metric sorts whole rows, and a filter by a metric tests each cell. Filter rows with `per` and the fields of rows, or put the fields of columns into rows.',
    );
  }
  const isOfColumns = ({ by, index }: Order) => by === 'group' && index >= rows.length;
  const down = order.filter((each) => !isOfColumns(each));
  const isInterleaved = order.slice(0, down.length).some(isOfColumns);
  if (limit === undefined && !isInterleaved && down.every(({ by }) => by === 'group')) {
    return { crosstab: undefined, order };
  }
  return {
    crosstab: Object.freeze({
      subqueries: subqueries.map((subquery) => ofRows(subquery, rows.length)),
      order: down,
      isInterleaved,
      limit,
    }),
    order,
  };
}

/** Returns a subquery without the parts that only the columns of the query need. */
function ofRows(subquery: FactSubquery, rows: number): FactSubquery {
  const { rolledUp } = subquery;
  const filtered = testsOf(subquery.where).map(({ node }) => node);
  const read = subquery.reads.map(({ dataset }): Node => ({ dataset, role: 0 }));
  const groups = subquery.groupNodes.slice(0, rows);
  const { spread, windowed } = subquery;
  // Rows that are not grouped by the shown days count once each, because the filters test the rows' own days.
  const isShown =
    groups.some((node) => node === spread?.node) &&
    subquery.groups.slice(0, rows).some(({ grain }) => grain?.moved !== undefined);
  const kept = spread !== undefined && isShownOnce(spread.by) && !isShown ? undefined : spread;
  const dated = [...(windowed === undefined ? [] : [windowed.by.node]), ...(kept === undefined ? [] : [kept.node])];
  const needed = [...groups, ...filtered, ...read, ...dated];
  const where = kept === spread ? subquery.where : ofOwnDays(subquery.where);
  return Object.freeze({
    ...subquery,
    spread: kept,
    where,
    tree: withoutUnused(subquery.tree, needed),
    rolledUp: rolledUp && { ...rolledUp, subquery: ofRows(rolledUp.subquery, rows) },
  });
}

/** Drops the filters on the shown days, and keeps the filters on the rows' own days. */
function ofOwnDays(conditions: readonly PlacedCondition[]): readonly PlacedCondition[] {
  return conditions.flatMap((one): readonly PlacedCondition[] => {
    if (one.kind === 'test') return isElsewhere(one.filter) ? [] : [one];
    if (one.kind === 'match' || one.kind === 'among') return [one];
    const of = ofOwnDays(one.of);
    const passes = one.kind === 'any' ? of.length < one.of.length : of.length === 0;
    return passes ? [] : [{ kind: one.kind, of }];
  });
}

/**
 * Returns how periods are filled. The statement sorts its rows by the other fields first, so that each series stays
 * together.
 */
export function fillOf(
  { fill, rows, columns, conditions, limit, time }: ResolvedQuery,
  order: readonly Order[],
): Fill | undefined {
  const place = fill === undefined ? undefined : rows[fill.row];
  if (fill === undefined || place === undefined) return undefined;
  const dates = [...rows, ...columns].flatMap((group, index) => (isSameDate(group, place) ? [index] : []));
  const isDate = ({ by, index }: Order) => by === 'group' && dates.includes(index);
  return Object.freeze({
    path: fill.path,
    group: fill.row,
    dates,
    zero: fill.zero,
    range: endsLeft(conditions, place, time),
    limit,
    order: [...order.filter((each) => !isDate(each)), ...order.filter(isDate)],
  });
}

function refuseFillOfRowGroups({ fill, rows, limit }: ResolvedQuery, order: readonly Order[]): void {
  const isOfColumns = ({ index }: Order) => index >= rows.length;
  if (fill === undefined || (limit === undefined && !order.slice(0, rows.length).some(isOfColumns))) return;
  throw ValidationError.at(
    fill.path,
    'With columns every period of the rows is filled: leave out the limit, and sorts by fields of columns.',
  );
}
