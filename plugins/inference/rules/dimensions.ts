/** The dimensions of a proposed cube: from tables that the facts refer to, and from columns of the facts. Pure. */

import { writeCaption } from '../detect/column-names.ts';
import { isNumericLabel } from '../detect/column-traits.ts';
import type { ColumnView, TableView } from '../detect/column-views.ts';
import type { ForeignKey } from '../detect/foreign-keys/find-foreign-keys.ts';
import { findHierarchies, type Hierarchy } from '../detect/hierarchies.ts';
import { isTemporal } from '../detect/type-family.ts';
import type { Dimension, Level } from '../proposal/schema.ts';
import type { Titles } from '../proposal/titles.ts';
import { type DimensionPlace, dateDimension, dateName, isDate } from './dates.ts';
import { isHeader } from './facts.ts';
import { isCalendarTable, isMeasure, isUseful } from './measures.ts';
import type { SingleKeys } from './single-keys.ts';
import { Names } from './unique-names.ts';

/** Attributes of one table that become separate dimensions, and their members at most. */
const MAX_ATTRIBUTES = 8;
const MAX_ATTRIBUTE_MEMBERS = 200;
/** Tables that hang behind a dimension's table. */
const MAX_JOINS = 3;

/** The shared data of one cube's dimensions. */
export interface Reach {
  readonly keys: SingleKeys;
  readonly names: Names;
  /** The foreign keys of the facts. */
  readonly factKeys: readonly ForeignKey[];
  readonly titles: Titles;
}

/** A table that the facts refer to, by one of their keys and by keys of the tables between. */
interface Way {
  readonly root: ForeignKey;
  readonly joined: readonly ForeignKey[];
  /** Captions of the tables along the path, for names that are taken. */
  readonly prefix: string;
}

/**
 * Lists the dimensions that a foreign key of the facts leads to: of its table, and of the tables behind it, each once. The dates of
 * a header (an order with its lines) are dates of its lines.
 */
export function proposeDimensions(root: ForeignKey, reach: Reach): readonly Dimension[] {
  const seen = new Set(reach.factKeys.flatMap(({ to: [key] }) => (key === undefined ? [] : [key.table])));
  return behind({ root, joined: [], prefix: '' }, reach.factKeys, reach, seen);
}

function behind(way: Way, siblings: readonly ForeignKey[], reach: Reach, seen: Set<TableView>): readonly Dimension[] {
  const { keys } = reach;
  const last = way.joined.at(-1) ?? way.root;
  const key = last.to[0];
  if (key === undefined) return [];
  const { table } = key;
  const isOfEvents = isHeader(table, keys);
  const chain = isOfEvents ? [] : chainBehind(key, keys, MAX_JOINS - way.joined.length);
  const made = tableDimensions(way, chain, siblings, reach);
  const caption = captionOfTable(last, siblings);
  const place = dimensionPlace(way.root, way.joined);
  const dates = isOfEvents
    ? table.columns.filter((column) => isDate(column) && isUseful(column) && !keys.isReference(column))
    : [];
  const end = chain.at(-1)?.to[0]?.table ?? table;
  for (const {
    to: [target],
  } of chain)
    if (target !== undefined) seen.add(target.table);
  const onward = keys.from(end).filter(({ to: [target] }) => isOnward(target, seen, isOfEvents));
  const further = [...way.joined, ...chain];
  const prefix = `${way.prefix}${caption} `;
  return [
    ...made,
    ...dates.map((column) =>
      dateDimension(column, place, reach.names.free(dateName(column), prefix + dateName(column)), reach.titles),
    ),
    ...(further.length >= MAX_JOINS ? [] : onward).flatMap((next) => {
      const {
        to: [target],
      } = next;
      // Two keys of one table to another are two roles; another path does not reach the table again.
      const isRole = onward.some((other) => other !== next && other.to[0]?.table === target?.table);
      if (target === undefined || (seen.has(target.table) && !isRole)) return [];
      seen.add(target.table);
      return behind({ root: way.root, joined: [...further, next], prefix }, keys.from(end), reach, seen);
    }),
  ];
}

function isOnward(target: ColumnView | undefined, seen: ReadonlySet<TableView>, isOfEvents: boolean): boolean {
  return target !== undefined && !seen.has(target.table) && (isOfEvents || !isCalendarTable(target.table));
}

