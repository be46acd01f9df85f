/**
 * Writes the query that computes a roll-up's table from its dataset, and the queries that prove it: the same ones that decide
 * whether the roll-up is read.
 *
 * A model's roll-up -> its subqueries, one for each filter of its metrics -> one row for each combination of the fields -> columns.
 */
import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type { TableName } from '../../../router/capabilities/warehouse.ts';
import { InternalError } from '../../../router/errors.ts';
import { joinSql, type SqlPart, sql } from '../../query-surface/index.ts';
import type { Metric, Model, Rollup, RollupMetric } from '../model/model.ts';
import { differences, subqueriesOf } from '../query/execute/rollup-agreement.ts';
import type { FactSubquery } from '../query/nodes/plan.ts';
import { DEFAULT_REWRITES } from '../query/nodes/rewrites.ts';
import { callKey } from '../query/plan/rolled-up.ts';
import { RowsRenderer } from '../query/render/rows.ts';
import { SubqueryRenderer } from '../query/render/subquery.ts';

/** A column of a roll-up's table. */
export interface RollupColumn {
  readonly name: string;
  /** The type for an engine that gives computed columns none. */
  readonly type: string;
}

export interface RollupTable {
  readonly rollup: string;
  readonly table: TableName;
  readonly columns: readonly RollupColumn[];
  /** The query with the rows of the table, ordered by its fields. */
  readonly select: string;
  /** Queries that return a row where the table has another group or value than its dataset. */
  readonly differences: readonly string[];
}

/** The SQL of a column, and the subquery that computes it. */
interface Computed extends RollupColumn {
  readonly subquery: number;
  readonly expression: string;
  /** True where a combination without rows has 0. */
  readonly isCount: boolean;
}

/** Describes the table of a roll-up. @param rollup one of the model's, whose table need not exist */
export function rollupTable(rollup: Rollup, model: Model, dialect: Dialect): RollupTable {
  const { source } = rollup.table;
  if (source.kind !== 'table') throw new InternalError('a roll-up has no table');
  const planned = subqueriesOf(rollup, model);
  const [first] = planned;
  if (first === undefined) throw new InternalError('a roll-up has no metric');
  const { filters: _, ...scope } = first.scope;
  const whole: FactSubquery = planned.find((one) => one.scope.filters === undefined) ?? {
    ...first,
    scope,
    aggregates: [],
  };
  const subqueries = [whole, ...planned.filter((one) => one !== whole)].map((one) => plain(one));
  const renderer = new SubqueryRenderer(new RowsRenderer(model, dialect), dialect, DEFAULT_REWRITES);
  const computed = uniqueColumns([
    ...rollup.metrics.flatMap((one) => columnsOf(one, subqueries, model, renderer)),
    ...(rollup.rows === undefined ? [] : [rowsColumn(rollup.rows, 0, subqueries, renderer)]),
  ]);
  const groups = rollup.fields.map(({ stored, field, grain }) => ({
    name: storedColumn(stored.expression),
    type: grain === undefined ? field.nativeType : 'DATE',
  }));
  const name = (column: string) => dialect.identifier(column);
  const select = joinSql(
    [
      sql`WITH ${joinSql(
        subqueries.map((one, index) => sql`rows_${String(index)} AS (\n${selectOf(one, index, computed, renderer)}\n)`),
        ', ',
      )}`,
      `SELECT ${[
        ...groups.map((column, index) => `rows_0.g${index} AS ${name(column.name)}`),
        ...computed.map(({ name: column, subquery, isCount }, index) => {
          const value = `rows_${subquery}.v${index}`;
          return `${isCount && subquery > 0 ? dialect.castToCount(`COALESCE(${value}, 0)`) : value} AS ${name(column)}`;
        }),
      ].join(', ')}`,
      ...joins(subqueries.length, groups.length, dialect),
      ...(groups.length === 0 ? [] : [`ORDER BY ${groups.map((_, index) => String(index + 1)).join(', ')}`]),
    ],
    '\n',
  );
  return {
    rollup: rollup.name,
    table: source.table,
    columns: [...groups, ...computed.map(({ name: column, type }) => ({ name: column, type }))],
    select: textOf(select, dialect),
    differences: planned.map((one) => {
      if (one.rolledUp === undefined) throw new InternalError('a roll-up does not answer its own metrics');
      return textOf(differences(one, one.rolledUp.subquery, model, dialect), dialect);
    }),
  };
}

