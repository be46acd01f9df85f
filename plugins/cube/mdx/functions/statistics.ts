import {
  type Calc,
  constantMember,
  depending,
  EVERYTHING,
  integerCalc,
  memberOf,
  numberOf,
  numericCalc,
  type SetCalc,
  scalarCalc,
  scalarOf,
  setOf,
  tupleOf,
} from '../compile/calc.ts';
import { type Build, define } from '../compile/define.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import { NUMERIC } from '../compile/types.ts';
import { addUp } from '../evaluate/aggregate.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import { compareValues } from '../metadata/compare.ts';
import type { Tuple } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import { asNumber } from '../metadata/value.ts';
import { isSupplied, suppliedArg } from './given.ts';
import { asSetCalc, iterated, tupleKey } from './sets.ts';

/** Functions that make a number of a set. */

/** The values of an expression (without one: of the current cell) at each tuple. */
function valuesAt(set: SetCalc, expression: Calc | undefined): (evaluator: Evaluator) => readonly Value[] {
  const value = expression === undefined ? (evaluator: Evaluator) => evaluator.value() : scalarOf(expression);
  const owner = {};
  return (evaluator) =>
    evaluator.iterateResumable(
      owner,
      set,
      () => set.evaluate(evaluator),
      (): Value[] => [],
      (values) => values.push(value(evaluator)),
    ).gathered;
}

function numbersOf(values: readonly Value[]): readonly number[] {
  return values.map(asNumber).filter((value) => value !== null);
}

function overSet(compute: (values: readonly Value[]) => number | null): Build<'set value?'> {
  return (_, arg, expression) => {
    const set = asSetCalc(arg);
    const by = suppliedArg(expression);
    const values = valuesAt(set, by);
    const calc = numericCalc([arg, by], (evaluator) => compute(values(evaluator)));
    return depending(calc, by === undefined ? EVERYTHING : iterated(set, [by]));
  };
}

/** Of the numbers among the values; nothing when there are none. */
function ofNumbers(compute: (numbers: readonly number[]) => number | null): Build<'set value?'> {
  return overSet((values) => {
    const numbers = numbersOf(values);
    return numbers.length === 0 ? null : compute(numbers);
  });
}

function mean(numbers: readonly number[]): number {
  return (addUp(numbers) ?? 0) / numbers.length;
}

function variance(numbers: readonly number[], biased: boolean): number {
  const average = mean(numbers);
  const squares = numbers.reduce((sum, number) => sum + (number - average) ** 2, 0);
  return squares / (biased ? numbers.length : numbers.length - 1);
}

/** Linear interpolation between the closest ranks (percentile as spreadsheets define it, inclusive). */
function quantile(numbers: readonly number[], fraction: number): number | null {
  const sorted = numbers.toSorted((left, right) => left - right);
  const at = Math.min(Math.max(fraction, 0), 1) * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low === undefined || high === undefined ? null : low + (high - low) * (at - Math.floor(at));
}

/** The pairs at which both expressions have a number. */
function pairsAt(set: SetCalc, y: Calc, x: Calc): (evaluator: Evaluator) => readonly (readonly [number, number])[] {
  const [ys, xs] = [valuesAt(set, y), valuesAt(set, x)];
  return (evaluator) => {
    const [left, right] = [ys(evaluator), xs(evaluator)];
    return left.flatMap((value, index) => {
      const [a, b] = [asNumber(value), asNumber(right[index] ?? null)];
      return a === null || b === null ? [] : [[a, b] as const];
    });
  };
}

type Pairs = readonly (readonly [number, number])[];

function overPairs(compute: (pairs: Pairs) => number | null): Build<'set value value?'> {
  return (context, arg, first, second) => {
    const set = asSetCalc(arg);
    const measure = context.scope.cube.measures.defaultMember;
    const x = suppliedArg(second) ?? constantMember(measure);
    const pairs = pairsAt(set, first, x);
    const calc = numericCalc([arg, first, second], (evaluator) => {
      const found = pairs(evaluator);
      return found.length === 0 ? null : compute(found);
    });
    return depending(calc, isSupplied(second) ? iterated(set, [first, second]) : EVERYTHING);
  };
}

function covariance(pairs: Pairs, biased: boolean): number {
  const [a, b] = [mean(pairs.map(([left]) => left)), mean(pairs.map(([, right]) => right))];
  const sum = pairs.reduce((total, [left, right]) => total + (left - a) * (right - b), 0);
  return sum / (biased ? pairs.length : pairs.length - 1);
}

