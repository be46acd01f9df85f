/** Converts arguments between kinds of calculations, as functions require. */
import { InternalError } from '../../../../router/errors.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import type { Exact } from '../metadata/exact-numbers.ts';
import type { Dimension, Hierarchy, Level, Member, Tuple, TupleSet } from '../metadata/member.ts';
import { asExact, asNumber, asText, type Value, wrongType } from '../metadata/value.ts';
import { MdxError, MdxEvaluationError } from '../syntax/errors.ts';
import { type Calc, dependencyOn, depending, type MemberCalc, memberCalc } from './calc.ts';
import { elementOf, typeName } from './expression-types.ts';

type Evaluate<T> = (evaluator: Evaluator) => T;

/** Returns the evaluation of an argument as a member. */
export function memberOf(argument: Calc): Evaluate<Member> {
  const calc = namesakeOf(argument) ?? argument;
  switch (calc.kind) {
    case 'member':
      return calc.evaluate;
    case 'hierarchy': {
      const { evaluate } = calc;
      return (evaluator) => currentOf(evaluate(evaluator), evaluator);
    }
    case 'level': {
      const { evaluate } = calc;
      return (evaluator) => currentOf(evaluate(evaluator).hierarchy, evaluator);
    }
    case 'dimension': {
      const { evaluate } = calc;
      return (evaluator) => currentOf(firstHierarchy(evaluate(evaluator)), evaluator);
    }
    case 'tuple': {
      const { evaluate, type } = calc;
      return (evaluator) => evaluate(evaluator)?.[0] ?? nullOf(type.members[0]?.hierarchy);
    }
    default:
      throw notA('member', calc);
  }
}

/**
 * Returns the current member of a hierarchy that is used as a member.
 *
 * @throws MdxEvaluationError if the hierarchy has members, but the role sees none of them
 */
function currentOf(hierarchy: Hierarchy, evaluator: Evaluator): Member {
  const member = evaluator.current(hierarchy);
  if (!member.isNull || hierarchy.members.roots().length > 0) return member;
  const root = hierarchy.members.unrestrictedRoot();
  if (root === undefined || hierarchy.members.storedChildren(root).length === 0) return member;
  throw new MdxEvaluationError(`There is no member of ${hierarchy.uniqueName} that the role may see.`);
}

/** Returns the member with the same name as a level or hierarchy; `undefined` if there is none. */
export function namesakeOf(calc: Calc): MemberCalc | undefined {
  return calc.kind === 'hierarchy' || calc.kind === 'level' ? calc.namesake?.() : undefined;
}

/**
 * Converts a hierarchy, dimension or level that is used as a member: to the member of the same name, or else to the
 * current member.
 */
export function asMembers(calc: Calc): Calc {
  const namesake = namesakeOf(calc);
  if (namesake !== undefined) return namesake;
  if (calc.kind !== 'hierarchy' && calc.kind !== 'dimension' && calc.kind !== 'level') return calc;
  const [type = { kind: 'member', hierarchy: undefined } as const] = elementOf(calc.type) ?? [];
  return depending(memberCalc(type, [calc], memberOf(calc)), calc.dependsOn | dependencyOn(type.hierarchy));
}

/** Returns the evaluation of an argument as a tuple; `undefined` if one of its members is null. */
export function tupleOf(calc: Calc): Evaluate<Tuple | undefined> {
  if (calc.kind === 'tuple') return calc.evaluate;
  const member = memberOf(calc);
  return (evaluator) => {
    const operand = member(evaluator);
    return operand.isNull ? undefined : [operand];
  };
}

/** Returns the evaluation of an argument as a set. */
export function setOf(calc: Calc): Evaluate<TupleSet> {
  if (calc.kind === 'set') return calc.evaluate;
  if (calc.kind === 'mark') return () => [];
  const tuple = tupleOf(calc);
  return (evaluator) => {
    const operand = tuple(evaluator);
    return operand === undefined ? [] : [operand];
  };
}

/** Returns the members of a set of members. */
export function membersOf(calc: Calc): Evaluate<readonly Member[]> {
  const set = setOf(calc);
  return (evaluator) => set(evaluator).flatMap((tuple) => tuple.slice(0, 1));
}

