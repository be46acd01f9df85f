import { type Calc, depending, type SetCalc, setCalc } from '../compile/calc.ts';
import { numberOf, scalarOf } from '../compile/conversions.ts';
import { type Build, define } from '../compile/define.ts';
import { isScalar, typeName } from '../compile/expression-types.ts';
import { asScalar } from '../compile/overload.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import { compareValues } from '../metadata/compare.ts';
import type { Member, Tuple, TupleSet } from '../metadata/member.ts';
import { compareSiblings, compareTexts, memberPath } from '../metadata/navigate.ts';
import type { Value } from '../metadata/value.ts';
import { ranked } from '../pushdown/pushdown-rules.ts';
import { MdxError } from '../syntax/errors.ts';
import { memberKeyOrder, orderKeyMember } from './order-key.ts';
import { setTypeOf, suppliedArg, symbolOf } from './supplied-args.ts';
import { asSetCalc, iterated, tupleKey } from './tuple-lists.ts';

/** Order, and functions that return the top or the bottom of a set. */

interface SortKey {
  readonly by: Calc;
  readonly value: (evaluator: Evaluator) => Value | Member;
  readonly descending: boolean;
  /** True for BASC and BDESC, which ignore the hierarchy. */
  readonly breaks: boolean;
}

type Keys = readonly (Value | Member)[];
type Sorting = Omit<SortKey, 'by'>;

function compareKeysOf(left: Value | Member, right: Value | Member): number {
  if (isMember(left)) return isMember(right) ? memberKeyOrder(left, right) : 1;
  if (isMember(right)) return -1;
  // The same order as for the names of members.
  return typeof left === 'string' && typeof right === 'string' ? compareTexts(left, right) : compareValues(left, right);
}

function isMember(value: Value | Member): value is Member {
  return typeof value === 'object' && value !== null && 'hierarchy' in value;
}

/** Sorts the tuples of a set by keys. Equal tuples keep their order. */
function sortedBy(
  evaluator: Evaluator,
  owner: object,
  calc: SetCalc,
  makeTuples: () => TupleSet,
  keys: readonly Sorting[],
): { readonly tuples: TupleSet; readonly sortKeys: (tuple: Tuple) => Keys } {
  return evaluator.requireComplete(() => {
    const { tuples, gathered } = evaluator.iterateResumable(
      owner,
      calc,
      makeTuples,
      () => new Map<Tuple, Keys>(),
      (keysByTuple, tuple) => {
        keysByTuple.set(
          tuple,
          keys.map(({ value }) => value(evaluator)),
        );
      },
    );
    const sortKeys = (tuple: Tuple): Keys => gathered.get(tuple) ?? [];
    return {
      tuples: tuples.toSorted((left, right) => compareBy(keys, sortKeys(left), sortKeys(right))),
      sortKeys,
    };
  });
}

