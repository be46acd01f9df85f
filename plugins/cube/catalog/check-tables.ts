/** Checks that the tables and columns of a schema exist in the warehouse. */
import type { DatasourceProblem } from '../../../router/capabilities/datasources.ts';
import type { Warehouse } from '../../../router/capabilities/warehouse.ts';
import { ServiceError } from '../../../router/errors.ts';
import { expressionsOf } from '../schema/level-expressions.ts';
import type * as model from '../schema/model.ts';

/**
 * Checks that the tables and columns of a schema exist. Each missing one is a warning: a table at the line of its first
 * element, a column at the line of each element that names it. Cubes that do not need them are served, and a table that is
 * added later needs no new schema. A warehouse that does not answer is one warning.
 */
export async function tableProblems(
  schema: model.Schema,
  warehouse: Pick<Warehouse, 'columns'>,
): Promise<readonly DatasourceProblem[]> {
  const problems: DatasourceProblem[] = [];
  try {
    for (const { table, columns } of neededOf(schema)) {
      const { name, line } = table;
      const warehouseColumns = await warehouse.columns(
        table.schema === undefined ? { name } : { schema: table.schema, name },
      );
      if (warehouseColumns === undefined) {
        problems.push({ severity: 'warning', line, message: `The warehouse has no table ${name}.` });
        continue;
      }
      const names = new Set(warehouseColumns.map((column) => column.name.toLowerCase()));
      for (const column of columns.values()) {
        if (names.has(column.name.toLowerCase())) continue;
        const message = `The table ${name} has no column ${column.name}.`;
        problems.push({ severity: 'warning', line: column.line, message });
      }
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const message = `The warehouse failed while the tables of the schema were looked up: ${error.message}`;
    return [...inOrder(problems), { severity: 'warning', message }];
  }
  return inOrder(problems);
}

function inOrder(problems: readonly DatasourceProblem[]): readonly DatasourceProblem[] {
  return problems.toSorted((left, right) => (left.line ?? 0) - (right.line ?? 0));
}

interface Needed {
  readonly table: model.TableRelation;
  /** By name and line: cubes that use one dimension name its columns at the same place. */
  readonly columns: Map<string, model.ColumnExpression>;
}

/** Returns each table with the columns that the schema names of it. */
function neededOf({ cubes }: model.Schema): Iterable<Needed> {
  const needed = new Map<string, Needed>();
  for (const cube of cubes) {
    if (cube.virtual) continue; // Its base cubes are there too.
    for (const group of cube.measureGroups) {
      const measures = cube.measures.filter((measure) => measure.group === group.name);
      const links = group.links.map((link) => (link.kind === 'key' ? link.column : undefined));
      collect(needed, group.fact, [...measures.map(({ expression }) => expression), ...links]);
    }
    for (const { hierarchies } of cube.dimensions) {
      for (const { relation, primaryKey, levels } of hierarchies) {
        collect(needed, relation, [primaryKey, ...levels.flatMap(expressionsOf)]);
        for (const { parent } of levels) {
          const closure = parent?.closure;
          if (closure !== undefined) collect(needed, closure.table, [closure.parentColumn, closure.childColumn]);
        }
      }
    }
  }
  return needed.values();
}

function collect(
  needed: Map<string, Needed>,
  relation: model.Relation,
  expressions: readonly (model.Expression | undefined)[],
): void {
  const named = [...expressions, ...joinedBy(relation)];
  for (const table of tablesOf(relation)) {
    const key = JSON.stringify([table.schema, table.name]);
    const previous = needed.get(key);
    const columns = previous?.columns ?? new Map<string, model.ColumnExpression>();
    needed.set(key, {
      table: previous !== undefined && previous.table.line <= table.line ? previous.table : table,
      columns,
    });
    for (const expression of named) {
      if (expression?.kind !== 'column' || expression.table !== table.alias) continue;
      const at = JSON.stringify([expression.name, expression.line]);
      if (!columns.has(at)) columns.set(at, expression);
    }
  }
}

function joinedBy(relation: model.Relation): readonly model.ColumnExpression[] {
  if (relation.kind !== 'join') return [];
  return [relation.leftKey, relation.rightKey, ...joinedBy(relation.left), ...joinedBy(relation.right)];
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
