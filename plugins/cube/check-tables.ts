/** Whether the tables and columns that a schema names are in the warehouse. */
import type { DatasourceProblem } from '../../router/capabilities/datasources.ts';
import type { Warehouse } from '../../router/capabilities/warehouse.ts';
import { ServiceError } from '../../router/errors.ts';
import type * as model from './schema/model.ts';

/**
 * Missing tables are told as warnings: the cubes that do not need them are served all the same, and a table that
 * comes later needs no new schema. A warehouse that does not answer is one warning.
 */
export async function tableProblems(schema: model.Schema, warehouse: Warehouse): Promise<readonly DatasourceProblem[]> {
  const problems: DatasourceProblem[] = [];
  const seen = new Set<string>();
  try {
    for (const { table, columns } of neededOf(schema)) {
      const key = JSON.stringify([table.schema, table.name]);
      if (seen.has(key)) continue;
      seen.add(key);
      const { name, line } = table;
      const found = await warehouse.columns(table.schema === undefined ? { name } : { schema: table.schema, name });
      if (found === undefined) {
        problems.push({ severity: 'warning', line, message: `The warehouse has no table ${name}.` });
        continue;
      }
      const names = new Set(found.map((column) => column.name.toLowerCase()));
      for (const column of columns) {
        if (names.has(column.toLowerCase())) continue;
        problems.push({ severity: 'warning', line, message: `The table ${name} has no column ${column}.` });
      }
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const message = `The warehouse failed while the tables of the schema were looked up: ${error.message}`;
    return [...problems, { severity: 'warning', message }];
  }
  return problems;
}

interface Needed {
  readonly table: model.TableRelation;
  readonly columns: ReadonlySet<string>;
}

/** Each table with the columns that the schema names of it, in the order of the document. */
function neededOf({ cubes }: model.Schema): readonly Needed[] {
  const needed = new Map<string, { readonly table: model.TableRelation; readonly columns: Set<string> }>();
  for (const cube of cubes) {
    if (cube.virtual) continue; // Its base cubes are there too.
    for (const group of cube.measureGroups) {
      const tables = tablesOf(group.fact);
      const measures = cube.measures.filter((measure) => measure.group === group.name);
      collect(needed, tables, [...measures.map(({ expression }) => expression), ...group.links.map(linkColumn)]);
    }
    for (const { hierarchies } of cube.dimensions) {
      for (const { relation, primaryKey, levels } of hierarchies) {
        const expressions = levels.flatMap((level) => [level.key, level.nameExpression, level.captionExpression]);
        collect(needed, tablesOf(relation), [primaryKey, ...expressions]);
      }
    }
  }
  return [...needed.values()].toSorted((left, right) => left.table.line - right.table.line);
}

function linkColumn(link: model.DimensionLink): model.ColumnExpression | undefined {
  return link.kind === 'key' ? link.column : undefined;
}

function tablesOf(relation: model.Relation): readonly model.TableRelation[] {
  switch (relation.kind) {
    case 'table':
      return [relation];
    case 'join':
      return [...tablesOf(relation.left), ...tablesOf(relation.right)];
    case 'view':
    case 'inline':
      return [];
  }
}

function collect(
  needed: Map<string, { readonly table: model.TableRelation; readonly columns: Set<string> }>,
  tables: readonly model.TableRelation[],
  expressions: readonly (model.Expression | undefined)[],
): void {
  for (const table of tables) {
    const key = JSON.stringify([table.schema, table.name]);
    const entry = needed.get(key) ?? { table, columns: new Set<string>() };
    needed.set(key, entry);
    for (const expression of expressions) {
      if (expression?.kind === 'column' && expression.table === table.alias) entry.columns.add(expression.name);
    }
  }
}
