import { MAX_ARGUMENTS, MAX_NAME_PARTS, MAX_OPERATIONS } from '../limits.ts';
import type { Call, CallSyntax, CaseExpression, Expression, Identifier, Segment } from './ast.ts';
import { MdxLimitError, type Position } from './errors.ts';
import type { TokenStream } from './token-stream.ts';

/**
 * Parses an expression by precedence, from the loosest: `AS`; `OR` `XOR` `:`; `AND`; `NOT`; comparisons; `+` `-` `||`;
 * `*` `/`; signs and `EXISTING`; then names, literals and calls, with the names after their dots.
 */
export function parseExpression(tokens: TokenStream): Expression {
  const value = tokens.nested(() => parseOr(tokens));
  const position = tokens.position;
  if (!tokens.takeWords('AS')) return value;
  const name = tokens.next();
  if (name.kind !== 'word' && name.kind !== 'quoted') throw tokens.error('expected a name after AS.');
  return Object.freeze({ kind: 'alias', value, name: name.text, position });
}

/** Parses a compound name. */
export function parseIdentifier(tokens: TokenStream): Identifier {
  const position = tokens.position;
  const segments: [Segment, ...Segment[]] = [parseSegment(tokens)];
  while (tokens.isSymbol('.') && !tokens.isSymbol('(', 2)) {
    tokens.next();
    addSegment(segments, tokens);
  }
  return Object.freeze({ kind: 'identifier', segments: freezeAll(segments), position });
}

function freezeAll<T>(items: T): T {
  return Object.freeze(items);
}

/**
 * The depth of each call's tree. Long sums and chains of properties are deep trees, too, although a loop parses them:
 * compiling, evaluating and writing them is recursive.
 */
const depths = new WeakMap<Expression, number>();

function call(syntax: CallSyntax, name: string, args: readonly Expression[], position: Position): Call {
  const depth = args.reduce((deepest, argument) => Math.max(deepest, depthOf(argument)), 0) + 1;
  if (depth > MAX_OPERATIONS)
    throw new MdxLimitError(`An expression has more than ${MAX_OPERATIONS} operations in a row.`, position);
  const made: Call = Object.freeze({ kind: 'call', syntax, name, args: Object.freeze(args), position });
  depths.set(made, depth);
  return made;
}

/** Returns the number of nested calls on the deepest path. */
function depthOf(expression: Expression): number {
  switch (expression.kind) {
    case 'call':
      return depths.get(expression) ?? 0;
    case 'alias':
    case 'cast':
      return depthOf(expression.value);
    case 'case': {
      const inner = expression.branches.flatMap(({ when, result }) => [when, result]);
      if (expression.value !== undefined) inner.push(expression.value);
      if (expression.otherwise !== undefined) inner.push(expression.otherwise);
      return inner.reduce((deepest, each) => Math.max(deepest, depthOf(each)), 0);
    }
    default:
      return 0;
  }
}

function parseOr(tokens: TokenStream): Expression {
  let left = parseAnd(tokens);
  for (;;) {
    const position = tokens.position;
    if (tokens.takeWords('OR')) left = call('infix', 'OR', [left, parseAnd(tokens)], position);
    else if (tokens.takeWords('XOR')) left = call('infix', 'XOR', [left, parseAnd(tokens)], position);
    else if (tokens.takeSymbol(':')) left = call('infix', ':', [left, parseAnd(tokens)], position);
    else return left;
  }
}

function parseAnd(tokens: TokenStream): Expression {
  let left = parseNot(tokens);
  for (;;) {
    const position = tokens.position;
    if (!tokens.takeWords('AND')) return left;
    left = call('infix', 'AND', [left, parseNot(tokens)], position);
  }
}

function parseNot(tokens: TokenStream): Expression {
  const position = tokens.position;
  if (tokens.takeWords('NOT')) return call('prefix', 'NOT', [tokens.nested(() => parseNot(tokens))], position);
  return parseComparison(tokens);
}

const COMPARISONS = ['=', '<>', '<=', '>=', '<', '>'];

