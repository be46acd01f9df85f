import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import type { Statement } from '../../../../router/capabilities/warehouse.ts';
import { bindUnlessWhole, joinSql, type Sql, type SqlPart, sql } from '../../../query-surface/index.ts';
import type * as model from '../../schema/model.ts';
import type { FactGroup } from '../metadata/fact-group.ts';
import type { Grain, TupleSet } from '../metadata/member.ts';
import type { AggregateSource } from './aggregate-source.ts';
import { rankedByArithmetic, type Top } from './arithmetic-ranking.ts';
import { aggregateSql } from './cell-statement.ts';
import { whereClause } from './clauses.ts';
import { groupedExactly } from './exact-comparison.ts';
import { FactFrom } from './fact-from-clause.ts';
import { inAnyOf } from './tuple-conditions.ts';

/** A condition on a measure of each combination. A combination without a value never meets it. */
export interface Having {
  readonly measure: model.Measure;
  readonly op: '=' | '<>' | '<' | '<=' | '>' | '>=';
  readonly value: number;
}

/** A request for combinations of members that have facts, with the values of some measures. */
export interface CombinationQuery {
  readonly group: FactGroup;
  readonly grains: readonly Grain[];
  /**
   * The selected measures, in the order of their columns, which follow the keys. They include the measures of `having`
   * and `top`.
   */
  readonly measures: readonly model.Measure[];
  /** Restricts the rows: each row must be in at least one tuple of every set. */
  readonly restrictions: readonly TupleSet[];
  readonly having: readonly Having[];
  readonly top: Top | undefined;
}

export interface CombinationStatement {
  readonly statement: Statement;
  /** The number of key columns of each grain. */
  readonly widths: readonly number[];
}

/**
 * Writes the statement that reads combinations with facts. `top` limits it to the first ranks. Combinations that tie
 * with the last rank are included, so that the caller decides between them. Arithmetic includes some more.
 *
 * @param aggregate the aggregate table that is read in place of the facts
 */
export function combinationStatement(
  dialect: Dialect,
  query: CombinationQuery,
  aggregate?: AggregateSource,
): CombinationStatement {
  const { group, grains, measures, having, top } = query;
  const facts = new FactFrom(dialect, group, aggregate);
  const keys = grains.map((grain) => facts.keys(grain));
  const aggregates = new Map(measures.map((measure) => [measure, aggregateSql(dialect, measure, facts)]));
  const where = [
    ...facts.from.conditions,
    ...query.restrictions.flatMap((tuples) => inAnyOf(tuples, facts, group) ?? []),
  ];
  const aggregateOf = (measure: model.Measure) => aggregates.get(measure) ?? 'NULL';
  const conditions = [
    ...having.map(({ measure, op, value }) => sql`${aggregateOf(measure)} ${op} ${bindUnlessWhole('float', value)}`),
    ...(top?.by.kind === 'measure' ? [sql`${aggregateOf(top.by.measure)} IS NOT NULL`] : []),
  ];
  const columns = [...keys.flat(), ...aggregates.values()].map((column, index) => `${column} AS c${index}`);
  const clauses: readonly SqlPart[] = [
    `SELECT ${columns.join(', ')} FROM ${facts.from.text}`,
    ...whereClause(where),
    `GROUP BY ${groupedExactly(dialect, keys.flat()).join(', ')}`,
    ...(conditions.length === 0 ? [] : [sql`HAVING ${joinSql(conditions, ' AND ')}`]),
  ];
  const grouped = joinSql(clauses, ' ');
  const names = columns.map((_, index) => `c${index}`);
  const nameOf = (measure: model.Measure) => `c${keys.flat().length + measures.indexOf(measure)}`;
  const statement =
    top === undefined
      ? grouped
      : top.by.kind === 'measure'
        ? ranked(grouped, names, nameOf(top.by.measure), top)
        : rankedByArithmetic(dialect, grouped, names, nameOf, top);
  return { statement: statement.print(dialect), widths: keys.map(({ length }) => length) };
}

function ranked(grouped: Sql, columns: readonly string[], by: string, { count, direction }: Top): Sql {
  const list = columns.join(', ');
  const rank = sql`SELECT ${list}, RANK() OVER (ORDER BY ${by} ${direction.toUpperCase()}) AS place FROM (${grouped}) AS grouped`;
  return sql`SELECT ${list} FROM (${rank}) AS ranked WHERE place <= ${String(count)}`;
}
