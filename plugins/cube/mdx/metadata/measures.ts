import type * as model from '../../schema/model.ts';
import type { HierarchyAccess } from './hierarchy-access.ts';
import type { MemberSource } from './member.ts';
import { type Hierarchy, type Level, Member } from './member.ts';
import { oneNamed } from './name-matching.ts';

/** The stored measures of a cube as members of `[Measures]`. The scope of a query has the calculated measures. */
export class MeasureMembers implements MemberSource {
  readonly #measures: readonly Member[];
  readonly #listed: readonly Member[];
  readonly #access: HierarchyAccess | undefined;
  readonly #within: HierarchyAccess | undefined;

  constructor(
    hierarchy: Hierarchy,
    level: Level,
    measures: readonly model.Measure[],
    access: HierarchyAccess | undefined,
    within?: HierarchyAccess,
  ) {
    this.#measures = measures.map(
      (measure) =>
        new Member(hierarchy, 'measure', undefined, measure.name, { level, measure, caption: measure.caption }),
    );
    for (const [index, member] of this.#measures.entries()) member.order = index;
    this.#access = access;
    this.#within = within;
    this.#listed = this.#measures.filter(
      (member) => member.measure?.implied !== true && this.#sees(member) && !this.leavesOut(member),
    );
  }

  #sees(member: Member): boolean {
    return this.#access?.sees(member) ?? true;
  }

  roots(): readonly Member[] {
    return this.#listed;
  }
  children(): readonly Member[] {
    return [];
  }
  storedChildren(): readonly Member[] {
    return [];
  }
  parent(member: Member): Member | undefined {
    return member.treeParent;
  }
  members(): readonly Member[] {
    return this.#listed;
  }
  peers(): readonly Member[] {
    return this.#listed;
  }
  indexAmongPeers(member: Member): number {
    return this.#listed.indexOf(member);
  }
  child(parent: Member | undefined, name: string): Member | undefined {
    if (parent !== undefined) return undefined;
    return oneNamed(
      this.#measures.filter((member) => this.#sees(member)),
      name,
    );
  }
  hiddenAncestor(parent: Member | undefined, name: string): Member | undefined {
    if (parent !== undefined) return undefined;
    return oneNamed(this.#measures, name);
  }
  sees(member: Member): boolean {
    return this.#sees(member);
  }
  leavesOut(member: Member): boolean {
    return member.kind === 'measure' && this.#within?.sees(member) === false;
  }
  childByKey(parent: Member | undefined, key: string): Member | undefined {
    return this.child(parent, key);
  }
  inLevel(_: Level, __: 'name' | 'key', text: string): Member | undefined {
    return this.child(undefined, text);
  }
  search(_: Level, text: string, limit: number): readonly Member[] {
    const needle = text.toLowerCase();
    return this.#listed
      .filter(({ name, caption }) => name.toLowerCase().includes(needle) || caption.toLowerCase().includes(needle))
      .slice(0, limit);
  }
  keyCounts(): undefined {
    return undefined;
  }
  isLarge(): boolean {
    return false;
  }
  byCellKeys(): readonly Member[] {
    return [];
  }
  get isPlain(): boolean {
    return false;
  }
  rollupMembers(): undefined {
    return undefined;
  }
  visibleDescendants(): undefined {
    return undefined;
  }
  seesLevel(): boolean {
    return true;
  }
  unrestrictedRoot(): undefined {
    return undefined;
  }
  dataMember(member: Member): Member {
    return member;
  }
}
