import type { Evaluator } from '../evaluate/evaluator.ts';
import type { Member, Tuple, TupleSet } from '../metadata/member.ts';
import { MdxError, type Position } from '../syntax/errors.ts';
import { type Calc, memberCalc, setCalc, tupleCalc } from './calc.ts';
import { asMembers, memberOf, namesakeOf, setOf, tupleOf } from './conversions.ts';
import { elementOf, type MemberType, sameElements, type Type, typeName } from './expression-types.ts';

/** Compiles `{…}` and `(…)`. */

/** Returns the set of the operands between braces, in their order. Null members and tuples are dropped. */
export function braces(operands: readonly Calc[], position: Position): Calc {
  const args = operands.map((arg) => namesakeOf(arg) ?? arg);
  for (const { type } of args) {
    if (elementOf(type) === undefined && type.kind !== 'set') {
      throw new MdxError(
        `No function matches signature '{${args.map((arg) => typeName(arg.type)).join(', ')}}'`,
        position,
      );
    }
    if (type.kind === 'level') throw new MdxError(`No function matches signature '{<Level>}'`, position);
  }
  let element: readonly MemberType[] | undefined;
  for (const { type } of args) {
    const next = elementOf(type);
    if (!sameElements(element, next)) {
      throw new MdxError("All arguments to function '{}' must have same hierarchy.", position);
    }
    element ??= next;
  }
  const [only] = args;
  if (args.length === 1 && only?.kind === 'set') return { ...only, cursor: undefined };
  const items = args.map(asMembers);
  const sets = items.map(setOf);
  const calc = setCalc({ kind: 'set', element }, items, (evaluator) => sets.flatMap((set) => set(evaluator)));
  const first = (evaluator: Evaluator, count: number): TupleSet => {
    const tuples: Tuple[] = [];
    for (const [index, set] of sets.entries()) {
      if (tuples.length >= count) break;
      const item = items[index];
      const some = item?.kind === 'set' ? item.first?.(evaluator, count - tuples.length) : undefined;
      for (const tuple of some ?? set(evaluator)) tuples.push(tuple);
    }
    return tuples.slice(0, count);
  };
  return { ...calc, first };
}

/** Compiles parentheses. A single expression is unchanged; several make a tuple. */
export function parentheses(operands: readonly Calc[], position: Position): Calc {
  const [only] = operands;
  if (operands.length === 1 && only !== undefined) return only;
  const args = operands.map((arg) => namesakeOf(arg) ?? arg);
  const members: MemberType[] = [];
  for (const { type } of args) {
    const element = type.kind === 'set' || type.kind === 'level' ? undefined : elementOf(type);
    if (element === undefined) {
      throw new MdxError(
        `No function matches signature '(${args.map((arg) => typeName(arg.type)).join(', ')})'`,
        position,
      );
    }
    members.push(...element);
  }
  checkDistinct(members, position);
  if (args.length === 0) throw new MdxError('A tuple needs at least one member.', position);
  const items = args.map(asMembers);
  const parts = items.map(tupleOf);
  const [first] = members;
  if (members.length === 1 && first !== undefined && only !== undefined) return memberCalc(first, args, memberOf(only));
  return tupleCalc({ kind: 'tuple', members }, items, (evaluator) => {
    const tuple: Member[] = [];
    for (const part of parts) {
      const partTuple: Tuple | undefined = part(evaluator);
      if (partTuple === undefined) return undefined;
      tuple.push(...partTuple);
    }
    return tuple;
  });
}

/** Refuses a tuple with more than one member of a hierarchy. */
export function checkDistinct(members: readonly MemberType[], position?: Position): void {
  for (const [index, { hierarchy }] of members.entries()) {
    if (hierarchy === undefined) continue;
    if (members.findIndex((other) => other.hierarchy === hierarchy) < index) {
      throw new MdxError(`Tuple contains more than one member of hierarchy '${hierarchy.uniqueName}'.`, position);
    }
  }
}

/**
 * Returns the alternatives of a choice. If they are of different kinds, names that belong to a level and a member
 * become members.
 */
export function alternatives(choices: readonly Calc[]): readonly Calc[] {
  return choices.every(({ kind }) => kind === choices[0]?.kind)
    ? choices
    : choices.map((calc) => namesakeOf(calc) ?? calc);
}

/** Returns the common type of two alternatives; `undefined` if there is none. */
export function commonType(left: Type, right: Type): Type | undefined {
  if (left.kind === 'null' || left.kind === 'empty') return right;
  if (right.kind === 'null' || right.kind === 'empty') return left;
  if (left.kind === right.kind) {
    if (left.kind === 'member' && right.kind === 'member') {
      return { kind: 'member', hierarchy: left.hierarchy === right.hierarchy ? left.hierarchy : undefined };
    }
    return left;
  }
  const scalars = ['numeric', 'logical', 'datetime', 'value', 'member', 'tuple', 'hierarchy', 'dimension'];
  const strings = ['string', 'value', 'member', 'tuple'];
  for (const kinds of [scalars, strings]) {
    if (kinds.includes(left.kind) && kinds.includes(right.kind)) return { kind: 'value' };
  }
  return undefined;
}
