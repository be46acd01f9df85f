import type { Calc } from './calc.ts';
import type { BuildContext, FunctionDefinition, Parameter, ParameterKind } from './scope.ts';

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

/** Symbols that give the sort order of a key. */
const SORT_ORDERS: readonly string[] = ['ASC', 'DESC', 'BASC', 'BDESC'];

function parameter(text: string): Parameter {
  const optional = /[?*]$/.test(text);
  const kind = text.replace(/[?*]$/, '');
  const parameterKind = KINDS.find((candidate) => candidate === kind);
  return {
    kind: parameterKind ?? 'symbol',
    symbols: parameterKind === undefined ? kind.split('|') : parameterKind === 'key' ? SORT_ORDERS : [],
    optional,
    repeated: text.endsWith('*'),
  };
}

type Argument<Kind extends string> = Kind extends `${string}*`
  ? Calc[]
  : Kind extends `${string}?`
    ? [arg?: Calc]
    : [arg: Calc];

/**
 * The arguments of a signature: `'set numeric?'` -> `[Calc, Calc?]`. A signature that is not a literal type accepts any
 * arguments.
 */
export type Arguments<Signature extends string> = string extends Signature
  ? Calc[]
  : Signature extends ''
    ? []
    : Signature extends `${infer First} ${infer Rest}`
      ? [...Argument<First>, ...Arguments<Rest>]
      : Argument<Signature>;

/** Compiles a call of a function with this signature. */
export type Build<Signature extends string> = (context: BuildContext, ...args: Arguments<Signature>) => Calc;

interface Declaration<Signature extends string> extends Omit<FunctionDefinition, 'parameters' | 'signature' | 'build'> {
  /** The kinds of the arguments, as described for `ParameterKind`: `'set numeric?'`. */
  readonly parameters: Signature;
  readonly build: Build<NoInfer<Signature>>;
}

/** Returns the definition of a function. `build` receives an argument for each required parameter. */
export function define<const Signature extends string>({
  parameters,
  build,
  ...definition
}: Declaration<Signature>): FunctionDefinition {
  return {
    ...definition,
    // `chooseOverload` has checked the number of arguments against the signature.
    build: (context, ...args) => build(context, ...(args as Arguments<Signature>)),
    signature: parameters,
    parameters: parameters === '' ? [] : parameters.split(' ').map(parameter),
  };
}
