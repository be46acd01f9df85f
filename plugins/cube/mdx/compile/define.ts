import type { CallSyntax } from '../syntax/ast.ts';
import type { Calc } from './calc.ts';
import type { Scope } from './scope.ts';

/** What a function may ask of the compiler besides its arguments. */
export interface BuildContext {
  readonly scope: Scope;
  /** Compiles MDX text that is found while evaluating, as in `StrToMember`. */
  compileText(text: string): Calc;
  /** What is compiled is such a text: it comes again each time it is evaluated. */
  readonly isText: boolean;
}

/**
 * A kind of argument: `set`, `member`, …; `value` is any scalar, `key` one or a
 * sort order, `any` is taken as it is. `?` may be left out, `*` may come
 * any number of times (both only at the end). A word in capitals, or several with `|`, is a symbol such as `DESC`.
 */
export type ParameterKind =
  | 'member'
  | 'tuple'
  | 'set'
  | 'level'
  | 'hierarchy'
  | 'dimension'
  | 'numeric'
  | 'string'
  | 'logical'
  | 'value'
  | 'key'
  | 'any'
  | 'empty';

export interface Parameter {
  readonly kind: ParameterKind | 'symbol';
  readonly symbols: readonly string[];
  readonly optional: boolean;
  readonly repeated: boolean;
}

export interface FunctionDefinition {
  readonly name: string;
  readonly syntax: CallSyntax;
  readonly parameters: readonly Parameter[];
  readonly signature: string;
  /** One sentence for the table of functions. */
  readonly description: string;
  readonly build: (context: BuildContext, ...args: Calc[]) => Calc;
}

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

function parameter(text: string): Parameter {
  const optional = /[?*]$/.test(text);
  const kind = text.replace(/[?*]$/, '');
  const known = KINDS.find((candidate) => candidate === kind);
  return {
    kind: known ?? 'symbol',
    symbols: known === undefined ? kind.split('|') : [],
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
