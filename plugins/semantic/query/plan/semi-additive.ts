/** Finds the groups of an answer that belong to a semi-additive metric's date; the others are categories. */
import { isMomentType } from '../../../../router/date-grains.ts';
import { mainDateOf } from '../../model/main-date.ts';
import type { Model } from '../../model/model.ts';
import { leavesOf, type Taken } from '../../model/template.ts';
import type { Node } from '../nodes/plan.ts';
import type { FieldInRole } from '../nodes/resolved-query.ts';
import type { FactRows } from './fact-rows.ts';

/**
 * Returns the indexes of the groups that belong to a date: the date at any grain; expressions of its columns only; time
 * fields of its dataset that are not dates; and fields of the datasets that are joined by its columns, of the dataset with
 * the main date, and of the datasets that these reach. First and last are taken at one date for all groups with equal
 * values of these.
 */
export function groupsOfDate(
  { by }: Pick<Taken, 'by'>,
  base: string,
  groups: readonly FieldInRole[],
  { tree, groupNodes }: Pick<FactRows, 'tree' | 'groupNodes'>,
  model: Model,
): readonly number[] {
  const columns = new Set(leavesOf(by).map(({ column }) => column));
  const main = mainDateOf(base, model)?.dataset;
  const isOfDate = ({ dataset, role }: Node): boolean => {
    const join = tree.joins.find(({ node }) => node.dataset === dataset && node.role === role);
    if (join === undefined) return false;
    const isOfRoot = isSame(join.parent, tree.root);
    return (
      dataset === main || (isOfRoot && join.parentColumns.every((each) => columns.has(each))) || isOfDate(join.parent)
    );
  };
  return groups.flatMap(({ field }, index) => {
    const node = groupNodes[index];
    if (node === undefined) return [];
    if (!isSame(node, tree.root)) return isOfDate(node) ? [index] : [];
    const leaves = leavesOf(field.expression);
    const isComputed = leaves.length > 0 && leaves.every(({ column }) => columns.has(column));
    return isComputed || (field.isTime && !isMomentType(field.type)) ? [index] : [];
  });
}

function isSame(left: Node, right: Node): boolean {
  return left.dataset === right.dataset && left.role === right.role;
}