function dimensionPlace(root: ForeignKey, joined: readonly ForeignKey[]): DimensionPlace {
  const [column, key] = [root.from[0], root.to[0]];
  const joins = joined.map(({ from: [left], to: [right] }) => ({
    tableSchema: right?.table.schema ?? '',
    tableName: right?.table.name ?? '',
    leftKey: left?.name ?? '',
    rightKey: right?.name ?? '',
  }));
  return {
    foreignKey: column?.name ?? '',
    tableSchema: key?.table.schema ?? '',
    tableName: key?.table.name ?? '',
    primaryKey: key?.name ?? '',
    ...(joins.length === 0 ? {} : { joins }),
  };
}

function captionOfTable({ from: [column], to: [key] }: ForeignKey, siblings: readonly ForeignKey[]): string {
  if (column === undefined || key === undefined) return '';
  const isRole = siblings.some((other) => other.from[0] !== column && other.to[0]?.table === key.table);
  return isRole ? writeCaption(column.stem.join(' ') || column.name) : writeCaption(subjectName(key.table));
}

/** Lists the dimensions of a table and its chain: the main one with its hierarchy, and one for each attribute of few values. */
function tableDimensions(
  { root, joined, prefix }: Way,
  chain: readonly ForeignKey[],
  siblings: readonly ForeignKey[],
  { keys, names, titles }: Reach,
): readonly Dimension[] {
  const last = joined.at(-1) ?? root;
  const key = last.to[0];
  if (key === undefined) return [];
  const { table } = key;
  const { reason } = last;
  const caption = captionOfTable(last, siblings);
  const tables = [table, ...chain.flatMap(({ to: [target] }) => (target === undefined ? [] : [target.table]))];
  const used = new Set<ColumnView>();
  const all: Dimension[] = [];
  const add = (name: string, levels: readonly ColumnView[], why: string): void => {
    if (levels.length === 0) return;
    for (const level of levels) used.add(level);
    // Columns of the first table need no joins of the chain.
    const joins = levels.some((level) => level.table !== table) ? [...joined, ...chain] : joined;
    all.push({
      name: names.free(name, prefix + name),
      ...dimensionPlace(root, joins),
      levels: writeLevels(levels, joins.length > 0),
      reason: why,
    });
  };
  const hierarchies = tables
    .flatMap(findHierarchies)
    .map((each) => ({ ...each, levels: each.levels.filter(isUseful) }));
  // Levels of its own table come before levels of the tables behind it.
  const main = hierarchies.find((each) => each.table === table) ?? hierarchies[0];
  const leaf = findLeaf(table, key);
  if (main === undefined || main.levels.length === 0) add(caption, leaf === undefined ? [key] : [leaf], reason);
  else {
    const ends = main.kind === 'calendar' || leaf === undefined || main.levels.includes(leaf) ? [] : [leaf];
    add(caption, [...main.levels, ...ends], `${reason} ${main.reason}`);
  }
  const tree = joined.length === 0 ? treeOf(table, keys) : undefined;
  if (tree !== undefined)
    all.push({
      name: names.free(titles.tree(caption), prefix + titles.tree(caption)),
      ...dimensionPlace(root, []),
      ...tree,
    });
  for (const hierarchy of hierarchies) {
    if (hierarchy !== main && hierarchy.levels.length > 1 && !hierarchy.levels.some((level) => used.has(level)))
      add(`${caption} ${hierarchyName(hierarchy)}`, hierarchy.levels, hierarchy.reason);
  }
  if (!isCalendarTable(table)) {
    const attributes = tables
      .flatMap((each) => each.columns)
      .filter((each) => isAttribute(each, keys) && !used.has(each));
    for (const attribute of attributes.slice(0, MAX_ATTRIBUTES))
      add(
        `${caption} ${writeCaption(attribute.name)}`,
        [attribute],
        `It has ${attribute.column.distinctApprox} different values.`,
      );
  }
  return all;
}

const HIERARCHY_NAMES = { calendar: 'Calendar', place: 'Location', class: 'Classification' } as const;

function hierarchyName({ kind, role }: Pick<Hierarchy, 'kind' | 'role'>): string {
  return role === '' ? HIERARCHY_NAMES[kind] : `${writeCaption(role)} ${HIERARCHY_NAMES[kind]}`;
}

/** Lists the tables that are reached from a dimension's table, in order, as far as there is only one path. */
function chainBehind(key: ColumnView, keys: SingleKeys, most: number): readonly ForeignKey[] {
  const chain: ForeignKey[] = [];
  const seen = new Set([key.table]);
  let at: TableView | undefined = key.table;
  while (at !== undefined && chain.length < most) {
    const onward: readonly ForeignKey[] = keys
      .from(at)
      .filter(({ to: [target] }) => target !== undefined && !seen.has(target.table) && !isCalendarTable(target.table));
    const [next] = onward;
    if (next === undefined || onward.length > 1 || (next.from[0]?.column.nulls ?? 0) > 0 || next.coverage < 1) break;
    chain.push(next);
    at = next.to[0]?.table;
    if (at !== undefined) seen.add(at);
  }
  return chain;
}

