import { type Calc, setCalc } from '../compile/calc.ts';
import { checkDistinct } from '../compile/constructors.ts';
import { setOf } from '../compile/conversions.ts';
import { type Build, define } from '../compile/define.ts';
import { elementOf, type MemberType, type SetType, sameElements } from '../compile/expression-types.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import type { TupleSet } from '../metadata/member.ts';
import { MdxError } from '../syntax/errors.ts';
import { crossJoin } from './crossjoin.ts';
import { setTypeOf, symbolOf } from './supplied-args.ts';
import { asSetCalc, distinct, tupleKey } from './tuple-lists.ts';

/** Functions that combine or subtract sets. */

function sameOrFail(name: string, args: readonly Calc[]): SetType {
  let element: readonly MemberType[] | undefined;
  for (const { type } of args) {
    const next = elementOf(type);
    if (!sameElements(element, next))
      throw new MdxError(`All arguments to function '${name}' must have same hierarchy.`);
    element ??= next;
  }
  return { kind: 'set', element };
}

function crossJoined(nonEmpty: boolean): Build<'set set*'> {
  return (context, ...args) => {
    const element: MemberType[] = [];
    let isTyped = true;
    for (const { type } of args) {
      const next = elementOf(type);
      if (next === undefined) isTyped = false;
      else element.push(...next);
    }
    checkDistinct(element);
    const type: SetType = { kind: 'set', element: isTyped ? element : undefined };
    return crossJoin(context.scope, type, args.map(asSetCalc), nonEmpty);
  };
}

/** Compiles `Except`. With `all`, the result keeps duplicates. */
function except(all: boolean): Build<'set set'> {
  return (_, left, right) => {
    const type = sameOrFail('Except', [left, right]);
    const [first, second] = [setOf(left), setOf(right)];
    return setCalc(type, [left, right], (evaluator) => {
      const without = new Set(second(evaluator).map(tupleKey));
      const rest = first(evaluator).filter((tuple) => !without.has(tupleKey(tuple)));
      return all ? rest : distinct(rest);
    });
  };
}

function intersected(all: boolean): Build<'set set'> {
  return (_, left, right) => {
    const type = sameOrFail('Intersect', [left, right]);
    const [first, second] = [setOf(left), setOf(right)];
    return setCalc(type, [left, right], (evaluator) => intersect(first(evaluator), second(evaluator), all));
  };
}

function intersect(left: TupleSet, right: TupleSet, all: boolean): TupleSet {
  const others = new Map(right.map((tuple) => [tupleKey(tuple), tuple]));
  const common = left.flatMap((tuple) => {
    const other = others.get(tupleKey(tuple));
    if (other === undefined) return [];
    // If the member of one set is a visual total, the visual total is kept.
    return [other.some(({ id, identity }) => id !== identity) ? other : tuple];
  });
  return all ? common : distinct(common);
}

export const SET_ALGEBRA: readonly FunctionDefinition[] = [
  define({
    name: 'Crossjoin',
    syntax: 'function',
    parameters: 'set set*',
    description: 'All combinations of the tuples of sets. `(set, member)` is a cross join, too.',
    isBuiltByParentheses: true,
    shape: 'crossjoin',
    build: crossJoined(false),
  }),
  define({
    name: '*',
    syntax: 'infix',
    parameters: 'set set',
    description: 'All combinations of the tuples of two sets.',
    yieldsToValue: true,
    shape: 'crossjoin',
    build: crossJoined(false),
  }),
  define({
    name: 'NonEmptyCrossJoin',
    syntax: 'function',
    parameters: 'set set*',
    description: 'The combinations of the tuples of sets that have data.',
    isNonEmpty: true,
    build: crossJoined(true),
  }),
  define({
    name: 'Distinct',
    syntax: 'function',
    parameters: 'set',
    description: 'Each tuple once, at its first position.',
    build: (_, arg) => {
      const set = setOf(arg);
      return setCalc(setTypeOf(arg), [arg], (evaluator) => distinct(set(evaluator)));
    },
  }),
  define({
    name: 'Union',
    syntax: 'function',
    parameters: 'set set ALL|DISTINCT?',
    description: 'The tuples of both sets, each once. With ALL, duplicates are kept.',
    build: (_, left, right, flag) => {
      const type = sameOrFail('Union', [left, right]);
      const [first, second] = [setOf(left), setOf(right)];
      const all = symbolOf(flag) === 'ALL';
      return setCalc(type, [left, right], (evaluator) => {
        const both = first(evaluator).concat(second(evaluator));
        return all ? both : distinct(both);
      });
    },
  }),
  define({
    name: 'Except',
    syntax: 'function',
    parameters: 'set set',
    description: 'The tuples of the first set that are not in the second.',
    build: except(false),
  }),
  define({
    name: 'Except',
    syntax: 'function',
    parameters: 'set set ALL',
    description: 'The tuples of the first set that are not in the second, with duplicates.',
    build: except(true),
  }),
  define({
    name: 'Intersect',
    syntax: 'function',
    parameters: 'set set',
    description: 'The tuples that are in both sets.',
    build: intersected(false),
  }),
  define({
    name: 'Intersect',
    syntax: 'function',
    parameters: 'set set ALL',
    description: 'The tuples that are in both sets, with duplicates.',
    build: intersected(true),
  }),
  define({
    name: 'Extract',
    syntax: 'function',
    parameters: 'set hierarchy hierarchy*',
    description: 'The tuples reduced to some hierarchies, each once.',
    build: (_, arg, ...parts) => {
      const set = setOf(arg);
      const element = elementOf(arg.type) ?? [];
      const kept = parts.map((part) => {
        const partHierarchy = elementOf(part.type)?.[0]?.hierarchy;
        const index = element.findIndex(({ hierarchy }) => hierarchy === partHierarchy);
        if (index < 0) throw new MdxError(`The set has no members of hierarchy ${partHierarchy?.uniqueName ?? ''}.`);
        return index;
      });
      const twice = kept.find((index, place) => kept.indexOf(index) < place);
      if (twice !== undefined) {
        throw new MdxError(`The hierarchy ${element[twice]?.hierarchy?.uniqueName ?? ''} is extracted more than once.`);
      }
      const type: SetType = { kind: 'set', element: kept.flatMap((index) => element.slice(index, index + 1)) };
      return setCalc(type, [arg], (evaluator) =>
        distinct(set(evaluator).map((tuple) => kept.flatMap((index) => tuple.slice(index, index + 1)))),
      );
    },
  }),
];
