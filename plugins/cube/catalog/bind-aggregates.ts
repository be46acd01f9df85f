/** Finds the aggregate tables of a schema in the warehouse. */
import type { DatasourceProblem } from '../../../router/capabilities/datasources.ts';
import type {
  ColumnInfo,
  RowEstimate,
  TableInfo,
  TableName,
  Warehouse,
} from '../../../router/capabilities/warehouse.ts';
import { ServiceError } from '../../../router/errors.ts';
import { nearestFirst } from '../../query-surface/index.ts';
import { freeze } from '../schema/freeze.ts';
import { sameName } from '../schema/mdx-name.ts';
import type * as model from '../schema/model.ts';
import { leavesOf } from '../schema/relation-leaves.ts';
import { boundAggregate, type ColumnsOf, UnusableAggregate } from './aggregate-columns.ts';
import { tablesMeant } from './aggregate-names.ts';

/** A schema with the aggregate tables that may be read. */
export interface BoundAggregates {
  readonly schema: model.Schema;
  readonly problems: readonly DatasourceProblem[];
}

/**
 * Returns the schema with the aggregate tables of its measure groups. A table that is missing, that lacks a column, or that
 * could change a figure is left out with a warning: answers then come from the facts.
 */
export async function bindAggregates(
  schema: model.Schema,
  warehouse: Pick<Warehouse, 'columnsByName' | 'tables' | 'rowEstimates' | 'dialect'>,
): Promise<BoundAggregates> {
  const isDeclaring = ({ declaredAggregates }: model.MeasureGroup) => declaredAggregates.length > 0;
  // A virtual cube has the aggregate tables of its base cubes.
  const cubes = schema.cubes.filter(({ virtual, measureGroups }) => !virtual && measureGroups.some(isDeclaring));
  if (cubes.length === 0) return { schema, problems: [] };
  const problems: DatasourceProblem[] = [];
  const bound = new Map<model.DeclaredAggregate, readonly model.AggregateTable[]>();
  try {
    const [tables, estimates] = await Promise.all([warehouse.tables(), warehouse.rowEstimates()]);
    for (const cube of cubes) {
      for (const group of cube.measureGroups.filter(isDeclaring)) {
        const candidates = group.declaredAggregates.map((declared) => candidatesOf(declared, group, tables, problems));
        const columnsOf = await columnLists(cube, group, candidates.flat(), warehouse);
        for (const [index, declared] of group.declaredAggregates.entries()) {
          const made = (candidates[index] ?? []).flatMap((table) =>
            reported(declared, table.name, problems, () => {
              const columns = columnsOf(table);
              if (columns === undefined) throw new UnusableAggregate(declared, missingTable(table, tables));
              const rowCount = declared.approxRowCount ?? estimateOf(table, estimates);
              return boundAggregate(
                declared,
                { table, columns, rowCount, cube, group, columnsOf, dialect: warehouse.dialect },
                (line, message) => problems.push({ severity: 'warning', line, message }),
              );
            }),
          );
          bound.set(declared, made);
        }
      }
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const message = `The warehouse failed while the aggregate tables of the schema were looked up: ${error.message}`;
    return { schema, problems: [{ severity: 'warning', message }] };
  }
  return { schema: withAggregates(schema, bound), problems };
}

function withAggregates(
  schema: model.Schema,
  bound: ReadonlyMap<model.DeclaredAggregate, readonly model.AggregateTable[]>,
): model.Schema {
  const ofGroup = (group: model.MeasureGroup): model.MeasureGroup => {
    const aggregates = group.declaredAggregates.flatMap((declared) => bound.get(declared) ?? []);
    return aggregates.length === 0 ? group : { ...group, aggregates };
  };
  const cubes = schema.cubes.map((cube) => ({ ...cube, measureGroups: cube.measureGroups.map(ofGroup) }));
  return freeze({ ...schema, cubes });
}

/** Returns what `bind` makes; a mistake in it is a warning. */
function reported(
  { line }: model.DeclaredAggregate,
  name: string,
  problems: DatasourceProblem[],
  bind: () => model.AggregateTable,
): readonly model.AggregateTable[] {
  try {
    return [bind()];
  } catch (error) {
    if (!(error instanceof UnusableAggregate)) throw error;
    problems.push({
      severity: 'warning',
      line: error.at?.line ?? line,
      message: `The aggregate table ${name} is not used: ${error.message}.`,
    });
    return [];
  }
}

function candidatesOf(
  declared: model.DeclaredAggregate,
  group: model.MeasureGroup,
  tables: readonly TableInfo[],
  problems: DatasourceProblem[],
): readonly TableName[] {
  const { candidates, refusal } = tablesMeant(declared.tables, group.fact, tables);
  if (refusal !== undefined) problems.push({ severity: 'warning', line: declared.line, message: refusal });
  return candidates;
}

function missingTable({ name }: TableName, tables: readonly TableInfo[]): string {
  const names = nearestFirst(
    name,
    tables.map((table) => table.name),
  );
  const available = names.length === 0 ? '' : `. It has ${names.slice(0, 20).join(', ')}`;
  return `the warehouse has no such table${available}`;
}

function estimateOf({ schema, name }: TableName, estimates: readonly RowEstimate[]): number | undefined {
  return estimates.find((each) => sameName(each.name, name) && (schema === undefined || sameName(each.schema, schema)))
    ?.rows;
}

/** Reads the columns of aggregate tables, and of the tables that they stand for. */
async function columnLists(
  cube: model.Cube,
  group: model.MeasureGroup,
  candidates: readonly TableName[],
  warehouse: Pick<Warehouse, 'columnsByName'>,
): Promise<ColumnsOf> {
  const relations = [
    group.fact,
    ...cube.dimensions.flatMap(({ hierarchies }) => hierarchies.map(({ relation }) => relation)),
  ];
  const leaves = relations.flatMap(leavesOf).filter((leaf) => leaf.kind === 'table');
  const names = new Map(
    [...candidates, ...leaves].map(({ schema, name }) => [tableKey({ schema, name }), tableName(schema, name)]),
  );
  const lists = await warehouse.columnsByName([...names.values()]);
  const byKey = new Map(
    [...names.keys()].map((key, index): readonly [string, readonly ColumnInfo[] | undefined] => [key, lists[index]]),
  );
  return (table) => byKey.get(tableKey(table));
}

function tableName(schema: string | undefined, name: string): TableName {
  return schema === undefined ? { name } : { schema, name };
}

function tableKey({ schema, name }: TableName): string {
  return JSON.stringify([schema, name]);
}
