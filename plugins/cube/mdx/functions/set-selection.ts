import { sameName } from '../../schema/mdx-name.ts';
import { type Calc, depending, type SetCalc, scalarCalc, setCalc, tupleCalc } from '../compile/calc.ts';
import { logicalOf, memberOf, numberOf, setOf, stringOf } from '../compile/conversions.ts';
import { type Build, define } from '../compile/define.ts';
import { elementOf, STRING } from '../compile/expression-types.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import type { Member, Tuple, TupleSet } from '../metadata/member.ts';
import { compareTuples, rangeOf } from '../metadata/navigate.ts';
import { filledMeasuresOf } from '../pushdown/filled-tuples.ts';
import { passing } from '../pushdown/pushdown-rules.ts';
import { firstTuples } from '../storage/ordered-combinations.ts';
import { MdxError, MdxEvaluationError } from '../syntax/errors.ts';
import { selectedTuples } from './selected-tuples.ts';
import { isSupplied, memberTypeOf, setTypeOf, suppliedArg, symbolOf } from './supplied-args.ts';
import { asSetCalc, distinct, iterated } from './tuple-lists.ts';

/** Functions that select tuples of a set or iterate over them. */

function head(take: (tuples: TupleSet, count: number) => TupleSet, from: 'start' | 'end'): Build<'set numeric?'> {
  return (_, arg, number) => {
    const set = setOf(arg);
    const first = from === 'start' && arg?.kind === 'set' ? arg.first : undefined;
    const count = isSupplied(number) ? numberOf(number) : () => 1;
    return setCalc(setTypeOf(arg), [arg, number], (evaluator) => {
      const length = Math.max(0, Math.trunc(count(evaluator) ?? 0));
      return take(first?.(evaluator, length) ?? set(evaluator), length);
    });
  };
}

