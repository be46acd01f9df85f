import { MAX_AXES, MAX_SUBSELECTS } from '../limits.ts';
import type {
  Axis,
  DrillThrough,
  Expression,
  Formula,
  Identifier,
  MemberProperty,
  ReturnItem,
  Select,
  Statement,
  Subselect,
} from './ast.ts';
import { MdxLimitError, type Position, syntaxError } from './errors.ts';
import { parseExpression, parseIdentifier } from './parse-expression.ts';
import { isRowset, parseRowset } from './parse-rowset.ts';
import { TokenStream } from './token-stream.ts';

/**
 * Parses a query, a DRILLTHROUGH statement or a request for a rowset.
 *
 * @throws MdxError with line and column
 */
export function parseStatement(text: string): Statement {
  const tokens = new TokenStream(text);
  const statement = tokens.isWord('DRILLTHROUGH')
    ? parseDrillThrough(tokens)
    : isRowset(tokens)
      ? parseRowset(tokens)
      : parseSelect(tokens);
  tokens.takeSymbol(';');
  if (tokens.peek().kind !== 'end') throw tokens.error();
  return statement;
}

/** Parses a text that is a single expression, such as a formula of a schema. */
export function parseExpressionText(text: string): Expression {
  const tokens = new TokenStream(text);
  const expression = parseExpression(tokens);
  if (tokens.peek().kind !== 'end') throw tokens.error();
  return expression;
}

interface FormulaText {
  readonly value: Expression;
  readonly properties: readonly MemberProperty[];
}

/** Parses a formula between quotes. Properties may follow inside or after the quotes. */
function parseQuotedFormula(text: string, quote: Position): FormulaText {
  const tokens = new TokenStream(text, { line: quote.line, column: quote.column + 1 });
  const value = parseExpression(tokens);
  const properties = parseProperties(tokens);
  if (tokens.peek().kind !== 'end') throw tokens.error();
  return { value, properties };
}

function parseDrillThrough(tokens: TokenStream): DrillThrough {
  tokens.expectWord('DRILLTHROUGH');
  const maxRows = tokens.takeWords('MAXROWS') ? tokens.expectInteger() : undefined;
  const firstRowset = tokens.takeWords('FIRSTROWSET') ? tokens.expectInteger() : undefined;
  const query = parseSelect(tokens);
  const returns: ReturnItem[] = [];
  if (tokens.takeWords('RETURN')) {
    do returns.push(parseReturnItem(tokens));
    while (tokens.takeSymbol(','));
  }
  return Object.freeze({ kind: 'drillthrough', maxRows, firstRowset, query, returns: Object.freeze(returns) });
}

function parseReturnItem(tokens: TokenStream): ReturnItem {
  const { position } = tokens;
  const first = tokens.peek();
  if (first.kind !== 'word' || !tokens.isSymbol('(', 1)) {
    return Object.freeze({ fn: undefined, of: parseIdentifier(tokens), position });
  }
  tokens.next();
  tokens.expectSymbol('(');
  const of = parseIdentifier(tokens);
  tokens.expectSymbol(')');
  return Object.freeze({ fn: first.text, of, position });
}

function parseSelect(tokens: TokenStream): Select {
  const formulas = tokens.takeWords('WITH') ? parseFormulas(tokens) : [];
  tokens.expectWord('SELECT');
  const axes = parseAxes(tokens);
  tokens.expectWord('FROM');
  const { cube, cubePosition, subselects } = parseFrom(tokens);
  const slicer = tokens.takeWords('WHERE') ? parseExpression(tokens) : undefined;
  const cellProperties: Identifier[] = [];
  tokens.takeWords('CELL');
  if (tokens.takeWords('PROPERTIES')) {
    do cellProperties.push(parseIdentifier(tokens));
    while (tokens.takeSymbol(','));
  }
  return Object.freeze({
    kind: 'select',
    formulas: Object.freeze(formulas),
    axes: Object.freeze(axes),
    cube,
    cubePosition,
    subselects: Object.freeze(subselects),
    slicer,
    cellProperties: Object.freeze(cellProperties),
  });
}

type From = Pick<Select, 'cube' | 'cubePosition'> & { readonly subselects: Subselect[] };

/** Parses the name of a cube, or nested queries around it. */
function parseFrom(tokens: TokenStream, depth = 0): From {
  const cubePosition = tokens.position;
  if (tokens.takeSymbol('(')) {
    if (depth >= MAX_SUBSELECTS) throw new MdxLimitError(`More than ${MAX_SUBSELECTS} queries in FROM.`, cubePosition);
    tokens.expectWord('SELECT');
    const axes = parseAxes(tokens);
    tokens.expectWord('FROM');
    const from = parseFrom(tokens, depth + 1);
    const slicer = tokens.takeWords('WHERE') ? parseExpression(tokens) : undefined;
    tokens.expectSymbol(')');
    from.subselects.push(Object.freeze({ axes: Object.freeze(axes), slicer }));
    return from;
  }
  const { segments } = parseIdentifier(tokens);
  const [segment] = segments;
  if (segments.length > 1 || segment.kind !== 'name')
    throw syntaxError(cubePosition, '.', 'expected the name of a cube.');
  return { cube: segment.name, cubePosition, subselects: [] };
}