/** Returns the evaluation of an argument as a level. A member becomes its level. */
export function levelOf(calc: Calc): Evaluate<Level> {
  if (calc.kind === 'level') return calc.evaluate;
  const member = memberOf(calc);
  return (evaluator) => member(evaluator).level;
}

/** Returns the evaluation of an argument as a hierarchy. */
export function hierarchyCalcOf(calc: Calc): Evaluate<Hierarchy> {
  switch (calc.kind) {
    case 'hierarchy':
      return calc.evaluate;
    case 'level': {
      const { evaluate } = calc;
      return (evaluator) => evaluate(evaluator).hierarchy;
    }
    case 'dimension': {
      const { evaluate } = calc;
      return (evaluator) => firstHierarchy(evaluate(evaluator));
    }
    default: {
      const member = memberOf(calc);
      return (evaluator) => member(evaluator).hierarchy;
    }
  }
}

/** Returns the evaluation of an argument as a dimension. */
export function dimensionOf(calc: Calc): Evaluate<Dimension> {
  if (calc.kind === 'dimension') return calc.evaluate;
  const hierarchy = hierarchyCalcOf(calc);
  return (evaluator) => hierarchy(evaluator).dimension;
}

/** Returns the evaluation of an argument as a value. A member or tuple becomes the value of its cell. */
export function scalarOf(calc: Calc): Evaluate<Value> {
  switch (calc.kind) {
    case 'scalar':
      return calc.evaluate;
    case 'mark':
      return () => null;
    case 'set':
      throw notA('value', calc);
    default: {
      const tuple = tupleOf(calc);
      return (evaluator) => {
        const operand = tuple(evaluator);
        return operand === undefined ? null : evaluator.at(operand, valueAtContext);
      };
    }
  }
}

function valueAtContext(evaluator: Evaluator): Value {
  return evaluator.value();
}

/** Returns the evaluation of an argument as a number. */
export function numberOf(calc: Calc): Evaluate<number | null> {
  const value = scalarOf(calc);
  return (evaluator) => asNumber(value(evaluator));
}

/** Returns the evaluation of an argument as a number of full precision. */
export function exactOf(calc: Calc): Evaluate<Exact | null> {
  const value = scalarOf(calc);
  return (evaluator) => asExact(value(evaluator));
}

/** Returns the evaluation of an argument as a text. */
export function stringOf(calc: Calc): Evaluate<string | null> {
  const value = scalarOf(calc);
  return (evaluator) => {
    const operand = value(evaluator);
    return operand === null ? null : typeof operand === 'string' ? operand : asText(operand);
  };
}

/** Returns the evaluation of an argument as a condition. An empty value is false. */
export function logicalOf(calc: Calc): Evaluate<boolean> {
  const value = scalarOf(calc);
  return (evaluator) => {
    const operand = value(evaluator);
    if (typeof operand === 'string') throw wrongType('BOOLEAN', operand);
    return typeof operand === 'boolean' ? operand : operand !== null && Number(operand) !== 0;
  };
}

function firstHierarchy(dimension: Dimension): Hierarchy {
  const hierarchy = dimension.mainHierarchy;
  if (hierarchy === undefined) throw new InternalError(`The dimension ${dimension.uniqueName} has no hierarchy.`);
  return hierarchy;
}

/**
 * Returns the null member of a hierarchy.
 *
 * @throws MdxEvaluationError if the hierarchy is unknown
 */
export function nullOf(hierarchy: Hierarchy | undefined): Member {
  if (hierarchy === undefined)
    throw new MdxEvaluationError('There is no member here, and no hierarchy it could be of.');
  return hierarchy.nullMember;
}

/**
 * Returns the error for an expression of the wrong kind. The choice of overloads prevents it, except where a text
 * (`StrToMember`) or a property contains an expression of another kind.
 */
function notA(kind: string, calc: Calc): MdxError {
  return new MdxError(`An expression of type ${typeName(calc.type)} stands where a ${kind} is needed.`);
}
