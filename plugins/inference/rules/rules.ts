/** Makes a proposal from a profile by rules, without a language model. Pure. */
import type { ColumnView, TableView } from '../detect/columns.ts';
import { type Detected, detect } from '../detect/detect.ts';
import type { ForeignKey } from '../detect/foreign-keys.ts';
import { type Hierarchy, hierarchiesOf } from '../detect/hierarchies.ts';
import { captionOf } from '../detect/names.ts';
import { isNumericLabel, personalReason } from '../detect/traits.ts';
import { isTemporal } from '../detect/type-family.ts';
import type { CompositeKey, Cube, CubeProposal, Dimension, Level } from '../proposal/schema.ts';
import type { SchemaProfile } from '../schemas.ts';
import { isCalendarTable, isMeasure, isUseful, measuresOf } from './measures.ts';
import { Names } from './names.ts';
import { SingleKeys } from './single-keys.ts';

const MAX_CUBES = 20;
/** Attributes of one table that become dimensions of their own, and their members at most. */
const MAX_ATTRIBUTES = 8;
const MAX_ATTRIBUTE_MEMBERS = 200;
/** Tables that hang behind a dimension's table. */
const MAX_JOINS = 3;

export interface RuleOptions {
  readonly schemaName: string;
  readonly factTable?: { readonly schema?: string | undefined; readonly name: string } | undefined;
}

/** Returns a proposal; without cubes where the profile has nothing to count. */
export function proposeByRules(
  profile: Pick<SchemaProfile, 'tables' | 'references'>,
  { schemaName, factTable }: RuleOptions,
  detected: Detected = detect(profile),
): CubeProposal {
  const { tables, keys: all } = detected;
  const keys = new SingleKeys(all);
  const facts = factsOf(tables, keys, factTable);
  return { schemaName, cubes: facts.slice(0, MAX_CUBES).map((fact) => cubeOf(fact, keys, all)) };
}

/**
 * Lists the tables that are worth a cube: the one that is asked for, else those that refer to others and have
 * numbers, the largest first.
 */
function factsOf(
  tables: readonly TableView[],
  keys: SingleKeys,
  asked: RuleOptions['factTable'],
): readonly TableView[] {
  if (asked !== undefined)
    return tables.filter(({ name, schema }) => name === asked.name && (asked.schema ?? schema) === schema);
  const refers = (table: TableView): boolean => keys.from(table).some(({ to }) => to[0]?.table !== table);
  const isReferred = (table: TableView): boolean => keys.isReferred(table);
  const hasMeasures = (table: TableView): boolean => table.columns.some((column) => isMeasure(column, keys));
  const hasDates = (table: TableView): boolean => table.columns.some(({ family }) => isTemporal(family));
  const bySize = tables.filter(({ rows }) => rows > 0).toSorted((left, right) => right.rows - left.rows);
  const facts = bySize.filter(
    (table) => !isReferred(table) && hasMeasures(table) && (refers(table) || (hasDates(table) && tables.length === 1)),
  );
  if (facts.length > 0) return facts;
  const withNumbers = bySize.filter(hasMeasures);
  return (withNumbers.length > 0 ? withNumbers : bySize).slice(0, 1);
}

function cubeOf(fact: TableView, keys: SingleKeys, all: readonly ForeignKey[]): Cube {
  const own = keys.from(fact).filter(({ to }) => to[0]?.table !== fact);
  const names = new Names();
  const dimensions = [
    ...own.flatMap((key) => dimensionsOf(key, keys, names, own)),
    ...fact.columns
      .filter(
        (column) => isTemporal(column.family) && !own.some(({ from }) => from.includes(column)) && isUseful(column),
      )
      .map((column) => dateDimension(column, names)),
    ...ownDimensions(fact, keys, names),
  ];
  const composite = compositeKeysOf(fact, all, keys);
  const personal = personalIn([
    fact,
    ...own.flatMap(({ to: [target] }) => (target === undefined ? [] : [target.table])),
  ]);
  return {
    name: captionOf(fact.name),
    factTableSchema: fact.schema,
    factTableName: fact.name,
    measures: measuresOf(fact, keys, own),
    dimensions,
    ...(personal.length === 0 ? {} : { personal }),
    ...(composite.length === 0 ? {} : { compositeKeys: composite }),
  };
}