function generateSet(evaluator: Evaluator, over: SetCalc, body: SetCalc['evaluate'], all: boolean): TupleSet {
  return evaluator.requireComplete(() => {
    const { gathered } = evaluator.iterateResumable(
      body,
      over,
      () => over.evaluate(evaluator),
      (): Tuple[] => [],
      (collected) => {
        for (const tuple of body(evaluator)) collected.push(tuple);
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

/** Returns the evaluation of one end of a range. `NULL` means no end. */
function boundOf(arg: Calc): (evaluator: Evaluator) => Member | undefined {
  return arg.kind === 'mark' ? () => undefined : memberOf(arg);
}

/** Compares tuples so that children precede their parent. */
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

/** Compiles a tuple of a set, or a member if the set has members. Beyond the end of the set it is null. */
function itemAt(arg: Calc, other: Calc | undefined, find: (evaluator: Evaluator) => Tuple | undefined): Calc {
  const element = elementOf(arg.type) ?? [];
  const calc = tupleCalc({ kind: 'tuple', members: element }, [arg, other], find);
  const [only] = element;
  if (element.length !== 1 || only === undefined) return calc;
  return { ...calc, kind: 'member', type: only, evaluate: memberOf(calc) };
}

export const SET_SELECTION: readonly FunctionDefinition[] = [
  define({
    name: ':',
    syntax: 'infix',
    parameters: 'member member',
    description: 'The members of a level from one member to another.',
    build: (_, from, to) => {
      const [start, end] = [boundOf(from), boundOf(to)];
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
    },
  }),
  define({
    name: 'Head',
    syntax: 'function',
    parameters: 'set numeric?',
    description: 'The first tuples of a set.',
    build: head(firstTuples, 'start'),
  }),
  define({
    name: 'Tail',
    syntax: 'function',
    parameters: 'set numeric?',
    description: 'The last tuples of a set.',
    build: head((tuples, count) => (count === 0 ? [] : tuples.slice(-count)), 'end'),
  }),
  define({
    name: 'Subset',
    syntax: 'function',
    parameters: 'set numeric numeric?',
    description: 'The tuples of a set from an index, from 0.',
    build: (_, arg, from, number) => {
      const set = setOf(arg);
      const start = numberOf(from);
      const count = isSupplied(number) ? numberOf(number) : undefined;
      return setCalc(setTypeOf(arg), [arg, from, number], (evaluator) => {
        const at = start(evaluator) ?? 0;
        if (at < 0) return [];
        const length = count?.(evaluator);
        return set(evaluator).slice(at, length === undefined || length === null ? undefined : at + Math.max(0, length));
      });
    },
  }),
  define({
    name: 'Filter',
    syntax: 'function',
    parameters: 'set logical',
    description: 'The tuples at which a condition is true.',
    shape: 'filter',
    build: (_, arg, condition) => {
      const set = asSetCalc(arg);
      const test = logicalOf(condition);
      const filled = set.cursor === undefined ? filledMeasuresOf(condition) : undefined;
      const calc = setCalc(setTypeOf(set), [arg, condition], (evaluator) =>
        selectedTuples(evaluator, {
          owner: test,
          over: set,
          makeTuples: () => passing(evaluator, set, condition) ?? set.evaluate(evaluator),
          isSelected: () => test(evaluator),
          filled,
        }),
      );
      return depending(calc, iterated(set, [condition]));
    },
  }),
  define({
    name: 'Generate',
    syntax: 'function',
    parameters: 'set set ALL?',
    description: 'The union of the sets that an expression returns at each tuple. With ALL, duplicates are kept.',
    build: (_, arg, body, flag) => {
      const set = asSetCalc(arg);
      const inner = setOf(body);
      const all = symbolOf(flag) === 'ALL';
      const calc = setCalc(setTypeOf(body), [arg, body], (evaluator) => generateSet(evaluator, set, inner, all));
      return depending(calc, iterated(set, [body]));
    },
  }),
  define({
    name: 'Generate',
    syntax: 'function',
    parameters: 'set string string?',
    description: 'The joined texts that an expression returns at each tuple.',
    build: (_, arg, body, separator) => generateText(asSetCalc(arg), body, suppliedArg(separator)),
  }),
  define({
    name: 'Item',
    syntax: 'method',
    parameters: 'set numeric',
    description: 'The tuple at an index of a set, from 0.',
    build: (_, arg, index) => {
      const set = setOf(arg);
      const place = numberOf(index);
      return itemAt(arg, index, (evaluator) => set(evaluator)[place(evaluator) ?? -1]);
    },
  }),
  define({
    name: 'Item',
    syntax: 'method',
    parameters: 'set string string*',
    description: 'The tuple whose members have these names or unique names.',
    build: (_, arg, ...names) => {
      const set = setOf(arg);
      const texts = names.map(stringOf);
      return itemAt(arg, names[0], (evaluator) => {
        const flags = texts.map((text) => text(evaluator) ?? '');
        const isTuple = (isCalled: (memberName: string, text: string) => boolean) => (tuple: Tuple) =>
          tuple.every(({ name, uniqueName }, index) =>
            [name, uniqueName].some((memberName) => isCalled(memberName, flags[index] ?? '')),
          );
        const tuples = set(evaluator);
        return tuples.find(isTuple((memberName, text) => memberName === text)) ?? tuples.find(isTuple(sameName));
      });
    },
  }),
  define({
    name: 'Hierarchize',
    shape: 'hierarchize',
    syntax: 'function',
    parameters: 'set PRE|POST?',
    description: 'The tuples in the order of their hierarchies.',
    build: (_, arg, flag) => {
      const set = setOf(arg);
      const post = symbolOf(flag) === 'POST';
      // The flag is one of the parts, so that code which inspects calculations can distinguish the two orders.
      return setCalc(setTypeOf(arg), flag === undefined ? [arg] : [arg, flag], (evaluator) =>
        set(evaluator).toSorted((left, right) => (post ? comparePost(left, right) : compareTuples(left, right))),
      );
    },
  }),
];
