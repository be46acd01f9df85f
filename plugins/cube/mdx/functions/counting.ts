import { type Calc, depending, EVERYTHING, integerCalc, numericCalc } from '../compile/calc.ts';
import { scalarOf, setOf, tupleOf } from '../compile/conversions.ts';
import { type Build, define } from '../compile/define.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import { compareValues } from '../metadata/compare.ts';
import type { Tuple } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import { valuesAt } from './statistics.ts';
import { asSetCalc, iterated, tupleKey } from './tuple-lists.ts';

/** Functions that count the tuples of a set or return the position of a tuple. */

/**
 * Compiles `Count`. The result is not typed as a whole number, so with a measure in the set it uses that measure's
 * format, as conformance cases require.
 */
function count(includeEmpty: boolean): Build<'set any?'> {
  return (_, arg) => {
    const calc = arg;
    const set = asSetCalc(calc);
    if (includeEmpty)
      return { ...numericCalc([arg], (evaluator) => set.evaluate(evaluator).length), dependsOn: set.dependsOn };
    const values = valuesAt(set, undefined);
    return depending(
      numericCalc([arg], (evaluator) => values(evaluator).filter((value) => value !== null).length),
      EVERYTHING,
    );
  };
}

/**
 * Compiles the position of a tuple in a set, from 1. The result is 0 if the tuple is not in the set, and empty for a
 * null tuple.
 */
function rankInSet(arg: Calc, of: Calc): Calc {
  const tuple = tupleOf(arg);
  const set = setOf(of);
  const memo = new Map<string, ReadonlyMap<string, number>>();
  return integerCalc([arg, of], (evaluator) => {
    const searched = tuple(evaluator);
    if (searched === undefined) return null;
    const places = evaluator.remember(memo, of.dependsOn, () => {
      const ranks = new Map<string, number>();
      for (const [index, each] of set(evaluator).entries()) {
        const name = tupleKey(each);
        if (!ranks.has(name)) ranks.set(name, index + 1);
      }
      return ranks;
    });
    return places.get(tupleKey(searched)) ?? 0;
  });
}

/** Compiles the rank by value: one more than the number of larger values at the tuples of the set. */
function rankByValue(arg: Calc, of: Calc, expression: Calc): Calc {
  const tuple = tupleOf(arg);
  const set = asSetCalc(of);
  const value = scalarOf(expression);
  const memo = new Map<string, readonly Value[]>();
  const calc = integerCalc([arg, of, expression], (evaluator) => {
    const searched = tuple(evaluator);
    if (searched === undefined) return null;
    const sorted = evaluator.remember(memo, iterated(set, [expression]) | expression.dependsOn, () => {
      const { gathered } = evaluator.iterateResumable(
        memo,
        set,
        () => set.evaluate(evaluator),
        (): Value[] => [],
        (values) => values.push(value(evaluator)),
      );
      return gathered.sort((left, right) => compareValues(right, left));
    });
    const searchedValue = evaluator.at(searched, value);
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareValues(sorted[middle] ?? null, searchedValue) > 0) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  });
  return calc;
}

export const COUNTING: readonly FunctionDefinition[] = [
  define({
    name: 'Count',
    syntax: 'function',
    parameters: 'set',
    description: 'The number of tuples.',
    build: count(true),
  }),
  define({
    name: 'Count',
    syntax: 'function',
    parameters: 'set INCLUDEEMPTY',
    description: 'The number of tuples.',
    build: count(true),
  }),
  define({
    name: 'Count',
    syntax: 'function',
    parameters: 'set EXCLUDEEMPTY',
    description: 'The number of tuples at which the current measure is not empty.',
    build: count(false),
  }),
  define({
    name: 'Count',
    syntax: 'property',
    parameters: 'set',
    description: 'The number of tuples.',
    build: count(true),
  }),
  define({
    name: 'DistinctCount',
    syntax: 'function',
    parameters: 'set',
    description: 'The number of distinct tuples at which the current measure is not empty.',
    build: (_, arg) => {
      const set = asSetCalc(arg);
      return depending(
        numericCalc([arg], (evaluator) => {
          const keys = new Set<string>();
          evaluator.iterate(set, set.evaluate(evaluator), (tuple: Tuple) => {
            if (evaluator.value() !== null) keys.add(tupleKey(tuple));
          });
          return keys.size;
        }),
        EVERYTHING,
      );
    },
  }),
  define({
    name: 'Rank',
    syntax: 'function',
    parameters: 'tuple set',
    description: 'The position of a tuple in a set, from 1; 0 if it is not in the set.',
    build: (_, arg, of) => rankInSet(arg, of),
  }),
  define({
    name: 'Rank',
    syntax: 'function',
    parameters: 'tuple set value',
    description: 'The rank of a tuple by value, from 1 for the largest value of the set.',
    build: (_, arg, of, expression) => rankByValue(arg, of, expression),
  }),
];
