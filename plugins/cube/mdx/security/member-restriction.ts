import type { HierarchyAccess } from '../metadata/hierarchy-access.ts';
import type { Hierarchy, Member, TupleSet } from '../metadata/member.ts';
import type { MemberTree } from '../storage/member-tree.ts';

/** Limits a caller to the members of one level with one of the names, with their ancestors and descendants. */
export interface MemberRestriction {
  /** Unique name of the hierarchy. */
  readonly hierarchy: string;
  /** Name of the level. */
  readonly level: string;
  /** Exact names. Without names, the caller sees no member of the hierarchy. */
  readonly names: readonly string[];
}

/** Returns a text that is equal for the same restrictions. */
export function restrictionsKey(restrictions: readonly MemberRestriction[]): string {
  if (restrictions.length === 0) return '';
  return JSON.stringify(
    restrictions.map(({ hierarchy, level, names }) => [hierarchy, level, [...new Set(names)].toSorted()]),
  );
}

/**
 * The access of a restriction. Ancestors are visible, and their totals consist of the visible members only, as with the
 * partial roll-up policy of roles. Members are read when they are first needed.
 */
export class RestrictedAccess implements HierarchyAccess {
  readonly #restriction: MemberRestriction;
  readonly #hierarchy: Hierarchy;
  readonly #tree: MemberTree;
  #members: { readonly allowed: ReadonlySet<Member>; readonly above: ReadonlySet<Member> } | undefined;

  constructor(restriction: MemberRestriction, hierarchy: Hierarchy, tree: MemberTree) {
    this.#restriction = restriction;
    this.#hierarchy = hierarchy;
    this.#tree = tree;
  }

  sees(member: Member): boolean {
    return this.#resolved().above.has(member) || this.#isAllowed(member);
  }

  readonly hidesBelow = (member: Member): boolean => !this.sees(member);

  rollupMembers(member: Member): TupleSet | undefined {
    return this.visibleDescendants(member);
  }

  visibleDescendants(member: Member): TupleSet | undefined {
    if (this.#isAllowed(member)) return undefined;
    const { allowed, above } = this.#resolved();
    if (!above.has(member)) return [];
    const below = [...allowed].filter((each) => this.#isBelow(each, member));
    return below.map((each) => [each]);
  }

  /** Returns the members that the caller is limited to. May throw `DataNotLoaded`. */
  members(): TupleSet {
    return [...this.#resolved().allowed].map((member) => [member]);
  }

  #isBelow(member: Member, ancestor: Member): boolean {
    for (let at = member.treeParent; at !== undefined; at = at.treeParent) if (at === ancestor) return true;
    return false;
  }

  #isAllowed(member: Member): boolean {
    const { allowed } = this.#resolved();
    for (let at: Member | undefined = member; at !== undefined; at = at.treeParent) if (allowed.has(at)) return true;
    return false;
  }

  /** Finds the members. May throw `DataNotLoaded`. */
  #resolved() {
    if (this.#members !== undefined) return this.#members;
    const { level: levelName, names } = this.#restriction;
    const level = this.#hierarchy.levels.find((each) => each.kind === 'stored' && each.name === levelName);
    const wanted = new Set(names);
    const matching = new Set<Member>();
    if (level !== undefined && wanted.size > 0) {
      const isLarge = this.#tree.isLarge(level);
      const lists = isLarge
        ? [...wanted].map((name) => this.#tree.candidatesInLevel(level, 'name', name))
        : [this.#tree.levelMembers(level)];
      for (const list of lists) for (const member of list) if (wanted.has(member.name)) matching.add(member);
    }
    const above = new Set<Member>();
    const allowed = new Set<Member>();
    for (const member of matching) {
      let isNested = false;
      for (let at = member.treeParent; at !== undefined; at = at.treeParent) isNested ||= matching.has(at);
      if (!isNested) allowed.add(member);
    }
    for (const member of allowed) {
      for (let at = member.treeParent; at !== undefined; at = at.treeParent) above.add(at);
      // The total of a hierarchy is above all its members, also where no member has it as its parent.
      if (this.#tree.all !== undefined) above.add(this.#tree.all);
    }
    this.#members = { allowed, above };
    return this.#members;
  }
}

/** Returns the access of two accesses that both apply; `undefined` if none restricts. */
export function bothAccesses(
  first: HierarchyAccess | undefined,
  second: HierarchyAccess | undefined,
): HierarchyAccess | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return new BothAccesses(first, second);
}

class BothAccesses implements HierarchyAccess {
  readonly #first: HierarchyAccess;
  readonly #second: HierarchyAccess;

  constructor(first: HierarchyAccess, second: HierarchyAccess) {
    this.#first = first;
    this.#second = second;
  }

  sees(member: Member): boolean {
    return this.#first.sees(member) && this.#second.sees(member);
  }

  readonly isTraversable = (member: Member): boolean => {
    const may = (access: HierarchyAccess) => access.sees(member) || access.isTraversable?.(member) === true;
    return may(this.#first) && may(this.#second);
  };

  readonly hidesBelow = (member: Member): boolean =>
    this.#first.hidesBelow?.(member) === true || this.#second.hidesBelow?.(member) === true;

  readonly seesLevel: NonNullable<HierarchyAccess['seesLevel']> = (level) =>
    (this.#first.seesLevel?.(level) ?? true) && (this.#second.seesLevel?.(level) ?? true);

  rollupMembers(member: Member, children: (of: Member) => readonly Member[]): TupleSet | 'hidden' | undefined {
    const first = this.#first.rollupMembers(member, children);
    const second = this.#second.rollupMembers(member, children);
    if (first === 'hidden' || second === 'hidden') return 'hidden';
    return commonParts(first, second);
  }

  visibleDescendants(member: Member, children: (of: Member) => readonly Member[]): TupleSet | undefined {
    return commonParts(
      this.#first.visibleDescendants(member, children),
      this.#second.visibleDescendants(member, children),
    );
  }
}

/** Returns the parts that are in both of two sets of parts: of a part and one above it, the lower one. */
function commonParts(first: TupleSet | undefined, second: TupleSet | undefined): TupleSet | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const [left, right] = [new Set(first.flat()), new Set(second.flat())];
  const isWithin = (member: Member, parts: ReadonlySet<Member>): boolean => {
    for (let at: Member | undefined = member; at !== undefined; at = at.treeParent) if (parts.has(at)) return true;
    return false;
  };
  const common = new Set([
    ...[...left].filter((member) => isWithin(member, right)),
    ...[...right].filter((member) => isWithin(member, left)),
  ]);
  return [...common].map((member) => [member]);
}
