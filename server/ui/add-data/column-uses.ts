/** The use of each column in the suggested model, and how the user changes it. Each change returns a new draft. */

import { type JsonObject, readList, readObject, readText, readTextOrDefault } from '../api-client/json.ts';
import { inWords } from '../words/server-words.ts';
import { msg } from '../words/words.ts';
import {
  allLevels,
  type ChosenUse,
  type ColumnUse,
  type Draft,
  type DraftCube,
  type DraftDimension,
  type DraftMeasure,
  keptLevels,
  parseLevel,
  type TypedColumn,
} from './draft.ts';
import { readingOf } from './reading.ts';

const LEVEL_TYPES = { text: 'String', number: 'Numeric', date: 'Date', boolean: 'Boolean' } as const;

/** Returns the use of each column in the kept suggestions, by `table.column`. */
export function listColumnUses({ cubes }: Pick<Draft, 'cubes'>): ReadonlyMap<string, ColumnUse> {
  const uses = new Map<string, ColumnUse>();
  const add = (table: string, column: string, use: ColumnUse): void => {
    if (!uses.has(`${table}.${column}`)) uses.set(`${table}.${column}`, use);
  };
  const kept = cubes.filter(({ isKept }) => isKept);
  // A measure of its own facts is an attribute of the lines below them: the use that shows more counts.
  for (const cube of kept)
    for (const { tableName, column } of readColumns(cube, 'personal')) add(tableName, column, 'personal');
  for (const cube of kept)
    for (const { column, aggregator } of cube.measures.filter(({ isKept }) => isKept))
      if (showsValues(aggregator)) add(cube.factTable, column, aggregator === 'avg' ? 'average' : 'measure');
  for (const cube of kept)
    for (const dimension of cube.dimensions.filter(({ isKept }) => isKept))
      for (const { table, column } of keptLevels(dimension)) add(table, column, 'dimension');
  for (const cube of kept)
    for (const { tableName, column } of readColumns(cube, 'attributes')) add(tableName, column, 'attribute');
  return uses;
}

/** Returns the reasons of columns that are only attributes, by `table.column`. */
export function listAttributeReasons({ cubes }: Pick<Draft, 'cubes'>): ReadonlyMap<string, string> {
  return new Map(
    cubes
      .filter(({ isKept }) => isKept)
      .flatMap((cube) =>
        readColumns(cube, 'attributes').map(
          ({ tableName, column, raw }) =>
            [`${tableName}.${column}`, inWords(readTextOrDefault(raw, 'reason', ''))] as const,
        ),
      ),
  );
}

/** Returns the uses that a column of a table may have; none where no kept cube has the table. */
export function listPossibleUses({ cubes }: Pick<Draft, 'cubes'>, { table, type }: TypedColumn): readonly ColumnUse[] {
  const kept = cubes.filter((cube) => cube.isKept && schemaOf(cube, table) !== undefined);
  if (kept.length === 0) return [];
  const isNumber = readingOf(type) === 'number' && kept.some(({ factTable }) => factTable === table);
  return [...(isNumber ? (['measure', 'average'] as const) : []), 'dimension', 'attribute', 'personal', 'none'];
}

/** Returns the draft with another use of a column, in each cube that has its table. */
export function chooseUse(draft: Draft, chosen: ChosenUse): Draft {
  const others = (draft.uses ?? []).filter(({ table, column }) => table !== chosen.table || column !== chosen.column);
  return {
    ...draft,
    uses: [...others, chosen],
    cubes: draft.cubes.map((cube) => {
      const schema = schemaOf(cube, chosen.table);
      return schema === undefined ? cube : withUse(withoutUse(cube, chosen), chosen, schema);
    }),
  };
}

/** Removes a column from everything that shows its values. */
function withoutUse(cube: DraftCube, { table, column }: ChosenUse): DraftCube {
  const isOther = (each: { readonly tableName: string; readonly column: string }): boolean =>
    each.tableName !== table || each.column !== column;
  const rest = (member: ColumnList): JsonObject =>
    cube.raw[member] === undefined
      ? {}
      : {
          [member]: readColumns(cube, member)
            .filter(isOther)
            .map(({ raw }) => raw),
        };
  return {
    ...cube,
    raw: { ...cube.raw, ...rest('personal'), ...rest('attributes') },
    measures: cube.measures.map((measure) =>
      cube.factTable === table && measure.column === column && showsValues(measure.aggregator)
        ? { ...measure, isKept: false }
        : measure,
    ),
    dimensions: cube.dimensions.map((dimension) => {
      if (!allLevels(dimension).some((level) => level.table === table && level.column === column)) return dimension;
      const leftOutColumns = [...(dimension.leftOutColumns ?? []), `${table}.${column}`];
      const without = withLevels({ ...dimension, leftOutColumns });
      return keptLevels(without).length === 0 ? { ...without, isKept: false } : without;
    }),
  };
}

function withUse(cube: DraftCube, chosen: ChosenUse, tableSchema: string): DraftCube {
  const { table, column, type, use } = chosen;
  const placed = { tableSchema, tableName: table, column };
  switch (use) {
    case 'measure':
    case 'average':
      return cube.factTable === table ? withMeasure(cube, column, use) : cube;
    case 'dimension':
      return withDimension(cube, chosen);
    case 'attribute':
      return withColumn(cube, 'attributes', { ...placed, ...(readingOf(type) === 'date' ? { isTime: true } : {}) });
    case 'personal':
      return withColumn(cube, 'personal', placed);
    case 'none':
      return cube;
  }
}

