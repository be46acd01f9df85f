import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import type { Statement } from '../../../../router/capabilities/warehouse.ts';
import { joinSql, type Sql, type SqlPart } from '../../../query-surface/index.ts';
import type { RollUp } from '../../schema/aggregators.ts';
import type * as model from '../../schema/model.ts';
import { MAX_LISTED_KEYS } from '../limits.ts';
import type { FactGroup } from '../metadata/fact-group.ts';
import type { Grain, Level, Member, TupleSet } from '../metadata/member.ts';
import type { AggregateSource } from './aggregate-source.ts';
import { whereClause } from './clauses.ts';
import { groupedExactly } from './exact-comparison.ts';
import { FactFrom } from './fact-from-clause.ts';
import { isColumn } from './same-column.ts';
import { inAnyOf, isOneOf, memberKeys } from './tuple-conditions.ts';

/** A request for cells of one grain, read with one statement. */
export interface CellBatch {
  readonly group: FactGroup;
  readonly grains: readonly Grain[];
  readonly measures: readonly model.Measure[];
  /** The requested cells: a member for each grain. The statement may return more cells. */
  readonly coordinates: readonly (readonly Member[])[];
  /** Restricts the rows: each row must be in at least one tuple of every set. */
  readonly predicates: readonly TupleSet[];
}

export interface CellStatement {
  readonly statement: Statement;
  /** The number of key columns of each grain. Key columns precede the measures. */
  readonly keyColumns: readonly number[];
}

/**
 * Returns the statement that reads a batch of cells, one row for each.
 *
 * @param aggregate the aggregate table that is read in place of the facts
 */
export function cellStatement(dialect: Dialect, batch: CellBatch, aggregate?: AggregateSource): CellStatement {
  const facts = new FactFrom(dialect, batch.group, aggregate);
  const keys = batch.grains.map((grain) => facts.keys(grain));
  const conditions = [
    ...batch.grains.flatMap((grain, index) => listed(grain, keys[index] ?? [], index, batch.coordinates)),
    ...batch.predicates.flatMap((tuples) => inAnyOf(tuples, facts, batch.group) ?? []),
  ];
  const rows = [`FROM ${facts.from.text}`, ...whereClause([...facts.from.conditions, ...conditions])];
  const clauses =
    countedFirst(dialect, batch.measures, keys.flat(), facts, rows) ??
    grouped(
      dialect,
      keys.flat(),
      batch.measures.map((measure) => aggregateSql(dialect, measure, facts)),
      rows,
    );
  return { statement: joinSql(clauses, ' ').print(dialect), keyColumns: keys.map(({ length }) => length) };
}

/** Returns the clauses that group rows by keys. The columns are the keys and the aggregates, `c0`, `c1` and so on. */
function grouped(
  dialect: Dialect,
  keys: readonly string[],
  aggregates: readonly string[],
  rows: readonly SqlPart[],
  by = keys,
): readonly SqlPart[] {
  const columns = [...keys, ...aggregates].map((column, index) => `${column} AS c${index}`);
  const groups = by.length === 0 ? 'HAVING COUNT(*) > 0' : `GROUP BY ${groupedExactly(dialect, by).join(', ')}`;
  return [`SELECT ${columns.join(', ')}`, ...rows, groups];
}

/**
 * Returns the clauses that group rows by the counted values first, for distinct counts in an engine that sorts all rows otherwise; `undefined`
 * beside other measures than counts. The states of sums of smaller groups take more memory than sorted rows do.
 */
function countedFirst(
  dialect: Dialect,
  measures: readonly model.Measure[],
  keys: readonly string[],
  facts: FactFrom,
  rows: readonly SqlPart[],
): readonly SqlPart[] | undefined {
  if (!dialect.sortsToCountDistinct || facts.aggregate !== undefined) return undefined;
  const values = measures.map(({ aggregator, expression }) =>
    aggregator === 'distinct-count' && expression !== undefined ? facts.fact.sql(expression) : undefined,
  );
  const [value, ...others] = new Set(values.filter((each) => each !== undefined));
  const combined = measures.flatMap((each, index) => combinedSql(dialect, each, `c${keys.length + index}`) ?? []);
  if (value === undefined || others.length > 0 || combined.length < measures.length) return undefined;
  const parts = measures.map((measure, index) => values[index] ?? aggregateSql(dialect, measure, facts));
  const inner = grouped(dialect, keys, parts, rows, [...keys, value]);
  const outerKeys = keys.map((_, index) => `c${index}`);
  return grouped(dialect, outerKeys, combined, ['FROM (', ...inner, ') AS counted']);
}

/** Returns the SQL that puts a count together from its values in smaller groups; `undefined` for other measures. */
function combinedSql(
  { castToCount }: Dialect,
  { aggregator, expression }: model.Measure,
  value: string,
): string | undefined {
  if (aggregator === 'count' || expression === undefined) return castToCount(`SUM(${value})`);
  return aggregator === 'distinct-count' ? `COUNT(${value})` : undefined;
}

/**
 * Restricts each key column to the requested keys, unless there are too many to list, or all keys are requested. A condition that all rows meet
 * misleads planners, which take it for a selection: PostgreSQL sorted rows on disk that it can group in memory.
 */
function listed(
  grain: Grain,
  columns: readonly string[],
  index: number,
  coordinates: readonly (readonly Member[])[],
): readonly Sql[] {
  const members = new Set<Member>();
  for (const coordinate of coordinates) {
    const member = coordinate[index];
    if (member !== undefined) members.add(member);
  }
  const keys = [...members].map(memberKeys);
  const { level } = grain;
  const counts = isForeignKey(level) ? undefined : level.hierarchy.members.keyCounts(level);
  return columns.flatMap((column, at) => {
    const values = [...new Set(keys.map((key) => key[at] ?? null))];
    if (values.length > MAX_LISTED_KEYS || values.length === counts?.[at]) return [];
    return [isOneOf(column, values, level.keyLevels[at]?.keyType ?? 'other')];
  });
}

/** Returns whether the facts may have the key of a level without a row in its table. Such keys are no members. */
function isForeignKey({ hierarchy, model: of }: Level): boolean {
  const primaryKey = hierarchy.model?.primaryKey;
  return primaryKey === undefined || (of !== undefined && isColumn(of.key, primaryKey));
}

/** The aggregates that combine stored values. A value of one row alone is its own maximum. */
const COMBINED = { sum: 'SUM', min: 'MIN', max: 'MAX', facts: 'MAX' } as const satisfies Readonly<
  Record<RollUp, string>
>;

/** Returns the SQL that aggregates a measure over the facts, or over the rows of an aggregate table. */
export function aggregateSql({ exactText }: Dialect, measure: model.Measure, facts: FactFrom): string {
  if (facts.aggregate !== undefined) {
    const { column, rollUp } = facts.aggregate.storedMeasure(measure);
    return `${COMBINED[rollUp]}(${facts.fact.sql(column)})`;
  }
  const { aggregator, expression } = measure;
  if (expression === undefined) return 'COUNT(*)';
  const argument = facts.fact.sql(expression);
  switch (aggregator) {
    case 'distinct-count':
      return exactText === undefined ? `COUNT(DISTINCT ${argument})` : exactText.countDistinct(argument);
    case 'sum':
      return `SUM(${argument})`;
    case 'count':
      return `COUNT(${argument})`;
    case 'min':
      return `MIN(${argument})`;
    case 'max':
      return `MAX(${argument})`;
    case 'avg':
      return `AVG(${argument})`;
  }
}
