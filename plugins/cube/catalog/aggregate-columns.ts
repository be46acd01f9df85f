/** Binds an aggregate table to the columns that have the values of levels, foreign keys and measures. */
import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type { ColumnInfo, TableName } from '../../../router/capabilities/warehouse.ts';
import { canBeGrouped, EXTREME_TYPES, groupAlike, nearestFirst, SUMMED_TYPES } from '../../query-surface/index.ts';
import { sameName } from '../schema/mdx-name.ts';
import type * as model from '../schema/model.ts';
import { leavesOf } from '../schema/relation-leaves.ts';

/** A mistake that keeps an aggregate table from being used. The message continues its name. */
export class UnusableAggregate extends Error {
  readonly at: model.Located | undefined;

  constructor(at: model.Located | undefined, message: string) {
    super(message);
    this.at = at;
  }
}

/** Returns the columns of a table; `undefined` where the warehouse has none. */
export type ColumnsOf = (table: TableName) => readonly ColumnInfo[] | undefined;

export interface BindingParts {
  readonly table: TableName;
  readonly columns: readonly ColumnInfo[];
  readonly rowCount: number | undefined;
  readonly cube: model.Cube;
  readonly group: model.MeasureGroup;
  readonly columnsOf: ColumnsOf;
  readonly dialect: Dialect;
}

/**
 * Returns an aggregate table with its columns. A measure that it cannot answer exactly is left out of it.
 *
 * @param warn reports a measure that is left out
 * @throws UnusableAggregate if a column is missing or has other values than what it stands for
 */
export function boundAggregate(
  declared: model.DeclaredAggregate,
  parts: BindingParts,
  warn: (line: number, message: string) => void,
): model.AggregateTable {
  const { table, rowCount, group } = parts;
  const keys = declared.keys.map((key): model.AggregateKey => {
    const original = factColumn(key.factColumn, parts);
    return {
      factColumn: key.factColumn,
      column: sameColumn(key, original, `the foreign key ${key.factColumn}`, parts),
    };
  });
  const levels = declared.levels.map((level) => boundLevel(level, parts));
  const measures = parts.cube.measures
    .filter((measure) => measure.group === group.name)
    .flatMap((measure): readonly model.AggregateMeasure[] => {
      try {
        return boundMeasure(measure, declared, parts);
      } catch (error) {
        if (!(error instanceof UnusableMeasure)) throw error;
        const line = error.at.line;
        warn(line, `The aggregate table ${table.name} is not used for the measure ${measure.name}: ${error.message}.`);
        return [];
      }
    });
  if (measures.length === 0) throw new UnusableAggregate(declared, 'it has no measure that it can answer exactly');
  return {
    table: {
      kind: 'table',
      schema: table.schema,
      name: table.name,
      alias: table.name,
      filter: undefined,
      line: declared.line,
    },
    rowCount,
    keys,
    levels,
    measures,
  };
}

/** A measure that an aggregate table cannot answer. The message continues the measure's name. */
class UnusableMeasure extends Error {
  readonly at: model.Located;

  constructor(at: model.Located, message: string) {
    super(message);
    this.at = at;
  }
}

