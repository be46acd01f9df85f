import type { Level, Member, TupleSet } from '../metadata/member.ts';

/**
 * Parent-child hierarchies without a closure table. The warehouse has only the own data of members, and the engine adds
 * up totals.
 */

/**
 * Returns whether the engine computes a member's total from the own data below it, because its parent-child hierarchy
 * has no closure table.
 */
export function isRolledUpHere(member: Member): boolean {
  return member.kind === 'stored' && rollsUpHere(member.level);
}

/** Returns whether the engine computes the totals of a level's members. */
export function rollsUpHere({ model }: Level): boolean {
  return model?.parent !== undefined && model.parent.closure === undefined;
}

/**
 * Returns the own data of a member and of all members below it, visible or not. Restrictions of a role are applied
 * before.
 */
export function ownDataBelow(member: Member): TupleSet {
  const ownData: TupleSet = [[member.hierarchy.members.dataMember(member)]];
  return [...ownData, ...member.hierarchy.members.storedChildren(member).flatMap(ownDataBelow)];
}

/** Returns the members by which the warehouse stores the data of a member. */
export function storedParts(member: Member): readonly Member[] {
  return isRolledUpHere(member) ? ownDataBelow(member).flatMap((tuple) => [...tuple]) : [member];
}
