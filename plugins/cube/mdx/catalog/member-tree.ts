import type { Scalar } from '../../../../router/capabilities/scalar.ts';
import type { ColumnarResult, Warehouse } from '../../../../router/capabilities/warehouse.ts';
import { InternalError } from '../../../../router/errors.ts';
import type * as model from '../../schema/model.ts';
import { Pending } from '../evaluate/pending.ts';
import { keyText, nameOfKey, pathKey } from '../sql/key-text.ts';
import { type LevelColumns, memberStatement } from '../sql/members.ts';
import { type Hierarchy, type Level, Member } from './member.ts';

/**
 * The stored members of a hierarchy, as a tree, read a level at a time and kept. Nothing is hidden here: what a ragged
 * hierarchy or a role hides is left out by `VisibleMembers`.
 */
export class MemberTree {
  readonly hierarchy: Hierarchy;
  readonly all: Member | undefined;
  readonly #warehouse: Warehouse;
  readonly #fact: model.Relation;
  readonly #maxMembers: number;
  /** Stored levels that are complete: this one and all above. -1: none. */
  #complete = -1;
  readonly #byPath: Map<string, Member>[];
  #children = new Map<Member | undefined, Member[]>();
  readonly #dataMembers = new Map<Member, Member>();

  constructor(hierarchy: Hierarchy, fact: model.Relation, warehouse: Warehouse, maxMembers: number) {
    this.hierarchy = hierarchy;
    this.#fact = fact;
    this.#warehouse = warehouse;
    this.#maxMembers = maxMembers;
    this.#byPath = this.#storedLevels().map(() => new Map());
    const of = hierarchy.model;
    if (of?.hasAll) {
      this.all = new Member(hierarchy, 'all', undefined, of.allMemberName, {
        level: hierarchy.levels[0],
        caption: of.allMemberCaption,
      });
    }
  }

  /** Members below `parent`; below nothing, the roots. Throws `Pending` until they are read. */
  children(parent: Member | undefined): readonly Member[] {
    if (parent === undefined && this.all !== undefined) return [this.all];
    const stored = this.#storedLevels();
    if (parent?.level.isParentChild) this.#require(parent.level.depth);
    else {
      const below = parent === undefined || parent.kind === 'all' ? stored[0] : parent.level.below;
      if (below === undefined) return [];
      this.#require(below.depth);
    }
    return this.#children.get(parent?.kind === 'all' ? undefined : parent) ?? [];
  }

  /** All members of a stored level, in no order. */
  levelMembers(level: Level): Iterable<Member> {
    this.#require(level.depth);
    return this.#byPath[this.#storedIndex(level.depth)]?.values() ?? [];
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

  #storedLevels(): readonly Level[] {
    return this.hierarchy.levels.filter(({ kind }) => kind === 'stored');
  }