function personalIn(tables: readonly TableView[]): NonNullable<Cube['personal']> {
  return [...new Set(tables)]
    .flatMap(({ columns }) => columns)
    .filter((column) => personalReason(column) !== undefined)
    .map(({ name, table }) => ({ tableSchema: table.schema, tableName: table.name, column: name }));
}

/** Lists the tables that only several columns of the facts together lead to. */
function compositeKeysOf(fact: TableView, all: readonly ForeignKey[], keys: SingleKeys): CompositeKey[] {
  const own = all.filter(({ from }) => from.length > 1 && from[0]?.table === fact);
  return own.flatMap(({ from, to, reason }): CompositeKey[] => {
    const table = to[0]?.table;
    if (table === undefined || keys.from(fact).some((single) => single.to[0]?.table === table)) return [];
    const attributes = table.columns.filter((column) => !to.includes(column) && isAttribute(column, keys));
    return [
      {
        columns: from.map(({ name }) => name),
        tableSchema: table.schema,
        tableName: table.name,
        keyColumns: to.map(({ name }) => name),
        attributes: attributes.map(({ name }) => name),
        reason,
      },
    ];
  });
}

/**
 * Lists the dimensions that a foreign key leads to: the main one with its hierarchy, and one for each attribute of
 * few values.
 */
function dimensionsOf(
  { from, to, reason }: ForeignKey,
  keys: SingleKeys,
  names: Names,
  siblings: readonly ForeignKey[],
): readonly Dimension[] {
  const [column, key] = [from[0], to[0]];
  if (column === undefined || key === undefined) return [];
  const { table } = key;
  const isRole = siblings.some((other) => other.from[0] !== column && other.to[0]?.table === table);
  const caption = isRole ? captionOf(column.stem.join(' ') || column.name) : captionOf(subjectName(table));
  const chain = chainBehind(key, keys);
  const place = { foreignKey: column.name, tableSchema: table.schema, tableName: table.name, primaryKey: key.name };
  const joined = chain.map((each) => ({
    tableSchema: each.to[0]?.table.schema ?? '',
    tableName: each.to[0]?.table.name ?? '',
    leftKey: each.from[0]?.name ?? '',
    rightKey: each.to[0]?.name ?? '',
  }));
  const tables = [table, ...chain.flatMap(({ to: [target] }) => (target === undefined ? [] : [target.table]))];
  const used = new Set<ColumnView>();
  const all: Dimension[] = [];
  const add = (name: string, levels: readonly ColumnView[], why: string): void => {
    if (levels.length === 0) return;
    for (const level of levels) used.add(level);
    // What stands in the first table needs no joins.
    const isJoined = levels.some((level) => level.table !== table);
    all.push({
      name: names.free(name),
      ...place,
      levels: levelsOf(levels, isJoined),
      ...(isJoined ? { joins: joined } : {}),
      reason: why,
    });
  };
  const hierarchies = tables.flatMap(hierarchiesOf).map((each) => ({ ...each, levels: each.levels.filter(isUseful) }));
  // What its own table says comes before what hangs behind it.
  const main = hierarchies.find((each) => each.table === table) ?? hierarchies[0];
  const leaf = leafOf(table, key);
  if (main === undefined || main.levels.length === 0) add(caption, leaf === undefined ? [key] : [leaf], reason);
  else {
    const ends = main.kind === 'calendar' || leaf === undefined || main.levels.includes(leaf) ? [] : [leaf];
    add(caption, [...main.levels, ...ends], `${reason} ${main.reason}`);
  }
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
        `${caption} ${captionOf(attribute.name)}`,
        [attribute],
        `It has ${attribute.column.distinctApprox} different values.`,
      );
  }
  return all;
}