function parseComparison(tokens: TokenStream): Expression {
  let left = parseSum(tokens);
  for (;;) {
    const position = tokens.position;
    const comparison = COMPARISONS.find((symbol) => tokens.isSymbol(symbol));
    if (comparison !== undefined) {
      tokens.next();
      left = call('infix', comparison, [left, parseSum(tokens)], position);
    } else if (tokens.takeWords('IS', 'NULL')) left = call('postfix', 'IS NULL', [left], position);
    else if (tokens.takeWords('IS', 'EMPTY')) left = call('postfix', 'IS EMPTY', [left], position);
    else if (tokens.takeWords('IS')) left = call('infix', 'IS', [left, parseSum(tokens)], position);
    else if (tokens.takeWords('NOT', 'MATCHES')) left = negate('MATCHES', left, tokens, position);
    else if (tokens.takeWords('MATCHES')) left = call('infix', 'MATCHES', [left, parseSum(tokens)], position);
    else if (tokens.takeWords('NOT', 'IN')) left = negate('IN', left, tokens, position);
    else if (tokens.takeWords('IN')) left = call('infix', 'IN', [left, parseSum(tokens)], position);
    else return left;
  }
}

function negate(operator: string, left: Expression, tokens: TokenStream, position: Position): Expression {
  return call('prefix', 'NOT', [call('infix', operator, [left, parseSum(tokens)], position)], position);
}

function parseSum(tokens: TokenStream): Expression {
  let left = parseProduct(tokens);
  for (;;) {
    const position = tokens.position;
    const symbol = ['+', '-', '||'].find((candidate) => tokens.isSymbol(candidate));
    if (symbol === undefined) return left;
    tokens.next();
    left = call('infix', symbol, [left, parseProduct(tokens)], position);
  }
}

function parseProduct(tokens: TokenStream): Expression {
  let left = parseSign(tokens);
  for (;;) {
    const position = tokens.position;
    const symbol = ['*', '/'].find((candidate) => tokens.isSymbol(candidate));
    if (symbol === undefined) return left;
    tokens.next();
    left = call('infix', symbol, [left, parseSign(tokens)], position);
  }
}

function parseSign(tokens: TokenStream): Expression {
  const position = tokens.position;
  if (tokens.takeSymbol('+')) return tokens.nested(() => parseSign(tokens));
  if (tokens.takeSymbol('-')) return call('prefix', '-', [tokens.nested(() => parseSign(tokens))], position);
  if (tokens.takeWords('EXISTING'))
    return call('prefix', 'EXISTING', [tokens.nested(() => parseSign(tokens))], position);
  return parseChain(tokens);
}

/** Parses an atom with the names, properties and methods after its dots. */
function parseChain(tokens: TokenStream): Expression {
  let left = parseAtom(tokens);
  while (tokens.isSymbol('.')) {
    if (left.kind === 'identifier') left = withFurtherSegments(left, tokens);
    else left = parseLink(left, tokens);
  }
  return left;
}

/** Parses all further names and keys of an identifier, up to the call of a method. */
function withFurtherSegments(first: Identifier, tokens: TokenStream): Expression {
  const segments: [Segment, ...Segment[]] = [...first.segments];
  const identifier = () =>
    Object.freeze({ kind: 'identifier', segments: freezeAll(segments), position: first.position } as const);
  while (tokens.isSymbol('.')) {
    if (tokens.isSymbol('(', 2)) return parseLink(identifier(), tokens);
    tokens.next();
    requireLink(tokens);
    addSegment(segments, tokens);
  }
  return identifier();
}

function addSegment(segments: Segment[], tokens: TokenStream): void {
  if (segments.length >= MAX_NAME_PARTS)
    throw new MdxLimitError(`A name has more than ${MAX_NAME_PARTS} parts.`, tokens.position);
  segments.push(parseSegment(tokens));
}

function requireLink(tokens: TokenStream): void {
  const { kind } = tokens.peek();
  if (kind !== 'word' && kind !== 'quoted' && !tokens.isSymbol('&'))
    throw tokens.error('expected a name after the dot.');
}

/** Parses a method or property of an expression. */
function parseLink(left: Expression, tokens: TokenStream): Expression {
  tokens.next();
  requireLink(tokens);
  const segment = parseSegment(tokens);
  if (segment.kind === 'name' && tokens.isSymbol('('))
    return call('method', segment.name, [left, ...parseArguments(tokens)], segment.position);
  return call('property', segmentText(segment), [left], segment.position);
}

function segmentText(segment: Segment): string {
  return segment.kind === 'name' ? segment.name : segment.parts.map((part) => `&[${part}]`).join('');
}

function nameSegment(name: string, quoted: boolean, position: Position): Segment {
  return Object.freeze({ kind: 'name', name, quoted, position });
}

