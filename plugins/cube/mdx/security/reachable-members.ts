import { sameName } from '../../schema/mdx-name.ts';
import type { HierarchyAccess } from '../metadata/hierarchy-access.ts';
import type { Hierarchy, Level, Member, MemberSource, TupleSet } from '../metadata/member.ts';
import { oneNamed } from '../metadata/name-matching.ts';
import { compareInHierarchy, visibleDepth } from '../metadata/navigate.ts';
import { nameOfKey } from '../sql/key-text.ts';
import type { MemberTree } from '../storage/member-tree.ts';

const EVERYTHING: HierarchyAccess = {
  sees: () => true,
  rollupMembers: () => undefined,
  visibleDescendants: () => undefined,
};

/**
 * The members of a tree that a role can reach. Leaves out members that a ragged hierarchy hides, and members that the
 * role may not see.
 */
export class VisibleMembers implements MemberSource {
  readonly #tree: MemberTree;
  readonly #access: HierarchyAccess;
  readonly #names: VisibleMembers | undefined;
  readonly #children = new Map<Member, readonly Member[]>();
  readonly #levels = new Map<Level, readonly Member[]>();
  readonly #indexes = new Map<Level, ReadonlyMap<Member, number>>();
  #byDepth: readonly (readonly Member[])[] | undefined;

  /** @param names finds members by name, including members that `access` leaves out */
  constructor(tree: MemberTree, access: HierarchyAccess = EVERYTHING, names?: VisibleMembers) {
    this.#tree = tree;
    this.#access = access;
    this.#names = names;
  }

