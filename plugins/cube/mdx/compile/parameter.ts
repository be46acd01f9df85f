import type * as model from '../../schema/model.ts';
import { inSchemaFormula, MdxError } from '../syntax/errors.ts';
import { unparse } from '../syntax/unparse.ts';
import { asMembers, type Calc, constantValue } from './calc.ts';
import type { BuildContext, DeclaredParameter, Scope } from './scope.ts';
import { hierarchyOf, type Type, VALUE } from './types.ts';

export type Compiled = DeclaredParameter;

const SCALARS: Readonly<Record<string, readonly string[]>> = {
  NUMERIC: ['numeric', 'value', 'null'],
  INTEGER: ['numeric', 'value', 'null'],
  STRING: ['string', 'value', 'null'],
  DATETIME: ['datetime', 'value', 'null'],
  LOGICAL: ['logical', 'value', 'null'],
  MEMBER: ['member', 'null'],
};

/** What the types of a schema's parameters are called in a query. */
const SYMBOLS: Readonly<Record<model.Parameter['type'], string>> = {
  String: 'STRING',
  Numeric: 'NUMERIC',
  Integer: 'INTEGER',
  Boolean: 'LOGICAL',
  Date: 'DATETIME',
  Time: 'DATETIME',
  Timestamp: 'DATETIME',
  Member: 'MEMBER',
};

/** Declares a parameter with its type and default; the caller's value, if there is one, stands in its place. */
export function declareParameter(context: BuildContext, name: string, type: Calc, otherwise: Calc): Calc {
  const { scope, compileText } = context;
  const declared = scope.parameters.get(name.toLowerCase());
  if (declared !== undefined && !context.isText) {
    if (scope.declaredByReference.delete(name.toLowerCase())) return declared.calc;
    throw new MdxError(`Parameter '${name}' is defined more than once.`);
  }
  if (type.type.kind === 'member') {
    const types = [...new Set(Object.values(SYMBOLS))].filter((each) => each !== 'MEMBER').join(', ');
    throw new MdxError(`Invalid type for parameter '${name}'; expecting ${types}, a hierarchy or a level.`);
  }
  const given = scope.values.get(name.toLowerCase());
  const value = given === undefined ? otherwise : compileText(unparse(given));
  check(name, type.type, otherwise, 'Default value');
  if (given !== undefined) check(name, type.type, value, 'Value');
  const calc = asMembers(value);
  scope.parameters.set(name.toLowerCase(), { name, calc });
  return calc;
}

/** Declares a parameter that is referred to before its declaration; `undefined` where the query has none of the name. */
export function declareAhead({ scope, compileText }: BuildContext, name: string): Calc | undefined {
  const key = name.toLowerCase();
  const written = scope.written.get(key);
  if (written === undefined) return undefined;
  // What refers to itself in its own default finds nothing.
  scope.written.delete(key);
  const calc = compileText(unparse(written));
  scope.declaredByReference.add(key);
  return calc;
}

/** Returns a parameter of the schema: the caller's value, if it may be set, else the default; without one empty. */
export function schemaParameter(scope: Scope, of: model.Parameter, compileText: (text: string) => Calc): Calc {
  const key = of.name.toLowerCase();
  const given = scope.values.get(key);
  if (given !== undefined && !of.modifiable) {
    throw new MdxError(`The schema does not let parameter '${of.name}' be set.`);
  }
  const text = given === undefined ? of.defaultValue : unparse(given);
  const type: Type = { kind: 'symbol', name: SYMBOLS[of.type] };
  const compile = (what: string) => {
    const calc = text === undefined ? constantValue(VALUE, null) : asMembers(compileText(text));
    check(of.name, type, calc, what);
    return calc;
  };
  const calc =
    given === undefined
      ? inSchemaFormula(`parameter '${of.name}'`, of.line, () => compile('Default value'))
      : compile('Value');
  scope.parameters.set(key, { name: of.name, calc });
  return calc;
}

function check(name: string, type: Type, value: Calc, what: string): void {
  if (type.kind === 'symbol') {
    if (SCALARS[type.name]?.includes(value.type.kind)) return;
    throw new MdxError(`${what} of parameter '${name}' is not consistent with the parameter type '${type.name}'`);
  }
  const wanted = hierarchyOf(type);
  const own = hierarchyOf(value.type);
  const dimension = type.kind === 'dimension' ? type.dimension : undefined;
  const level = type.kind === 'level' ? type.level : undefined;
  const fits = dimension === undefined ? own === wanted : own?.dimension === dimension;
  const isThere = level === undefined || value.type.kind !== 'member' || (value.type.level ?? level) === level;
  if (fits && isThere && value.type.kind !== 'set' && value.type.kind !== 'level') return;
  const of = level === undefined ? `hierarchy=${wanted?.uniqueName ?? ''}` : `level=${level.uniqueName}`;
  throw new MdxError(`${what} of parameter '${name}' is not consistent with the parameter type 'MemberType<${of}>'`);
}