  #storedIndex(depth: number): number {
    return this.hierarchy.hasAll ? depth - 1 : depth;
  }

  #require(depth: number): void {
    const index = this.#storedIndex(depth);
    if (index <= this.#complete) return;
    throw new Pending(`members ${this.hierarchy.ordinal} ${index}`, (signal) => this.#load(index, signal));
  }

  async #load(index: number, signal: AbortSignal | undefined): Promise<void> {
    if (index <= this.#complete) return;
    const of = this.hierarchy.model;
    if (of === undefined) throw new InternalError(`${this.hierarchy.uniqueName} has no stored members.`);
    const { dialect } = this.#warehouse;
    const { statement, levels } = memberStatement(dialect, of, this.#fact, of.levels.slice(0, index + 1));
    const result = await this.#warehouse.query(statement, { signal, maxRows: this.#maxMembers });
    if (index <= this.#complete) return;
    for (const [at, { key }] of levels.entries()) {
      const level = this.#storedLevels()[at];
      if (level !== undefined) level.keyType = result.columns[key]?.type ?? 'other';
    }
    const orders = new Map<Member, readonly Scalar[]>();
    if (of.levels[index]?.parent === undefined) this.#addRows(result, levels, orders);
    else this.#addParentChild(result, levels, orders);
    this.#sort(levels, orders);
    this.#complete = index;
  }

  #addRows(result: ColumnarResult, levels: readonly LevelColumns[], orders: Map<Member, readonly Scalar[]>): void {
    const stored = this.#storedLevels();
    for (let row = 0; row < result.rowCount; row++) {
      let parent: Member | undefined;
      const path: string[] = [];
      for (const [index, columns] of levels.entries()) {
        const level = stored[index];
        const known = this.#byPath[index];
        if (level === undefined || known === undefined) throw new InternalError('A level is missing.');
        const cell = (column: number): Scalar => result.values[column]?.[row] ?? null;
        path.push(keyText(cell(columns.key)));
        const key = pathKey(path);
        let member = known.get(key);
        if (member === undefined) {
          const unique = of(level).uniqueMembers ? keyText(cell(columns.key)) : undefined;
          const above = parent === undefined || level.model?.uniqueMembers ? undefined : parent.cellKey;
          const cellKey = unique ?? (above === undefined ? key : pathKey([above, keyText(cell(columns.key))]));
          member = this.#member(level, parent, columns, cell, cellKey);
          known.set(key, member);
        }
        if (!orders.has(member)) orders.set(member, orderOf(columns, cell));
        parent = member;
      }
    }
  }

  /** One row a member, each naming its parent. Members whose parent is no member are left out. */
  #addParentChild(
    result: ColumnarResult,
    levels: readonly LevelColumns[],
    orders: Map<Member, readonly Scalar[]>,
  ): void {
    const [columns] = levels;
    const [level] = this.#storedLevels();
    const parentColumn = columns?.parent;
    const known = this.#byPath[0];
    if (columns === undefined || level === undefined || parentColumn === undefined || known === undefined) {
      throw new InternalError('A parent-child level must be the only level of its hierarchy.');
    }
    const rowsOf = new Map<string, number[]>();
    const none = level.model?.parent?.nullParentValue;
    for (let row = 0; row < result.rowCount; row++) {
      const parent = result.values[parentColumn]?.[row] ?? null;
      const key = parent === null || String(parent) === none ? '' : `=${keyText(parent)}`;
      const rows = rowsOf.get(key);
      if (rows === undefined) rowsOf.set(key, [row]);
      else rows.push(row);
    }
    const add = (parentKey: string, parent: Member | undefined): void => {
      for (const row of rowsOf.get(parentKey) ?? []) {
        const cell = (column: number): Scalar => result.values[column]?.[row] ?? null;
        const key = keyText(cell(columns.key));
        if (known.has(key)) continue;
        const member = this.#member(level, parent, columns, cell, key);
        known.set(key, member);
        orders.set(member, orderOf(columns, cell));
        add(`=${key}`, member);
      }
    };
    add('', undefined);
  }

  #member(
    level: Level,
    parent: Member | undefined,
    columns: LevelColumns,
    cell: (column: number) => Scalar,
    cellKey: string,
  ): Member {
    const key = cell(columns.key);
    const name = columns.name === undefined ? nameOfKey(key) : nameOfKey(cell(columns.name));
    const caption = columns.caption === undefined ? undefined : nameOfKey(cell(columns.caption));
    const properties = new Map(
      columns.properties.map((property) => [property.name.toLowerCase(), cell(property.column)]),
    );
    return new Member(this.hierarchy, 'stored', parent ?? this.all, name, {
      level,
      caption,
      key,
      cellKey,
      properties,
      hidden: isHidden(of(level), name, parent ?? this.all),
    });
  }

  /** Groups all members by parent and sorts siblings; what was read earlier keeps its identity. */
  #sort(levels: readonly LevelColumns[], orders: ReadonlyMap<Member, readonly Scalar[]>): void {
    const children = new Map<Member | undefined, Member[]>();
    for (const known of this.#byPath) {
      for (const member of known.values()) {
        const parent = member.treeParent?.kind === 'all' ? undefined : member.treeParent;
        const siblings = children.get(parent);
        if (siblings === undefined) children.set(parent, [member]);
        else siblings.push(member);
      }
    }
    const descending = new Map(
      levels.map(({ level, ordinals }) => [level, ordinals.map((ordinal) => ordinal.descending)]),
    );
    for (const siblings of children.values()) {
      siblings.sort((left, right) => {
        const directions = descending.get(of(left.level)) ?? [];
        const lefts = orders.get(left) ?? [left.key];
        const rights = orders.get(right) ?? [right.key];
        for (const [index, value] of lefts.entries()) {
          const order = compareKeys(value, rights[index] ?? null);
          if (order !== 0) return directions[index] ? -order : order;
        }
        return left.order - right.order;
      });
      for (const [index, member] of siblings.entries()) member.order = index;
    }
    this.#children = children;
  }
}

function of(level: Level): model.Level {
  if (level.model === undefined) throw new InternalError(`${level.uniqueName} is no stored level.`);
  return level.model;
}

/** What orders a member among its siblings; the key last, so that the order is the same every time. */
function orderOf(columns: LevelColumns, cell: (column: number) => Scalar): readonly Scalar[] {
  return [...columns.ordinals.map(({ column }) => cell(column)), cell(columns.key)];
}

/** Numbers by size, everything else by code unit, null last. The engine's collation must not matter. */
export function compareKeys(left: Scalar, right: Scalar): number {
  if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1;
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
  const [a, b] = [Number(left), Number(right)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function isHidden(level: model.Level, name: string, parent: Member | undefined): boolean {
  if (level.hideMemberIf === 'never') return false;
  const blank = name.trim() === '' || name === '#null';
  if (level.hideMemberIf === 'ifBlankName') return blank;
  return blank || (parent !== undefined && parent.name === name);
}