function boundLevel(declared: model.DeclaredAggregateLevel, parts: BindingParts): model.AggregateLevel {
  const { cube, group, columnsOf } = parts;
  const dimension = cube.dimensions.find(({ hierarchies }) =>
    hierarchies.some(({ uniqueName }) => uniqueName === declared.hierarchy),
  );
  const hierarchy = dimension?.hierarchies.find(({ uniqueName }) => uniqueName === declared.hierarchy);
  const level = hierarchy?.levels.find(({ name }) => name === declared.level);
  const name = `${declared.hierarchy}.[${declared.level}]`;
  if (hierarchy === undefined || level === undefined)
    throw new UnusableAggregate(declared, `the cube has no level ${name}`);
  const link = group.links.find((each) => each.dimension === dimension?.name);
  if (link === undefined) throw new UnusableAggregate(declared, `the facts have no link to ${name}`);
  if (link.kind === 'key' && link.level !== undefined)
    throw new UnusableAggregate(declared, `the facts join the dimension of ${name} at a level: name their foreign key`);
  if (declared.isKeyAlone && (link.kind !== 'key' || hierarchy.unmatched !== undefined))
    throw new UnusableAggregate(declared, `the members above ${name} cannot be found by its key alone`);
  const { key } = level;
  if (key.kind === 'sql')
    throw new UnusableAggregate(declared, `the key of ${name} is an SQL expression, so its type is unknown`);
  const leaf = [...leavesOf(hierarchy.relation), ...leavesOf(group.fact)].find(({ alias }) => alias === key.table);
  const original = leaf?.kind === 'table' ? findColumn(key.name, columnsOf(tableOf(leaf))) : undefined;
  if (original === undefined) throw new UnusableAggregate(declared, `the type of the key of ${name} is unknown`);
  const column = sameColumn(declared, original, name, parts);
  return { hierarchy: declared.hierarchy, level: declared.level, key, column, isKeyAlone: declared.isKeyAlone };
}

/** Types with values that have one text, whatever the length or the scale of their column. */
const ONE_TEXT: readonly string[] = ['integer', 'text', 'boolean', 'date'];

/** Types with values that are read alike, whatever the precision of their column. */
const EXACT_TYPES: readonly string[] = ['integer', 'decimal', 'date'];

/** Returns the column that groups rows as another column does. Members are found by the texts of their keys. */
function sameColumn(
  declared: model.AggregateColumn,
  original: ColumnInfo,
  what: string,
  parts: BindingParts,
): model.ColumnExpression {
  const column = columnNamed(declared, parts);
  if (!canBeGrouped(original) || original.type === 'timestamptz')
    throw new UnusableAggregate(declared, `values of ${what} (${original.nativeType}) cannot be grouped by it`);
  if (original.type === 'text' && parts.dialect.exactText !== undefined)
    throw new UnusableAggregate(
      declared,
      `${what} is a text, and a collation of this warehouse may take two spellings for one`,
    );
  const isSame = ONE_TEXT.includes(original.type) || column.nativeType === original.nativeType;
  if (groupAlike(column, original) && isSame) return expressionOf(column, declared, parts);
  throw new UnusableAggregate(
    declared,
    `its column ${column.name} has the type ${column.nativeType}, and ${what} has ${original.nativeType}`,
  );
}

function boundMeasure(
  measure: model.Measure,
  declared: model.DeclaredAggregate,
  parts: BindingParts,
): readonly model.AggregateMeasure[] {
  const stored = declared.measures.find((each) => each.measure === measure.name);
  const counted = stored ?? countOf(measure, declared);
  if (counted === undefined) return [];
  if (stored?.rollUp !== undefined && !sameName(stored.rollUp, measure.aggregator))
    throw new UnusableMeasure(stored, `its rollupType is ${stored.rollUp}`);
  if (measure.type === 'String') throw new UnusableMeasure(counted, 'its values are texts');
  const column = columnNamed(counted, parts);
  const made = (rollUp: model.AggregateMeasure['rollUp']): readonly model.AggregateMeasure[] => [
    { measure: measure.name, column: expressionOf(column, counted, parts), rollUp },
  ];
  switch (measure.aggregator) {
    case 'count':
      requireType(column, ['integer'], counted);
      return made('sum');
    case 'sum': {
      const { type } = aggregatedColumn(measure, counted, parts);
      if (!SUMMED_TYPES.includes(type))
        throw new UnusableMeasure(counted, `sums of ${type} depend on the order of rows`);
      if (type === 'decimal' && !parts.dialect.sumsDecimalsExactly)
        throw new UnusableMeasure(counted, 'sums of decimals depend on the order of rows in this warehouse');
      requireType(column, SUMMED_TYPES, counted);
      return made('sum');
    }
    case 'min':
    case 'max': {
      const { type, nativeType } = aggregatedColumn(measure, counted, parts);
      if (!EXTREME_TYPES.includes(type)) throw new UnusableMeasure(counted, 'it is an extreme of no numbers or dates');
      requireType(column, [type], counted);
      if (!EXACT_TYPES.includes(type) && column.nativeType !== nativeType)
        throw new UnusableMeasure(
          counted,
          `its column ${column.name} has the type ${column.nativeType}, not ${nativeType}`,
        );
      return made(measure.aggregator);
    }
    case 'distinct-count':
      requireType(column, ['integer'], counted);
      requireKnownGrain(declared, counted, parts);
      return made('facts');
    case 'avg':
      throw new UnusableMeasure(counted, 'averages are computed from the facts');
  }
}

