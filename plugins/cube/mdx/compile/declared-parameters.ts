import type * as model from '../../schema/model.ts';
import { asText, type Value } from '../metadata/value.ts';
import { inSchemaFormula, MdxError, MdxEvaluationError } from '../syntax/errors.ts';
import { unparse } from '../syntax/unparse.ts';
import { type Calc, constantValue, memberCalc, scalarCalc } from './calc.ts';
import { asMembers } from './conversions.ts';
import { hierarchyOf, type Type, VALUE } from './expression-types.ts';
import type { BuildContext, DeclaredParameter, Scope } from './scope.ts';

export type Compiled = DeclaredParameter;

/** The scalar types of parameters that a query may declare. */
export const SCALAR_TYPES = 'NUMERIC|STRING|INTEGER|DATETIME';

interface ScalarRule {
  /** Kinds of expressions that may have the type. */
  readonly kinds: readonly Type['kind'][];
  /**
   * Returns whether the parameter accepts a value. Only evaluation can decide this for `value`, and for numbers that
   * may be whole or not.
   */
  readonly accepts: (value: Exclude<Value, null>) => boolean;
}

const isNumber = (value: Value): boolean => typeof value === 'number' || typeof value === 'bigint';

const SCALARS: Readonly<Record<string, ScalarRule>> = {
  NUMERIC: { kinds: ['numeric'], accepts: isNumber },
  INTEGER: { kinds: ['numeric'], accepts: (value) => isNumber(value) && Number.isInteger(Number(value)) },
  STRING: { kinds: ['string'], accepts: (value) => typeof value === 'string' },
  // Warehouses return dates as texts.
  DATETIME: { kinds: ['datetime'], accepts: (value) => value instanceof Date || typeof value === 'string' },
  LOGICAL: { kinds: ['logical'], accepts: (value) => typeof value === 'boolean' },
};

/** The names of a schema's parameter types in a query. */
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

/** Declares a parameter with its type and default. A value from the caller replaces the default. */
export function declareParameter(context: BuildContext, name: string, type: Calc, otherwise: Calc): Calc {
  const { scope, compileText } = context;
  const declared = scope.parameters.get(name.toLowerCase());
  if (declared !== undefined && !context.isText) {
    if (scope.declaredByReference.delete(name.toLowerCase())) return declared.calc;
    throw new MdxError(`Parameter '${name}' is defined more than once.`);
  }
  if (type.type.kind === 'member') {
    throw new MdxError(
      `Invalid type for parameter '${name}'; expecting ${SCALAR_TYPES.replaceAll('|', ', ')}, a hierarchy or a level.`,
    );
  }
  const callerValue = scope.values.get(name.toLowerCase());
  const standard = ofType(name, type.type, otherwise, 'Default value');
  const calc =
    callerValue === undefined ? standard : ofType(name, type.type, compileText(unparse(callerValue)), 'Value');
  scope.parameters.set(name.toLowerCase(), { name, calc });
  return calc;
}

/** Declares a parameter that is used before its declaration; `undefined` if the query does not declare it. */
export function declareReferencedParameter({ scope, compileText }: BuildContext, name: string): Calc | undefined {
  const key = name.toLowerCase();
  const written = scope.written.get(key);
  if (written === undefined) return undefined;
  // A default that refers to its own parameter must not find it.
  scope.written.delete(key);
  const calc = compileText(unparse(written));
  scope.declaredByReference.add(key);
  return calc;
}

/**
 * Returns a parameter of the schema: the caller's value if it may be set, or else the default. Without a default it is
 * empty.
 */
export function schemaParameter(scope: Scope, parameter: model.Parameter, compileText: (text: string) => Calc): Calc {
  const key = parameter.name.toLowerCase();
  const callerValue = scope.values.get(key);
  if (callerValue !== undefined && !parameter.modifiable) {
    throw new MdxError(`The schema does not let parameter '${parameter.name}' be set.`);
  }
  const text = callerValue === undefined ? parameter.defaultValue : unparse(callerValue);
  const type: Type = { kind: 'symbol', name: SYMBOLS[parameter.type] };
  const compile = (what: string) => {
    if (text === undefined) return constantValue(VALUE, null);
    return ofType(parameter.name, type, asMembers(compileText(text)), what);
  };
  const calc =
    callerValue === undefined
      ? inSchemaFormula(`parameter '${parameter.name}'`, parameter.line, () => compile('Default value'))
      : compile('Value');
  scope.parameters.set(key, { name: parameter.name, calc });
  return calc;
}

/**
 * Returns the expression if it may have the declared type. Evaluation checks what the compiler cannot.
 *
 * @throws MdxError if the expression has another type
 */
function ofType(name: string, type: Type, value: Calc, what: string): Calc {
  return type.kind === 'symbol' ? ofScalarType(name, type.name, value, what) : ofMemberType(name, type, value, what);
}

function ofScalarType(name: string, type: string, value: Calc, what: string): Calc {
  const message = `${what} of parameter '${name}' is not consistent with the parameter type '${type}'`;
  if (value.type.kind === 'null' || (type === 'MEMBER' && value.type.kind === 'member')) return value;
  const rule = SCALARS[type];
  const isOpen = value.type.kind === 'value';
  if (rule === undefined || value.kind !== 'scalar' || !(isOpen || rule.kinds.includes(value.type.kind)))
    throw new MdxError(message);
  const { constant, evaluate } = value;
  if (constant !== undefined) {
    if (constant === null || rule.accepts(constant)) return value;
    throw new MdxError(message);
  }
  if (!isOpen && type !== 'INTEGER') return value;
  return scalarCalc(value.type, [value], (evaluator) => {
    const result = evaluate(evaluator);
    if (result === null || rule.accepts(result)) return result;
    throw new MdxEvaluationError(`${message}: it is '${asText(result)}'`);
  });
}

function ofMemberType(name: string, type: Type, value: Calc, what: string): Calc {
  const declaredHierarchy = hierarchyOf(type);
  const valueHierarchy = hierarchyOf(value.type);
  const dimension = type.kind === 'dimension' ? type.dimension : undefined;
  const level = type.kind === 'level' ? type.level : undefined;
  const of = level === undefined ? `hierarchy=${declaredHierarchy?.uniqueName ?? ''}` : `level=${level.uniqueName}`;
  const message = `${what} of parameter '${name}' is not consistent with the parameter type 'MemberType<${of}>'`;
  const fits = dimension === undefined ? valueHierarchy === declaredHierarchy : valueHierarchy?.dimension === dimension;
  if (!fits || value.type.kind === 'set' || value.type.kind === 'level') throw new MdxError(message);
  const calc = asMembers(value);
  if (level === undefined || calc.kind !== 'member' || calc.type.level === level) return calc;
  if (calc.type.level !== undefined) throw new MdxError(message);
  return memberCalc({ ...calc.type, level }, [calc], (evaluator) => {
    const member = calc.evaluate(evaluator);
    if (member.isNull || member.level === level) return member;
    throw new MdxEvaluationError(`${message}: it is ${member.uniqueName}`);
  });
}
