import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Scalar } from '../../../../router/capabilities/scalar.ts';
import type { ColumnarResult } from '../../../../router/capabilities/warehouse.ts';
import { InternalError } from '../../../../router/errors.ts';
import type * as model from '../../schema/model.ts';
import { MEMBER_ROWS_BATCH } from '../limits.ts';
import { type Hierarchy, type Level, Member, NAME_OF_NULL } from '../metadata/member.ts';
import { keyText, nameOfKey, pathKey } from '../sql/key-text.ts';
import type { LevelColumns } from '../sql/member-statement.ts';
import { memberKeys } from '../sql/tuple-conditions.ts';

type Cell = (column: number) => Scalar;

/** Keeps the members of a hierarchy that were read. A member that is read again stays the same object. */
export class MemberRows {
  readonly #hierarchy: Hierarchy;
  readonly #stored: readonly Level[];
  readonly #all: Member | undefined;
  /**
   * Members by path, one map for each level. The path is the keys from the root down. It identifies a member even if
   * the keys of the level are not unique.
   */
  readonly #byPath: readonly Map<string, Member>[];
  readonly #byCellKey: readonly Map<string, Member>[];
  readonly #keyCounts = new Map<Level, readonly number[]>();

  constructor(hierarchy: Hierarchy, stored: readonly Level[], all: Member | undefined) {
    this.#hierarchy = hierarchy;
    this.#stored = stored;
    this.#all = all;
    this.#byPath = stored.map(() => new Map());
    this.#byCellKey = stored.map(() => new Map());
  }

  /** Returns the members of a stored level that were read so far. */
  at(index: number): Iterable<Member> {
    return this.#byPath[index]?.values() ?? [];
  }

  /** Counts the members of a stored level that were read so far. */
  count(index: number): number {
    return this.#byPath[index]?.size ?? 0;
  }

  /** Counts the different keys of a complete stored level, for each of its `keyLevels`. They are counted once. */
  keyCounts(level: Level, index: number): readonly number[] {
    let counts = this.#keyCounts.get(level);
    if (counts === undefined) {
      const keys = level.keyLevels.map(() => new Set<Scalar>());
      for (const member of this.at(index)) for (const [at, key] of memberKeys(member).entries()) keys[at]?.add(key);
      counts = keys.map(({ size }) => size);
      this.#keyCounts.set(level, counts);
    }
    return counts;
  }

  /** Returns the member of a stored level with a cell key. */
  byCellKey(index: number, key: string): Member | undefined {
    return this.#byCellKey[index]?.get(key);
  }

  /** Adds the rows of a result. Returns the members of the last level in the order of the rows, one for each row. */
  async add(result: ColumnarResult, levels: readonly LevelColumns[]): Promise<readonly Member[]> {
    return levels[0]?.level.parent === undefined ? this.#addRows(result, levels) : this.#addParentChild(result, levels);
  }

