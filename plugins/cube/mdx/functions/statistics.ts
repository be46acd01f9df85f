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
import { define } from '../compile/define.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import { NUMERIC } from '../compile/types.ts';
import { addUp } from '../evaluate/aggregate.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import { compareValues } from '../metadata/compare.ts';
import type { Tuple } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import { asNumber } from '../metadata/value.ts';
import { suppliedArg } from './given.ts';
import { requireArg } from './required.ts';
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

function overSet(compute: (values: readonly Value[]) => number | null): FunctionDefinition['build'] {
  return (_, arg, expression) => {
    const set = asSetCalc(requireArg(arg));
    const by = suppliedArg(expression);
    const values = valuesAt(set, by);
    const calc = numericCalc([arg, by], (evaluator) => compute(values(evaluator)));
    return depending(calc, by === undefined ? EVERYTHING : iterated(set, [by]));
  };
}

/** Of the numbers among the values; nothing when there are none. */
function ofNumbers(compute: (numbers: readonly number[]) => number | null): FunctionDefinition['build'] {
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

function overPairs(compute: (pairs: Pairs) => number | null): FunctionDefinition['build'] {
  return (context, arg, first, second) => {
    const set = asSetCalc(requireArg(arg));
    const measure = context.scope.cube.measures.defaultMember;
    const x = suppliedArg(second) ?? constantMember(measure);
    const pairs = pairsAt(set, requireArg(first), x);
    const calc = numericCalc([arg, first, second], (evaluator) => {
      const found = pairs(evaluator);
      return found.length === 0 ? null : compute(found);
    });
    return depending(calc, suppliedArg(second) === undefined ? EVERYTHING : iterated(set, [first, second]));
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
function count(includeEmpty: boolean): FunctionDefinition['build'] {
  return (_, arg) => {
    const calc = requireArg(arg);
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
  define('Sum', 'function', 'set value?', 'The sum of what is not empty.', overSet(addUp)),
  define('Avg', 'function', 'set value?', 'The mean of what is not empty.', ofNumbers(mean)),
  define(
    'Min',
    'function',
    'set value?',
    'The smallest value.',
    ofNumbers((numbers) => numbers.reduce((a, b) => Math.min(a, b))),
  ),
  define(
    'Max',
    'function',
    'set value?',
    'The biggest value.',
    ofNumbers((numbers) => numbers.reduce((a, b) => Math.max(a, b))),
  ),
  define(
    'Median',
    'function',
    'set value?',
    'The middle value.',
    ofNumbers((numbers) => quantile(numbers, 0.5)),
  ),
  ...['Stdev', 'Stddev'].map((name) =>
    define(
      name,
      'function',
      'set value?',
      'The standard deviation of a sample.',
      ofNumbers((numbers) => Math.sqrt(variance(numbers, false))),
    ),
  ),
  ...['StdevP', 'StddevP'].map((name) =>
    define(
      name,
      'function',
      'set value?',
      'The standard deviation of all there is.',
      ofNumbers((numbers) => Math.sqrt(variance(numbers, true))),
    ),
  ),
  ...['Var', 'Variance'].map((name) =>
    define(
      name,
      'function',
      'set value?',
      'The variance of a sample.',
      ofNumbers((numbers) => variance(numbers, false)),
    ),
  ),
  ...['VarP', 'VarianceP'].map((name) =>
    define(
      name,
      'function',
      'set value?',
      'The variance of all there is.',
      ofNumbers((numbers) => variance(numbers, true)),
    ),
  ),
  define(
    'Percentile',
    'function',
    'set value numeric',
    'The value below which so many percent of the values are.',
    (_, arg, expression, percent) => {
      const set = asSetCalc(requireArg(arg));
      const values = valuesAt(set, requireArg(expression));
      const part = numberOf(requireArg(percent));
      const calc = numericCalc([arg, expression, percent], (evaluator) => {
        const numbers = numbersOf(values(evaluator));
        return numbers.length === 0 ? null : quantile(numbers, (part(evaluator) ?? 0) / 100);
      });
      return depending(calc, iterated(set, [expression, percent]));
    },
  ),
  ...(
    [
      [1, 'FirstQ'],
      [3, 'ThirdQ'],
    ] as const
  ).map(([quarter, name]) =>
    define(
      name,
      'function',
      'set value?',
      `The value below which ${quarter} quarter${quarter === 1 ? '' : 's'} of the values are.`,
      ofNumbers((numbers) => quantile(numbers, quarter / 4)),
    ),
  ),
  define(
    'Covariance',
    'function',
    'set value value?',
    'How two expressions vary together, of all there is.',
    overPairs((pairs) => covariance(pairs, true)),
  ),
  define(
    'CovarianceN',
    'function',
    'set value value?',
    'How two expressions vary together, of a sample.',
    overPairs((pairs) => covariance(pairs, false)),
  ),
  define(
    'Correlation',
    'function',
    'set value value?',
    'The correlation of two expressions.',
    overPairs((pairs) => {
      const [a, b] = [pairs.map(([left]) => left), pairs.map(([, right]) => right)];
      return covariance(pairs, true) / Math.sqrt(variance(a, true) * variance(b, true));
    }),
  ),
  define(
    'LinRegSlope',
    'function',
    'set value value?',
    'The slope of the line of least squares.',
    overPairs((pairs) => regression(pairs).slope),
  ),
  define(
    'LinRegIntercept',
    'function',
    'set value value?',
    'Where the line of least squares begins.',
    overPairs((pairs) => regression(pairs).intercept),
  ),
  define(
    'LinRegR2',
    'function',
    'set value value?',
    'How well the line of least squares fits.',
    overPairs((pairs) => regression(pairs).r2),
  ),
  define(
    'LinRegVariance',
    'function',
    'set value value?',
    'The variance around the line of least squares.',
    overPairs((pairs) => regression(pairs).residual),
  ),
  define(
    'LinRegPoint',
    'function',
    'value set value value?',
    'The value of the line of least squares at a place.',
    (context, at, arg, first, second) => {
      const set = asSetCalc(requireArg(arg));
      const place = numberOf(requireArg(at));
      const x = suppliedArg(second) ?? constantMember(context.scope.cube.measures.defaultMember);
      const pairs = pairsAt(set, requireArg(first), x);
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
  ),
  define('Count', 'function', 'set', 'The number of tuples.', count(true)),
  define('Count', 'function', 'set INCLUDEEMPTY', 'The number of tuples.', count(true)),
  define(
    'Count',
    'function',
    'set EXCLUDEEMPTY',
    'The number of tuples at which the current measure is not empty.',
    count(false),
  ),
  define('Count', 'property', 'set', 'The number of tuples.', count(true)),
  define(
    'DistinctCount',
    'function',
    'set',
    'The number of different tuples at which the current measure is not empty.',
    (_, arg) => {
      const set = asSetCalc(requireArg(arg));
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
  ),
  define(
    'Aggregate',
    'function',
    'set value?',
    'What the measure aggregates over a set: sums are added, distinct counts counted anew.',
    (_, arg, expression) => {
      const set = asSetCalc(requireArg(arg));
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
  ),
  define('Rank', 'function', 'tuple set', 'The place of a tuple in a set.', (_, arg, of) =>
    rankInSet(requireArg(arg), requireArg(of)),
  ),
  define(
    'Rank',
    'function',
    'tuple set value',
    'The place a tuple has among the values of a set, the biggest being first.',
    (_, arg, of, expression) => rankByValue(requireArg(arg), requireArg(of), requireArg(expression)),
  ),
];