/** Least squares, `y = intercept + slope * x`. */
function regression(pairs: Pairs): {
  readonly slope: number;
  readonly intercept: number;
  readonly r2: number;
  readonly residual: number;
} {
  const [y, x] = [mean(pairs.map(([left]) => left)), mean(pairs.map(([, right]) => right))];
  const sxx = pairs.reduce((sum, [, right]) => sum + (right - x) ** 2, 0);
  const sxy = pairs.reduce((sum, [left, right]) => sum + (left - y) * (right - x), 0);
  const syy = pairs.reduce((sum, [left]) => sum + (left - y) ** 2, 0);
  const slope = sxy / sxx;
  const intercept = y - slope * x;
  const errors = pairs.reduce((sum, [left, right]) => sum + (left - intercept - slope * right) ** 2, 0);
  return { slope, intercept, r2: 1 - errors / syy, residual: errors / (pairs.length - 2) };
}

/** A number as others, not a whole one: with a measure in its set it has the format of that, as conformance cases show. */
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

/** The place (from 1) of a tuple in a set; 0 when it is not in it; nothing for a null tuple. */
function rankInSet(arg: Calc, of: Calc): Calc {
  const tuple = tupleOf(arg);
  const set = setOf(of);
  const memo = new Map<string, ReadonlyMap<string, number>>();
  return integerCalc([arg, of], (evaluator) => {
    const wanted = tuple(evaluator);
    if (wanted === undefined) return null;
    const places = evaluator.remember(memo, of.dependsOn, () => {
      const found = new Map<string, number>();
      for (const [index, each] of set(evaluator).entries()) {
        const name = tupleKey(each);
        if (!found.has(name)) found.set(name, index + 1);
      }
      return found;
    });
    return places.get(tupleKey(wanted)) ?? 0;
  });
}

/** One more than the number of bigger values at the tuples of the set. */
function rankByValue(arg: Calc, of: Calc, expression: Calc): Calc {
  const tuple = tupleOf(arg);
  const set = asSetCalc(of);
  const value = scalarOf(expression);
  const memo = new Map<string, readonly Value[]>();
  const calc = integerCalc([arg, of, expression], (evaluator) => {
    const wanted = tuple(evaluator);
    if (wanted === undefined) return null;
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
    const own = evaluator.at(wanted, value);
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareValues(sorted[middle] ?? null, own) > 0) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  });
  return calc;
}

