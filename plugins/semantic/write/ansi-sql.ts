/** Writes SQL expressions of any dialect in ANSI SQL, with each name as the caller writes it. */
import { ExpressionError, parseExpression } from '../model/parse-sql-expression.ts';
import { leavesOf, type NameLeaf, type Parsed, type TemplatePart } from '../model/template.ts';

/**
 * Reads an expression, calls `name` for every name in it, and writes it in ANSI SQL.
 *
 * @throws ExpressionError
 */
export function rewrite(text: string, dialect: string, name: (leaf: NameLeaf) => string): string {
  return write(parseExpression(text, dialect, 'generic').template, name);
}

/**
 * Returns the name of an expression that is only a column; `undefined` for other expressions.
 *
 * @throws ExpressionError
 */
export function columnOf(text: string, dialect: string): string | undefined {
  const { template } = parseExpression(text, dialect, 'generic');
  const [only] = template;
  const plain = template.length === 1 && typeof only === 'object' && only.kind === 'name';
  return plain && only.qualifier === undefined ? only.name : undefined;
}

/**
 * Lists the names that an expression reads.
 *
 * @throws ExpressionError
 */
export function namesIn(text: string, dialect: string): readonly NameLeaf[] {
  return leavesOf(parseExpression(text, dialect, 'generic').template);
}

function write(template: Parsed, name: (leaf: NameLeaf) => string): string {
  return template.map((part) => writePart(part, name)).join('');
}

function writePart(part: TemplatePart<NameLeaf>, name: (leaf: NameLeaf) => string): string {
  if (typeof part === 'string') return part;
  switch (part.kind) {
    case 'name':
      return name(part);
    case 'aggregate':
      return write(part.call, name);
    case 'division':
      return division(write(part.left, name), write(part.right, name));
  }
}

/**
 * Writes `left / right` so that a zero divisor gives null, because not every product that reads the document guards
 * divisions.
 */
export function division(left: string, right: string): string {
  const isNumber = /^\d+(\.\d+)?$/.test(right) && Number(right) !== 0;
  return `((${left}) / ${isNumber ? right : `NULLIF(${right}, 0)`})`;
}

/** Writes `name` as SQL: bare where the parser reads it as the same name, else in double quotes. */
export function identifier(name: string): string {
  return readsAsItself(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

export function qualified(dataset: string, name: string): string {
  return `${identifier(dataset)}.${identifier(name)}`;
}

function readsAsItself(name: string): boolean {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return false;
  try {
    // Tests the name alone and after a dot: some words are names in only one of these places.
    return columnOf(name, 'generic') === name && namesIn(`${name}.${name}`, 'generic')[0]?.qualifier === name;
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}