  async #addRows(result: ColumnarResult, levels: readonly LevelColumns[]): Promise<readonly Member[]> {
    const members: Member[] = [];
    for (let row = 0; row < result.rowCount; row++) {
      if (row > 0 && row % MEMBER_ROWS_BATCH === 0) await nextTurn();
      let parent: Member | undefined;
      const cell: Cell = (column) => result.values[column]?.[row] ?? null;
      const path: string[] = [];
      for (const [index, columns] of levels.entries()) {
        const level = this.#stored[index];
        const byPath = this.#byPath[index];
        if (level === undefined || byPath === undefined) throw new InternalError('A level is missing.');
        const text = keyText(cell(columns.key));
        path.push(text);
        const key = pathKey(path);
        let member = byPath.get(key);
        if (member === undefined) {
          const alone = columns.level.uniqueMembers || parent === undefined;
          member = this.#make(level, parent, columns, cell, alone ? text : pathKey([parent?.cellKey ?? '', text]));
          byPath.set(key, member);
          this.#index(index, member);
        }
        parent = member;
      }
      if (parent !== undefined) members.push(parent);
    }
    return members;
  }

  /**
   * Adds the rows of a parent-child level. Each row is a member and names its parent. Members with a missing parent are
   * left out.
   */
  async #addParentChild(result: ColumnarResult, levels: readonly LevelColumns[]): Promise<readonly Member[]> {
    const [columns] = levels;
    const [level] = this.#stored;
    const [byPath] = this.#byPath;
    const parentColumn = columns?.parent;
    if (columns === undefined || level === undefined || parentColumn === undefined || byPath === undefined) {
      throw new InternalError('A parent-child level must be the only level of its hierarchy.');
    }
    const rowsByParent = new Map<string, number[]>();
    const none = level.model?.parent?.nullParentValue;
    for (let row = 0; row < result.rowCount; row++) {
      const parent = result.values[parentColumn]?.[row] ?? null;
      const key = parent === null || String(parent) === none ? '' : `=${keyText(parent)}`;
      const rows = rowsByParent.get(key);
      if (rows === undefined) rowsByParent.set(key, [row]);
      else rows.push(row);
    }
    const members: Member[] = [];
    const open: { readonly key: string; readonly parent: Member | undefined }[] = [{ key: '', parent: undefined }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (members.length % MEMBER_ROWS_BATCH === MEMBER_ROWS_BATCH - 1) await nextTurn();
      for (const row of rowsByParent.get(next.key) ?? []) {
        const cell: Cell = (column) => result.values[column]?.[row] ?? null;
        const key = keyText(cell(columns.key));
        if (byPath.has(key)) continue;
        const member = this.#make(level, next.parent, columns, cell, key);
        byPath.set(key, member);
        this.#index(0, member);
        members.push(member);
        open.push({ key: `=${key}`, parent: member });
      }
    }
    return members;
  }

  /** Creates the member of a result's row. The caller keeps it: it is not added to the members here. */
  childOf(
    index: number,
    parent: Member | undefined,
    columns: LevelColumns,
    result: ColumnarResult,
    row: number,
  ): Member {
    const level = this.#stored[index];
    if (level === undefined) throw new InternalError('A level is missing.');
    const cell: Cell = (column) => result.values[column]?.[row] ?? null;
    const text = keyText(cell(columns.key));
    const alone = columns.level.uniqueMembers || parent === undefined;
    return this.#make(level, parent, columns, cell, alone ? text : pathKey([parent.cellKey, text]));
  }

  #index(level: number, member: Member): void {
    const index = this.#byCellKey[level];
    if (index !== undefined && !index.has(member.cellKey)) index.set(member.cellKey, member);
  }

  #make(level: Level, parent: Member | undefined, columns: LevelColumns, cell: Cell, cellKey: string): Member {
    const key = cell(columns.key);
    const name = columns.name === undefined ? nameOfKey(key) : nameOfKey(cell(columns.name));
    const caption = columns.caption === undefined ? undefined : nameOfKey(cell(columns.caption));
    const member = new Member(this.#hierarchy, 'stored', parent ?? this.#all, name, {
      level,
      caption,
      key,
      cellKey,
      properties: new Map(columns.properties.map(({ name: of, column }) => [of, cell(column)])),
      hidden: isHidden(columns.level, name, parent ?? this.#all),
    });
    // The key comes last and makes the order unambiguous.
    member.sortKey = [...columns.ordinals.map(({ column }) => cell(column)), key];
    member.order = -1;
    return member;
  }
}

function isHidden(level: model.Level, name: string, parent: Member | undefined): boolean {
  if (level.hideMemberIf === 'never') return false;
  const blank = name.trim() === '' || name === NAME_OF_NULL;
  if (level.hideMemberIf === 'ifBlankName') return blank;
  return blank || (parent !== undefined && parent.name === name);
}