function withColumn(cube: DraftCube, member: ColumnList, column: JsonObject): DraftCube {
  return { ...cube, raw: { ...cube.raw, [member]: [...readColumns(cube, member).map(({ raw }) => raw), column] } };
}

function withMeasure(cube: DraftCube, column: string, use: 'measure' | 'average'): DraftCube {
  const at = cube.measures.findIndex((each) => each.column === column && showsValues(each.aggregator));
  const existing = cube.measures[at];
  if (existing === undefined) {
    const aggregator = use === 'average' ? 'avg' : 'sum';
    const name = freeCaption(column, cube.measures);
    const raw = { name, column, aggregator, format: '#,##0.00' };
    const measure: DraftMeasure = { raw, name, column, aggregator, weight: '', reason: chosen(), isKept: true };
    return { ...cube, measures: [...cube.measures, measure] };
  }
  const suggested = existing.raw.aggregator === 'avg' ? 'sum' : readText(existing.raw, 'aggregator');
  const aggregator = use === 'average' ? 'avg' : suggested;
  return {
    ...cube,
    measures: cube.measures.map((each, place) => (place === at ? { ...existing, aggregator, isKept: true } : each)),
  };
}

function withDimension(cube: DraftCube, { table, column, type }: ChosenUse): DraftCube {
  const key = `${table}.${column}`;
  const isOf = (dimension: DraftDimension): boolean =>
    allLevels(dimension).some((level) => level.table === table && level.column === column);
  if (cube.dimensions.some(isOf)) {
    return {
      ...cube,
      dimensions: cube.dimensions.map((dimension) =>
        isOf(dimension)
          ? withLevels({
              ...dimension,
              isKept: true,
              leftOutColumns: (dimension.leftOutColumns ?? []).filter((each) => each !== key),
            })
          : dimension,
      ),
    };
  }
  const place = placeOf(cube, table);
  if (place === undefined) return cube;
  const name = freeCaption(column, cube.dimensions);
  const isJoined = readList(place.joins ?? [], 'joins', (each) => each).length > 0;
  const level = {
    name,
    column,
    type: LEVEL_TYPES[readingOf(type)],
    uniqueMembers: true,
    ...(isJoined ? { tableName: table } : {}),
  };
  const raw = { ...place, name, levels: [level] };
  const dimension: DraftDimension = {
    raw,
    name,
    table: readText(place, 'tableName'),
    reason: chosen(),
    isKept: true,
    isOfKeysOnly: false,
    levels: [{ name, datePart: '' }],
  };
  return { ...cube, dimensions: [...cube.dimensions, dimension] };
}

function withLevels(dimension: DraftDimension): DraftDimension {
  return { ...dimension, levels: keptLevels(dimension).map(({ raw }) => parseLevel(raw)) };
}

/** Returns the reason of what the user chose. */
function chosen(): string {
  return msg('You chose it.');
}

/** Returns the path from the facts to a table, as a dimension has it. */
function placeOf(cube: DraftCube, table: string): JsonObject | undefined {
  if (table === cube.factTable) {
    const { factTableSchema: tableSchema, factTableName: tableName } = cube.raw;
    return { foreignKey: '', tableSchema, tableName, primaryKey: '' };
  }
  const near =
    cube.dimensions.find((dimension) => dimension.table === table) ??
    cube.dimensions.find((dimension) => tablesOf(dimension).some(({ name }) => name === table));
  if (near === undefined) return undefined;
  const { levels: _, reason: _reason, joins, ...place } = near.raw;
  const all = readList(joins ?? [], 'joins', (each) => readObject(each, 'a join'));
  const end = all.findIndex((join) => join.tableName === table) + 1;
  return { ...place, ...(end === 0 ? {} : { joins: all.slice(0, end) }) };
}

function freeCaption(column: string, taken: readonly { readonly name: string }[]): string {
  const words = column.replaceAll(/[_\s]+/g, ' ').trim();
  const caption = words.slice(0, 1).toUpperCase() + words.slice(1);
  const isTaken = (name: string): boolean => taken.some((each) => each.name.toLowerCase() === name.toLowerCase());
  for (let number = 1; ; number++) {
    const name = number === 1 ? caption : `${caption} ${number}`;
    if (!isTaken(name)) return name;
  }
}

/** A count shows none of the values that it counts. */
function showsValues(aggregator: string): boolean {
  return aggregator !== 'count' && aggregator !== 'distinct-count';
}

type ColumnList = 'personal' | 'attributes';

function readColumns({ raw }: DraftCube, member: ColumnList) {
  return readList(raw[member] ?? [], member, (each) => {
    const column = readObject(each, 'a column');
    return { raw: column, tableName: readText(column, 'tableName'), column: readText(column, 'column') };
  });
}

function tablesOf({ raw }: DraftDimension): readonly { readonly name: string; readonly schema: string }[] {
  const joins = readList(raw.joins ?? [], 'joins', (each) => readObject(each, 'a join'));
  return [raw, ...joins].map((each) => ({
    name: readText(each, 'tableName'),
    schema: readTextOrDefault(each, 'tableSchema', ''),
  }));
}

/** Returns the schema of a table that the cube has; `undefined` for other tables. */
function schemaOf(cube: DraftCube, table: string): string | undefined {
  if (cube.factTable === table) return readTextOrDefault(cube.raw, 'factTableSchema', '');
  return cube.dimensions.flatMap(tablesOf).find(({ name }) => name === table)?.schema;
}