/** Returns a subquery whose rows are joined before they are grouped, which is right for all data. */
function plain(subquery: FactSubquery): FactSubquery {
  return { ...subquery, groupsKeysFirst: false, rolledUp: undefined };
}

function columnsOf(
  { metric: name, call, column, rows }: RollupMetric,
  subqueries: readonly FactSubquery[],
  model: Model,
  renderer: SubqueryRenderer,
): readonly Computed[] {
  const key = callKey(call);
  const at = subqueries.findIndex(({ aggregates }) => aggregates.some((one) => callKey(one.call) === key));
  const subquery = subqueries[at];
  const index = subquery?.aggregates.findIndex((one) => callKey(one.call) === key);
  if (subquery === undefined || index === undefined)
    throw new InternalError('a metric of a roll-up is in no subquery of it');
  const isCount = call.aggregation === 'count';
  const type = typeOf(call.aggregation, model.metrics.get(name));
  const value = { name: column, type, subquery: at, expression: renderer.aggregate(subquery, index), isCount };
  return [value, ...(rows === undefined ? [] : [rowsColumn(rows, at, subqueries, renderer)])];
}

function typeOf(aggregation: string, metric: Metric | undefined): string {
  const isExtreme = aggregation === 'min' || aggregation === 'max';
  return (isExtreme ? metric?.argumentType?.nativeType : undefined) ?? 'INTEGER';
}

function rowsColumn(
  name: string,
  subquery: number,
  subqueries: readonly FactSubquery[],
  renderer: SubqueryRenderer,
): Computed {
  const counted = subqueries[subquery];
  if (counted === undefined) throw new InternalError('a roll-up counts the rows of no subquery');
  return { name, type: 'INTEGER', subquery, expression: renderer.rowCount(counted), isCount: true };
}

/**
 * Returns each column once: a roll-up may name one column for a metric and for the number of rows. Where the two have other
 * values, the comparison with the dataset finds it.
 */
function uniqueColumns(columns: readonly Computed[]): readonly Computed[] {
  return [...new Map(columns.toReversed().map((one) => [one.name.toLowerCase(), one])).values()].toReversed();
}

/** Returns the column that a stored field reads. */
function storedColumn(expression: Rollup['fields'][number]['stored']['expression']): string {
  const [leaf] = expression;
  if (typeof leaf !== 'object' || leaf.kind !== 'column')
    throw new InternalError('a field of a roll-up reads no column');
  return leaf.column;
}

/** Writes the groups of a subquery as `g…`, and its columns among all as `v…`. */
function selectOf(
  subquery: FactSubquery,
  at: number,
  computed: readonly Computed[],
  renderer: SubqueryRenderer,
): SqlPart {
  const values = computed.flatMap((one, index) => (one.subquery === at ? [`${one.expression} AS v${index}`] : []));
  return renderer.select(subquery, subquery.groups, values);
}

/** Joins the rows that filters leave to all combinations; nulls of a field are one value. */
function joins(subqueries: number, groups: number, dialect: Dialect): readonly string[] {
  const others = Array.from({ length: subqueries - 1 }, (_, index) => `rows_${index + 1}`);
  return [
    'FROM rows_0',
    ...others.map((other) => {
      if (groups === 0) return `CROSS JOIN ${other}`;
      const equal = Array.from({ length: groups }, (_, index) =>
        dialect.nullSafeEquals(`rows_0.g${index}`, `${other}.g${index}`),
      );
      return `LEFT JOIN ${other} ON ${equal.join(' AND ')}`;
    }),
  ];
}

/** Stands for a parameter in printed SQL; no SQL has this character. */
const MARK = '\u0000';

/** Prints a query with its values written out, because a table cannot be defined with parameters. */
function textOf(query: SqlPart, dialect: Dialect): string {
  const { sql: text, parameters } = sql`${query}`.print({ placeholder: (index) => `${MARK}${index}${MARK}` });
  return text.replaceAll(new RegExp(`${MARK}(\\d+)${MARK}`, 'g'), (_, index: string) => {
    const parameter = parameters[Number(index)];
    if (parameter === undefined) throw new InternalError('a placeholder has no parameter');
    const { value, type } = parameter;
    return dialect.literal(value === null ? null : String(value), type);
  });
}
