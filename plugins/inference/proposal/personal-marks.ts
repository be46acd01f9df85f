/** Marks personal columns of a proposal, and removes them from its visible parts. Pure. */
import type { DetectorFindings } from '../detect/findings.ts';
import type { Cube, CubeProposal, Dimension, Level } from './schema.ts';

/**
 * Returns the proposal with the personal columns of the detectors marked in each cube, except columns that the cube
 * lists as not personal.
 */
export function withFoundMarks(
  proposal: CubeProposal,
  { personalData }: Pick<DetectorFindings, 'personalData'>,
): CubeProposal {
  const cubes = proposal.cubes.map((cube): Cube => {
    const [isMarked, isNone] = [marksOf(cube), marksOf({ personal: cube.notPersonal })];
    const added = listTables(cube).flatMap(({ tableSchema, tableName }) =>
      personalData
        .filter(({ table }) => table === tableName)
        .map(({ column }) => ({ tableSchema, tableName, column }))
        .filter(({ column }) => !isMarked(tableSchema, tableName, column) && !isNone(tableSchema, tableName, column)),
    );
    return added.length === 0 ? cube : { ...cube, personal: [...(cube.personal ?? []), ...added] };
  });
  return { ...proposal, cubes };
}

/** Lists the tables of a cube, each once. */
export function listTables(cube: Cube): readonly { readonly tableSchema: string; readonly tableName: string }[] {
  const { factTableSchema: tableSchema, factTableName: tableName, dimensions, compositeKeys = [] } = cube;
  const all = [
    { tableSchema, tableName },
    ...dimensions.flatMap((dimension) => [dimension, ...(dimension.joins ?? [])]),
    ...compositeKeys,
  ];
  return [...new Map(all.map((table) => [JSON.stringify([table.tableSchema, table.tableName]), table])).values()];
}

/** Returns whether a column of a cube is marked. */
function marksOf({
  personal = [],
}: Pick<Cube, 'personal'>): (schema: string, table: string, column: string) => boolean {
  const key = (schema: string, table: string, column: string): string => JSON.stringify([schema, table, column]);
  const marked = new Set(personal.map(({ tableSchema, tableName, column }) => key(tableSchema, tableName, column)));
  return (schema, table, column) => marked.has(key(schema, table, column));
}

function isShownBy(cube: Cube): (dimension: Dimension, level: Level) => boolean {
  const isMarked = marksOf(cube);
  return ({ tableSchema, tableName, joins = [] }, level) => {
    const name = level.tableName ?? tableName;
    const schema = joins.find((join) => join.tableName === name)?.tableSchema ?? tableSchema;
    return isMarked(schema, name, level.column);
  };
}

/** Returns the cube without the levels and measures over columns that are marked, as its semantic model shows none of them. */
export function withoutPersonal(cube: Cube): Cube {
  if (cube.personal === undefined) return cube;
  const [isMarked, isShown] = [marksOf(cube), isShownBy(cube)];
  const { factTableSchema, factTableName } = cube;
  return {
    ...cube,
    // Counting rows and different values shows none of them.
    measures: cube.measures
      .filter(
        ({ column, aggregator }) =>
          aggregator === 'count' ||
          aggregator === 'distinct-count' ||
          !isMarked(factTableSchema, factTableName, column),
      )
      .map(({ weight, ...measure }) =>
        weight === undefined || isMarked(factTableSchema, factTableName, weight) ? measure : { ...measure, weight },
      ),
    dimensions: cube.dimensions
      .map((dimension) => ({
        ...dimension,
        levels: dimension.levels
          .filter((level) => !isShown(dimension, level))
          // A tree shows keys where the names of its members are marked.
          .map(({ nameColumn, ...level }) =>
            nameColumn === undefined || isMarked(dimension.tableSchema, dimension.tableName, nameColumn)
              ? level
              : { ...level, nameColumn },
          ),
      }))
      .filter(({ levels }) => levels.length > 0),
    ...(cube.attributes === undefined
      ? {}
      : {
          attributes: cube.attributes.filter(
            ({ tableSchema, tableName, column }) => !isMarked(tableSchema, tableName, column),
          ),
        }),
    ...(cube.compositeKeys === undefined
      ? {}
      : {
          compositeKeys: cube.compositeKeys.map((key) => ({
            ...key,
            attributes: key.attributes.filter((column) => !isMarked(key.tableSchema, key.tableName, column)),
          })),
        }),
  };
}

/** Returns a warning of each level and measure that a published cube leaves out, as its column is marked. */
export function personalWarnings({ cubes }: CubeProposal): readonly string[] {
  return cubes.flatMap((cube) => {
    const [isMarked, isShown] = [marksOf(cube), isShownBy(cube)];
    const { factTableSchema, factTableName, name } = cube;
    const warningOn = (what: string, column: string): string =>
      `Cube "${name}", ${what}: its column "${column}" is marked as personal, so the cube leaves it out.`;
    return [
      ...cube.measures
        .filter(
          ({ column, aggregator }) =>
            aggregator !== 'count' &&
            aggregator !== 'distinct-count' &&
            isMarked(factTableSchema, factTableName, column),
        )
        .map((measure) => warningOn(`measure "${measure.name}"`, measure.column)),
      ...cube.dimensions.flatMap((dimension) =>
        dimension.levels
          .filter((level) => isShown(dimension, level))
          .map((level) => warningOn(`dimension "${dimension.name}", level "${level.name}"`, level.column)),
      ),
      ...(cube.compositeKeys ?? []).flatMap(({ tableSchema, tableName, attributes }) =>
        attributes
          .filter((column) => isMarked(tableSchema, tableName, column))
          .map((column) => warningOn(`attribute of "${tableName}"`, column)),
      ),
    ];
  });
}
