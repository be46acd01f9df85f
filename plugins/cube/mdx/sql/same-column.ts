import type * as model from '../../schema/model.ts';

/** Returns whether an expression is a column of the same table with the same name. */
export function isColumn(expression: model.Expression, column: model.ColumnExpression): boolean {
  return expression.kind === 'column' && expression.table === column.table && expression.name === column.name;
}
