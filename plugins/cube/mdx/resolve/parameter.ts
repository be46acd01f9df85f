import { MdxError } from '../errors.ts';
import { unparse } from '../unparse.ts';
import { asMembers, type Calc } from './calc.ts';
import type { DeclaredParameter, Scope } from './scope.ts';
import { hierarchyOf } from './types.ts';

export type Compiled = DeclaredParameter;

const SCALARS: Readonly<Record<string, readonly string[]>> = {
  NUMERIC: ['numeric', 'value', 'null'],
  INTEGER: ['numeric', 'value', 'null'],
  STRING: ['string', 'value', 'null'],
  DATETIME: ['datetime', 'value', 'null'],
};

/** The first use of a parameter gives its type and default; the caller's value, if there is one, stands in its place. */
export function declareParameter(
  scope: Scope,
  name: string,
  type: Calc,
  otherwise: Calc,
  compileText: (text: string) => Calc,
): Calc {
  const given = scope.values.get(name.toLowerCase());
  const value = given === undefined ? otherwise : compileText(unparse(given));
  check(name, type, otherwise, 'Default value');
  if (given !== undefined) check(name, type, value, 'Value');
  const calc = asMembers(value);
  scope.parameters.set(name.toLowerCase(), { name, calc });
  return calc;
}

function check(name: string, type: Calc, value: Calc, what: string): void {
  if (type.type.kind === 'symbol') {
    if (SCALARS[type.type.name]?.includes(value.type.kind)) return;
    throw new MdxError(`${what} of parameter '${name}' is not consistent with the parameter type '${type.type.name}'`);
  }
  const wanted = hierarchyOf(type.type);
  const own = hierarchyOf(value.type);
  const dimension = type.type.kind === 'dimension' ? type.type.dimension : undefined;
  const fits = dimension === undefined ? own === wanted : own?.dimension === dimension;
  if (fits && value.type.kind !== 'set') return;
  throw new MdxError(
    `${what} of parameter '${name}' is not consistent with the parameter type 'MemberType<hierarchy=${wanted?.uniqueName ?? ''}>'`,
  );
}
