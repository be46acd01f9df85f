import { constantValue, numericCalc, scalarCalc } from '../compile/calc.ts';
import { numberOf, scalarOf } from '../compile/conversions.ts';
import { define } from '../compile/define.ts';
import { INTEGER, NUMERIC, STRING } from '../compile/expression-types.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import { MdxEvaluationError } from '../syntax/errors.ts';
import { ofNumber } from './define-of-number.ts';
import { isSupplied } from './supplied-args.ts';

/** Functions of numbers, as in Visual Basic and spreadsheets where the standard refers to them. */

/** Returns the remainder of a division, with the sign of the divisor. */
function mod(left: number, right: number): number {
  if (right === 0) throw new MdxEvaluationError('Mod: the divisor is 0 (/ by zero).');
  return left - right * Math.floor(left / right);
}

/** Rounds to a number of decimals. Halves are rounded to the even neighbour, as in Visual Basic. */
function roundEven(value: number, digits: number): number {
  const scaled = value * 10 ** digits;
  const floor = Math.floor(scaled);
  const rest = scaled - floor;
  const rounded = rest < 0.5 ? floor : rest > 0.5 ? floor + 1 : floor % 2 === 0 ? floor : floor + 1;
  return rounded / 10 ** digits;
}

/** Computes the standard normal distribution by its power series (Abramowitz and Stegun 26.2.11). */
function normalProbability(x: number): number {
  let [sum, term] = [x, x];
  for (let odd = 3; Math.abs(term) > Math.abs(sum) * Number.EPSILON; odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

/** Computes the inverse of `normalProbability` by bisection, to the precision of doubles. */
function inverseNormal(probability: number): number {
  if (!(probability > 0 && probability < 1)) {
    throw new MdxEvaluationError(`InverseNormal: ${probability} is no probability between 0 and 1.`);
  }
  if (probability > 0.5) return -inverseNormal(1 - probability);
  let [low, high] = [-9, 0];
  for (let round = 0; round < 60; round++) {
    const middle = (low + high) / 2;
    if (normalProbability(middle) < probability) low = middle;
    else high = middle;
  }
  return high;
}

/** Defines a function that writes a whole number in another base, as in Visual Basic. */
function inBase(name: string, base: 8 | 16, what: string): FunctionDefinition {
  return ofNumber(name, what, (value) => Math.round(value).toString(base).toUpperCase(), STRING);
}

export const NUMBER_FUNCTIONS: readonly FunctionDefinition[] = [
  define({
    name: 'Mod',
    syntax: 'function',
    parameters: 'numeric numeric',
    description: 'The remainder of a division, with the sign of the divisor.',
    build: (_, left, right) => {
      const [a, b] = [numberOf(left), numberOf(right)];
      return numericCalc([left, right], (evaluator) => mod(a(evaluator) ?? 0, b(evaluator) ?? 0));
    },
  }),
  ofNumber('Abs', 'The absolute value.', Math.abs),
  ofNumber('Exp', 'The exponential.', Math.exp),
  ofNumber('Log', 'The natural logarithm.', Math.log),
  ofNumber('Log10', 'The logarithm to base 10.', Math.log10),
  ofNumber('Sqr', 'The square root.', Math.sqrt),
  ofNumber('Sqrt', 'The square root.', Math.sqrt),
  ofNumber('Sgn', 'The sign: -1, 0 or 1.', Math.sign, INTEGER),
  ofNumber('Sin', 'The sine.', Math.sin),
  ofNumber('Cos', 'The cosine.', Math.cos),
  ofNumber('Tan', 'The tangent.', Math.tan),
  ofNumber('Atn', 'The arc tangent.', Math.atan),
  ofNumber('Acos', 'The arc cosine.', Math.acos),
  ofNumber('Asin', 'The arc sine.', Math.asin),
  ofNumber('Sinh', 'The hyperbolic sine.', Math.sinh),
  ofNumber('Cosh', 'The hyperbolic cosine.', Math.cosh),
  ofNumber('Tanh', 'The hyperbolic tangent.', Math.tanh),
  ofNumber('Asinh', 'The inverse hyperbolic sine.', Math.asinh),
  ofNumber('Acosh', 'The inverse hyperbolic cosine.', Math.acosh),
  ofNumber('Atanh', 'The inverse hyperbolic tangent.', Math.atanh),
  ofNumber('Degrees', 'An angle in degrees, from radians.', (value) => (value * 180) / Math.PI),
  ofNumber('Radians', 'An angle in radians, from degrees.', (value) => (value * Math.PI) / 180),
  ofNumber('SqrtPi', 'The square root of pi times a number.', (value) => Math.sqrt(value * Math.PI)),
  define({
    name: 'Atan2',
    syntax: 'function',
    parameters: 'numeric numeric',
    description: 'The angle of the point (x, y).',
    build: (_, first, second) => {
      const [x, y] = [numberOf(first), numberOf(second)];
      return numericCalc([first, second], (evaluator) => Math.atan2(y(evaluator) ?? 0, x(evaluator) ?? 0));
    },
  }),
  ofNumber('Int', 'The largest whole number that is not larger.', Math.floor, INTEGER),
  ofNumber('Fix', 'The whole part.', Math.trunc, INTEGER),
  ofNumber(
    'CInt',
    'The nearest whole number. Halves are rounded to the even one.',
    (value) => roundEven(value, 0),
    INTEGER,
  ),
  ofNumber(
    'CLng',
    'The nearest whole number. Halves are rounded to the even one.',
    (value) => roundEven(value, 0),
    INTEGER,
  ),
  ofNumber('Ceiling', 'The smallest whole number that is not smaller.', Math.ceil, INTEGER),
  ofNumber('Floor', 'The largest whole number that is not larger.', Math.floor, INTEGER),
  define({
    name: 'Power',
    syntax: 'function',
    parameters: 'numeric numeric',
    description: 'A number to the power of another.',
    build: (_, left, right) => {
      const [a, b] = [numberOf(left), numberOf(right)];
      return numericCalc([left, right], (evaluator) => (a(evaluator) ?? 0) ** (b(evaluator) ?? 0));
    },
  }),
  define({
    name: 'Round',
    syntax: 'function',
    parameters: 'numeric numeric?',
    description: 'A number rounded to a number of decimals. Halves are rounded to the even neighbour.',
    build: (_, arg, digits) => {
      const number = numberOf(arg);
      const places = isSupplied(digits) ? numberOf(digits) : () => 0;
      return numericCalc([arg, digits], (evaluator) => {
        const operand = number(evaluator);
        return operand === null ? null : roundEven(operand, places(evaluator) ?? 0);
      });
    },
  }),
  ofNumber('InverseNormal', 'The value below which the standard normal distribution has a probability.', inverseNormal),
  define({
    name: 'NullValue',
    syntax: 'function',
    parameters: '',
    description: 'An empty number.',
    build: () => constantValue(NUMERIC, null),
  }),
  define({
    name: 'Pi',
    syntax: 'function',
    parameters: '',
    description: 'The number pi.',
    build: () => numericCalc([], () => Math.PI),
  }),
  define({
    name: 'CDbl',
    syntax: 'function',
    parameters: 'value',
    description: 'A value as a number.',
    build: (_, arg) => {
      const value = scalarOf(arg);
      return scalarCalc(NUMERIC, [arg], (evaluator) => {
        const operand = value(evaluator);
        return operand === null ? null : Number(operand);
      });
    },
  }),
  inBase('Hex', 16, 'A whole number as hexadecimal text.'),
  inBase('Oct', 8, 'A whole number as octal text.'),
];
