import type { Hierarchy, Level, Member, MemberSource, TupleSet } from './member.ts';
import type { MemberTree } from './member-tree.ts';

/** What a role may see of a hierarchy. */
export interface HierarchyAccess {
  sees(member: Member): boolean;
  /**
   * What a total is made of: `undefined` of everything, else of these members only; `hidden`: it may not be seen, because
   * parts of it may not.
   */
  restriction(member: Member, children: (of: Member) => readonly Member[]): TupleSet | 'hidden' | undefined;
}

const EVERYTHING: HierarchyAccess = { sees: () => true, restriction: () => undefined };

/** The members of a tree that can be reached: without those a ragged hierarchy hides and those the role may not see. */
export class VisibleMembers implements MemberSource {
  readonly #tree: MemberTree;
  readonly #access: HierarchyAccess;
  readonly #children = new Map<Member, readonly Member[]>();
  readonly #levels = new Map<Level, readonly Member[]>();
  readonly #indexes = new Map<Level, ReadonlyMap<Member, number>>();

  constructor(tree: MemberTree, access: HierarchyAccess = EVERYTHING) {
    this.#tree = tree;
    this.#access = access;
  }

  get #hierarchy(): Hierarchy {
    return this.#tree.hierarchy;
  }

  roots(): readonly Member[] {
    return this.#visible(this.#tree.children(undefined));
  }

  children(member: Member): readonly Member[] {
    if (member.kind !== 'all' && member.kind !== 'stored') return [];
    const known = this.#children.get(member);
    if (known !== undefined) return known;
    const children = this.#visible(this.#tree.children(member));
    this.#children.set(member, children);
    return children;
  }

  /** Those to be seen; in the place of a hidden one its own children. */
  #visible(members: readonly Member[]): readonly Member[] {
    if (members.every((member) => this.#isVisible(member))) return members;
    return members.flatMap((member) =>
      this.#isVisible(member) ? [member] : this.#visible(this.#tree.children(member)),
    );
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
    const known = this.#levels.get(level);
    if (known !== undefined) return known;
    if (level.kind === 'all') return this.roots();
    const found: Member[] = [];
    if (level.isParentChild) this.#collect(this.#tree.children(this.#tree.all), found, () => true);
    else this.#collect(this.#tree.children(this.#tree.all), found, (member) => member.level.depth < level.depth, level);
    this.#levels.set(level, found);
    return found;
  }

  #collect(members: readonly Member[], into: Member[], enter: (member: Member) => boolean, level?: Level): void {
    for (const member of members) {
      if ((level === undefined || member.level === level) && this.#isVisible(member)) into.push(member);
      if (enter(member)) this.#collect(this.#tree.children(member), into, enter, level);
    }
  }

  indexInLevel(member: Member): number {
    let index = this.#indexes.get(member.level);
    if (index === undefined) {
      index = new Map(this.members(member.level).map((each, position) => [each, position]));
      this.#indexes.set(member.level, index);
    }
    return index.get(member) ?? -1;
  }

  child(parent: Member | undefined, name: string): Member | undefined {
    const wanted = name.toLowerCase();
    const stored = this.#tree.children(parent ?? undefined);
    return (
      this.#among(stored, (member) => member.name.toLowerCase() === wanted) ??
      (parent === undefined && this.#hierarchy.hasAll ? this.child(this.#tree.all, name) : undefined)
    );
  }

  childByKey(parent: Member | undefined, key: string): Member | undefined {
    const from = parent ?? this.#tree.all;
    return this.#among(this.#tree.children(from), (member) => String(member.key ?? '#null') === key);
  }

  /** A hidden member is found only where no visible one is: `[Israel].[Haifa]` and `[Israel].[Israel].[Haifa]` are the same. */
  #among(members: readonly Member[], test: (member: Member) => boolean): Member | undefined {
    const direct = members.find((member) => test(member) && this.#access.sees(member));
    if (direct !== undefined) return direct;
    for (const member of members) {
      if (!member.hidden) continue;
      const found = this.#among(this.#tree.children(member), test);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  restriction(member: Member): TupleSet | 'hidden' | undefined {
    return this.#access.restriction(member, (of) => this.#tree.children(of));
  }

  unrestrictedRoot(): Member | undefined {
    return this.#tree.all;
  }

  dataMember(member: Member): Member {
    return member.kind === 'stored' ? this.#tree.dataMember(member) : member;
  }
}
