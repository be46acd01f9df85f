import type { Level, Member, TupleSet } from './member.ts';

/** What a role may see of a hierarchy. */
export interface HierarchyAccess {
  /** Returns whether a member may be seen. */
  sees(member: Member): boolean;
  /** Whether a member that is not seen stands in the unique names of seen ones: it may be passed on the way to them. */
  readonly isTraversable?: ((member: Member) => boolean) | undefined;
  /** Reports a member that is not seen whether none below it is seen either, so that nobody need look. */
  readonly hidesBelow?: ((member: Member) => boolean) | undefined;
  /** Whether any member of the level may be seen; `undefined`: of all levels. */
  readonly seesLevel?: ((level: Level) => boolean) | undefined;
  /**
   * Returns what a total is made of: `undefined` of everything, else of these members only; `hidden`: it may not be seen, because
   * parts of it may not.
   */
  rollupMembers(member: Member, children: (of: Member) => readonly Member[]): TupleSet | 'hidden' | undefined;
  /** Returns the members below (or the member itself) that may be seen; `undefined` when all may be. Whatever totals are made of. */
  visibleDescendants(member: Member, children: (of: Member) => readonly Member[]): TupleSet | undefined;
}
