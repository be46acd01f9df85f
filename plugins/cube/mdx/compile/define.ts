import type { CallSyntax } from '../syntax/ast.ts';
import type { FunctionDefinition, Parameter, ParameterKind } from './scope.ts';

const KINDS: readonly ParameterKind[] = [
  'member',
  'tuple',
  'set',
  'level',
  'hierarchy',
  'dimension',
  'numeric',
  'string',
  'logical',
  'value',
  'key',
  'any',
  'empty',
];

/** Words that say how a key is sorted by. */
const SORT_ORDERS: readonly string[] = ['ASC', 'DESC', 'BASC', 'BDESC'];

function parameter(text: string): Parameter {
  const optional = /[?*]$/.test(text);
  const kind = text.replace(/[?*]$/, '');
  const known = KINDS.find((candidate) => candidate === kind);
  return {
    kind: known ?? 'symbol',
    symbols: known === undefined ? kind.split('|') : known === 'key' ? SORT_ORDERS : [],
    optional,
    repeated: text.endsWith('*'),
  };
}

/** `define('Head', 'function', 'set numeric?', 'The first tuples of a set.', (_, set, count) => …)` */
export function define(
  name: string,
  syntax: CallSyntax,
  parameters: string,
  description: string,
  build: FunctionDefinition['build'],
): FunctionDefinition {
  return {
    name,
    syntax,
    signature: parameters,
    parameters: parameters === '' ? [] : parameters.split(' ').map(parameter),
    description,
    build,
  };
}
