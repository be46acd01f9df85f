import type { Member, TupleSet } from '../catalog/member.ts';
import { childrenOf } from '../catalog/navigate.ts';

/** Parent-child hierarchies without a closure table: the warehouse knows own data only, totals are made of it here. */

export function isRolledUpHere(member: Member): boolean {
  return (
    member.kind === 'stored' &&
    member.level.model?.parent !== undefined &&
    member.level.model.parent.closure === undefined
  );
}

/** The own data of a member and of all below it. */
export function ownDataBelow(member: Member): TupleSet {
  const own: TupleSet = [[member.hierarchy.members.dataMember(member)]];
  return [...own, ...childrenOf(member).flatMap(ownDataBelow)];
}
