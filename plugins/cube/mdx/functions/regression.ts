import { type Calc, constantMember, depending, EVERYTHING, numericCalc, type SetCalc } from '../compile/calc.ts';
import { numberOf } from '../compile/conversions.ts';
import { type Build, define } from '../compile/define.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import { asNumber } from '../metadata/value.ts';
import { mean, valuesAt, variance } from './statistics.ts';
import { isSupplied, suppliedArg } from './supplied-args.ts';
import { asSetCalc, iterated } from './tuple-lists.ts';

/** Functions that compute a number from the values of two expressions at the tuples of a set. */

/** Returns the pairs of values at which both expressions have a number. */
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
    const measure = context.scope.defaultMeasure;
    const x = suppliedArg(second) ?? constantMember(measure);
    const pairs = pairsAt(set, first, x);
    const calc = numericCalc([arg, first, second], (evaluator) => {
      const points = pairs(evaluator);
      return points.length === 0 ? null : compute(points);
    });
    return depending(calc, isSupplied(second) ? iterated(set, [first, second]) : EVERYTHING);
  };
}

function covariance(pairs: Pairs, biased: boolean): number {
  const [a, b] = [mean(pairs.map(([left]) => left)), mean(pairs.map(([, right]) => right))];
  const sum = pairs.reduce((total, [left, right]) => total + (left - a) * (right - b), 0);
  return sum / (biased ? pairs.length : pairs.length - 1);
}

/** Computes the least-squares line `y = intercept + slope * x`. */
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

export const REGRESSION: readonly FunctionDefinition[] = [
  define({
    name: 'Covariance',
    syntax: 'function',
    parameters: 'set value value?',
    description: 'The covariance of two expressions in a whole population.',
    build: overPairs((pairs) => covariance(pairs, true)),
  }),
  define({
    name: 'CovarianceN',
    syntax: 'function',
    parameters: 'set value value?',
    description: 'The covariance of two expressions in a sample.',
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
    description: 'The slope of the least-squares line.',
    build: overPairs((pairs) => regression(pairs).slope),
  }),
  define({
    name: 'LinRegIntercept',
    syntax: 'function',
    parameters: 'set value value?',
    description: 'The intercept of the least-squares line.',
    build: overPairs((pairs) => regression(pairs).intercept),
  }),
  define({
    name: 'LinRegR2',
    syntax: 'function',
    parameters: 'set value value?',
    description: 'The coefficient of determination (R²) of the least-squares line.',
    build: overPairs((pairs) => regression(pairs).r2),
  }),
  define({
    name: 'LinRegVariance',
    syntax: 'function',
    parameters: 'set value value?',
    description: 'The variance around the least-squares line.',
    build: overPairs((pairs) => regression(pairs).residual),
  }),
  define({
    name: 'LinRegPoint',
    syntax: 'function',
    parameters: 'value set value value?',
    description: 'The value of the least-squares line at a point.',
    build: (context, at, arg, first, second) => {
      const set = asSetCalc(arg);
      const place = numberOf(at);
      const x = suppliedArg(second) ?? constantMember(context.scope.defaultMeasure);
      const pairs = pairsAt(set, first, x);
      return depending(
        numericCalc([at, arg, first, second], (evaluator) => {
          const points = pairs(evaluator);
          const where = place(evaluator);
          if (points.length === 0 || where === null) return null;
          const { slope, intercept } = regression(points);
          return intercept + slope * where;
        }),
        EVERYTHING,
      );
    },
  }),
];
