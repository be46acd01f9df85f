/** Adds the columns of a proposal's tables that nothing else shows, so that no column of the data is lost. Pure. */
import { familyOf, isTemporal } from '../detect/type-family.ts';
import type { Table } from '../schemas.ts';
import { listTables } from './personal-marks.ts';
import type { Cube, CubeProposal } from './schema.ts';

/** Attributes of one cube. */
const MAX_ATTRIBUTES = 5_000;

/**
 * Returns the proposal with the attributes of each cube: the columns of its tables that are in no level, no sum and no
 * average, and are not marked as personal. The semantic model has them as fields; a cube has no use for them.
 */
export function withAttributes(proposal: CubeProposal, tables: readonly Table[]): CubeProposal {
  return {
    ...proposal,
    cubes: proposal.cubes.map((cube): Cube => {
      const isShown = shownColumns(cube);
      const attributes = listTables(cube).flatMap(({ tableSchema, tableName }) =>
        tables
          .filter(({ schema, name }) => schema === tableSchema && name === tableName)
          .flatMap(({ columns }) => columns)
          .filter(({ name, personal }) => personal !== true && !isShown(tableSchema, tableName, name))
          .map(({ name: column, type }) => ({
            tableSchema,
            tableName,
            column,
            ...(isTemporal(familyOf(type)) ? { isTime: true as const } : {}),
          })),
      );
      const { attributes: _, ...plain } = cube;
      return attributes.length === 0 ? plain : { ...plain, attributes: attributes.slice(0, MAX_ATTRIBUTES) };
    }),
  };
}

function shownColumns(cube: Cube): (schema: string, table: string, column: string) => boolean {
  const key = (schema: string, table: string, column: string): string => JSON.stringify([schema, table, column]);
  const { factTableSchema, factTableName, measures, dimensions, compositeKeys = [], personal = [] } = cube;
  const shown = new Set([
    ...personal.map(({ tableSchema, tableName, column }) => key(tableSchema, tableName, column)),
    // A count shows none of the values that it counts.
    ...measures
      .filter(({ aggregator }) => aggregator !== 'count' && aggregator !== 'distinct-count')
      .map(({ column }) => key(factTableSchema, factTableName, column)),
    ...dimensions.flatMap(({ tableSchema, tableName, joins = [], levels }) =>
      levels.map((level) => {
        const name = level.tableName ?? tableName;
        return key(joins.find((join) => join.tableName === name)?.tableSchema ?? tableSchema, name, level.column);
      }),
    ),
    ...compositeKeys.flatMap(({ tableSchema, tableName, attributes }) =>
      attributes.map((column) => key(tableSchema, tableName, column)),
    ),
  ]);
  return (schema, table, column) => shown.has(key(schema, table, column));
}
