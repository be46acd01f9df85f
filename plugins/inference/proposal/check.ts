/** Checks a proposal for contradictions and against the tables of its profile. Pure. */
import type { Table } from '../schemas.ts';
import type { Cube, CubeProposal, Dimension } from './schema.ts';

/** Returns the contradictions of a proposal. */
export function findContradictions({ cubes }: CubeProposal): readonly string[] {
  if (cubes.length === 0) return ['The proposal has no cubes.'];
  return [...duplicates('cube', cubes), ...cubes.flatMap(cubeContradictions)];
}

function cubeContradictions(cube: Cube): readonly string[] {
  const at = `Cube "${cube.name}"`;
  return [
    ...(cube.measures.length === 0 ? [`${at} has no measures.`] : []),
    ...duplicates(`measure of ${at}`, cube.measures),
    ...cube.measures.flatMap((measure) => weightContradictions(measure, at)),
    ...duplicates(`dimension of ${at}`, cube.dimensions),
    ...cube.dimensions.flatMap((dimension) => dimensionContradictions(cube, dimension, at)),
  ];
}

function weightContradictions(
  { name, column, aggregator, weight }: Cube['measures'][number],
  at: string,
): readonly string[] {
  if (weight === undefined) return [];
  return [
    ...(aggregator === 'avg' ? [] : [`${at}, measure "${name}" has a weight, but is not averaged.`]),
    ...(weight === column ? [`${at}, measure "${name}" is weighted by its own column.`] : []),
  ];
}

function dimensionContradictions(cube: Cube, dimension: Dimension, cubeName: string): readonly string[] {
  const at = `${cubeName}, dimension "${dimension.name}"`;
  const { foreignKey, primaryKey, tableName, levels, joins = [] } = dimension;
  const tables = new Set([tableName, ...joins.map((join) => join.tableName)]);
  const isOwn = foreignKey === '' && tableName === cube.factTableName && joins.length === 0;
  return [
    ...(levels.length === 0 ? [`${at} has no levels.`] : []),
    ...(foreignKey === '' && !isOwn ? [`${at} is of another table than the facts, but names no foreignKey.`] : []),
    ...(foreignKey !== '' && primaryKey === '' ? [`${at} has a foreignKey, but no primaryKey.`] : []),
    ...(foreignKey === '' && primaryKey !== '' ? [`${at} has a primaryKey, but no foreignKey.`] : []),
    ...(tables.size !== joins.length + 1 ? [`${at} joins a table twice.`] : []),
    ...levels.flatMap(({ name, tableName: of }) =>
      of !== undefined && !tables.has(of)
        ? [`${at}, level "${name}" is of the table "${of}", which it does not join.`]
        : [],
    ),
    ...(levels.length > 1 && levels.some(({ parentColumn }) => parentColumn !== undefined)
      ? [`${at} is a tree, whose level is the only one.`]
      : []),
    ...duplicates(`level of ${at}`, levels),
  ];
}

function duplicates(what: string, named: readonly { readonly name: string }[]): readonly string[] {
  const seen = new Set<string>();
  return named.flatMap(({ name }) => {
    if (seen.has(name.toLowerCase())) return [`There are two of the name "${name}" (${what}).`];
    seen.add(name.toLowerCase());
    return [];
  });
}

/** Returns the names in a proposal that the profile does not have. */
export function unknownNames({ cubes }: CubeProposal, tables: readonly Table[]): readonly string[] {
  const missing = (schema: string, name: string, columns: readonly string[], at: string): readonly string[] => {
    const table = tables.find((each) => each.name === name && (schema === '' || each.schema === schema));
    if (table === undefined) return [`${at}: there is no table "${name}" in the profile.`];
    return columns
      .filter((column) => !table.columns.some((each) => each.name === column))
      .map((column) => `${at}: the table "${name}" has no column "${column}".`);
  };
  return cubes.flatMap((cube) => [
    ...missing(
      cube.factTableSchema,
      cube.factTableName,
      [
        ...cube.measures.flatMap(({ column, weight, where }) => [
          column,
          ...(weight === undefined ? [] : [weight]),
          ...(where === undefined ? [] : [where.column]),
        ]),
        ...cube.dimensions.map(({ foreignKey }) => foreignKey).filter((key) => key !== ''),
      ],
      `Cube "${cube.name}"`,
    ),
    ...cube.dimensions.flatMap((dimension) => {
      const { tableSchema, tableName, primaryKey, joins = [], levels } = dimension;
      const at = `Cube "${cube.name}", dimension "${dimension.name}"`;
      const columnsOf = (table: string): string[] =>
        levels
          .filter((level) => (level.tableName ?? tableName) === table)
          .flatMap(({ column, parentColumn, nameColumn }) =>
            [column, parentColumn, nameColumn].filter((each) => each !== undefined),
          );
      const chain = [tableName, ...joins.map((join) => join.tableName)];
      return [
        ...missing(
          tableSchema,
          tableName,
          [
            ...(primaryKey === '' ? [] : [primaryKey]),
            ...columnsOf(tableName),
            ...joins.slice(0, 1).map(({ leftKey }) => leftKey),
          ],
          at,
        ),
        ...joins.flatMap((join, index) =>
          missing(
            join.tableSchema,
            join.tableName,
            [
              join.rightKey,
              ...columnsOf(join.tableName),
              ...joins.slice(index + 1, index + 2).map(({ leftKey }) => leftKey),
            ],
            `${at}, behind ${chain[index] ?? ''}`,
          ),
        ),
      ];
    }),
  ]);
}
