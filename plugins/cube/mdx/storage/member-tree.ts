import { InternalError } from '../../../../router/errors.ts';
import { SingleFlight } from '../../../../router/single-flight.ts';
import type * as model from '../../schema/model.ts';
import { MAX_KEYS_PER_STATEMENT, MAX_LOOK_UPS, MAX_MEMBERS_BY_KEY } from '../limits.ts';
import { DataNotLoaded } from '../loading/data-not-loaded.ts';
import { type Hierarchy, type Level, Member } from '../metadata/member.ts';
import { compareInHierarchy } from '../metadata/navigate.ts';
import { keysFromText } from '../sql/key-text.ts';
import {
  anyKeysCondition,
  belowAnyCondition,
  containsTextCondition,
  isCalledCondition,
} from '../sql/member-conditions.ts';
import type { MemberRestriction } from '../sql/member-statement.ts';
import { MemberLookUps } from './member-lookup-cache.ts';
import { MemberReader, type MemberReaderOptions } from './member-reader.ts';
import { MemberRows } from './member-rows.ts';
import { MembersWithoutLeaves } from './members-without-leaves.ts';
import { Readahead } from './readahead.ts';
import { parentKey, siblingListsInTurns, sortSiblings } from './sibling-lists.ts';

export interface MemberTreeOptions extends MemberReaderOptions {
  /** A level with more members is read in parts: the children of a parent, or the members of a name. */
  readonly largeLevel: number;
}

/**
 * The stored members of a hierarchy as a tree. Members are read when needed and kept. A small level is read whole. Of a
 * large level, only the children of requested parents and the members of requested names are read, unless a query lists
 * the whole level. The tree hides nothing: `VisibleMembers` leaves out what a ragged hierarchy or a role hides.
 */
export class MemberTree {
  readonly hierarchy: Hierarchy;
  readonly all: Member | undefined;
  readonly #options: MemberTreeOptions;
  readonly #rows: MemberRows;
  readonly #stored: readonly Level[];
  /** The index of the lowest stored level that is complete. All levels above are complete, too. -1 if there is none. */
  #complete = -1;
  /** The index of the first stored level that is known to be large. */
  #largeFrom = Number.POSITIVE_INFINITY;
  /** The children of members, once all children of a member have been read. */
  #children = new Map<Member | undefined, readonly Member[]>();
  readonly #lookUps = new MemberLookUps();
  readonly #reader: MemberReader;
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
    this.#reader = new MemberReader(options, this.#stored, this.#rows);
    const { warehouse } = options;
    const [stored, rows, flights] = [this.#stored, this.#rows, this.#flights];
    const { captions } = this.#reader;
    this.#childless = new MembersWithoutLeaves({ hierarchy, stored, rows, warehouse, flights, captions });
  }

  /** Returns whether levels may be read in parts. Ragged and parent-child hierarchies are read whole. */
  get isPlain(): boolean {
    return this.#stored.every(({ model: of }) => of?.hideMemberIf === 'never' && of.parent === undefined);
  }