function parseSegment(tokens: TokenStream): Segment {
  const token = tokens.peek();
  if (tokens.isSymbol('&')) {
    const parts: string[] = [];
    while (tokens.takeSymbol('&')) {
      if (parts.length >= MAX_NAME_PARTS)
        throw new MdxLimitError(`A key has more than ${MAX_NAME_PARTS} parts.`, tokens.position);
      const part = tokens.next();
      if (part.kind !== 'quoted' && part.kind !== 'word' && part.kind !== 'number') throw tokens.error();
      parts.push(part.text);
    }
    return Object.freeze({ kind: 'key', parts: freezeAll(parts), position: token.position });
  }
  if (token.kind !== 'quoted' && token.kind !== 'word') throw tokens.error('expected a name.');
  tokens.next();
  return nameSegment(token.text, token.kind === 'quoted', token.position);
}

function parseAtom(tokens: TokenStream): Expression {
  const token = tokens.peek();
  const { position } = token;
  if (token.kind === 'number') {
    tokens.next();
    return Object.freeze({ kind: 'number', value: Number(token.text), position });
  }
  if (token.kind === 'string') {
    tokens.next();
    return Object.freeze({ kind: 'string', value: token.text, position });
  }
  if (tokens.isSymbol('{')) {
    tokens.next();
    return call('braces', '{}', parseList(tokens, '}'), position);
  }
  if (tokens.isSymbol('(')) return call('parentheses', '()', parseArguments(tokens), position);
  if (tokens.takeWords('NULL')) return Object.freeze({ kind: 'null', position });
  if (tokens.isWord('CASE')) return parseCase(tokens);
  if (tokens.isWord('CAST') && tokens.isSymbol('(', 1)) return parseCast(tokens);
  if (token.kind === 'word' && tokens.isSymbol('(', 1)) {
    tokens.next();
    return call('function', token.text, parseArguments(tokens), position);
  }
  if (tokens.isName() || tokens.isSymbol('&')) {
    return Object.freeze({ kind: 'identifier', segments: freezeAll([parseSegment(tokens)] as const), position });
  }
  throw tokens.error();
}

/** Parses `(a, , b)`. Arguments may be omitted. */
function parseArguments(tokens: TokenStream): readonly Expression[] {
  tokens.expectSymbol('(');
  if (tokens.takeSymbol(')')) return [];
  const args: Expression[] = [];
  do {
    if (args.length >= MAX_ARGUMENTS)
      throw new MdxLimitError(`More than ${MAX_ARGUMENTS} arguments; write a set between braces.`, tokens.position);
    const omitted = tokens.isSymbol(',') || tokens.isSymbol(')');
    args.push(omitted ? Object.freeze({ kind: 'empty', position: tokens.position }) : parseExpression(tokens));
  } while (tokens.takeSymbol(','));
  tokens.expectSymbol(')');
  return args;
}

function parseList(tokens: TokenStream, close: string): readonly Expression[] {
  if (tokens.takeSymbol(close)) return [];
  const items = [parseExpression(tokens)];
  while (tokens.takeSymbol(',')) items.push(parseExpression(tokens));
  tokens.expectSymbol(close);
  return items;
}

function parseCase(tokens: TokenStream): CaseExpression {
  const position = tokens.position;
  tokens.expectWord('CASE');
  const value = tokens.isWord('WHEN') ? undefined : parseExpression(tokens);
  const branches: { when: Expression; result: Expression }[] = [];
  while (tokens.takeWords('WHEN')) {
    const when = parseExpression(tokens);
    tokens.expectWord('THEN');
    branches.push(Object.freeze({ when, result: parseExpression(tokens) }));
  }
  if (branches.length === 0) throw tokens.error('expected WHEN.');
  const otherwise = tokens.takeWords('ELSE') ? parseExpression(tokens) : undefined;
  tokens.expectWord('END');
  return Object.freeze({ kind: 'case', value, branches: Object.freeze(branches), otherwise, position });
}

function parseCast(tokens: TokenStream): Expression {
  const position = tokens.position;
  tokens.next();
  tokens.expectSymbol('(');
  const value = tokens.nested(() => parseOr(tokens));
  tokens.expectWord('AS');
  const type = tokens.peek();
  if (type.kind !== 'word') throw tokens.error('expected the name of a type.');
  tokens.next();
  tokens.expectSymbol(')');
  return Object.freeze({ kind: 'cast', value, type: type.text, position });
}
