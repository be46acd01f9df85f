import type { Dialect } from '../../../../../router/capabilities/dialect.ts';
import type { Statement } from '../../../../../router/capabilities/warehouse.ts';
import { joinSql, type SqlPart } from '../../../../query-surface/index.ts';
import { NO_ROW, whereClause } from '../../sql/clauses.ts';
import { FactFrom } from '../../sql/fact-from-clause.ts';
import { inAnyOf } from '../../sql/tuple-conditions.ts';
import type { CellFacts } from './cell-facts.ts';
import type { Column } from './columns.ts';

/**
 * Writes the statement that reads the facts, not grouped, with the columns in their order. Returns at most `rows` rows.
 */
export function drillthroughStatement(
  dialect: Dialect,
  { group, restrictions }: CellFacts,
  { columns, rows, ordered }: { readonly columns: readonly Column[]; readonly rows: number; readonly ordered: boolean },
): Statement {
  const facts = new FactFrom(dialect, group);
  const conditions = restrictions.flatMap((tuples) =>
    tuples.length === 0 ? [NO_ROW] : (inAnyOf(tuples, facts, group) ?? []),
  );
  // Columns that are only shown must not remove facts. A fact without a customer has an empty customer.
  facts.from.keepRows();
  const selected = columns.map((column) => {
    if (column.kind === 'level') return facts.expressions(column.hierarchy, [column.expression])[0] ?? 'NULL';
    const { expression } = column.measure;
    return expression === undefined ? '1' : facts.fact.sql(expression);
  });
  const clauses: readonly SqlPart[] = [
    `SELECT ${selected.map((column, index) => `${column} AS c${index}`).join(', ')}`,
    `FROM ${facts.from.text}`,
    ...whereClause([...facts.from.conditions, ...conditions]),
    ...(ordered ? [`ORDER BY ${selected.map((column) => dialect.orderBy(column, 'asc')).join(', ')}`] : []),
    dialect.limit(rows),
  ];
  return joinSql(clauses, ' ').print(dialect);
}
