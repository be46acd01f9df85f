import type { HierarchyAccess } from '../metadata/hierarchy-access.ts';
import type { Hierarchy, Level, Member, TupleSet } from '../metadata/member.ts';

/**
 * The part of a cube that a query in FROM selects: the rows in its tuples, and in each hierarchy that it names, the
 * members with their ancestors and descendants. Other members may still be named, and are the hierarchy's null member.
 */
export interface Subspace {
  /** Restricts the rows: each row must be in at least one tuple of every set. */
  readonly rows: readonly TupleSet[];
  /** Members by the ordinal of their hierarchy. Other hierarchies are not restricted. */
  readonly members: ReadonlyMap<number, readonly Member[]>;
}

/** Members of one hierarchy, compared by value and not by object, because a sub-cube reads its own members. */
class Within {
  readonly #inside: ReadonlySet<string>;
  readonly #above = new Set<string>();

  constructor(members: readonly Member[]) {
    this.#inside = new Set(members.map(memberIdentityKey));
    for (const member of members) {
      for (let at = member.treeParent; at !== undefined; at = at.treeParent) this.#above.add(memberIdentityKey(at));
    }
  }

  sees(member: Member): boolean {
    return this.#above.has(memberIdentityKey(member)) || this.#isInside(member);
  }

  #isInside(member: Member): boolean {
    for (let at: Member | undefined = member; at !== undefined; at = at.treeParent) {
      if (this.#inside.has(memberIdentityKey(at))) return true;
    }
    return false;
  }
}

function memberIdentityKey({ kind, level, cellKey, name }: Member): string {
  return kind === 'measure' ? name : `${kind === 'all' ? 'all' : level.depth} ${cellKey}`;
}

/** Returns the access to a hierarchy within subspaces; `undefined` if none of them restricts it. */
export function accessWithin(
  subspaces: readonly Subspace[],
  { ordinal }: Hierarchy,
  base: HierarchyAccess | undefined,
): HierarchyAccess | undefined {
  const within = subspaces.flatMap(({ members }) => {
    const axisMembers = members.get(ordinal);
    return axisMembers === undefined ? [] : [new Within(axisMembers)];
  });
  return within.length === 0 ? undefined : new SubspaceAccess(within, base);
}

class SubspaceAccess implements HierarchyAccess {
  readonly #within: readonly Within[];
  readonly #base: HierarchyAccess | undefined;

  constructor(within: readonly Within[], base: HierarchyAccess | undefined) {
    this.#within = within;
    this.#base = base;
  }

  sees(member: Member): boolean {
    return (this.#base?.sees(member) ?? true) && this.#isWithin(member);
  }

  #isWithin(member: Member): boolean {
    return this.#within.every((each) => each.sees(member));
  }

  hidesBelow(member: Member): boolean {
    return !this.#isWithin(member);
  }

  seesLevel(level: Level): boolean {
    return this.#base?.seesLevel?.(level) ?? true;
  }

  rollupMembers(member: Member, children: (of: Member) => readonly Member[]): TupleSet | 'hidden' | undefined {
    return this.#base?.rollupMembers(member, children);
  }

  visibleDescendants(member: Member, children: (of: Member) => readonly Member[]): TupleSet | undefined {
    return this.#base?.visibleDescendants(member, children);
  }
}
