import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import type { Statement } from '../../../../router/capabilities/warehouse.ts';
import { bindUnlessWhole, joinSql, type Sql, type SqlPart, sql } from '../../../query-surface/index.ts';
import type * as model from '../../schema/model.ts';
import type { FactGroup } from '../metadata/fact-group.ts';
import type { TupleSet } from '../metadata/member.ts';
import { aggregateSql } from './cell-statement.ts';
import { whereClause } from './clauses.ts';
import { groupedExactly } from './exact-comparison.ts';
import { FactFrom, type Grain } from './fact-from-clause.ts';
import { inAnyOf } from './tuple-conditions.ts';

/** Condition on a combination's measure. Combinations without a value never meet it. */
export interface Having {
  readonly measure: model.Measure;
  readonly op: '=' | '<>' | '<' | '<=' | '>' | '>=';
  readonly value: number;
}

export interface Top {
  readonly measure: model.Measure;
  readonly count: number;
  readonly direction: 'asc' | 'desc';
}

/** Which combinations of members are asked for, with the values of some measures. */
export interface NativeQuery {
  readonly group: FactGroup;
  readonly grains: readonly Grain[];
  /** Selected, in this order, after the keys. Those of `having` and `top` are among them. */
  readonly measures: readonly model.Measure[];
  /** Rows have to be in one tuple of each. */
  readonly restrictions: readonly TupleSet[];
  readonly having: readonly Having[];
  readonly top: Top | undefined;
}

export interface NativeStatement {
  readonly statement: Statement;
  /** How many key columns each grain has. */
  readonly widths: readonly number[];
}

/**
 * Writes the statement for combinations that have facts. `top` limits it to the first ranks, with all that tie with the last
 * one, so that the caller decides among them.
 */
export function nativeStatement(dialect: Dialect, query: NativeQuery): NativeStatement {
  const { group, grains, measures, having, top } = query;
  const facts = new FactFrom(dialect, group);
  const keys = grains.map((grain) => facts.keys(grain));
  const aggregates = new Map(measures.map((measure) => [measure, aggregateSql(dialect, measure, facts)]));
  const where = [
    ...facts.from.conditions,
    ...query.restrictions.flatMap((tuples) => inAnyOf(tuples, facts, group) ?? []),
  ];
  const aggregateOf = (measure: model.Measure) => aggregates.get(measure) ?? 'NULL';
  const conditions = [
    ...having.map(({ measure, op, value }) => sql`${aggregateOf(measure)} ${op} ${bindUnlessWhole('float', value)}`),
    ...(top === undefined ? [] : [sql`${aggregateOf(top.measure)} IS NOT NULL`]),
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
  const statement =
    top === undefined ? grouped : ranked(grouped, names, `c${keys.flat().length + measures.indexOf(top.measure)}`, top);
  return { statement: statement.print(dialect), widths: keys.map(({ length }) => length) };
}

function ranked(grouped: Sql, columns: readonly string[], by: string, { count, direction }: Top): Sql {
  const list = columns.join(', ');
  const rank = sql`SELECT ${list}, RANK() OVER (ORDER BY ${by} ${direction.toUpperCase()}) AS place FROM (${grouped}) AS grouped`;
  return sql`SELECT ${list} FROM (${rank}) AS ranked WHERE place <= ${String(count)}`;
}
