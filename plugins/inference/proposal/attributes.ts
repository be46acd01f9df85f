/** Adds the columns of a proposal's tables that nothing else shows, so that no column of the data is lost. Pure. */
import { familyOf, isTemporal } from '../detect/type-family.ts';
import type { Column, Table } from '../schemas.ts';
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
      const [isShown, isKey] = [shownColumns(cube), keyColumns(cube)];
      const attributes = listTables(cube).flatMap(({ tableSchema, tableName }) =>
        tables
          .filter(({ schema, name }) => schema === tableSchema && name === tableName)
          .flatMap(({ columns }) => columns)
          .filter(({ name, personal }) => personal !== true && !isShown(tableSchema, tableName, name))
          .map((each) => ({
            tableSchema,
            tableName,
            column: each.name,
            ...(isTemporal(familyOf(each.type)) ? { isTime: true as const } : {}),
            reason: reasonOf(each, isKey(tableSchema, tableName, each.name)),
          })),
      );
      const { attributes: _, ...plain } = cube;
      return attributes.length === 0 ? plain : { ...plain, attributes: attributes.slice(0, MAX_ATTRIBUTES) };
    }),
  };
}

/** Number of values above which a column is no dimension by itself. */
const MANY_VALUES = 200;

function reasonOf({ distinctApprox }: Column, isKey: boolean): string {
  if (isKey) return 'It joins tables.';
  if (distinctApprox === 0) return 'It has no values.';
  if (distinctApprox === 1) return 'All its values are the same.';
  return distinctApprox > MANY_VALUES
    ? `It has ${distinctApprox} different values, too many for a dimension.`
    : 'No measure and no dimension needs it.';
}

const placeKey = (schema: string, table: string, column: string): string => JSON.stringify([schema, table, column]);

/** Returns whether a column of a cube joins its tables. */
function keyColumns(cube: Cube): (schema: string, table: string, column: string) => boolean {
  const { factTableSchema, factTableName, dimensions, compositeKeys = [] } = cube;
  const keys = new Set([
    ...dimensions.flatMap(({ foreignKey, tableSchema, tableName, primaryKey, levels, joins = [] }) => [
      ...levels.flatMap(({ column, parentColumn }) =>
        parentColumn === undefined ? [] : [column, parentColumn].map((each) => placeKey(tableSchema, tableName, each)),
      ),
      placeKey(factTableSchema, factTableName, foreignKey),
      placeKey(tableSchema, tableName, primaryKey),
      ...joins.flatMap((join, at) => {
        const before = joins[at - 1] ?? { tableSchema, tableName };
        return [
          placeKey(before.tableSchema, before.tableName, join.leftKey),
          placeKey(join.tableSchema, join.tableName, join.rightKey),
        ];
      }),
    ]),
    ...compositeKeys.flatMap(({ columns, tableSchema, tableName, keyColumns: far }) => [
      ...columns.map((column) => placeKey(factTableSchema, factTableName, column)),
      ...far.map((column) => placeKey(tableSchema, tableName, column)),
    ]),
  ]);
  return (schema, table, column) => keys.has(placeKey(schema, table, column));
}

function shownColumns(cube: Cube): (schema: string, table: string, column: string) => boolean {
  const key = placeKey;
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
        const schema = joins.find((join) => join.tableName === name)?.tableSchema ?? tableSchema;
        return key(schema, name, level.nameColumn ?? level.column);
      }),
    ),
    ...compositeKeys.flatMap(({ tableSchema, tableName, attributes }) =>
      attributes.map((column) => key(tableSchema, tableName, column)),
    ),
  ]);
  return (schema, table, column) => shown.has(key(schema, table, column));
}
