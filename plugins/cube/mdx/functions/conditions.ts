import { type Calc, dimensionCalc, type MemberCalc, memberCalc, scalarCalc } from '../compile/calc.ts';
import { choice } from '../compile/case-and-cast.ts';
import { alternatives, commonType } from '../compile/constructors.ts';
import { dimensionOf, logicalOf, namesakeOf, scalarOf, stringOf } from '../compile/conversions.ts';
import { type Build, define } from '../compile/define.ts';
import { hierarchyOf, LOGICAL, typeName, VALUE } from '../compile/expression-types.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import type { Hierarchy } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import { MdxError, MdxEvaluationError } from '../syntax/errors.ts';

/** Functions that test values or choose between them. */

/** Compiles `IIf`. The alternatives may also be sets, members, levels, hierarchies or dimensions. */
const iif: Build<'logical any any'> = (_, condition, first, second) => {
  const test = logicalOf(condition);
  const [then = first, otherwise = second] = alternatives([first, second]);
  const objects = ['hierarchy', 'dimension'];
  if (then.kind !== otherwise.kind && objects.includes(then.kind) && objects.includes(otherwise.kind)) {
    return objectChoice(condition, asDimension(then), asDimension(otherwise));
  }
  const type = commonType(then.type, otherwise.type);
  if (type === undefined) {
    const types = [condition, then, otherwise].map((arg) => typeName(arg.type));
    throw new MdxError(`No function matches signature 'IIf(${types.join(', ')})'`);
  }
  if (type.kind === 'level' || type.kind === 'hierarchy' || type.kind === 'dimension') {
    return objectChoice(condition, then, otherwise);
  }
  return choice(type, [condition, then, otherwise], [then, otherwise], (evaluator) => (test(evaluator) ? 0 : 1));
};

function asDimension(calc: Calc): Calc {
  return dimensionCalc(hierarchyOf(calc.type)?.dimension, [calc], dimensionOf(calc));
}

/** Compiles `IIf` of levels, hierarchies or dimensions. */
function objectChoice(condition: Calc, then: Calc, otherwise: Calc): Calc {
  const test = logicalOf(condition);
  const parts = [condition, then, otherwise];
  const dependsOn = parts.reduce((all, part) => all | part.dependsOn, 0n);
  const namesake = () => memberChoice(condition, namesakeOf(then), namesakeOf(otherwise));
  if (then.kind === 'level' && otherwise.kind === 'level') {
    return {
      ...then,
      namesake,
      parts,
      dependsOn,
      type: { kind: 'level', hierarchy: undefined },
      evaluate: (evaluator) => (test(evaluator) ? then : otherwise).evaluate(evaluator),
    };
  }
  if (then.kind === 'hierarchy' && otherwise.kind === 'hierarchy') {
    return {
      ...then,
      namesake,
      parts,
      dependsOn,
      type: { kind: 'hierarchy', hierarchy: undefined },
      evaluate: (evaluator) => (test(evaluator) ? then : otherwise).evaluate(evaluator),
    };
  }
  if (then.kind === 'dimension' && otherwise.kind === 'dimension') {
    return {
      ...then,
      parts,
      dependsOn,
      type: { kind: 'dimension', dimension: undefined },
      evaluate: (evaluator) => (test(evaluator) ? then : otherwise).evaluate(evaluator),
    };
  }
  throw new MdxError('Both alternatives of IIf must be of the same kind.');
}

/** Compiles `IIf` of two names that are used as members. Returns `undefined` unless both name members. */
function memberChoice(condition: Calc, then?: MemberCalc, otherwise?: MemberCalc): MemberCalc | undefined {
  if (then === undefined || otherwise === undefined) return undefined;
  const test = logicalOf(condition);
  const type = { ...then.type, level: undefined, hierarchy: sameHierarchy(then, otherwise) };
  return memberCalc(type, [condition, then, otherwise], (evaluator) =>
    (test(evaluator) ? then : otherwise).evaluate(evaluator),
  );
}

function sameHierarchy(left: MemberCalc, right: MemberCalc): Hierarchy | undefined {
  return left.type.hierarchy === right.type.hierarchy ? left.type.hierarchy : undefined;
}

/** Compiles `CoalesceEmpty`. */
const coalesce: Build<'value value*'> = (_, ...args) => {
  const values = args.map(scalarOf);
  return scalarCalc(VALUE, args, (evaluator) => {
    for (const value of values) {
      const result = value(evaluator);
      if (result !== null) return result;
    }
    return null;
  });
};

/** Defines a test of a value. */
function test(name: string, what: string, holds: (value: Value) => boolean): FunctionDefinition {
  return define({
    name,
    syntax: 'function',
    parameters: 'value',
    description: what,
    build: (_, arg) => {
      const value = scalarOf(arg);
      return scalarCalc(LOGICAL, [arg], (evaluator) => holds(value(evaluator)));
    },
  });
}

export const CONDITION_FUNCTIONS: readonly FunctionDefinition[] = [
  define({
    name: 'IIf',
    syntax: 'function',
    parameters: 'logical any any',
    description: 'The first expression if the condition is true, otherwise the second.',
    shape: 'conditional',
    build: iif,
  }),
  define({
    name: 'CoalesceEmpty',
    syntax: 'function',
    parameters: 'value value*',
    description: 'The first value that is not empty.',
    build: coalesce,
  }),
  test('CBool', 'Whether a value is not 0.', (value) =>
    typeof value === 'string' ? value.toLowerCase() === 'true' || (Number(value) || 0) !== 0 : Boolean(value),
  ),
  test(
    'IsNumeric',
    'Whether a value is a number or a text with a number.',
    (value) =>
      typeof value === 'number' ||
      typeof value === 'bigint' ||
      (typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value))),
  ),
  test(
    'IsDate',
    'Whether a value is a date or a text with a date.',
    (value) => value instanceof Date || (typeof value === 'string' && !Number.isNaN(Date.parse(value))),
  ),
  define({
    name: 'Cache',
    syntax: 'function',
    parameters: 'any',
    description: 'The expression, unchanged. The engine itself decides what it caches.',
    build: (_, arg) => arg,
  }),
  define({
    name: 'Error',
    syntax: 'function',
    parameters: 'string',
    description: 'An error with a message.',
    build: (_, arg) => {
      const message = stringOf(arg);
      return scalarCalc(VALUE, [arg], (evaluator) => {
        throw new MdxEvaluationError(message(evaluator) ?? '');
      });
    },
  }),
];
