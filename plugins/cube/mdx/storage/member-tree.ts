import { LRUCache } from 'lru-cache';
import type { ColumnarResult, Warehouse } from '../../../../router/capabilities/warehouse.ts';
import { InternalError } from '../../../../router/errors.ts';
import type * as model from '../../schema/model.ts';
import { MAX_KEYS_PER_STATEMENT, MAX_LOOK_UPS, MAX_MEMBERS_BY_KEY } from '../limits.ts';
import { DataNotLoaded } from '../loading/data-not-loaded.ts';
import { SingleFlight } from '../loading/single-flight.ts';
import { type Hierarchy, type Level, Member } from '../metadata/member.ts';
import { compareInHierarchy } from '../metadata/navigate.ts';
import { keysFromText } from '../sql/key-text.ts';
import {
  anyKeysCondition,
  belowAnyCondition,
  containsTextCondition,
  isCalledCondition,
} from '../sql/member-conditions.ts';
import { type MemberRestriction, memberStatement } from '../sql/members.ts';
import { MdxLimitError } from '../syntax/errors.ts';
import { MemberRows } from './member-rows.ts';
import { MembersWithoutLeaves } from './members-without-leaves.ts';
import { Readahead } from './readahead.ts';
import { parentKey, siblingListsInTurns, sortSiblings } from './sibling-lists.ts';

export interface MemberTreeOptions {
  readonly hierarchy: Hierarchy;
  /** The facts, where the hierarchy has no table of its own. */
  readonly fact: model.Relation;
  readonly warehouse: Warehouse;
  /** Members of one level that are read at most. */
  readonly maxMembers: number;
  /** A level with more members is read in parts: the children of a parent, a member by its name. */
  readonly largeLevel: number;
}

/**
 * The stored members of a hierarchy, as a tree, read when needed and kept. A level of few members is read whole; of a
 * large one the children of those parents and the members of those names that are asked for, unless a query lists all of
 * it. Nothing is hidden here: what a ragged hierarchy or a role hides is left out by `VisibleMembers`.
 */
export class MemberTree {
  readonly hierarchy: Hierarchy;
  readonly all: Member | undefined;
  readonly #options: MemberTreeOptions;
  readonly #rows: MemberRows;
  readonly #stored: readonly Level[];
  /** Stored levels that are complete: this one and all above. -1: none. */
  #complete = -1;
  /** The first stored level that is known to be large. */
  #largeFrom = Number.POSITIVE_INFINITY;
  /** Of members all of whose children are known. */
  #children = new Map<Member | undefined, readonly Member[]>();
  /** These two are made when they are first used: such a cache takes the room for all of its entries at once. */
  #lookUps: LRUCache<string, readonly Member[]> | undefined;
  #absent: LRUCache<string, true> | undefined;
  readonly #readahead = new Readahead();
  readonly #dataMembers = new Map<Member, Member>();
  readonly #flights = new SingleFlight();
  readonly #childless: MembersWithoutLeaves;
  #once = 0;