export const STATISTICS: readonly FunctionDefinition[] = [
  define({
    name: 'Sum',
    syntax: 'function',
    parameters: 'set value?',
    description: 'The sum of what is not empty.',
    build: overSet(addUp),
  }),
  define({
    name: 'Avg',
    syntax: 'function',
    parameters: 'set value?',
    description: 'The mean of what is not empty.',
    build: ofNumbers(mean),
  }),
  define({
    name: 'Min',
    syntax: 'function',
    parameters: 'set value?',
    description: 'The smallest value.',
    build: ofNumbers((numbers) => numbers.reduce((a, b) => Math.min(a, b))),
  }),
  define({
    name: 'Max',
    syntax: 'function',
    parameters: 'set value?',
    description: 'The biggest value.',
    build: ofNumbers((numbers) => numbers.reduce((a, b) => Math.max(a, b))),
  }),
  define({
    name: 'Median',
    syntax: 'function',
    parameters: 'set value?',
    description: 'The middle value.',
    build: ofNumbers((numbers) => quantile(numbers, 0.5)),
  }),
  ...['Stdev', 'Stddev'].map((name) =>
    define({
      name,
      syntax: 'function',
      parameters: 'set value?',
      description: 'The standard deviation of a sample.',
      build: ofNumbers((numbers) => Math.sqrt(variance(numbers, false))),
    }),
  ),
  ...['StdevP', 'StddevP'].map((name) =>
    define({
      name,
      syntax: 'function',
      parameters: 'set value?',
      description: 'The standard deviation of all there is.',
      build: ofNumbers((numbers) => Math.sqrt(variance(numbers, true))),
    }),
  ),
  ...['Var', 'Variance'].map((name) =>
    define({
      name,
      syntax: 'function',
      parameters: 'set value?',
      description: 'The variance of a sample.',
      build: ofNumbers((numbers) => variance(numbers, false)),
    }),
  ),
  ...['VarP', 'VarianceP'].map((name) =>
    define({
      name,
      syntax: 'function',
      parameters: 'set value?',
      description: 'The variance of all there is.',
      build: ofNumbers((numbers) => variance(numbers, true)),
    }),
  ),
  define({
    name: 'Percentile',
    syntax: 'function',
    parameters: 'set value numeric',
    description: 'The value below which so many percent of the values are.',
    build: (_, arg, expression, percent) => {
      const set = asSetCalc(arg);
      const values = valuesAt(set, expression);
      const part = numberOf(percent);
      const calc = numericCalc([arg, expression, percent], (evaluator) => {
        const numbers = numbersOf(values(evaluator));
        return numbers.length === 0 ? null : quantile(numbers, (part(evaluator) ?? 0) / 100);
      });
      return depending(calc, iterated(set, [expression, percent]));
    },
  }),
  ...(
    [
      [1, 'FirstQ'],
      [3, 'ThirdQ'],
    ] as const
  ).map(([quarter, name]) =>
    define({
      name,
      syntax: 'function',
      parameters: 'set value?',
      description: `The value below which ${quarter} quarter${quarter === 1 ? '' : 's'} of the values are.`,
      build: ofNumbers((numbers) => quantile(numbers, quarter / 4)),
    }),
  ),
  define({
    name: 'Covariance',
    syntax: 'function',
    parameters: 'set value value?',
    description: 'How two expressions vary together, of all there is.',
    build: overPairs((pairs) => covariance(pairs, true)),
  }),
  define({
    name: 'CovarianceN',
    syntax: 'function',
    parameters: 'set value value?',
    description: 'How two expressions vary together, of a sample.',
    build: overPairs((pairs) => covariance(pairs, false)),
  }),
  define({
    name: 'Correlation',
    syntax: 'function',
    parameters: 'set value value?',
    description: 'The correlation of two expressions.',
    build: overPairs((pairs) => {
      const [a, b] = [pairs.map(([left]) => left), pairs.map(([, right]) => right)];
      return covariance(pairs, true) / Math.sqrt(variance(a, true) * variance(b, true));
    }),
  }),
  define({
    name: 'LinRegSlope',
    syntax: 'function',
    parameters: 'set value value?',
    description: 'The slope of the line of least squares.',
    build: overPairs((pairs) => regression(pairs).slope),
  }),
  define({
    name: 'LinRegIntercept',
    syntax: 'function',
    parameters: 'set value value?',
    description: 'Where the line of least squares begins.',
    build: overPairs((pairs) => regression(pairs).intercept),
  }),
  define({
    name: 'LinRegR2',
    syntax: 'function',
    parameters: 'set value value?',
    description: 'How well the line of least squares fits.',
    build: overPairs((pairs) => regression(pairs).r2),
  }),
  define({
    name: 'LinRegVariance',
    syntax: 'function',
    parameters: 'set value value?',
    description: 'The variance around the line of least squares.',
    build: overPairs((pairs) => regression(pairs).residual),
  }),
  define({
    name: 'LinRegPoint',
    syntax: 'function',
    parameters: 'value set value value?',
    description: 'The value of the line of least squares at a place.',
    build: (context, at, arg, first, second) => {
      const set = asSetCalc(arg);
      const place = numberOf(at);
      const x = suppliedArg(second) ?? constantMember(context.scope.cube.measures.defaultMember);
      const pairs = pairsAt(set, first, x);
      return depending(
        numericCalc([at, arg, first, second], (evaluator) => {
          const found = pairs(evaluator);
          const where = place(evaluator);
          if (found.length === 0 || where === null) return null;
          const { slope, intercept } = regression(found);
          return intercept + slope * where;
        }),
        EVERYTHING,
      );
    },
  }),
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
    description: 'The number of different tuples at which the current measure is not empty.',
    build: (_, arg) => {
      const set = asSetCalc(arg);
      return depending(
        numericCalc([arg], (evaluator) => {
          const found = new Set<string>();
          evaluator.iterate(set, set.evaluate(evaluator), (tuple: Tuple) => {
            if (evaluator.value() !== null) found.add(tupleKey(tuple));
          });
          return found.size;
        }),
        EVERYTHING,
      );
    },
  }),
  define({
    name: 'Aggregate',
    syntax: 'function',
    parameters: 'set value?',
    description: 'What the measure aggregates over a set: sums are added, distinct counts counted anew.',
    shape: 'aggregate',
    build: (_, arg, expression) => {
      const set = asSetCalc(arg);
      const by = suppliedArg(expression);
      const value = by?.parts[0];
      const member = value?.kind === 'member' ? memberOf(value) : undefined;
      const sum = by === undefined ? undefined : valuesAt(set, by);
      const calc = scalarCalc(NUMERIC, [arg, by], (evaluator) => {
        if (by === undefined) return evaluator.aggregate(set.evaluate(evaluator));
        const measure = member?.(evaluator);
        if (measure?.hierarchy.isMeasures && measure.kind === 'measure') {
          const tuples = set.evaluate(evaluator);
          return evaluator.at([measure], () => evaluator.aggregate(tuples));
        }
        return addUp(sum?.(evaluator) ?? []);
      });
      return depending(calc, by === undefined ? EVERYTHING : iterated(set, [by]));
    },
  }),
  define({
    name: 'Rank',
    syntax: 'function',
    parameters: 'tuple set',
    description: 'The place of a tuple in a set.',
    build: (_, arg, of) => rankInSet(arg, of),
  }),
  define({
    name: 'Rank',
    syntax: 'function',
    parameters: 'tuple set value',
    description: 'The place a tuple has among the values of a set, the biggest being first.',
    build: (_, arg, of, expression) => rankByValue(arg, of, expression),
  }),
];
