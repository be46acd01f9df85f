import type { Member, MemberKind } from './member.ts';

/** The numbers by which OLE DB for OLAP describes a member, for its properties and for the rowsets. */

/** MDMEMBER_TYPE. */
export const MEMBER_TYPES: Readonly<Record<MemberKind, number>> = {
  stored: 1,
  data: 1,
  all: 2,
  measure: 3,
  calculated: 4,
  null: 0,
};

/** Returns the depth of a member's level below the topmost level; for a parent-child member, its own depth. */
export function levelNumber(member: Member): number {
  return member.level.isParentChild ? member.depth : member.level.depth;
}
