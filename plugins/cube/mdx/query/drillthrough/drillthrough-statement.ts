import type { Dialect } from '../../../../../router/capabilities/dialect.ts';
import type { Statement } from '../../../../../router/capabilities/warehouse.ts';
import { Bindings } from '../../../../query-surface/index.ts';
import { FactFrom } from '../../sql/fact-from-clause.ts';
import { inAnyOf } from '../../sql/tuple-conditions.ts';
import type { CellFacts } from './cell-facts.ts';
import type { Column } from './columns.ts';

/** Returns the facts as they are, not grouped, with the columns in their order; `rows` at most. */
export function drillthroughStatement(
  dialect: Dialect,
  { group, restrictions }: CellFacts,
  { columns, rows, ordered }: { readonly columns: readonly Column[]; readonly rows: number; readonly ordered: boolean },
): Statement {
  const bindings = new Bindings(dialect);
  const facts = new FactFrom(dialect, group);
  const conditions = restrictions.flatMap((tuples) =>
    tuples.length === 0 ? ['1 = 0'] : (inAnyOf(tuples, facts, group, bindings) ?? []),
  );
  // What is only shown takes no fact away: those without a customer have an empty one.
  facts.from.keepRows();
  const selected = columns.map((column) => {
    if (column.kind === 'level') return facts.expressions(column.hierarchy, [column.expression])[0] ?? 'NULL';
    const { expression } = column.measure;
    return expression === undefined ? '1' : facts.fact.sql(expression);
  });
  const where = [...facts.from.conditions, ...conditions];
  const sql = [
    `SELECT ${selected.map((column, index) => `${column} AS c${index}`).join(', ')}`,
    `FROM ${facts.from.text}`,
    ...(where.length === 0 ? [] : [`WHERE ${where.join(' AND ')}`]),
    ...(ordered ? [`ORDER BY ${selected.map((column) => dialect.orderBy(column, 'asc')).join(', ')}`] : []),
    dialect.limit(rows),
  ].join(' ');
  return { sql, parameters: bindings.parameters };
}
