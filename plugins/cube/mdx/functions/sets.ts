import {
  type Calc,
  depending,
  logicalOf,
  memberOf,
  numberOf,
  type SetCalc,
  scalarCalc,
  setCalc,
  setOf,
  stringOf,
  tupleCalc,
  withoutElements,
} from '../compile/calc.ts';
import { checkDistinct } from '../compile/constructors.ts';
import { define } from '../compile/define.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import { elementOf, type MemberType, type SetType, STRING, sameElements } from '../compile/types.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import type { Tuple, TupleSet } from '../metadata/member.ts';
import { compareTuples, rangeOf } from '../metadata/navigate.ts';
import { passing } from '../pushdown/pushdown-rules.ts';
import { MdxError, MdxEvaluationError } from '../syntax/errors.ts';
import { crossJoin } from './crossjoin.ts';
import { memberTypeOf, setTypeOf, suppliedArg, symbolOf } from './given.ts';
import { requireArg } from './required.ts';

/** Functions that put sets together, take parts of them, or choose among their tuples. */

export function tupleKey(tuple: Tuple): string {
  const [only] = tuple;
  return tuple.length === 1 && only !== undefined
    ? String(only.identity)
    : tuple.map(({ identity }) => identity).join();
}

function distinct(tuples: TupleSet): TupleSet {
  const found = new Map<string, Tuple>();
  for (const tuple of tuples) {
    const key = tupleKey(tuple);
    if (!found.has(key)) found.set(key, tuple);
  }
  return [...found.values()];
}

/** A set-valued part to iterate over; a member or tuple counts as a set of one. */
export function asSetCalc(arg: Calc): SetCalc {
  return arg.kind === 'set' ? arg : setCalc(setTypeOf(arg), [arg], setOf(arg));
}

/** Dependencies of something computed at each tuple of a set. */
export function iterated(set: Calc, at: readonly (Calc | undefined)[]): bigint {
  const inner = at.reduce((all, calc) => all | (calc?.dependsOn ?? 0n), 0n);
  return set.dependsOn | withoutElements(inner, setTypeOf(set));
}

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

function crossJoined(nonEmpty: boolean): FunctionDefinition['build'] {
  return (context, ...args) => {
    const element: MemberType[] = [];
    let known = true;
    for (const { type } of args) {
      const next = elementOf(type);
      if (next === undefined) known = false;
      else element.push(...next);
    }
    checkDistinct(element);
    const type: SetType = { kind: 'set', element: known ? element : undefined };
    return crossJoin(context.scope, type, args.map(asSetCalc), nonEmpty);
  };
}

function head(take: (tuples: TupleSet, count: number) => TupleSet, from: 'start' | 'end'): FunctionDefinition['build'] {
  return (_, arg, number) => {
    const set = setOf(requireArg(arg));
    const first = from === 'start' && arg?.kind === 'set' ? arg.first : undefined;
    const count = suppliedArg(number) === undefined ? () => 1 : numberOf(requireArg(number));
    return setCalc(setTypeOf(requireArg(arg)), [arg, number], (evaluator) => {
      const wanted = Math.max(0, Math.trunc(count(evaluator) ?? 0));
      return take(first?.(evaluator, wanted) ?? set(evaluator), wanted);
    });
  };
}

function filter(
  evaluator: Evaluator,
  calc: SetCalc,
  condition: Calc,
  test: (evaluator: Evaluator) => boolean,
): TupleSet {
  return evaluator.requireComplete(
    () =>
      evaluator.iterateResumable(
        test,
        calc,
        () => passing(evaluator, calc, condition) ?? calc.evaluate(evaluator),
        (): Tuple[] => [],
        (found, tuple) => {
          if (test(evaluator)) found.push(tuple);
        },
      ).gathered,
  );
}

function generateSet(evaluator: Evaluator, over: SetCalc, body: SetCalc['evaluate'], all: boolean): TupleSet {
  return evaluator.requireComplete(() => {
    const { gathered } = evaluator.iterateResumable(
      body,
      over,
      () => over.evaluate(evaluator),
      (): Tuple[] => [],
      (found) => {
        for (const tuple of body(evaluator)) found.push(tuple);
      },
    );
    return all ? gathered : distinct(gathered);
  });
}

function generateText(over: SetCalc, body: Calc, separator: Calc | undefined): Calc {
  const text = stringOf(body);
  const between = separator === undefined ? () => '' : stringOf(separator);
  const calc = scalarCalc(STRING, [over, body, separator], (evaluator) => {
    const parts: string[] = [];
    evaluator.iterate(over, over.evaluate(evaluator), () => parts.push(text(evaluator) ?? ''));
    return parts.join(between(evaluator) ?? '');
  });
  return depending(calc, iterated(over, [body, separator]));
}