  get #hierarchy(): Hierarchy {
    return this.#tree.hierarchy;
  }

  roots(): readonly Member[] {
    return this.#visible(this.#tree.children(undefined));
  }

  children(member: Member): readonly Member[] {
    if (member.kind !== 'all' && member.kind !== 'stored') return [];
    const keptChildren = this.#children.get(member);
    if (keptChildren !== undefined) return keptChildren;
    const children = this.#visible(this.#tree.children(member));
    this.#children.set(member, children);
    return children;
  }

  /** Returns the visible members. The children of a hidden member replace it. */
  #visible(members: readonly Member[]): readonly Member[] {
    if (members.every((member) => this.#isVisible(member))) return members;
    return members.flatMap((member) => {
      if (this.#isVisible(member)) return [member];
      return this.#access.hidesBelow?.(member) ? [] : this.#visible(this.#tree.children(member));
    });
  }

  #isVisible(member: Member): boolean {
    return !member.hidden && this.#access.sees(member);
  }

  parent(member: Member): Member | undefined {
    let parent = member.treeParent;
    while (parent !== undefined && !(parent.kind === 'calculated' || this.#isVisible(parent)))
      parent = parent.treeParent;
    return parent;
  }

  members(level: Level): readonly Member[] {
    const levelMembers = this.#levels.get(level);
    if (levelMembers !== undefined) return levelMembers;
    if (level.kind === 'all') return this.roots();
    this.#tree.levelMembers(level);
    const collected: Member[] = [];
    if (level.isParentChild) this.#collect(this.#tree.children(this.#tree.all), collected, () => true);
    else
      this.#collect(
        this.#tree.children(this.#tree.all),
        collected,
        (member) => member.level.depth < level.depth,
        level,
      );
    this.#levels.set(level, collected);
    return collected;
  }

  #collect(members: readonly Member[], into: Member[], enter: (member: Member) => boolean, level?: Level): void {
    for (const member of members) {
      if ((level === undefined || member.level === level) && this.#isVisible(member)) into.push(member);
      if (enter(member) && !this.#access.hidesBelow?.(member))
        this.#collect(this.#tree.children(member), into, enter, level);
    }
  }

  peers(member: Member): readonly Member[] {
    if (!member.level.isParentChild) return this.members(member.level);
    return this.#depths()[visibleDepth(member)] ?? [];
  }

  indexAmongPeers(member: Member): number {
    let index = this.#indexes.get(member.level);
    if (index === undefined) {
      const lists = member.level.isParentChild ? this.#depths() : [this.members(member.level)];
      index = new Map(lists.flatMap((list) => list.map((each, place) => [each, place] as const)));
      this.#indexes.set(member.level, index);
    }
    return index.get(member) ?? -1;
  }

  /** Returns the members of a parent-child hierarchy by depth, topmost first, each depth in hierarchy order. */
  #depths(): readonly (readonly Member[])[] {
    if (this.#byDepth !== undefined) return this.#byDepth;
    const lists: (readonly Member[])[] = [];
    let depth = this.roots();
    while (depth.length > 0) {
      lists.push(depth);
      depth = depth.flatMap((member) => this.children(member));
    }
    this.#byDepth = lists;
    return lists;
  }

  child(parent: Member | undefined, name: string): Member | undefined {
    if (this.#names !== undefined) return this.#names.child(parent, name);
    const stored = this.#among(this.#tree.candidates(parent, 'name', name), (member) => sameName(member.name, name));
    if (stored.some((member) => member.name === name)) return oneNamed(stored, name);
    if (parent !== undefined || !this.#hierarchy.hasAll) {
      const childless = this.#tree
        .childless(parent, name)
        .filter((member) => this.#isVisible(member) && (stored.length === 0 || member.name === name));
      return oneNamed([...stored, ...childless], name);
    }
    const below = this.child(this.#tree.all, name);
    return below !== undefined && (below.name === name || stored.length === 0) ? below : oneNamed(stored, name);
  }

  hiddenAncestor(parent: Member | undefined, name: string): Member | undefined {
    if (this.#names !== undefined) return this.#names.hiddenAncestor(parent, name);
    const { isTraversable } = this.#access;
    if (isTraversable === undefined) return undefined;
    const matching = this.#tree.candidates(parent, 'name', name).filter(isTraversable);
    return (
      oneNamed(matching, name) ??
      (parent === undefined && this.#hierarchy.hasAll ? this.hiddenAncestor(this.#tree.all, name) : undefined)
    );
  }

  sees(member: Member): boolean {
    return (member.kind !== 'stored' && member.kind !== 'all') || this.#access.sees(member);
  }

  leavesOut(member: Member): boolean {
    return this.#names?.sees(member) === true && !this.sees(member);
  }

  childByKey(parent: Member | undefined, key: string): Member | undefined {
    if (this.#names !== undefined) return this.#names.childByKey(parent, key);
    const from = parent ?? this.#tree.all;
    return this.#among(this.#tree.candidates(from, 'key', key), (member) => keyAsWritten(member) === key)[0];
  }

  inLevel(level: Level, by: 'name' | 'key', text: string): Member | undefined {
    if (this.#names !== undefined) return this.#names.inLevel(level, by, text);
    const matches = (member: Member) => (by === 'name' ? sameName(member.name, text) : keyAsWritten(member) === text);
    const isInMemory = level.kind !== 'stored' || !this.#tree.isLarge(level);
    const matching = isInMemory
      ? this.members(level).filter(matches)
      : [...this.#tree.candidatesInLevel(level, by, text)]
          .filter((member) => matches(member) && this.#isVisible(member))
          .sort(compareInHierarchy);
    return by === 'name' ? oneNamed(matching, text) : matching[0];
  }

  search(level: Level, text: string, limit: number): readonly Member[] {
    const needle = text.toLowerCase();
    const contains = ({ name, caption }: Member) =>
      name.toLowerCase().includes(needle) || caption.toLowerCase().includes(needle);
    if (level.kind !== 'stored') return this.members(level).filter(contains).slice(0, limit);
    // The role may see only a few of the members that the warehouse finds. So more are requested until there are
    // enough.
    for (let most = limit; ; most *= 4) {
      const matching = this.#tree.isLarge(level) ? this.#tree.containing(level, needle, most) : undefined;
      if (matching === undefined) return this.members(level).filter(contains).slice(0, limit);
      const visible = matching.filter((member) => this.#isVisible(member));
      if (visible.length >= limit || matching.length < most) return visible.slice(0, limit).sort(compareInHierarchy);
    }
  }

  keyCounts(level: Level): readonly number[] | undefined {
    return this.#tree.keyCounts(level);
  }

  isLarge(level: Level): boolean {
    return this.#tree.isLarge(level);
  }

  byCellKeys(level: Level, cellKeys: readonly string[]): readonly Member[] {
    return this.#tree.byCellKeys(level, cellKeys).filter((member) => this.#isVisible(member));
  }

  get isPlain(): boolean {
    return this.#tree.isPlain && this.#access === EVERYTHING;
  }

  /**
   * Returns the members that pass a test. Children of hidden members come last: `[Israel].[Haifa]` and
   * `[Israel].[Israel].[Haifa]` are the same member.
   */
  #among(members: readonly Member[], test: (member: Member) => boolean): readonly Member[] {
    const passing = members.filter((member) => test(member) && this.#access.sees(member));
    for (const member of members) if (member.hidden) passing.push(...this.#among(this.#tree.children(member), test));
    return passing;
  }

  rollupMembers(member: Member): TupleSet | 'hidden' | undefined {
    return this.#access.rollupMembers(member, this.#parts);
  }

  visibleDescendants(member: Member): TupleSet | undefined {
    return this.#access.visibleDescendants(member, this.#parts);
  }

  /** Returns the parts of a member's total: its children, and in a parent-child hierarchy also its data member. */
  readonly #parts = (of: Member): readonly Member[] => {
    const children = this.storedChildren(of);
    return of.kind === 'stored' && of.level.isParentChild ? [this.#tree.dataMember(of), ...children] : children;
  };

  storedChildren(member: Member): readonly Member[] {
    return member.kind === 'stored' || member.kind === 'all' ? this.#tree.children(member) : [];
  }

  seesLevel(level: Level): boolean {
    return this.#access.seesLevel?.(level) ?? true;
  }

  unrestrictedRoot(): Member | undefined {
    return this.#tree.all;
  }

  dataMember(member: Member): Member {
    return member.kind === 'stored' ? this.#tree.dataMember(member) : member;
  }
}

/** Returns the key of a member as MDX writes it in `&[1997]`. */
function keyAsWritten({ key }: Member): string {
  return nameOfKey(key);
}
