import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import type { Statement } from '../../../../router/capabilities/warehouse.ts';
import { Bindings } from '../../../query-surface/index.ts';
import type * as model from '../../schema/model.ts';
import type { FactGroup } from '../metadata/fact-group.ts';
import type { TupleSet } from '../metadata/member.ts';
import { aggregateSql } from './cell-statement.ts';
import { groupedExactly } from './exact-comparison.ts';
import { FactFrom, type Grain } from './fact-from-clause.ts';
import { inAnyOf } from './tuple-conditions.ts';

/** What a combination's measure has to be. Combinations without a value never are. */
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
 * Writes the statement for combinations that have facts. With `top` those of the first ranks: all that tie with the
 * last one too, so that the caller decides among them.
 */
export function nativeStatement(dialect: Dialect, query: NativeQuery): NativeStatement {
  const { group, grains, measures, having, top } = query;
  const bindings = new Bindings(dialect);
  const facts = new FactFrom(dialect, group);
  const keys = grains.map((grain) => facts.keys(grain));
  const aggregates = new Map(measures.map((measure) => [measure, aggregateSql(dialect, measure, facts)]));
  const where = [
    ...facts.from.conditions,
    ...query.restrictions.flatMap((tuples) => inAnyOf(tuples, facts, group, bindings) ?? []),
  ];
  const sqlOf = (measure: model.Measure) => aggregates.get(measure) ?? 'NULL';
  const conditions = [
    ...having.map(({ measure, op, value }) => `${sqlOf(measure)} ${op} ${bindings.write('float', value)}`),
    ...(top === undefined ? [] : [`${sqlOf(top.measure)} IS NOT NULL`]),
  ];
  const columns = [...keys.flat(), ...aggregates.values()].map((sql, index) => `${sql} AS c${index}`);
  const grouped = [
    `SELECT ${columns.join(', ')} FROM ${facts.from.text}`,
    ...(where.length === 0 ? [] : [`WHERE ${where.join(' AND ')}`]),
    `GROUP BY ${groupedExactly(dialect, keys.flat()).join(', ')}`,
    ...(conditions.length === 0 ? [] : [`HAVING ${conditions.join(' AND ')}`]),
  ].join(' ');
  const names = columns.map((_, index) => `c${index}`);
  const sql =
    top === undefined ? grouped : ranked(grouped, names, `c${keys.flat().length + measures.indexOf(top.measure)}`, top);
  return { statement: { sql, parameters: bindings.parameters }, widths: keys.map(({ length }) => length) };
}

function ranked(grouped: string, columns: readonly string[], by: string, { count, direction }: Top): string {
  const list = columns.join(', ');
  const rank = `SELECT ${list}, RANK() OVER (ORDER BY ${by} ${direction.toUpperCase()}) AS place FROM (${grouped}) AS grouped`;
  return `SELECT ${list} FROM (${rank}) AS ranked WHERE place <= ${count}`;
}
