import type { FactGroup } from '../metadata/fact-group.ts';
import type { Member } from '../metadata/member.ts';

/** Returns whether the facts do not reach a member's hierarchy, or join it at a level above the member. */
export function isOutside(member: Member, group: FactGroup): boolean {
  const { hierarchy, level, kind } = member;
  if (kind === 'all' || hierarchy.isMeasures) return false;
  if (group.reaches(hierarchy)) return !group.reachesLevel(level);
  return !group.model.ignoreUnrelatedDimensions && member !== hierarchy.defaultMember;
}
