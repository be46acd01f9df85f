import { type Calc, depending, EVERYTHING, numericCalc, type SetCalc, scalarCalc } from '../compile/calc.ts';
import { memberOf, numberOf, scalarOf } from '../compile/conversions.ts';
import { type Build, define } from '../compile/define.ts';
import { NUMERIC } from '../compile/expression-types.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import { addUp, extreme } from '../evaluate/aggregate-tuples.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import type { Exact } from '../metadata/exact-numbers.ts';
import { asNumber, type Value } from '../metadata/value.ts';
import { suppliedArg } from './supplied-args.ts';
import { asSetCalc, iterated } from './tuple-lists.ts';

/** Functions that compute a number from the values at the tuples of a set. */

/** Returns the values of an expression at each tuple. Without an expression, returns the values of the cells. */
export function valuesAt(set: SetCalc, expression: Calc | undefined): (evaluator: Evaluator) => readonly Value[] {
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

function overSet(compute: (values: readonly Value[]) => Exact | null): Build<'set value?'> {
  return (_, arg, expression) => {
    const set = asSetCalc(arg);
    const by = suppliedArg(expression);
    const values = valuesAt(set, by);
    const calc = numericCalc([arg, by], (evaluator) => compute(values(evaluator)));
    return depending(calc, by === undefined ? EVERYTHING : iterated(set, [by]));
  };
}

/** Defines a function of the numbers among the values. It is empty if there are none. */
function ofNumbers(compute: (numbers: readonly number[]) => number | null): Build<'set value?'> {
  return overSet((values) => {
    const numbers = numbersOf(values);
    return numbers.length === 0 ? null : compute(numbers);
  });
}

/** Returns the mean of numbers. */
export function mean(numbers: readonly number[]): number {
  return Number(addUp(numbers) ?? 0) / numbers.length;
}

/** Returns the variance of numbers: of the whole population if `biased`, else of a sample. */
export function variance(numbers: readonly number[], biased: boolean): number {
  const average = mean(numbers);
  const squares = numbers.reduce((sum, number) => sum + (number - average) ** 2, 0);
  return squares / (biased ? numbers.length : numbers.length - 1);
}

/**
 * Returns a quantile by linear interpolation between the closest ranks, as the inclusive percentile of spreadsheets
 * does.
 */
function quantile(numbers: readonly number[], fraction: number): number | null {
  const sorted = numbers.toSorted((left, right) => left - right);
  const at = Math.min(Math.max(fraction, 0), 1) * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low === undefined || high === undefined ? null : low + (high - low) * (at - Math.floor(at));
}

/**
 * Returns a quartile: of n ascending values, the value at index n · quarter / 4. If that index is whole, returns the
 * mean of the value and the next one, if there is one.
 */
function quartile(numbers: readonly number[], quarter: 1 | 3): number | null {
  const sorted = numbers.toSorted((left, right) => left - right);
  const at = (sorted.length * quarter) / 4;
  const value = sorted[Math.floor(at)] ?? null;
  const next = sorted[at + 1];
  return value === null || next === undefined ? value : (value + next) / 2;
}

export const STATISTICS: readonly FunctionDefinition[] = [
  define({
    name: 'Sum',
    syntax: 'function',
    parameters: 'set value?',
    description: 'The sum of the values that are not empty.',
    build: overSet(addUp),
  }),
  define({
    name: 'Avg',
    syntax: 'function',
    parameters: 'set value?',
    description: 'The average of the values that are not empty.',
    build: ofNumbers(mean),
  }),
  define({
    name: 'Min',
    syntax: 'function',
    parameters: 'set value?',
    description: 'The smallest value.',
    build: overSet((values) => extreme(values, 'min')),
  }),
  define({
    name: 'Max',
    syntax: 'function',
    parameters: 'set value?',
    description: 'The largest value.',
    build: overSet((values) => extreme(values, 'max')),
  }),
  define({
    name: 'Median',
    syntax: 'function',
    parameters: 'set value?',
    description: 'The median.',
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
      description: 'The standard deviation of a whole population.',
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
      description: 'The variance of a whole population.',
      build: ofNumbers((numbers) => variance(numbers, true)),
    }),
  ),
  define({
    name: 'Percentile',
    syntax: 'function',
    parameters: 'set value numeric',
    description: 'The value below which a percentage of the values is.',
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
      description: `The ${name === 'FirstQ' ? 'first' : 'third'} quartile: of n ascending values, the one at index n · ${quarter} / 4. If that is whole, the mean of the value and the next.`,
      build: ofNumbers((numbers) => quartile(numbers, quarter)),
    }),
  ),
  define({
    name: 'Aggregate',
    syntax: 'function',
    parameters: 'set value?',
    description:
      'The current measure aggregated over a set: sums are added up, distinct counts are counted from the facts.',
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
];