/** Finds a text that distinguishes the members of a table. */
function findLeaf(table: TableView, key: ColumnView): ColumnView | undefined {
  const named = table.columns.filter(
    (column) =>
      column !== key &&
      column.family === 'text' &&
      isUseful(column) &&
      /name|title|label|bezeichnung/i.test(column.name),
  );
  return named.find(({ column }) => column.distinctApprox >= 0.9 * table.rows);
}

export function isAttribute(column: ColumnView, keys: SingleKeys): boolean {
  const { family, isKeyName, isUnique, column: profile } = column;
  // A code that leads to no table still groups its rows: the `sku` of a line.
  const isPlainKey = isKeyName && (family !== 'text' || isUnique);
  return (
    (family === 'text' || family === 'boolean' || (isNumericLabel(column) && !isMeasure(column, keys))) &&
    !isPlainKey &&
    isUseful(column) &&
    !isDate(column) &&
    profile.distinctApprox > 1 &&
    profile.distinctApprox <= MAX_ATTRIBUTE_MEMBERS &&
    !keys.isReference(column)
  );
}

/** Returns the level of a tree: a table with a key that points to the table itself, as of categories within categories. */
function treeOf(table: TableView, keys: SingleKeys): Pick<Dimension, 'levels' | 'reason'> | undefined {
  const own = keys.from(table).filter(({ to: [target] }) => target?.table === table);
  const [parent, key] = [own[0]?.from[0], own[0]?.to[0]];
  // Two such keys, as of a successor beside a parent, are no tree that anybody asked for.
  if (own.length !== 1 || parent === undefined || key === undefined) return undefined;
  const leaf = findLeaf(table, key);
  return {
    levels: [
      {
        name: writeCaption(subjectName(table)),
        column: key.name,
        ...(leaf === undefined ? {} : { nameColumn: leaf.name }),
        parentColumn: parent.name,
        type: levelType(key),
        uniqueMembers: true,
        members: key.column.distinctApprox,
      },
    ],
    reason: `${parent.name} has the key of the parent in ${table.name}: a tree of any depth.`,
  };
}

/** Lists columns of the fact table itself by which one may group: degenerate dimensions. */
export function ownDimensions(fact: TableView, keys: SingleKeys, names: Names, titles: Titles): readonly Dimension[] {
  const place = { foreignKey: '', tableSchema: fact.schema, tableName: fact.name, primaryKey: '' };
  const hierarchies = findHierarchies(fact)
    .map((each) => ({ ...each, levels: each.levels.filter((level) => isUseful(level) && !isDate(level)) }))
    .filter(({ levels }) => levels.length > 1);
  const used = new Set(hierarchies.flatMap(({ levels }) => levels));
  const attributes = fact.columns.filter((column) => isAttribute(column, keys) && !used.has(column));
  const tree = treeOf(fact, keys);
  return [
    ...(tree === undefined
      ? []
      : [{ name: names.free(titles.tree(writeCaption(subjectName(fact)))), ...place, ...tree }]),
    ...hierarchies.map(({ kind, role, levels, reason }) => ({
      name: names.free(hierarchyName({ kind, role })),
      ...place,
      levels: writeLevels(levels, false),
      reason,
    })),
    ...attributes.slice(0, 2 * MAX_ATTRIBUTES).map((column) => ({
      name: names.free(writeCaption(column.name)),
      ...place,
      levels: writeLevels([column], false),
      reason: `A column of the fact table with ${column.column.distinctApprox} different values.`,
    })),
  ];
}

function writeLevels(columns: readonly ColumnView[], isJoined: boolean): Level[] {
  const names = new Names();
  return columns.map((column, index) => ({
    name: names.free(writeCaption(column.name)),
    column: column.name,
    type: levelType(column),
    // A city of one name may lie in two states; a day is one day.
    uniqueMembers: index === 0 || column.isUnique || isTemporal(column.family),
    ...(isJoined ? { tableName: column.table.name } : {}),
    members: column.column.distinctApprox,
  }));
}

function levelType({ family }: ColumnView): Level['type'] {
  switch (family) {
    case 'integer':
      return 'Integer';
    case 'decimal':
      return 'Numeric';
    case 'boolean':
      return 'Boolean';
    case 'date':
      return 'Date';
    case 'timestamp':
      return 'Timestamp';
    default:
      return 'String';
  }
}

function subjectName({ name }: TableView): string {
  return name.replace(/^(dim|d|dimension|tbl|lkp)_/i, '').replace(/_(dim|dimension)$/i, '');
}
