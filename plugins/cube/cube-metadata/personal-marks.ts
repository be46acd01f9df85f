/** Finds the columns of the warehouse that a cube schema marks as personal data. */
import type { PersonalColumn, ServedMarks } from '../../../router/capabilities/personal-data.ts';
import type { TableName } from '../../../router/capabilities/warehouse.ts';
import { columnsBehind, type ResultColumns, type SqlTextPool, wordsOf } from '../../query-surface/index.ts';
import { expressionsOf } from '../schema/level-expressions.ts';
import type { Cube, Expression, Hierarchy, Schema } from '../schema/model.ts';
import { type LeafRelation, leavesOf } from '../schema/relation-leaves.ts';
import { annotationsOf } from './semantic-annotations.ts';

/** The personal data that a schema marks, by the tables and views of its warehouse. */
export type SchemaMarks = Omit<ServedMarks, 'warehouse'>;

/**
 * Returns the columns of the marked measures and levels of a schema, and the tables that the schema names.
 *
 * @param dialect the parser's name of the warehouse's dialect
 */
export async function personalMarksOf({ cubes }: Schema, dialect: string, pool: SqlTextPool): Promise<SchemaMarks> {
  const marked = cubes.flatMap((cube) => {
    const leaves = leavesOfCube(cube);
    return markedExpressions(cube).flatMap((expression) => columnsOf(expression, leaves, dialect));
  });
  const behind = await columnsBehind(
    marked.filter((each) => 'sql' in each),
    pool,
  );
  const personal = [...marked.filter((each) => 'table' in each), ...behind.flat()];
  const tables = cubes.flatMap((cube) => leavesOfCube(cube).flatMap(tableOf));
  return { personal, tables };
}

function markedExpressions({ measures, dimensions }: Cube): readonly Expression[] {
  const ofMeasures = measures
    .filter((measure) => annotationsOf(measure).pii)
    .flatMap(({ expression }) => (expression === undefined ? [] : [expression]));
  const ofLevels = dimensions.flatMap((dimension) => {
    const isWhole = annotationsOf(dimension).pii;
    return dimension.hierarchies.flatMap((hierarchy) => markedLevels(hierarchy, isWhole).flatMap(expressionsOf));
  });
  return [...ofMeasures, ...ofLevels];
}

function markedLevels(hierarchy: Hierarchy, isDimensionMarked: boolean): Hierarchy['levels'][number][] {
  const isWhole = isDimensionMarked || annotationsOf(hierarchy).pii;
  return hierarchy.levels.filter((level) => isWhole || annotationsOf(level).pii);
}

function leavesOfCube({ dimensions, measureGroups }: Cube): readonly LeafRelation[] {
  return [
    ...measureGroups.flatMap(({ fact }) => leavesOf(fact)),
    ...dimensions.flatMap(({ hierarchies }) => hierarchies.flatMap(({ relation }) => leavesOf(relation))),
  ];
}

/** Returns the marked columns of tables, and those of views, behind which the columns of tables must be found. */
function columnsOf(
  expression: Expression,
  leaves: readonly LeafRelation[],
  dialect: string,
): readonly (PersonalColumn | ResultColumns)[] {
  const names =
    expression.kind === 'column'
      ? [expression.name]
      : expression.sql.variants.flatMap(({ parts }) =>
          parts.flatMap((part) => (typeof part === 'string' ? wordsOf(part) : [part.name])),
        );
  const read = leaves.filter(({ alias }) => alias === expression.table);
  return read.flatMap((leaf): readonly (PersonalColumn | ResultColumns)[] => {
    if (leaf.kind === 'inline') return [];
    if (leaf.kind === 'table') return names.flatMap((name) => tableOf(leaf).map((table) => ({ table, name })));
    return leaf.sql.variants.map(({ parts }) => ({
      sql: parts.map((part) => (typeof part === 'string' ? part : part.name)).join(''),
      columns: [...new Set(names)],
      dialect,
    }));
  });
}

function tableOf(leaf: LeafRelation): readonly TableName[] {
  return leaf.kind === 'table' ? [{ schema: leaf.schema, name: leaf.name }] : [];
}
