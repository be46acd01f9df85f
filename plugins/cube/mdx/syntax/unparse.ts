import { quoteName } from '../../schema/mdx-name.ts';
import type { Expression, Segment } from './ast.ts';

/** Writes expressions as text. Parsing the text gives an equal expression. */

/** Writes a compound name as MDX. */
export function unparseSegments(segments: readonly Segment[]): string {
  return segments
    .map((segment) =>
      segment.kind === 'key'
        ? segment.parts.map((part) => `&${quoteName(part)}`).join('')
        : segment.quoted
          ? quoteName(segment.name)
          : segment.name,
    )
    .join('.');
}

/** Writes an expression as MDX that parses to the same tree. */
export function unparse(expression: Expression): string {
  switch (expression.kind) {
    case 'identifier':
      return unparseSegments(expression.segments);
    case 'number':
      return String(expression.value);
    case 'string':
      return `"${expression.value.replaceAll('"', '""')}"`;
    case 'null':
      return 'NULL';
    case 'empty':
      return '';
    case 'alias':
      return `(${unparse(expression.value)} AS ${quoteName(expression.name)})`;
    case 'cast':
      return `CAST(${unparse(expression.value)} AS ${expression.type})`;
    case 'case': {
      const value = expression.value === undefined ? '' : ` ${unparse(expression.value)}`;
      const branches = expression.branches.map(({ when, result }) => ` WHEN ${unparse(when)} THEN ${unparse(result)}`);
      const otherwise = expression.otherwise === undefined ? '' : ` ELSE ${unparse(expression.otherwise)}`;
      return `CASE${value}${branches.join('')}${otherwise} END`;
    }
    case 'call': {
      const args = expression.args.map(unparse);
      const [first = '', ...rest] = args;
      switch (expression.syntax) {
        case 'function':
          return `${expression.name}(${args.join(', ')})`;
        case 'method':
          return `${first}.${expression.name}(${rest.join(', ')})`;
        case 'property':
          return `${first}.${expression.name}`;
        case 'infix':
          return `(${first} ${expression.name} ${rest.join('')})`;
        case 'prefix':
          return `(${expression.name} ${first})`;
        case 'postfix':
          return `(${first} ${expression.name})`;
        case 'braces':
          return `{${args.join(', ')}}`;
        case 'parentheses': {
          const [only] = expression.args;
          const wrapped = args.length === 1 && only !== undefined && hasParentheses(only);
          return wrapped ? first : `(${args.join(', ')})`;
        }
      }
    }
  }
}

/** Returns whether an expression is always written in parentheses. */
function hasParentheses(expression: Expression): boolean {
  if (expression.kind === 'alias') return true;
  return expression.kind === 'call' && ['infix', 'prefix', 'postfix', 'parentheses'].includes(expression.syntax);
}
