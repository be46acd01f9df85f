import type { JoinRelation, Relation } from './model.ts';

export type LeafRelation = Exclude<Relation, JoinRelation>;

/** Returns the tables, views and inline tables of a relation, from left to right. */
export function leavesOf(relation: Relation): readonly [LeafRelation, ...LeafRelation[]] {
  if (relation.kind !== 'join') return [relation];
  const [first, ...others] = leavesOf(relation.left);
  return [first, ...others, ...leavesOf(relation.right)];
}

/** Returns the aliases of the tables of a relation. */
export function aliasesOf(relation: Relation): readonly string[] {
  return leavesOf(relation).map(({ alias }) => alias);
}

/** Returns whether two relations read the same rows under the same alias, so that they have the same columns. */
export function isSameTable(left: Relation, right: Relation): boolean {
  if (left.kind === 'join' || right.kind === 'join' || left.alias !== right.alias) return false;
  if (left.kind === 'table') return right.kind === 'table' && left.name === right.name && left.schema === right.schema;
  return JSON.stringify(left, content) === JSON.stringify(right, content);
}

/** Ignores the position in the document and the indentation. */
function content(key: string, value: unknown): unknown {
  if (key === 'line') return undefined;
  return typeof value === 'string' ? value.trim().replaceAll(/\s+/g, ' ') : value;
}
