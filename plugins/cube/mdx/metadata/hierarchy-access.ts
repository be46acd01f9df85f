import type { Level, Member, TupleSet } from './member.ts';

/** Access of a role to a hierarchy. */
export interface HierarchyAccess {
  /** Returns whether a member may be seen. */
  sees(member: Member): boolean;
  /** Returns whether a hidden member is part of the unique names of visible ones: a path to them may pass it. */
  readonly isTraversable?: ((member: Member) => boolean) | undefined;
  /** Returns whether the role sees no member below a hidden member, so that a search can skip them. */
  readonly hidesBelow?: ((member: Member) => boolean) | undefined;
  /** Returns whether any member of the level may be seen; `undefined`: of all levels. */
  readonly seesLevel?: ((level: Level) => boolean) | undefined;
  /**
   * Returns what a total is made of: `undefined` of everything, else of these members only; `hidden`: it may not be seen, because
   * parts of it may not.
   */
  rollupMembers(member: Member, children: (of: Member) => readonly Member[]): TupleSet | 'hidden' | undefined;
  /** Returns the members below (or the member itself) that may be seen; `undefined` when all may be. Whatever totals are made of. */
  visibleDescendants(member: Member, children: (of: Member) => readonly Member[]): TupleSet | undefined;
}