  /**
   * Returns the children of `parent`, or the roots if there is no parent.
   *
   * @throws DataNotLoaded until they are read
   */
  children(parent: Member | undefined): readonly Member[] {
    if (parent === undefined && this.all !== undefined) return [this.all];
    const keptChildren = this.#children.get(parentKey(parent));
    if (keptChildren !== undefined) return keptChildren;
    const index = this.#indexBelow(parent);
    if (index === undefined || index <= this.#complete || this.#childless.has(parent)) return [];
    if (this.#isLarge(index)) throw this.#readChildren(index, parentKey(parent));
    throw this.#readWhole(index, true);
  }

  /** Returns all members of a stored level, in no order. Reads the whole level, even if it is large. */
  levelMembers(level: Level): Iterable<Member> {
    const index = this.#storedIndex(level);
    if (index > this.#complete) throw this.#readWhole(index, false);
    return this.#rows.at(index);
  }

  /**
   * Returns whether the level is too large to be read whole without need.
   *
   * @throws DataNotLoaded until that is known
   */
  isLarge(level: Level): boolean {
    if (level.kind !== 'stored' || !this.isPlain) return false;
    return this.#isLarge(this.#storedIndex(level));
  }

  /**
   * Returns the children of `parent` with a name (in any letter case) or with a key that is written as the text. If the
   * children are in memory, or if the warehouse cannot compare their names, all children are returned, and the caller
   * must compare.
   */
  candidates(parent: Member | undefined, by: 'name' | 'key', text: string): readonly Member[] {
    if (parent === undefined && this.all !== undefined) return [this.all];
    const key = parentKey(parent);
    const children = this.#children.get(key);
    if (children !== undefined) return children;
    const index = this.#indexBelow(parent);
    const level = index === undefined ? undefined : this.#stored[index];
    if (index === undefined || level === undefined || index <= this.#complete) return [];
    if (this.#childless.has(parent)) return [];
    if (!this.isPlain || !this.#isLarge(index) || !comparesAsText(level, by)) return this.children(parent);
    return this.#lookUp(index, by, text, key);
  }

  /** Returns the children of a name (in any letter case) that have no leaves; see `MembersWithoutLeaves`. */
  childless(parent: Member | undefined, name: string): readonly Member[] {
    const index = this.#indexBelow(parent);
    const level = index === undefined ? undefined : this.#stored[index];
    if (index === undefined || level === undefined || !this.isPlain || !comparesAsText(level, 'name')) return [];
    return this.#childless.children(index, parentKey(parent), name);
  }

  /** Returns the members of a whole level with a name or key, as `candidates` does for children. */
  candidatesInLevel(level: Level, by: 'name' | 'key', text: string): Iterable<Member> {
    const index = this.#storedIndex(level);
    if (index > this.#complete && this.isPlain && this.#isLarge(index) && comparesAsText(level, by)) {
      return this.#lookUp(index, by, text, undefined);
    }
    return this.levelMembers(level);
  }

  /**
   * Returns for each of `level.keyLevels` the number of different keys of the level's members; `undefined` where not all are in memory, or
   * where they are too many for a statement to list.
   */
  keyCounts(level: Level): readonly number[] | undefined {
    const index = this.#storedIndex(level);
    const isListed = index <= this.#complete && this.#rows.count(index) <= MAX_MEMBERS_BY_KEY;
    return isListed ? this.#rows.keyCounts(level, index) : undefined;
  }

  /** Returns members whose name or caption contains the text, sorted by name; `undefined` if the level is in memory. */
  containing(level: Level, text: string, limit: number): readonly Member[] | undefined {
    const index = this.#storedIndex(level);
    if (index <= this.#complete || !this.isPlain || !this.#isLarge(index)) return undefined;
    const key = JSON.stringify(['contains', index, text, limit]);
    const keptMembers = this.#lookUps.get(key);
    if (keptMembers !== undefined) return keptMembers;
    const { dialect } = this.#options.warehouse;
    throw new DataNotLoaded(`${this.#name} ${key}`, async (signal) => {
      await this.#readSome(
        index,
        {
          limit,
          sorted: true,
          conditions: (of) => (text === '' ? [] : [containsTextCondition(this.#modelAt(index), text, dialect, of)]),
        },
        key,
        signal,
      );
    });
  }

  /** Returns the members with these cell keys. Keys without a member are skipped. */
  byCellKeys(level: Level, cellKeys: readonly string[]): readonly Member[] {
    const index = this.#storedIndex(level);
    const members: Member[] = [];
    const missing: string[] = [];
    for (const key of cellKeys) {
      const member = this.#rows.byCellKey(index, key);
      if (member !== undefined) members.push(member);
      else if (index > this.#complete && !this.#lookUps.isAbsent(index, key)) missing.push(key);
    }
    if (missing.length === 0) return members;
    if (!this.isPlain || missing.length > Math.min(MAX_MEMBERS_BY_KEY, MAX_LOOK_UPS))
      throw this.#readWhole(index, false);
    throw new DataNotLoaded(`${this.#name} keys ${index} ${missing.length} ${missing[0]}`, (signal) =>
      this.#readKeys(index, level, missing, signal),
    );
  }

  /** Returns the data member of a parent-child member, and any other member itself. */
  dataMember(member: Member): Member {
    if (!member.level.isParentChild) return member;
    const keptMember = this.#dataMembers.get(member);
    if (keptMember !== undefined) return keptMember;
    const { level, key, cellKey, properties, caption } = member;
    const data = new Member(this.hierarchy, 'data', member, member.name, { level, key, cellKey, properties, caption });
    this.#dataMembers.set(member, data);
    return data;
  }

  /** Returns the number of members in memory. */
  get size(): number {
    return this.#stored.reduce((sum, _, index) => sum + this.#rows.count(index), 0);
  }

  /** Stops the statements that are running. */
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

  // ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Reads the level and the levels above. With `unlessLarge`, reads just enough to find out whether the level is large.
   */
  #readWhole(index: number, unlessLarge: boolean): DataNotLoaded {
    const probe = unlessLarge && this.isPlain;
    const key = `${this.#name} ${probe ? 'probe' : 'whole'} ${index}`;
    return new DataNotLoaded(key, (signal) =>
      this.#flights.run(key, signal, async (inner) => {
        if (index <= this.#complete || (probe && index >= this.#largeFrom)) return;
        const { maxMembers, largeLevel } = this.#options;
        const most = probe ? Math.min(largeLevel, maxMembers) : maxMembers;
        const result = await this.#reader.read(index, probe ? { limit: most + 1 } : {}, most, inner);
        if (index <= this.#complete) return;
        if (result.truncated) {
          if (!probe || maxMembers <= largeLevel) throw this.#reader.tooMany(index);
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
      // There are as many lists as parents, which is too many for the arguments of one call.
      for (const list of await siblingListsInTurns(this.#rows.at(at))) lists.push(list);
    }
    if (index <= this.#complete) return;
    this.#complete = index;
    this.#lookUps.clear();
    for (const [parent, members] of lists) this.#children.set(parent, members);
  }

  /**
   * Reads the children of a parent. If parents are visited one after the other, reads the children of more and more
   * following parents.
   */
  #readChildren(index: number, parent: Member | undefined): DataNotLoaded {
    if (parent === undefined) {
      return new DataNotLoaded(`${this.#name} roots`, (signal) => this.#readBelow(index, [undefined], signal));
    }
    return DataNotLoaded.inBatch({
      key: `${this.#name} children ${index}`,
      item: parent.cellKey,
      load: (items, signal) => {
        const requested = items.flatMap((item) => this.#rows.byCellKey(index - 1, item) ?? []);
        const [only] = requested;
        const parents =
          requested.length === 1 && only !== undefined
            ? this.#readahead.from(only, (of) => this.#following(of))
            : requested;
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
      const conditions: MemberRestriction['conditions'] = (of) => belowAnyCondition(stored, of);
      const below = await this.#reader.readAll(index, { conditions }, inner);
      const lists = new Map<Member | undefined, Member[]>(missing.map((parent) => [parent, []]));
      for (const member of new Set(below)) lists.get(parentKey(member.treeParent))?.push(member);
      for (const [parent, members] of lists) {
        sortSiblings(members);
        this.#children.set(parent, members);
      }
    });
  }

  /**
   * Returns the next parent in hierarchy order whose children are not in memory. Ends where the parents are not in
   * memory.
   */
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

  /** Looks up the members with a name or key below a parent, or in the whole level if there is no parent. */
  #lookUp(index: number, by: 'name' | 'key', text: string, parent: Member | undefined): readonly Member[] {
    const key = JSON.stringify([by, index, text, parent?.id]);
    const keptMembers = this.#lookUps.get(key);
    if (keptMembers !== undefined) return keptMembers;
    const level = this.#modelAt(index);
    const { dialect } = this.#options.warehouse;
    const conditions: MemberRestriction['conditions'] = (of) => [
      ...belowAnyCondition(parent === undefined ? [] : [parent], of),
      isCalledCondition(level, by, text, dialect, of),
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
      const conditions: MemberRestriction['conditions'] = (of) => anyKeysCondition(keyLevels, keys, of);
      await this.#readSome(index, { conditions }, undefined, signal);
    }
    for (const key of cellKeys) {
      if (this.#rows.byCellKey(index, key) === undefined) this.#lookUps.setAbsent(index, key);
    }
  }

  /**
   * Reads the members of a large level that meet a restriction, and remembers them under `key` if it is given. They are
   * in hierarchy order unless the restriction sorts them by name.
   */
  async #readSome(
    index: number,
    restriction: MemberRestriction,
    key: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    await this.#flights.run(key ?? `once ${this.#once++}`, signal, async (inner) => {
      const { limit } = restriction;
      const members =
        limit === undefined
          ? await this.#reader.readAll(index, restriction, inner)
          : await this.#readFirst(index, restriction, limit, inner);
      const distinctMembers = [...new Set(members)];
      if (key === undefined) return;
      this.#lookUps.set(key, restriction.sorted ? distinctMembers : distinctMembers.sort(compareInHierarchy));
    });
  }

  /** Reads the first members of a large level. In most levels each row is a member of its own, so the first rows are tried before all are compared. */
  async #readFirst(
    index: number,
    restriction: MemberRestriction,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly Member[]> {
    const { members: rows } = await this.#reader.read(index, { ...restriction, repeats: true }, limit, signal);
    if (rows.length < limit || new Set(rows).size === limit) return rows;
    return (await this.#reader.read(index, restriction, limit, signal)).members;
  }
}

/** Returns whether the warehouse writes the keys or names of a level as this engine does. */
function comparesAsText(level: Level, by: 'name' | 'key'): boolean {
  const type = by === 'key' ? level.keyType : level.nameType;
  return type === 'text' || type === 'integer';
}