function parseFormulas(tokens: TokenStream): Formula[] {
  const formulas: Formula[] = [];
  for (;;) {
    const position = tokens.position;
    tokens.takeSymbol(',');
    if (tokens.takeWords('MEMBER')) {
      const name = parseIdentifier(tokens);
      tokens.expectWord('AS');
      const { value, properties } = parseFormula(tokens);
      const all = Object.freeze([...properties, ...parseProperties(tokens)]);
      formulas.push(Object.freeze({ kind: 'member', name, value, properties: all, position }));
    } else if (tokens.takeWords('SET')) {
      const name = parseIdentifier(tokens);
      tokens.expectWord('AS');
      formulas.push(Object.freeze({ kind: 'set', name, value: parseFormula(tokens).value, position }));
    } else if (formulas.length > 0) return formulas;
    else throw tokens.error('expected MEMBER or SET.');
  }
}

/** Parses a formula, or its text between single quotes. */
function parseFormula(tokens: TokenStream): FormulaText {
  const token = tokens.peek();
  if (token.kind !== 'string' || token.quote !== "'") return { value: parseExpression(tokens), properties: [] };
  tokens.next();
  return parseQuotedFormula(token.text, token.position);
}

function parseProperties(tokens: TokenStream): readonly MemberProperty[] {
  const properties: MemberProperty[] = [];
  while (tokens.isSymbol(',') && !tokens.isWord('MEMBER', 1) && !tokens.isWord('SET', 1)) {
    tokens.next();
    const name = parseIdentifier(tokens)
      .segments.map((segment) => (segment.kind === 'name' ? segment.name : segment.parts.join('.')))
      .join('.');
    tokens.expectSymbol('=');
    properties.push(Object.freeze({ name, value: parseExpression(tokens) }));
  }
  return Object.freeze(properties);
}

const AXIS_NAMES = ['COLUMNS', 'ROWS', 'PAGES', 'SECTIONS', 'CHAPTERS'];

function parseAxes(tokens: TokenStream): Axis[] {
  const axes: Axis[] = [];
  if (tokens.isWord('FROM')) return axes;
  do {
    if (axes.length >= MAX_AXES) throw new MdxLimitError(`More than ${MAX_AXES} axes.`, tokens.position);
    axes.push(parseAxis(tokens));
  } while (tokens.takeSymbol(','));
  const ordered = axes.toSorted((left, right) => left.ordinal - right.ordinal);
  for (const [index, axis] of ordered.entries()) {
    if (ordered[index + 1]?.ordinal === axis.ordinal) {
      throw syntaxError(axis.position, String(axis.ordinal), 'the same axis is written twice.');
    }
    if (axis.ordinal !== index) {
      const name = AXIS_NAMES[index];
      const missing = `Axis ${index}${name === undefined ? '' : ` (${name})`} is missing.`;
      throw syntaxError(
        axis.position,
        String(axis.ordinal),
        `Axis numbers specified in a query must be sequentially specified, and cannot contain gaps. ${missing}`,
      );
    }
  }
  return ordered;
}

function parseAxis(tokens: TokenStream): Axis {
  const nonEmpty = tokens.takeWords('NON', 'EMPTY');
  const value = parseExpression(tokens);
  const dimensionProperties: Identifier[] = [];
  const hasProperties = tokens.takeWords('DIMENSION', 'PROPERTIES') || tokens.takeWords('PROPERTIES');
  if (hasProperties) {
    do dimensionProperties.push(parseIdentifier(tokens));
    while (tokens.takeSymbol(','));
  }
  tokens.expectWord('ON');
  const position = tokens.position;
  const ordinal = parseAxisOrdinal(tokens);
  return Object.freeze({ ordinal, nonEmpty, value, dimensionProperties: Object.freeze(dimensionProperties), position });
}

function parseAxisOrdinal(tokens: TokenStream): number {
  const nameIndex = AXIS_NAMES.findIndex((name) => tokens.isWord(name));
  if (nameIndex >= 0) {
    tokens.next();
    return nameIndex;
  }
  if (tokens.takeWords('AXIS')) {
    tokens.expectSymbol('(');
    const ordinal = tokens.expectInteger();
    tokens.expectSymbol(')');
    return ordinal;
  }
  return tokens.expectInteger();
}
