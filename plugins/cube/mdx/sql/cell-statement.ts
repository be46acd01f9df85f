import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import type { Statement } from '../../../../router/capabilities/warehouse.ts';
import { joinSql, type Sql, type SqlPart } from '../../../query-surface/index.ts';
import type { RollUp } from '../../schema/aggregators.ts';
import type * as model from '../../schema/model.ts';
import { MAX_LISTED_KEYS } from '../limits.ts';
import type { FactGroup } from '../metadata/fact-group.ts';
import type { Grain, Member, TupleSet } from '../metadata/member.ts';
import type { AggregateSource } from './aggregate-source.ts';
import { whereClause } from './clauses.ts';
import { groupedExactly } from './exact-comparison.ts';
import { FactFrom } from './fact-from-clause.ts';
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
  const aggregates = batch.measures.map((measure) => aggregateSql(dialect, measure, facts));
  const conditions = [
    ...batch.grains.flatMap((grain, index) => listed(grain, keys[index] ?? [], index, batch.coordinates)),
    ...batch.predicates.flatMap((tuples) => inAnyOf(tuples, facts, batch.group) ?? []),
  ];
  const columns = [...keys.flat(), ...aggregates].map((column, index) => `${column} AS c${index}`);
  const grouped =
    keys.flat().length === 0 ? 'HAVING COUNT(*) > 0' : `GROUP BY ${groupedExactly(dialect, keys.flat()).join(', ')}`;
  const clauses: readonly SqlPart[] = [
    `SELECT ${columns.join(', ')}`,
    `FROM ${facts.from.text}`,
    ...whereClause([...facts.from.conditions, ...conditions]),
    grouped,
  ];
  return { statement: joinSql(clauses, ' ').print(dialect), keyColumns: keys.map(({ length }) => length) };
}

/** Restricts each key column to the requested keys, unless there are too many to list. */
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
  return columns.flatMap((column, at) => {
    const values = [...new Set(keys.map((key) => key[at] ?? null))];
    if (values.length > MAX_LISTED_KEYS) return [];
    return [isOneOf(column, values, grain.level.keyLevels[at]?.keyType ?? 'other')];
  });
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