export const SET_FUNCTIONS: readonly FunctionDefinition[] = [
  define('Crossjoin', 'function', 'set set*', 'All combinations of the tuples of sets.', crossJoined(false)),
  define('*', 'infix', 'set set', 'All combinations of the tuples of two sets.', crossJoined(false)),
  define('NonEmptyCrossJoin', 'function', 'set set*', 'Those combinations that have data.', crossJoined(true)),
  define(':', 'infix', 'member member', 'The members from one to another in their level.', (_, from, to) => {
    const start = memberOf2(requireArg(from), requireArg(to));
    const end = memberOf2(requireArg(to), requireArg(from));
    const [left, right] = [memberTypeOf(from).hierarchy, memberTypeOf(to).hierarchy];
    if (left === undefined && right === undefined && from?.kind === 'mark') {
      throw new MdxError('Failed to parse query: a range needs at least one member that is not NULL.');
    }
    if (left !== undefined && right !== undefined && left !== right) {
      throw new MdxError(
        `The members of a range must be of the same hierarchy, not ${left.uniqueName} and ${right.uniqueName}.`,
      );
    }
    return setCalc(
      { kind: 'set', element: [{ kind: 'member', hierarchy: left ?? right }] },
      [from, to],
      (evaluator) => {
        const [first, last] = [start(evaluator), end(evaluator)];
        if (first === undefined || last === undefined || first.isNull || last.isNull) return [];
        const range = rangeOf(first, last);
        if (range === undefined) throw new MdxEvaluationError('Members must belong to the same level');
        return range.map((member) => [member]);
      },
    );
  }),
  define(
    'Head',
    'function',
    'set numeric?',
    'The first tuples of a set.',
    head((tuples, count) => tuples.slice(0, count), 'start'),
  ),
  define(
    'Tail',
    'function',
    'set numeric?',
    'The last tuples of a set.',
    head((tuples, count) => (count === 0 ? [] : tuples.slice(-count)), 'end'),
  ),
  define('Subset', 'function', 'set numeric numeric?', 'Tuples from a place on.', (_, arg, from, number) => {
    const set = setOf(requireArg(arg));
    const start = numberOf(requireArg(from));
    const count = suppliedArg(number) === undefined ? undefined : numberOf(requireArg(number));
    return setCalc(setTypeOf(requireArg(arg)), [arg, from, number], (evaluator) => {
      const at = start(evaluator) ?? 0;
      if (at < 0) return [];
      const length = count?.(evaluator);
      return set(evaluator).slice(at, length === undefined || length === null ? undefined : at + Math.max(0, length));
    });
  }),
  define('Distinct', 'function', 'set', 'Each tuple once, where it first comes.', (_, arg) => {
    const set = setOf(requireArg(arg));
    return setCalc(setTypeOf(requireArg(arg)), [arg], (evaluator) => distinct(set(evaluator)));
  }),
  define(
    'Union',
    'function',
    'set set ALL|DISTINCT?',
    'The tuples of both sets, each once, or with ALL as often as it comes.',
    (_, left, right, flag) => {
      const type = sameOrFail('Union', [requireArg(left), requireArg(right)]);
      const [first, second] = [setOf(requireArg(left)), setOf(requireArg(right))];
      const all = symbolOf(flag) === 'ALL';
      return setCalc(type, [left, right], (evaluator) => {
        const both = first(evaluator).concat(second(evaluator));
        return all ? both : distinct(both);
      });
    },
  ),
  ...(['', 'ALL'] as const).flatMap((symbol) => [
    define(
      'Except',
      'function',
      `set set${symbol === '' ? '' : ' ALL'}`,
      'The tuples of the first set that are not in the second.',
      (_, left, right) => {
        const type = sameOrFail('Except', [requireArg(left), requireArg(right)]);
        const [first, second] = [setOf(requireArg(left)), setOf(requireArg(right))];
        return setCalc(type, [left, right], (evaluator) => {
          const without = new Set(second(evaluator).map(tupleKey));
          const rest = first(evaluator).filter((tuple) => !without.has(tupleKey(tuple)));
          return symbol === '' ? distinct(rest) : rest;
        });
      },
    ),
    define(
      'Intersect',
      'function',
      `set set${symbol === '' ? '' : ' ALL'}`,
      'The tuples that are in both sets.',
      (_, left, right) => {
        const type = sameOrFail('Intersect', [requireArg(left), requireArg(right)]);
        const [first, second] = [setOf(requireArg(left)), setOf(requireArg(right))];
        return setCalc(type, [left, right], (evaluator) =>
          intersect(first(evaluator), second(evaluator), symbol === 'ALL'),
        );
      },
    ),
  ]),
  define('Filter', 'function', 'set logical', 'The tuples at which a condition holds.', (_, arg, condition) => {
    const set = asSetCalc(requireArg(arg));
    const test = logicalOf(requireArg(condition));
    const calc = setCalc(setTypeOf(set), [arg, condition], (evaluator) =>
      filter(evaluator, set, requireArg(condition), test),
    );
    return depending(calc, iterated(set, [condition]));
  }),
  define(
    'Generate',
    'function',
    'set set ALL?',
    'The sets that an expression yields at each tuple of a set, in one.',
    (_, arg, body, flag) => {
      const set = asSetCalc(requireArg(arg));
      const inner = setOf(requireArg(body));
      const all = symbolOf(flag) === 'ALL';
      const calc = setCalc(setTypeOf(requireArg(body)), [arg, body], (evaluator) =>
        generateSet(evaluator, set, inner, all),
      );
      return depending(calc, iterated(set, [body]));
    },
  ),
  define(
    'Generate',
    'function',
    'set string string?',
    'The texts that an expression yields at each tuple of a set, in one.',
    (_, arg, body, separator) => generateText(asSetCalc(requireArg(arg)), requireArg(body), suppliedArg(separator)),
  ),
  define('Item', 'method', 'set numeric', 'The tuple at a place of a set, the first being 0.', (_, arg, index) => {
    const set = setOf(requireArg(arg));
    const place = numberOf(requireArg(index));
    return itemAt(requireArg(arg), index, (evaluator) => set(evaluator)[place(evaluator) ?? -1]);
  }),
  define(
    'Item',
    'method',
    'set string string*',
    'The tuple whose members have these names or unique names.',
    (_, arg, ...names) => {
      const set = setOf(requireArg(arg));
      const texts = names.map(stringOf);
      return itemAt(requireArg(arg), names[0], (evaluator) => {
        const wanted = texts.map((text) => (text(evaluator) ?? '').toLowerCase());
        return set(evaluator).find((tuple) =>
          tuple.every(({ name, uniqueName }, index) =>
            [name, uniqueName].some((own) => own.toLowerCase() === wanted[index]),
          ),
        );
      });
    },
  ),
  define(
    'Hierarchize',
    'function',
    'set PRE|POST?',
    'The tuples in the order of their hierarchies.',
    (_, arg, flag) => {
      const set = setOf(requireArg(arg));
      const post = symbolOf(flag) === 'POST';
      return setCalc(setTypeOf(requireArg(arg)), [arg], (evaluator) =>
        set(evaluator).toSorted((left, right) => (post ? comparePost(left, right) : compareTuples(left, right))),
      );
    },
  ),
  define(
    'Extract',
    'function',
    'set hierarchy hierarchy*',
    'The tuples cut down to some hierarchies, each once.',
    (_, arg, ...parts) => {
      const set = setOf(requireArg(arg));
      const element = elementOf(requireArg(arg).type) ?? [];
      const kept = parts.map((part) => {
        const wanted = elementOf(part.type)?.[0]?.hierarchy;
        const index = element.findIndex(({ hierarchy }) => hierarchy === wanted);
        if (index < 0) throw new MdxError(`The set has no members of hierarchy ${wanted?.uniqueName ?? ''}.`);
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
  ),
];

function memberOf2(
  arg: Calc,
  _other: Calc,
): (evaluator: Evaluator) => ReturnType<ReturnType<typeof memberOf>> | undefined {
  return arg.kind === 'mark' ? () => undefined : memberOf(arg);
}

/** Children before their parent. */
function comparePost(left: Tuple, right: Tuple): number {
  for (const [index, member] of left.entries()) {
    const other = right[index];
    if (other === undefined || other === member) continue;
    for (let at = other.treeParent; at !== undefined; at = at.treeParent) if (at === member) return 1;
    for (let at = member.treeParent; at !== undefined; at = at.treeParent) if (at === other) return -1;
    return compareTuples([member], [other]);
  }
  return 0;
}

function intersect(left: TupleSet, right: TupleSet, all: boolean): TupleSet {
  const others = new Map(right.map((tuple) => [tupleKey(tuple), tuple]));
  const common = left.flatMap((tuple) => {
    const other = others.get(tupleKey(tuple));
    if (other === undefined) return [];
    // Of a member and the visual total shown in its place, the total is kept.
    return [other.some(({ id, identity }) => id !== identity) ? other : tuple];
  });
  return all ? common : distinct(common);
}

/** A tuple of a set, as member where the set is of members; beyond its end it is null. */
function itemAt(arg: Calc, other: Calc | undefined, find: (evaluator: Evaluator) => Tuple | undefined): Calc {
  const element = elementOf(arg.type) ?? [];
  const calc = tupleCalc({ kind: 'tuple', members: element }, [arg, other], find);
  const [only] = element;
  if (element.length !== 1 || only === undefined) return calc;
  return { ...calc, kind: 'member', type: only, evaluate: memberOf(calc) };
}
