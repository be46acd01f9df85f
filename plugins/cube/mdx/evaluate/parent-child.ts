import type { Member, TupleSet } from '../metadata/member.ts';

/** Parent-child hierarchies without a closure table: the warehouse knows own data only, totals are made of it here. */

/** Returns whether a total is made here of the own data below it: in a parent-child hierarchy without a closure table. */
export function isRolledUpHere(member: Member): boolean {
  return (
    member.kind === 'stored' &&
    member.level.model?.parent !== undefined &&
    member.level.model.parent.closure === undefined
  );
}

/** Returns the own data of a member and of all below it, whether or not they may be seen: what a role may not see it has restricted before. */
export function ownDataBelow(member: Member): TupleSet {
  const ownData: TupleSet = [[member.hierarchy.members.dataMember(member)]];
  return [...ownData, ...member.hierarchy.members.storedChildren(member).flatMap(ownDataBelow)];
}

/** Returns the members in whose coordinates the warehouse knows the data of a member. */
export function storedParts(member: Member): readonly Member[] {
  return isRolledUpHere(member) ? ownDataBelow(member).flatMap((tuple) => [...tuple]) : [member];
}
