import type { HierarchyAccess } from '../metadata/hierarchy-access.ts';
import type { Hierarchy, Level, Member, TupleSet } from '../metadata/member.ts';

/**
 * The part of a cube that a query in FROM leaves: the rows in its tuples, and of each hierarchy that it names the members, those above
 * and those below them. A member that is left out may be named all the same; it is the hierarchy's null member there.
 */
export interface Subspace {
  /** Rows are in one tuple of each. */
  readonly rows: readonly TupleSet[];
  /** By the ordinal of the hierarchy; the others are whole. */
  readonly members: ReadonlyMap<number, readonly Member[]>;
}

/** Members of one hierarchy, compared by value and not by object: a sub-cube reads its own. */
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

/** Returns what is seen of a hierarchy inside of subspaces; `undefined` where none of them says anything of it. */
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
