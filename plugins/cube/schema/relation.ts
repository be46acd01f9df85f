import type { JoinRelation, Relation } from './model.ts';

export type LeafRelation = Exclude<Relation, JoinRelation>;

/** The tables, views and inline tables of a relation, from left to right. */
export function leavesOf(relation: Relation): readonly [LeafRelation, ...LeafRelation[]] {
  if (relation.kind !== 'join') return [relation];
  const [first, ...others] = leavesOf(relation.left);
  return [first, ...others, ...leavesOf(relation.right)];
}

export function aliasesOf(relation: Relation): readonly string[] {
  return leavesOf(relation).map(({ alias }) => alias);
}

/** Whether both read the same table under the same alias, so that a column of one is a column of the other. */
export function isSameTable(left: Relation, right: Relation): boolean {
  return (
    left.kind === 'table' &&
    right.kind === 'table' &&
    left.name === right.name &&
    left.schema === right.schema &&
    left.alias === right.alias
  );
}
