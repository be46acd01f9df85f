import type { Rowset, RowsetCondition } from './ast.ts';
import type { TokenStream } from './token-stream.ts';

/** Parses rowsets: `SELECT [CUBE_NAME] FROM $system.MDSCHEMA_CUBES WHERE …`. */

const SCHEMA = '$SYSTEM';

/** Returns whether the statement requests a rowset: only names and commas, or a star, precede its FROM. */
export function isRowset(tokens: TokenStream): boolean {
  if (!tokens.isWord('SELECT')) return false;
  let ahead = 1;
  while (!tokens.isWord('FROM', ahead)) {
    if (!tokens.isName(ahead) && !tokens.isSymbol(',', ahead) && !tokens.isSymbol('*', ahead)) return false;
    ahead++;
  }
  const schema = tokens.peek(ahead + 1);
  return (schema.kind === 'word' || schema.kind === 'quoted') && schema.text.toUpperCase() === SCHEMA;
}

/** Parses a statement for which `isRowset` is true. */
export function parseRowset(tokens: TokenStream): Rowset {
  tokens.expectWord('SELECT');
  const columns: { readonly name: string; readonly position: Rowset['position'] }[] = [];
  const all = tokens.takeSymbol('*');
  if (!all) {
    do columns.push(parseName(tokens));
    while (tokens.takeSymbol(','));
  }
  tokens.expectWord('FROM');
  tokens.next();
  tokens.expectSymbol('.');
  const { name, position } = parseName(tokens);
  const conditions: RowsetCondition[] = [];
  if (tokens.takeWords('WHERE')) {
    do conditions.push(parseCondition(tokens));
    while (tokens.takeWords('AND'));
  }
  return Object.freeze({
    kind: 'rowset',
    name: name.toUpperCase(),
    position,
    columns: all ? undefined : Object.freeze(columns),
    conditions: Object.freeze(conditions),
  });
}

function parseName(tokens: TokenStream) {
  if (!tokens.isName()) throw tokens.error('expected a name.');
  const { text, position } = tokens.next();
  return Object.freeze({ name: text, position });
}

function parseCondition(tokens: TokenStream): RowsetCondition {
  const { name, position } = parseName(tokens);
  const operator = tokens.takeSymbol('<>') ? '<>' : '=';
  if (operator === '=') tokens.expectSymbol('=');
  const token = tokens.peek();
  const isWord = tokens.isWord('TRUE') || tokens.isWord('FALSE');
  if (token.kind !== 'string' && token.kind !== 'number' && !isWord)
    throw tokens.error('expected a text in quotes, a number, TRUE or FALSE.');
  tokens.next();
  const value = isWord
    ? token.text.toUpperCase() === 'TRUE'
    : token.kind === 'number'
      ? Number(token.text)
      : token.text;
  return Object.freeze({ column: name.toUpperCase(), operator, value, position });
}
