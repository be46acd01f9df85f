/** Checks that the tables and columns of a schema exist in the warehouse. */
import type { DatasourceProblem } from '../../../router/capabilities/datasources.ts';
import type { ColumnType } from '../../../router/capabilities/dialect.ts';
import type { Warehouse } from '../../../router/capabilities/warehouse.ts';
import { ServiceError } from '../../../router/errors.ts';
import { expressionsOf } from '../schema/level-expressions.ts';
import type * as model from '../schema/model.ts';
import { withColumnTypes } from '../schema/with-column-types.ts';

/** What the warehouse's tables say about a schema. */
export interface CheckedTables {
  readonly problems: readonly DatasourceProblem[];
  /** The schema with the types of columns that are read by their text, or as instants. */
  readonly schema: model.Schema;
}

/**
 * Checks that the tables and columns of a schema exist. A missing table is a warning at the line of its first element,
 * and a missing column at each element that names it. Cubes that do not need them are served, and a table that is added
 * later needs no new schema. A warehouse that does not answer is one warning.
 */
export async function checkTables(
  schema: model.Schema,
  warehouse: Pick<Warehouse, 'columnsByName'>,
): Promise<CheckedTables> {
  const problems: DatasourceProblem[] = [];
  const types = new Map<model.ColumnExpression, ColumnType>();
  try {
    const needed = [...neededOf(schema)];
    const columnLists = await warehouse.columnsByName(
      needed.map(({ table }) =>
        table.schema === undefined ? { name: table.name } : { schema: table.schema, name: table.name },
      ),
    );
    for (const [index, { table, columns, values }] of needed.entries()) {
      const { name, line } = table;
      const warehouseColumns = columnLists[index];
      if (warehouseColumns === undefined) {
        problems.push({ severity: 'warning', line, message: `The warehouse has no table ${name}.` });
        continue;
      }
      const columnsByName = new Map(warehouseColumns.map((column) => [column.name.toLowerCase(), column]));
      for (const column of columns.values()) {
        if (columnsByName.has(column.name.toLowerCase())) continue;
        const message = `The table ${name} has no column ${column.name}.`;
        problems.push({ severity: 'warning', line: column.line, message });
      }
      for (const value of values) {
        const column = columnsByName.get(value.name.toLowerCase());
        if (column !== undefined && isReadDifferently(column)) types.set(value, column);
      }
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const message = `The warehouse failed while the tables of the schema were looked up: ${error.message}`;
    return { problems: [...inOrder(problems), { severity: 'warning', message }], schema };
  }
  return { problems: inOrder(problems), schema: types.size === 0 ? schema : withColumnTypes(schema, types) };
}

/**
 * Returns whether the values of a column are not read as they are: SQL has no literals of the type, so that values are compared by their
 * text, or they are instants.
 */
function isReadDifferently({ type, nativeType }: ColumnType): boolean {
  return type === 'timestamptz' || type === 'json' || type === 'binary' || (type === 'other' && nativeType !== '');
}

function inOrder(problems: readonly DatasourceProblem[]): readonly DatasourceProblem[] {
  return problems.toSorted((left, right) => (left.line ?? 0) - (right.line ?? 0));
}

interface Needed {
  readonly table: model.TableRelation;
  /** Columns by name and line. Cubes with the same dimension name its columns at the same place. */
  readonly columns: Map<string, model.ColumnExpression>;
  /** Columns with values that members or distinct counts are made of: each expression, not only each column. */
  readonly values: Set<model.ColumnExpression>;
}

/** Returns each table with its columns that the schema names. */
function neededOf({ cubes }: model.Schema): Iterable<Needed> {
  const needed = new Map<string, Needed>();
  for (const cube of cubes) {
    if (cube.virtual) continue; // The base cubes are checked, too.
    for (const group of cube.measureGroups) {
      const measures = cube.measures.filter((measure) => measure.group === group.name);
      const links = group.links.map((link) => (link.kind === 'key' ? link.column : undefined));
      const counted = measures.filter(({ aggregator }) => aggregator === 'distinct-count');
      collect(
        needed,
        group.fact,
        [...measures.map(({ expression }) => expression), ...links],
        counted.map(({ expression }) => expression),
      );
    }
    for (const { hierarchies } of cube.dimensions) {
      for (const { relation, primaryKey, levels } of hierarchies) {
        collect(needed, relation, [primaryKey], levels.flatMap(expressionsOf));
        for (const { parent } of levels) {
          const closure = parent?.closure;
          if (closure !== undefined) collect(needed, closure.table, [closure.parentColumn, closure.childColumn], []);
        }
      }
    }
  }
  return needed.values();
}

function collect(
  needed: Map<string, Needed>,
  relation: model.Relation,
  keys: readonly (model.Expression | undefined)[],
  values: readonly (model.Expression | undefined)[],
): void {
  const named = [...keys, ...values, ...joinedBy(relation)];
  for (const table of tablesOf(relation)) {
    const key = JSON.stringify([table.schema, table.name]);
    const previous = needed.get(key);
    const columns = previous?.columns ?? new Map<string, model.ColumnExpression>();
    const valueColumns = previous?.values ?? new Set();
    needed.set(key, {
      table: previous !== undefined && previous.table.line <= table.line ? previous.table : table,
      columns,
      values: valueColumns,
    });
    for (const expression of named) {
      if (expression?.kind !== 'column' || expression.table !== table.alias) continue;
      const at = JSON.stringify([expression.name, expression.line]);
      if (!columns.has(at)) columns.set(at, expression);
    }
    for (const value of values) if (value?.kind === 'column' && value.table === table.alias) valueColumns.add(value);
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