/** Returns the column that counts what a measure counts. */
function countOf(
  { aggregator, expression }: model.Measure,
  { factCount, valueCounts }: model.DeclaredAggregate,
): model.AggregateColumn | undefined {
  if (aggregator !== 'count') return undefined;
  if (expression === undefined) return factCount;
  return valueCounts.find((each) => expression.kind === 'column' && sameName(each.factColumn, expression.name));
}

/** Returns the column of the facts that a measure aggregates. */
function aggregatedColumn({ expression }: model.Measure, at: model.Located, parts: BindingParts): ColumnInfo {
  const column = expression?.kind === 'column' ? factColumnOrNone(expression.name, parts) : undefined;
  if (column === undefined)
    throw new UnusableMeasure(at, 'it aggregates no column of the facts, so its type is unknown');
  return column;
}

/** Requires that every column is declared: rows of a finer grain have the same value in part. */
function requireKnownGrain(declared: model.DeclaredAggregate, at: model.Located, { columns }: BindingParts): void {
  const { factCount, valueCounts, keys, levels, measures, dependent } = declared;
  const named = [factCount, ...valueCounts, ...keys, ...levels, ...measures].flatMap((each) => each?.column ?? []);
  const unknown = columns.find(({ name }) => ![...named, ...dependent].some((each) => sameName(each, name)));
  if (unknown !== undefined)
    throw new UnusableMeasure(
      at,
      `distinct values of several rows do not add up, and the column ${unknown.name} is not declared`,
    );
  if (levels.some(({ isKeyAlone }) => isKeyAlone) || keys.length + levels.length === 0)
    throw new UnusableMeasure(at, 'distinct values of several rows do not add up, so each level needs its own column');
}

function requireType(column: ColumnInfo, types: readonly string[], at: model.Located): void {
  if (types.includes(column.type)) return;
  throw new UnusableMeasure(
    at,
    `its column ${column.name} has the type ${column.nativeType}, which is not ${types.join(' or ')}`,
  );
}

function factColumn(name: string, parts: BindingParts): ColumnInfo {
  const column = factColumnOrNone(name, parts);
  if (column === undefined) throw new UnusableAggregate(undefined, `the type of the foreign key ${name} is unknown`);
  return column;
}

function factColumnOrNone(name: string, { group: { fact }, columnsOf }: BindingParts): ColumnInfo | undefined {
  return fact.kind === 'table' ? findColumn(name, columnsOf(tableOf(fact))) : undefined;
}

function tableOf({ schema, name }: model.TableRelation): TableName {
  return schema === undefined ? { name } : { schema, name };
}

function columnNamed({ column: name, line }: model.AggregateColumn, { columns }: BindingParts): ColumnInfo {
  const column = findColumn(name, columns);
  if (column !== undefined) return column;
  const available = nearestFirst(
    name,
    columns.map((each) => each.name),
  ).join(', ');
  throw new UnusableAggregate({ line }, `it has no column ${name}. It has ${available}`);
}

/** Finds a column by its name, exactly or else in any letter case. */
function findColumn(name: string, columns: readonly ColumnInfo[] | undefined): ColumnInfo | undefined {
  return columns?.find((column) => column.name === name) ?? columns?.find((column) => sameName(column.name, name));
}

function expressionOf({ name }: ColumnInfo, { line }: model.Located, { table }: BindingParts): model.ColumnExpression {
  return { kind: 'column', table: table.name, name, line };
}
