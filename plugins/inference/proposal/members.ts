/** Adds the profile's data on members to the levels of a proposal. Pure. */
import type { Table } from '../schemas.ts';
import type { CubeProposal } from './schema.ts';

/** Returns the proposal with the number of members of each level, as the profile has counted its column. */
export function withMembers(proposal: CubeProposal, tables: readonly Table[]): CubeProposal {
  const key = (schema: string, table: string, column: string): string => JSON.stringify([schema, table, column]);
  const counts = new Map(
    tables.flatMap(({ schema, name, columns }) =>
      columns.map((column) => [key(schema, name, column.name), column.distinctApprox] as const),
    ),
  );
  return {
    ...proposal,
    cubes: proposal.cubes.map((cube) => ({
      ...cube,
      dimensions: cube.dimensions.map((dimension) => ({
        ...dimension,
        levels: dimension.levels.map(({ members: _, ...level }) => {
          const { tableName = dimension.tableName } = level;
          const join = dimension.joins?.find((each) => each.tableName === tableName);
          const count = counts.get(key(join?.tableSchema ?? dimension.tableSchema, tableName, level.column));
          return level.datePart !== undefined || count === undefined ? level : { ...level, members: count };
        }),
      })),
    })),
  };
}
