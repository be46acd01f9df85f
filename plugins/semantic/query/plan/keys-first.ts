/**
 * Finds subqueries whose rows can be grouped by their foreign keys and their own groups before they are joined. A join
 * then reads a row for each combination of keys, and not each fact. Sums, counts and extremes of the combinations are
 * combined afterwards. This is right for all data: also where a key is null, has no match, or has several.
 */
import type { DateGrain } from '../../../../router/date-grains.ts';
import { addsUp } from '../../model/exact-sums.ts';
import { leavesOf } from '../../model/template.ts';
import { testsOf } from '../nodes/conditions.ts';
import { tableOf } from '../nodes/grain.ts';
import type { FactSubquery, Node, PlacedCondition } from '../nodes/plan.ts';
import type { DatasetFigures } from '../nodes/query-target.ts';
import type { FieldInRole } from '../nodes/resolved-query.ts';
import { isLayered } from '../nodes/subquery-kinds.ts';
import { MIN_ROWS } from './finite-dates.ts';

/** Rows of a fact to one combination of its keys, from which the combinations are worth grouping for. */
const MIN_ROWS_OF_COMBINATION = 8;
/** The fewest days of each period. */
const FEWEST_DAYS: Partial<Readonly<Record<DateGrain, number>>> = {
  day: 1,
  week: 7,
  month: 28,
  quarter: 90,
  year: 365,
};
/** The number of values of each part. */
const PART_VALUES: Partial<Readonly<Record<DateGrain, number>>> = {
  hour_of_day: 24,
  day_of_week: 7,
  day_of_month: 31,
  day_of_year: 366,
  week_of_year: 53,
  month_of_year: 12,
  quarter_of_year: 4,
};

/** Returns whether the rows of a subquery may be grouped by their foreign keys first, without a change of any figure. */
export function canGroupKeysFirst(subquery: FactSubquery): boolean {
  const { tree, scope, spread, distinct, groups, groupNodes, where, aggregates } = subquery;
  const isPlain = !isLayered(subquery) && spread === undefined && distinct === undefined && scope.taken === undefined;
  if (!isPlain || tree.bridge.length > 0 || tree.joins.length === 0) return false;
  const isOfRoot = (node: Node | undefined) => isRoot(node, tree.root);
  const isOwn = (leaves: readonly { readonly dataset: string }[]) =>
    leaves.every(({ dataset }) => dataset === tree.root.dataset);
  return (
    tree.root.role === 0 &&
    aggregates.length > 0 &&
    aggregates.every(
      ({ call, aggregation = call.aggregation }) => addsUp(call, aggregation) && isOwn(leavesOf(call.call)),
    ) &&
    isOwn((scope.filters ?? []).flatMap((each) => leavesOf(each))) &&
    groups.every(({ grain }, index) => !isOfRoot(groupNodes[index]) || tableOf(grain) === undefined) &&
    where.every((one) => placeOf(one, tree.root) !== undefined)
  );
}

/**
 * Returns whether a condition tests the rows of the fact, the rows that are joined, or both (`undefined`). A semi-join
 * selects rows of the fact.
 */
export function placeOf(condition: PlacedCondition, root: Node): 'fact' | 'joined' | undefined {
  switch (condition.kind) {
    case 'match':
      return 'fact';
    case 'test':
    case 'among': {
      const places = testsOf([condition]).map(({ node, grain }) => {
        const isOfFact = isRoot(node, root);
        return isOfFact && tableOf(grain) !== undefined ? undefined : isOfFact ? 'fact' : 'joined';
      });
      const [first] = places;
      return places.every((place) => place === first) ? first : undefined;
    }
    case 'any':
    case 'all': {
      const [first = 'fact', ...others] = condition.of.map((one) => placeOf(one, root));
      return others.every((place) => place === first) ? first : undefined;
    }
  }
}

/**
 * Returns whether grouping by keys first is faster for the measured data: each combination of keys and own groups has
 * several rows. A filter on a joined dataset may leave few rows, which is faster where they are joined first.
 */
export function paysKeysFirst(subquery: FactSubquery, figures: DatasetFigures | undefined): boolean {
  const { tree, groups, groupNodes, where } = subquery;
  if (figures === undefined || figures.rows < MIN_ROWS) return false;
  if (where.some((one) => placeOf(one, tree.root) === 'joined')) return false;
  const columns = new Set(
    tree.joins.flatMap(({ parent, parentColumns }) => (isRoot(parent, tree.root) ? parentColumns : [])),
  );
  const ofKeys = [...columns].map((column) => figures.distinct.get(column));
  const ofGroups = groups.flatMap((group, index) =>
    isRoot(groupNodes[index], tree.root) ? [valuesOf(group, figures)] : [],
  );
  const combinations = [...ofKeys, ...ofGroups].reduce<number>(
    (product, each) => product * (each ?? Number.POSITIVE_INFINITY),
    1,
  );
  return combinations * MIN_ROWS_OF_COMBINATION <= figures.rows;
}

/** Returns the most values that a group of dates has in the measured data; `undefined` where it is unknown. */
function valuesOf({ field, grain }: FieldInRole, { dates }: DatasetFigures): number | undefined {
  const range = dates.get(field.name);
  if (range === undefined || (grain === undefined && field.type !== 'date')) return undefined;
  const name = grain?.name ?? 'day';
  const days = FEWEST_DAYS[name];
  return days === undefined ? PART_VALUES[name] : Math.ceil((range.last - range.first + 1) / days) + 1;
}

function isRoot(node: Node | undefined, root: Node): boolean {
  return node?.dataset === root.dataset && node.role === root.role;
}