  constructor(options: MemberTreeOptions) {
    const { hierarchy } = options;
    this.hierarchy = hierarchy;
    this.#options = options;
    this.#stored = hierarchy.levels.filter(({ kind }) => kind === 'stored');
    const of = hierarchy.model;
    if (of?.hasAll) {
      this.all = new Member(hierarchy, 'all', undefined, of.allMemberName, {
        level: hierarchy.levels[0],
        caption: of.allMemberCaption,
      });
    }
    this.#rows = new MemberRows(hierarchy, this.#stored, this.all);
    const { warehouse } = options;
    const [stored, rows, flights] = [this.#stored, this.#rows, this.#flights];
    this.#childless = new MembersWithoutLeaves({ hierarchy, stored, rows, warehouse, flights });
  }

  /** Whether levels may be read in parts. A ragged hierarchy and a tree of itself are read whole. */
  get isPlain(): boolean {
    return this.#stored.every(({ model: of }) => of?.hideMemberIf === 'never' && of.parent === undefined);
  }

  /** Members below `parent`; below nothing, the roots. Throws `DataNotLoaded` until they are read. */
  children(parent: Member | undefined): readonly Member[] {
    if (parent === undefined && this.all !== undefined) return [this.all];
    const known = this.#children.get(parentKey(parent));
    if (known !== undefined) return known;
    const index = this.#indexBelow(parent);
    if (index === undefined || index <= this.#complete || this.#childless.has(parent)) return [];
    if (this.#isLarge(index)) throw this.#readChildren(index, parentKey(parent));
    throw this.#readWhole(index, true);
  }

  /** All members of a stored level, in no order. Reads the level whole, however large it is. */
  levelMembers(level: Level): Iterable<Member> {
    const index = this.#storedIndex(level);
    if (index > this.#complete) throw this.#readWhole(index, false);
    return this.#rows.at(index);
  }

  /** Whether the level has more members than are read without need. Throws `DataNotLoaded` until that is known. */
  isLarge(level: Level): boolean {
    if (level.kind !== 'stored' || !this.isPlain) return false;
    return this.#isLarge(this.#storedIndex(level));
  }

  /**
   * Members among the children of `parent` that are called so (letter case ignored) or have a key that is written so; it may
   * be all the children, where they are in memory or names cannot be compared in the warehouse.
   */
  candidates(parent: Member | undefined, by: 'name' | 'key', text: string): readonly Member[] {
    if (parent === undefined && this.all !== undefined) return [this.all];
    const key = parentKey(parent);
    const known = this.#children.get(key);
    if (known !== undefined) return known;
    const index = this.#indexBelow(parent);
    const level = index === undefined ? undefined : this.#stored[index];
    if (index === undefined || level === undefined || index <= this.#complete) return [];
    if (this.#childless.has(parent)) return [];
    if (!this.isPlain || !this.#isLarge(index) || !comparesAsText(level, by)) return this.children(parent);
    return this.#lookUp(index, by, text, key);
  }

  /** A child without anything below it, if no other has the name (in lower case); see `ChildlessMembers`. */
  childless(parent: Member | undefined, name: string): Member | undefined {
    const index = this.#indexBelow(parent);
    const level = index === undefined ? undefined : this.#stored[index];
    if (index === undefined || level === undefined || !this.isPlain || !comparesAsText(level, 'name')) return undefined;
    return this.#childless.child(index, parentKey(parent), name);
  }

  /** Likewise in a whole level. */
  candidatesInLevel(level: Level, by: 'name' | 'key', text: string): Iterable<Member> {
    const index = this.#storedIndex(level);
    if (index > this.#complete && this.isPlain && this.#isLarge(index) && comparesAsText(level, by)) {
      return this.#lookUp(index, by, text, undefined);
    }
    return this.levelMembers(level);
  }

  /** Members whose name or caption contains the text, by name; `undefined` where the level is in memory. */
  containing(level: Level, text: string, limit: number): readonly Member[] | undefined {
    const index = this.#storedIndex(level);
    if (index <= this.#complete || !this.isPlain || !this.#isLarge(index)) return undefined;
    const key = JSON.stringify(['contains', index, text, limit]);
    const known = this.#lookUps?.get(key);
    if (known !== undefined) return known;
    const { dialect } = this.#options.warehouse;
    throw new DataNotLoaded(`${this.#name} ${key}`, async (signal) => {
      await this.#readSome(
        index,
        {
          limit,
          sorted: true,
          conditions: (of, parameters) =>
            text === '' ? [] : [containsTextCondition(this.#modelAt(index), text, dialect, of, parameters)],
        },
        key,
        signal,
      );
    });
  }

  /** The members that have these cell keys; without those that there are not. */
  byCellKeys(level: Level, cellKeys: readonly string[]): readonly Member[] {
    const index = this.#storedIndex(level);
    const found: Member[] = [];
    const missing: string[] = [];
    for (const key of cellKeys) {
      const member = this.#rows.byCellKey(index, key);
      if (member !== undefined) found.push(member);
      else if (index > this.#complete && this.#absent?.has(`${index} ${key}`) !== true) missing.push(key);
    }
    if (missing.length === 0) return found;
    if (!this.isPlain || missing.length > Math.min(MAX_MEMBERS_BY_KEY, MAX_LOOK_UPS))
      throw this.#readWhole(index, false);
    throw new DataNotLoaded(`${this.#name} keys ${index} ${missing.length} ${missing[0]}`, (signal) =>
      this.#readKeys(index, level, missing, signal),
    );
  }

  dataMember(member: Member): Member {
    if (!member.level.isParentChild) return member;
    const known = this.#dataMembers.get(member);
    if (known !== undefined) return known;
    const { level, key, cellKey, properties, caption } = member;
    const data = new Member(this.hierarchy, 'data', member, member.name, { level, key, cellKey, properties, caption });
    this.#dataMembers.set(member, data);
    return data;
  }

  /** How many members are in memory. */
  get size(): number {
    return this.#stored.reduce((sum, _, index) => sum + this.#rows.count(index), 0);
  }

  close(): void {
    this.#flights.close();
  }

  get #name(): string {
    return `members ${this.hierarchy.ordinal}`;
  }

  #storedIndex({ depth }: Level): number {
    return this.hierarchy.hasAll ? depth - 1 : depth;
  }

  #indexBelow(parent: Member | undefined): number | undefined {
    if (parent === undefined || parent.kind === 'all') return 0;
    if (parent.level.isParentChild) return this.#storedIndex(parent.level);
    const { below } = parent.level;
    return below === undefined ? undefined : this.#storedIndex(below);
  }

  #isLarge(index: number): boolean {
    if (index <= this.#complete) return this.#rows.count(index) > this.#options.largeLevel;
    if (index >= this.#largeFrom) return true;
    if (!this.isPlain) return false;
    throw this.#readWhole(index, true);
  }

  #modelAt(index: number): model.Level {
    const level = this.#stored[index]?.model;
    if (level === undefined) throw new InternalError(`${this.hierarchy.uniqueName} has no stored members.`);
    return level;
  }

  // ── what is read ───────────────────────────────────────────────────────────────────────────────────────────────

  /** The level and those above; with `unlessLarge` only to see that it is large, if it is. */
  #readWhole(index: number, unlessLarge: boolean): DataNotLoaded {
    const probe = unlessLarge && this.isPlain;
    const key = `${this.#name} ${probe ? 'probe' : 'whole'} ${index}`;
    return new DataNotLoaded(key, (signal) =>
      this.#flights.run(key, signal, async (inner) => {
        if (index <= this.#complete || (probe && index >= this.#largeFrom)) return;
        const { maxMembers, largeLevel } = this.#options;
        const most = probe ? Math.min(largeLevel, maxMembers) : maxMembers;
        const result = await this.#query(index, probe ? { limit: most + 1 } : {}, most, inner);
        if (index <= this.#complete) return;
        if (result.truncated) {
          if (!probe || maxMembers <= largeLevel) throw this.#tooMany(index);
          this.#largeFrom = Math.min(this.#largeFrom, index);
          return;
        }
        await this.#completed(index);
      }),
    );
  }

  async #completed(index: number): Promise<void> {
    const lists: (readonly [Member | undefined, Member[]])[] = [];
    for (let at = 0; at <= index; at++) {
      // As many lists as there are parents: too many to be arguments of one call.
      for (const list of await siblingListsInTurns(this.#rows.at(at))) lists.push(list);
    }
    if (index <= this.#complete) return;
    this.#complete = index;
    this.#lookUps?.clear();
    this.#absent?.clear();
    for (const [parent, members] of lists) this.#children.set(parent, members);
  }

  /** The children of a parent and, where parents are gone through one after the other, of more and more of the next ones. */
  #readChildren(index: number, parent: Member | undefined): DataNotLoaded {
    if (parent === undefined) {
      return new DataNotLoaded(`${this.#name} roots`, (signal) => this.#readBelow(index, [undefined], signal));
    }
    return DataNotLoaded.inBatch({
      key: `${this.#name} children ${index}`,
      item: parent.cellKey,
      load: (items, signal) => {
        const asked = items.flatMap((item) => this.#rows.byCellKey(index - 1, item) ?? []);
        const [only] = asked;
        const parents =
          asked.length === 1 && only !== undefined ? this.#readahead.from(only, (of) => this.#following(of)) : asked;
        return this.#readBelow(index, parents, signal);
      },
    });
  }

  async #readBelow(
    index: number,
    parents: readonly (Member | undefined)[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const missing = parents.filter((parent) => !this.#children.has(parent));
    if (missing.length === 0) return;
    const key = `below ${index} ${missing.map((parent) => parent?.id ?? '').join()}`;
    await this.#flights.run(key, signal, async (inner) => {
      const stored = missing.flatMap((parent) => parent ?? []);
      const result = await this.#query(
        index,
        { conditions: (of, parameters) => belowAnyCondition(stored, of, parameters) },
        this.#options.maxMembers,
        inner,
      );
      if (result.truncated) throw this.#tooMany(index);
      const lists = new Map<Member | undefined, Member[]>(missing.map((parent) => [parent, []]));
      for (const member of new Set(result.members)) lists.get(parentKey(member.treeParent))?.push(member);
      for (const [parent, members] of lists) {
        sortSiblings(members);
        this.#children.set(parent, members);
      }
    });
  }

  /** The next parent in the order of the hierarchy whose children are not in memory, as far as parents are. */
  #following(parent: Member): Member | undefined {
    let next = this.#nextCousin(parent);
    while (next !== undefined && this.#children.has(next)) next = this.#nextCousin(next);
    return next;
  }

  #nextCousin(member: Member): Member | undefined {
    const above = parentKey(member.treeParent);
    const next = this.#children.get(above)?.[member.order + 1];
    if (next !== undefined || above === undefined) return next;
    let aunt = this.#nextCousin(above);
    while (aunt !== undefined && this.#children.get(aunt)?.length === 0) aunt = this.#nextCousin(aunt);
    return aunt === undefined ? undefined : this.#children.get(aunt)?.[0];
  }

  /** In the whole level where there is no parent. */
  #lookUp(index: number, by: 'name' | 'key', text: string, parent: Member | undefined): readonly Member[] {
    const wanted = by === 'name' ? text.toLowerCase() : text;
    const key = JSON.stringify([by, index, wanted, parent?.id]);
    const known = this.#lookUps?.get(key);
    if (known !== undefined) return known;
    const level = this.#modelAt(index);
    const { dialect } = this.#options.warehouse;
    const conditions: MemberRestriction['conditions'] = (of, parameters) => [
      ...belowAnyCondition(parent === undefined ? [] : [parent], of, parameters),
      isCalledCondition(level, by, wanted, dialect, of, parameters),
    ];
    throw new DataNotLoaded(`${this.#name} ${key}`, (signal) => this.#readSome(index, { conditions }, key, signal));
  }

  async #readKeys(
    index: number,
    { keyLevels }: Level,
    cellKeys: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const types = keyLevels.map(({ keyType }) => keyType);
    for (let from = 0; from < cellKeys.length; from += MAX_KEYS_PER_STATEMENT) {
      const some = cellKeys.slice(from, from + MAX_KEYS_PER_STATEMENT);
      const keys = some.map((key) => keysFromText(key, types));
      const conditions: MemberRestriction['conditions'] = (of, parameters) =>
        anyKeysCondition(keyLevels, keys, of, parameters);
      await this.#readSome(index, { conditions }, undefined, signal);
    }
    for (const key of cellKeys) {
      if (this.#rows.byCellKey(index, key) !== undefined) continue;
      this.#absent ??= new LRUCache({ max: MAX_LOOK_UPS });
      this.#absent.set(`${index} ${key}`, true);
    }
  }

  /** Members of a large level that a restriction describes, remembered by the key, if there is one; in the order of the hierarchy unless by name. */
  async #readSome(
    index: number,
    restriction: MemberRestriction,
    key: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    await this.#flights.run(key ?? `once ${this.#once++}`, signal, async (inner) => {
      const result = await this.#query(index, restriction, restriction.limit ?? this.#options.maxMembers, inner);
      if (result.truncated && restriction.limit === undefined) throw this.#tooMany(index);
      const found = [...new Set(result.members)];
      if (key === undefined) return;
      this.#lookUps ??= new LRUCache({ max: MAX_LOOK_UPS });
      this.#lookUps.set(key, restriction.sorted ? found : found.sort(compareInHierarchy));
    });
  }

  async #query(
    index: number,
    restriction: MemberRestriction,
    maxRows: number,
    signal: AbortSignal,
  ): Promise<{ readonly truncated: boolean; readonly members: readonly Member[] }> {
    const of = this.hierarchy.model;
    if (of === undefined) throw new InternalError(`${this.hierarchy.uniqueName} has no stored members.`);
    const { warehouse, fact } = this.#options;
    const { statement, levels } = memberStatement(
      warehouse.dialect,
      of,
      fact,
      of.levels.slice(0, index + 1),
      restriction,
    );
    const result: ColumnarResult = await warehouse.query(statement, { signal, maxRows });
    for (const [at, { key, name, ordinals }] of levels.entries()) {
      const level = this.#stored[at];
      if (level === undefined) continue;
      level.keyType = result.columns[key]?.type ?? 'other';
      level.nameType = name === undefined ? level.keyType : (result.columns[name]?.type ?? 'other');
      level.descending = ordinals.map(({ descending }) => descending);
    }
    // A probe that found too many says nothing but that.
    const probe = restriction.limit === maxRows + 1;
    if (result.truncated && (probe || restriction.limit === undefined)) return { truncated: true, members: [] };
    return { truncated: result.truncated, members: await this.#rows.add(result, levels) };
  }

  #tooMany(index: number): MdxLimitError {
    const { maxMembers } = this.#options;
    const name = this.#stored[index]?.uniqueName ?? this.hierarchy.uniqueName;
    return new MdxLimitError(
      `The query needs more than ${maxMembers} members of ${name}. Ask for fewer of them: the children of a member, or the top of a set.`,
    );
  }
}

/** Whether the warehouse writes the keys or names of a level as this engine does. */
function comparesAsText(level: Level, by: 'name' | 'key'): boolean {
  const type = by === 'key' ? level.keyType : level.nameType;
  return type === 'text' || type === 'integer';
}