const HIERARCHY_NAMES = { calendar: 'Calendar', place: 'Location', class: 'Classification' } as const;

function hierarchyName({ kind, role }: Pick<Hierarchy, 'kind' | 'role'>): string {
  return role === '' ? HIERARCHY_NAMES[kind] : `${captionOf(role)} ${HIERARCHY_NAMES[kind]}`;
}

/** Lists the tables that one reaches from a dimension's table, one after the other, as far as there is one way. */
function chainBehind(key: ColumnView, keys: SingleKeys): readonly ForeignKey[] {
  const chain: ForeignKey[] = [];
  const seen = new Set([key.table]);
  let at: TableView | undefined = key.table;
  while (at !== undefined && chain.length < MAX_JOINS) {
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

/** Finds a text that tells the members of a table apart. */
function leafOf(table: TableView, key: ColumnView): ColumnView | undefined {
  const named = table.columns.filter(
    (column) =>
      column !== key &&
      column.family === 'text' &&
      isUseful(column) &&
      /name|title|label|bezeichnung/i.test(column.name),
  );
  return named.find(({ column }) => column.distinctApprox >= 0.9 * table.rows);
}

function isAttribute(column: ColumnView, keys: SingleKeys): boolean {
  const { family, isKeyName, column: profile } = column;
  return (
    (family === 'text' || family === 'boolean' || (isNumericLabel(column) && !isMeasure(column, keys))) &&
    !isKeyName &&
    isUseful(column) &&
    profile.distinctApprox > 1 &&
    profile.distinctApprox <= MAX_ATTRIBUTE_MEMBERS &&
    !keys.isReference(column)
  );
}

/** Lists columns of the fact table itself by which one may group: degenerate dimensions. */
function ownDimensions(fact: TableView, keys: SingleKeys, names: Names): readonly Dimension[] {
  const place = { foreignKey: '', tableSchema: fact.schema, tableName: fact.name, primaryKey: '' };
  const hierarchies = hierarchiesOf(fact)
    .map((each) => ({ ...each, levels: each.levels.filter((level) => isUseful(level) && !isTemporal(level.family)) }))
    .filter(({ levels }) => levels.length > 1);
  const used = new Set(hierarchies.flatMap(({ levels }) => levels));
  const attributes = fact.columns.filter((column) => isAttribute(column, keys) && !used.has(column));
  return [
    ...hierarchies.map(({ kind, role, levels, reason }) => ({
      name: names.free(hierarchyName({ kind, role })),
      ...place,
      levels: levelsOf(levels, false),
      reason,
    })),
    ...attributes.slice(0, 2 * MAX_ATTRIBUTES).map((column) => ({
      name: names.free(captionOf(column.name)),
      ...place,
      levels: levelsOf([column], false),
      reason: `A column of the fact table with ${column.column.distinctApprox} different values.`,
    })),
  ];
}

function dateDimension(column: ColumnView, names: Names): Dimension {
  const part = (name: string, datePart: Level['datePart'], type: Level['type'], uniqueMembers: boolean): Level => ({
    name,
    column: column.name,
    type,
    uniqueMembers,
    datePart,
  });
  return {
    name: names.free(captionOf(column.name)),
    foreignKey: '',
    tableSchema: column.table.schema,
    tableName: column.table.name,
    primaryKey: '',
    levels: [
      part('Year', 'year', 'Integer', true),
      part('Quarter', 'quarter', 'Integer', false),
      part('Month', 'month', 'Integer', false),
      part('Day', 'day', 'Date', true),
    ],
    reason: 'A date: years, quarters, months and days follow from it.',
  };
}

function levelsOf(columns: readonly ColumnView[], isJoined: boolean): Level[] {
  const names = new Names();
  return columns.map((column, index) => ({
    name: names.free(captionOf(column.name)),
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
