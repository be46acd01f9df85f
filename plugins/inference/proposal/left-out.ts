/** The tables of a profile that are in no cube of a proposal. Pure. */
import type { Table } from '../schemas.ts';
import type { Cube, CubeProposal } from './schema.ts';

/** Returns the tables that no cube reads, each with its reason: nothing is dropped in silence. */
export function listLeftOut(
  cubes: readonly Cube[],
  tables: readonly Table[],
  reasonOf: (table: Table) => string,
): NonNullable<CubeProposal['leftOut']> {
  const key = (schema: string, name: string): string => JSON.stringify([schema, name]);
  const used = new Set(
    cubes.flatMap((cube) => [
      key(cube.factTableSchema, cube.factTableName),
      ...[
        ...cube.dimensions.flatMap((dimension) => [dimension, ...(dimension.joins ?? [])]),
        ...(cube.compositeKeys ?? []),
      ].map(({ tableSchema, tableName }) => key(tableSchema, tableName)),
    ]),
  );
  return tables
    .filter(({ schema, name }) => !used.has(key(schema, name)))
    .map((table) => ({ tableSchema: table.schema, tableName: table.name, reason: reasonOf(table) }));
}
