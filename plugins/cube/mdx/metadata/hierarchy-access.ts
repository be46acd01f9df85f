import type { Level, Member, TupleSet } from './member.ts';

/** A role's access to a hierarchy. */
export interface HierarchyAccess {
  /** Returns whether the role sees a member. */
  sees(member: Member): boolean;
  /**
   * Returns whether a hidden member is part of the unique names of visible members, so that a path to them may contain
   * it.
   */
  readonly isTraversable?: ((member: Member) => boolean) | undefined;
  /** Returns whether the role sees no member below a hidden member, so that a search can skip them. */
  readonly hidesBelow?: ((member: Member) => boolean) | undefined;
  /** Returns whether the role sees any member of the level. If absent, it sees members of all levels. */
  readonly seesLevel?: ((level: Level) => boolean) | undefined;
  /**
   * Returns the members that a total consists of; `undefined` for all of its descendants. `hidden` means that the role
   * does not see the total, because it does not see all parts.
   */
  rollupMembers(member: Member, children: (of: Member) => readonly Member[]): TupleSet | 'hidden' | undefined;
  /**
   * Returns the visible parts of a member: descendants, or the member itself. `undefined` if all is visible. The rollup
   * policy does not matter.
   */
  visibleDescendants(member: Member, children: (of: Member) => readonly Member[]): TupleSet | undefined;
}
