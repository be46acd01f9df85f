import type { Expression } from './ast.ts';

/** Calls `visit` with the expression and all expressions inside it, outer ones first. */
export function walk(expression: Expression, visit: (each: Expression) => void): void {
  visit(expression);
  for (const part of childExpressions(expression)) walk(part, visit);
}

function childExpressions(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'call':
      return expression.args;
    case 'case': {
      const { value, branches, otherwise } = expression;
      return [value, ...branches.flatMap(({ when, result }) => [when, result]), otherwise].filter(
        (part) => part !== undefined,
      );
    }
    case 'alias':
    case 'cast':
      return [expression.value];
    case 'identifier':
    case 'number':
    case 'string':
    case 'null':
    case 'empty':
      return [];
  }
}
