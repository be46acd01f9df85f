import type { TableName } from '../../../router/capabilities/warehouse.ts';
import { type Problem, ValidationError } from '../../../router/errors.ts';
import type { Cube, CubeProposal, Dimension } from '../proposal/schema.ts';
import type { NamedTable, PersonalColumns } from './marked-columns.ts';

interface ReadColumn {
  readonly path: readonly (string | number)[];
  readonly table: TableName;
  readonly column: string;
}

/**
 * Refuses a proposal that shows a column which a served model marks as personal data.
 *
 * @throws ValidationError with the place of each such column
 */
export function refusePersonalColumns(
  { cubes }: CubeProposal,
  personal: PersonalColumns,
  tableOf: (table: TableName) => NamedTable,
): void {
  if (personal.isEmpty) return;
  const problems = cubes.flatMap((cube, index) =>
    shownColumns(cube, ['proposal', 'cubes', index])
      .filter(({ table, column }) => personal.has(tableOf(table), column))
      .map(({ path, table, column }): Problem => {
        const message = `A served model of this warehouse marks ${table.name}.${column} as personal data, or it is in a view whose columns no model names. Leave it out.`;
        return { path, message };
      }),
  );
  const [first, ...others] = problems;
  if (first !== undefined) throw new ValidationError([first, ...others]);
}

/** Returns a proposal with semantic models that mark each column that they join by if a served model marks it. */
export function withPersonalJoins(
  proposal: CubeProposal,
  personal: PersonalColumns,
  tableOf: (table: TableName) => NamedTable,
): CubeProposal {
  if (personal.isEmpty) return proposal;
  const cubes = proposal.cubes.map((cube): Cube => {
    const joined = joinColumns(cube)
      .filter(({ table, column }) => personal.has(tableOf(table), column))
      .map(({ table, column }) => ({ tableSchema: table.schema ?? '', tableName: table.name, column }));
    return joined.length === 0 ? cube : { ...cube, personal: [...(cube.personal ?? []), ...joined] };
  });
  return { ...proposal, cubes };
}

function factTable({ factTableSchema, factTableName }: Cube): TableName {
  return { schema: factTableSchema, name: factTableName };
}

/** Returns the columns with values that the cube, or a semantic model of it, shows. */
function shownColumns(cube: Cube, at: readonly (string | number)[]): readonly ReadColumn[] {
  const fact = factTable(cube);
  return [
    ...cube.measures.map(({ column }, index) => ({ path: [...at, 'measures', index, 'column'], table: fact, column })),
    ...cube.dimensions.flatMap((dimension, index) =>
      dimension.levels.map(({ column, tableName }, level) => ({
        path: [...at, 'dimensions', index, 'levels', level, 'column'],
        table: tableOfLevel(cube, dimension, tableName),
        column,
      })),
    ),
    ...(cube.attributes ?? []).map(({ tableSchema, tableName, column }, index) => ({
      path: [...at, 'attributes', index],
      table: { schema: tableSchema, name: tableName },
      column,
    })),
    ...(cube.compositeKeys ?? []).flatMap(({ tableSchema, tableName, attributes }, index) =>
      attributes.map((column, place) => ({
        path: [...at, 'compositeKeys', index, 'attributes', place],
        table: { schema: tableSchema, name: tableName },
        column,
      })),
    ),
  ];
}

function tableOfLevel(cube: Cube, dimension: Dimension, tableName: string | undefined): TableName {
  if (dimension.foreignKey === '') return factTable(cube);
  const join = (dimension.joins ?? []).find((each) => each.tableName === tableName);
  return join === undefined
    ? { schema: dimension.tableSchema, name: dimension.tableName }
    : { schema: join.tableSchema, name: join.tableName };
}

/** Returns the columns that tables are joined by, which no answer shows. */
function joinColumns(cube: Cube): readonly Omit<ReadColumn, 'path'>[] {
  const fact = factTable(cube);
  return [
    ...cube.dimensions.flatMap(({ foreignKey, tableSchema, tableName, primaryKey, joins = [] }) => {
      if (foreignKey === '') return [];
      const tables = [
        { schema: tableSchema, name: tableName },
        ...joins.map((join) => ({ schema: join.tableSchema, name: join.tableName })),
      ];
      return [
        { table: fact, column: foreignKey },
        { table: { schema: tableSchema, name: tableName }, column: primaryKey },
        ...joins.flatMap(({ leftKey, rightKey }, index) => [
          { table: tables[index] ?? fact, column: leftKey },
          { table: tables[index + 1] ?? fact, column: rightKey },
        ]),
      ];
    }),
    ...(cube.compositeKeys ?? []).flatMap(({ columns, tableSchema, tableName, keyColumns }) => [
      ...columns.map((column) => ({ table: fact, column })),
      ...keyColumns.map((column) => ({ table: { schema: tableSchema, name: tableName }, column })),
    ]),
  ];
}
