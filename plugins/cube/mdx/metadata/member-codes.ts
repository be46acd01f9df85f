import type { Member, MemberKind } from './member.ts';

/** Numbers that describe a member in OLE DB for OLAP, for its properties and for rowsets. */

/** MDMEMBER_TYPE. */
export const MEMBER_TYPES: Readonly<Record<MemberKind, number>> = {
  stored: 1,
  data: 1,
  all: 2,
  measure: 3,
  calculated: 4,
  null: 0,
};

/**
 * Returns the depth of a member's level from the topmost level. For a parent-child member, returns the member's own
 * depth.
 */
export function levelNumber(member: Member): number {
  return member.level.isParentChild ? member.depth : member.level.depth;
}