function compareBy(keys: readonly Sorting[], left: Keys, right: Keys): number {
  for (const [index, { descending }] of keys.entries()) {
    const order = compareKeysOf(left[index] ?? null, right[index] ?? null);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

function order(evaluator: Evaluator, calc: SetCalc, keys: readonly SortKey[]): TupleSet {
  if (keys.every(({ breaks }) => breaks)) {
    return sortedBy(evaluator, keys, calc, () => calc.evaluate(evaluator), keys).tuples;
  }
  const tuples = calc.evaluate(evaluator);
  if (tuples.length < 2) return tuples;
  return orderInHierarchy(evaluator, tuples, keys);
}

/**
 * Returns the first tuples of an order that ignores the hierarchy: the result of `TopCount` or `BottomCount` with the
 * same count.
 */
function firstBy(set: SetCalc, key: SortKey): NonNullable<SetCalc['first']> {
  const owner = {};
  return (evaluator, count) => {
    const makeTuples = () =>
      ranked(evaluator, set, key.by, count, key.descending ? 'desc' : 'asc') ?? set.evaluate(evaluator);
    return sortedBy(evaluator, owner, set, makeTuples, [key]).tuples.slice(0, count);
  };
}

/**
 * Sorts siblings by value, with parents before their children. Members below different parents are compared by their
 * highest ancestors that differ. In tuples, the first member that differs decides, in the context of the members before
 * it.
 */
function orderInHierarchy(evaluator: Evaluator, tuples: TupleSet, keys: readonly SortKey[]): TupleSet {
  const memo = new Map<string, Keys>();
  const collect = (part: Tuple): void => {
    const key = tupleKey(part);
    if (memo.has(key)) return;
    memo.set(key, []);
    evaluator.attempt(() =>
      evaluator.at(part, () =>
        memo.set(
          key,
          keys.map(({ value }) => value(evaluator)),
        ),
      ),
    );
  };
  evaluator.requireComplete(() => {
    for (const tuple of tuples) {
      evaluator.step();
      for (const [index, member] of tuple.entries()) {
        const before = tuple.slice(0, index);
        for (const above of memberPath(member)) collect([...before, above]);
      }
    }
  });
  const keysOf = (before: Tuple, member: Member): Keys => memo.get(tupleKey([...before, member])) ?? [];
  const compareAt = (before: Tuple, left: Member, right: Member): number => {
    const [lefts, rights] = [memberPath(left), memberPath(right)];
    for (let depth = 0; ; depth++) {
      const [a, b] = [lefts[depth], rights[depth]];
      if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
      if (a === b) continue;
      return compareBy(keys, keysOf(before, a), keysOf(before, b)) || compareSiblings(a, b);
    }
  };
  return tuples.toSorted((left, right) => {
    const index = left.findIndex((member, place) => member !== right[place]);
    const [a, b] = [left[index], right[index]];
    return a === undefined || b === undefined ? 0 : compareAt(left.slice(0, index), a, b);
  });
}

function orderKeys(args: readonly Calc[]): readonly SortKey[] {
  const keys: SortKey[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index];
    if (arg === undefined) break;
    const flag = symbolOf(args[index + 1]);
    if (flag !== undefined) index++;
    const name = flag ?? 'ASC';
    keys.push({
      by: arg,
      value: orderKeyMember(arg) ?? scalarOf(asScalar(arg)),
      descending: name.endsWith('DESC'),
      breaks: name.startsWith('B'),
    });
  }
  return keys;
}

function checkOrderArguments(args: readonly Calc[]): void {
  let expectsValue = true;
  for (const arg of args) {
    const flag = symbolOf(arg);
    const isFlag = flag !== undefined && /^B?(ASC|DESC)$/.test(flag);
    const isValue = isScalar(arg.type) || ['member', 'tuple', 'hierarchy', 'dimension', 'null'].includes(arg.type.kind);
    if (isFlag ? expectsValue : !isValue) {
      throw new MdxError(
        `No function matches signature 'Order(<Set>, ${args.map(({ type }) => typeName(type)).join(', ')})'`,
      );
    }
    expectsValue = isFlag;
  }
}

type Take = (sorted: readonly { readonly tuple: Tuple; readonly value: number }[], limit: number) => number;

/** Compiles TopSum, TopPercent and their opposites: the fewest tuples in the order of their values that reach a sum. */
function accumulate(descending: boolean, take: Take): Build<'set numeric numeric'> {
  return (_, arg, limit, expression) => {
    const set = asSetCalc(arg);
    const value = numberOf(expression);
    const bound = numberOf(limit);
    const calc = setCalc(setTypeOf(set), [arg, limit, expression], (evaluator) => {
      const keys: readonly Sorting[] = [{ value, descending, breaks: true }];
      const { tuples, sortKeys } = sortedBy(evaluator, value, set, () => set.evaluate(evaluator), keys);
      const sorted = tuples.map((tuple) => ({ tuple, value: Number(sortKeys(tuple)[0] ?? 0) }));
      return sorted.slice(0, take(sorted, bound(evaluator) ?? 0)).map(({ tuple }) => tuple);
    });
    return depending(calc, iterated(set, [expression]) | (limit?.dependsOn ?? 0n));
  };
}

const untilSum: Take = (sorted, limit) => {
  let sum = 0;
  for (const [index, { value }] of sorted.entries()) {
    if (sum >= limit) return index;
    sum += value;
  }
  return sorted.length;
};
const untilPercent: Take = (sorted, percent) => {
  const total = sorted.reduce((sum, { value }) => sum + value, 0);
  return untilSum(sorted, (total * percent) / 100);
};

/** Compiles TopCount and BottomCount. Without an expression, they return the first or last tuples of the set. */
function count(descending: boolean): Build<'set numeric value?'> {
  return (_, arg, number, expression) => {
    const set = asSetCalc(arg);
    const limit = numberOf(number);
    const by = suppliedArg(expression);
    const value = by === undefined ? undefined : scalarOf(by);
    const calc = setCalc(setTypeOf(set), [arg, number, expression], (evaluator) => {
      const most = Math.max(0, Math.trunc(limit(evaluator) ?? 0));
      if (by === undefined || value === undefined) {
        const tuples = set.evaluate(evaluator);
        return descending ? tuples.slice(0, most) : tuples.slice(Math.max(0, tuples.length - most));
      }
      const keys: readonly Sorting[] = [{ value, descending, breaks: true }];
      const makeTuples = () => ranked(evaluator, set, by, most, descending ? 'desc' : 'asc') ?? set.evaluate(evaluator);
      return sortedBy(evaluator, value, set, makeTuples, keys).tuples.slice(0, most);
    });
    return depending(calc, iterated(set, [expression]) | (number?.dependsOn ?? 0n));
  };
}

export const SORTING_FUNCTIONS: readonly FunctionDefinition[] = [
  define({
    name: 'Order',
    syntax: 'function',
    parameters: 'set key key*',
    description: 'A set sorted by one or more values, each ASC, DESC, BASC or BDESC.',
    forwardsOnly: 1,
    build: (_, arg, ...args) => {
      checkOrderArguments(args);
      const set = asSetCalc(arg);
      const keys = orderKeys(args);
      const calc = setCalc(setTypeOf(set), [arg, ...args], (evaluator) => order(evaluator, set, keys));
      const [only] = keys;
      const first = keys.length === 1 && only?.breaks === true ? firstBy(set, only) : undefined;
      return { ...depending(calc, iterated(set, args.map(asScalar))), first };
    },
  }),
  define({
    name: 'TopCount',
    syntax: 'function',
    parameters: 'set numeric value?',
    description: 'A number of tuples with the largest values; without values, the first tuples.',
    build: count(true),
  }),
  define({
    name: 'BottomCount',
    syntax: 'function',
    parameters: 'set numeric value?',
    description: 'A number of tuples with the smallest values; without values, the last tuples.',
    build: count(false),
  }),
  define({
    name: 'TopSum',
    syntax: 'function',
    parameters: 'set numeric numeric',
    description: 'The fewest tuples with the largest values that add up to at least a sum.',
    build: accumulate(true, untilSum),
  }),
  define({
    name: 'BottomSum',
    syntax: 'function',
    parameters: 'set numeric numeric',
    description: 'The fewest tuples with the smallest values that add up to at least a sum.',
    build: accumulate(false, untilSum),
  }),
  define({
    name: 'TopPercent',
    syntax: 'function',
    parameters: 'set numeric numeric',
    description: 'The fewest tuples with the largest values that make up a percentage of the total.',
    build: accumulate(true, untilPercent),
  }),
  define({
    name: 'BottomPercent',
    syntax: 'function',
    parameters: 'set numeric numeric',
    description: 'The fewest tuples with the smallest values that make up a percentage of the total.',
    build: accumulate(false, untilPercent),
  }),
];
