import type { Level, Member, TupleSet } from './member.ts';

/**
 * The members of a hierarchy as a caller may see them. Reads are synchronous; what is not in memory throws `Pending`,
 * which whoever runs the evaluation catches, loads and repeats.
 */
export interface MemberSource {
  /** Members without a visible parent. */
  roots(): readonly Member[];
  children(member: Member): readonly Member[];
  /** `undefined` for a root. */
  parent(member: Member): Member | undefined;
  /** All members of a level in the order of the hierarchy. */
  members(level: Level): readonly Member[];
  /** Place of a member in its level, or -1. */
  indexInLevel(member: Member): number;
  /** Among the children of `parent` (or the roots) the one of that name, letter case ignored; hidden ones are looked through. */
  child(parent: Member | undefined, name: string): Member | undefined;
  /** The member that has the key written so (`&[1997]`) among the children of `parent`, or in `level`. */
  childByKey(parent: Member | undefined, key: string): Member | undefined;
  /** What a total is made of, where the role may not see all of it; see `HierarchyAccess`. */
  restriction(member: Member): TupleSet | 'hidden' | undefined;
  /** The all member, whether or not it may be seen. */
  unrestrictedRoot(): Member | undefined;
  /** The member's own data, without its descendants': of a parent-child hierarchy; elsewhere the member itself. */
  dataMember(member: Member): Member;
}
