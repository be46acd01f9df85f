import {
  type Calc,
  constantValue,
  dimensionCalc,
  dimensionOf,
  logicalOf,
  numberOf,
  numericCalc,
  type ScalarCalc,
  scalarCalc,
  scalarOf,
  stringOf,
} from '../compile/calc.ts';
import { choice } from '../compile/case.ts';
import { commonType } from '../compile/constructors.ts';
import { type Build, define } from '../compile/define.ts';
import type { BuildContext, FunctionDefinition } from '../compile/scope.ts';
import { DATETIME, hierarchyOf, INTEGER, NUMERIC, STRING, typeName, VALUE } from '../compile/types.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import { MAX_MADE_TEXT_LENGTH } from '../limits.ts';
import type { Value } from '../metadata/value.ts';
import { MdxError, MdxEvaluationError } from '../syntax/errors.ts';
import { isSupplied } from './given.ts';
import { ofNumber } from './of-number.ts';

/** Functions of numbers, texts and dates, in the manner of Visual Basic where the standard takes them from there. */

type Texts = (evaluator: Evaluator, ...args: readonly ((evaluator: Evaluator) => Value)[]) => Value;

function text(
  name: string,
  parameters: string,
  type: ScalarCalc['type'],
  what: string,
  compute: Texts,
): FunctionDefinition {
  return define({
    name,
    syntax: 'function',
    parameters,
    description: what,
    build: (_, ...args) => {
      const values = args.filter(isSupplied).map(scalarOf);
      return scalarCalc(type, args, (evaluator) => compute(evaluator, ...values));
    },
  });
}

function str(value: Value): string {
  return value === null ? '' : String(value);
}
function num(value: Value | undefined, otherwise = 0): number {
  return value === null || value === undefined ? otherwise : Number(value);
}

const iif: Build<'logical any any'> = (_, condition, first, second) => {
  const test = logicalOf(condition);
  const [then, otherwise] = [first, second];
  const objects = ['hierarchy', 'dimension'];
  if (then.kind !== otherwise.kind && objects.includes(then.kind) && objects.includes(otherwise.kind)) {
    return objectChoice(condition, asDimension(then), asDimension(otherwise));
  }
  const type = commonType(then.type, otherwise.type);
  if (type === undefined) {
    const types = [condition, then, otherwise].map((arg) => typeName(arg.type));
    throw new MdxError(`No function matches signature 'IIf(${types.join(', ')})'`);
  }
  if (type.kind === 'level' || type.kind === 'hierarchy' || type.kind === 'dimension') {
    return objectChoice(condition, then, otherwise);
  }
  return choice(type, [condition, then, otherwise], [then, otherwise], (evaluator) => (test(evaluator) ? 0 : 1));
};

function asDimension(calc: Calc): Calc {
  return dimensionCalc(hierarchyOf(calc.type)?.dimension, [calc], dimensionOf(calc));
}

/** IIf of levels, hierarchies or dimensions. */
function objectChoice(condition: Calc, then: Calc, otherwise: Calc): Calc {
  const test = logicalOf(condition);
  const parts = [condition, then, otherwise];
  const dependsOn = parts.reduce((all, part) => all | part.dependsOn, 0n);
  if (then.kind === 'level' && otherwise.kind === 'level') {
    return {
      ...then,
      parts,
      dependsOn,
      type: { kind: 'level', hierarchy: undefined },
      evaluate: (evaluator) => (test(evaluator) ? then : otherwise).evaluate(evaluator),
    };
  }
  if (then.kind === 'hierarchy' && otherwise.kind === 'hierarchy') {
    return {
      ...then,
      parts,
      dependsOn,
      type: { kind: 'hierarchy', hierarchy: undefined },
      evaluate: (evaluator) => (test(evaluator) ? then : otherwise).evaluate(evaluator),
    };
  }
  if (then.kind === 'dimension' && otherwise.kind === 'dimension') {
    return {
      ...then,
      parts,
      dependsOn,
      type: { kind: 'dimension', dimension: undefined },
      evaluate: (evaluator) => (test(evaluator) ? then : otherwise).evaluate(evaluator),
    };
  }
  throw new MdxError('Both alternatives of IIf must be of the same kind.');
}

const coalesce: Build<'value value*'> = (_, ...args) => {
  const values = args.map(scalarOf);
  return scalarCalc(VALUE, args, (evaluator) => {
    for (const value of values) {
      const found = value(evaluator);
      if (found !== null) return found;
    }
    return null;
  });
};

function mod(left: number, right: number): number {
  if (right === 0) throw new MdxEvaluationError('Mod: the divisor is 0 (/ by zero).');
  return left - right * Math.floor(left / right);
}

function now({ scope }: BuildContext): Calc {
  return scalarCalc(DATETIME, [], () => new Date(scope.clock()));
}

function date(value: Value): Date {
  const found = value instanceof Date ? value : new Date(str(value));
  if (Number.isNaN(found.getTime())) throw new MdxEvaluationError(`'${str(value)}' is no date.`);
  return found;
}

function datePart(name: string, what: string, part: (of: Date) => number): FunctionDefinition {
  return define({
    name,
    syntax: 'function',
    parameters: 'value',
    description: what,
    build: (_, arg) => {
      const value = scalarOf(arg);
      return scalarCalc(INTEGER, [arg], (evaluator) => {
        const found = value(evaluator);
        return found === null ? null : part(date(found));
      });
    },
  });
}

function tooLong(length: number): MdxEvaluationError {
  return new MdxEvaluationError(`A text of ${length} characters is more than the limit of ${MAX_MADE_TEXT_LENGTH}.`);
}

function repeated(what: string, count: number): string {
  if (Number.isNaN(count) || count > MAX_MADE_TEXT_LENGTH) throw tooLong(count);
  return what.repeat(Math.max(0, Math.trunc(count)));
}

function character(code: number): string {
  if (!Number.isInteger(code) || code < 0 || code > 0x10ffff) {
    throw new MdxEvaluationError(`There is no character with the code ${code}.`);
  }
  return String.fromCodePoint(code);
}

/** Visual Basic rounds halves to the even neighbour. */
function roundEven(value: number, digits: number): number {
  const scaled = value * 10 ** digits;
  const floor = Math.floor(scaled);
  const rest = scaled - floor;
  const rounded = rest < 0.5 ? floor : rest > 0.5 ? floor + 1 : floor % 2 === 0 ? floor : floor + 1;
  return rounded / 10 ** digits;
}

/** Of the standard normal distribution, by its power series (Abramowitz and Stegun 26.2.11). */
function normalProbability(x: number): number {
  let [sum, term] = [x, x];
  for (let odd = 3; Math.abs(term) > Math.abs(sum) * Number.EPSILON; odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

/** Halves the stretch in which the value lies until doubles end. */
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

function instr(start: number, where: string, what: string): number {
  return where.indexOf(what, start - 1) + 1;
}

/** The last argument, how texts compare, is taken and has no meaning: they compare as they are. */
const replace: Build<'string string string numeric? numeric? numeric?'> = (_, of, what, by, from, times, mode) => {
  const [text, wanted, other] = [of, what, by].map((arg) => stringOf(arg));
  const start = isSupplied(from) ? numberOf(from) : undefined;
  const count = isSupplied(times) ? numberOf(times) : undefined;
  return scalarCalc(STRING, [of, what, by, from, times, mode], (evaluator) => {
    const at = (start?.(evaluator) ?? 1) - 1;
    if (at < 0) throw new MdxEvaluationError('Replace: the place to begin at is counted from 1.');
    const most = count?.(evaluator) ?? -1;
    return replaced(
      text?.(evaluator) ?? '',
      wanted?.(evaluator) ?? '',
      other?.(evaluator) ?? '',
      Math.trunc(at),
      most < 0 ? Number.POSITIVE_INFINITY : Math.trunc(most),
    );
  });
};

function replaced(text: string, what: string, by: string, from: number, times: number): string {
  if (what === '') return text;
  const parts: string[] = [];
  let done = 0;
  let length = text.length;
  for (let next = text.indexOf(what, from), left = times; next >= 0 && left > 0; left--) {
    length += by.length - what.length;
    if (length > MAX_MADE_TEXT_LENGTH) throw tooLong(length);
    parts.push(text.slice(done, next), by);
    done = next + what.length;
    next = text.indexOf(what, done);
  }
  return parts.join('') + text.slice(done);
}

function mid(of: string, start: number, length: number | undefined): string {
  if (start <= 0) throw new MdxError('Invalid parameter. Start parameter of Mid function must be positive');
  if (length !== undefined && length < 0)
    throw new MdxError('Invalid parameter. Length parameter of Mid function must be non-negative');
  return of.slice(start - 1, length === undefined ? undefined : start - 1 + length);
}

export const SCALAR_FUNCTIONS: readonly FunctionDefinition[] = [
  define({
    name: 'IIf',
    syntax: 'function',
    parameters: 'logical any any',
    description: 'One of two expressions.',
    shape: 'conditional',
    build: iif,
  }),
  define({
    name: 'CoalesceEmpty',
    syntax: 'function',
    parameters: 'value value*',
    description: 'The first value that is not empty.',
    build: coalesce,
  }),
  define({
    name: 'Mod',
    syntax: 'function',
    parameters: 'numeric numeric',
    description: 'The rest of a division, with the sign of the divisor.',
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
  ofNumber('Int', 'The biggest whole number that is not bigger.', Math.floor, INTEGER),
  ofNumber('Fix', 'The whole part.', Math.trunc, INTEGER),
  ofNumber('CInt', 'The nearest whole number, halves to the even one.', (value) => roundEven(value, 0), INTEGER),
  ofNumber('CLng', 'The nearest whole number, halves to the even one.', (value) => roundEven(value, 0), INTEGER),
  ofNumber('Ceiling', 'The smallest whole number that is not smaller.', Math.ceil, INTEGER),
  ofNumber('Floor', 'The biggest whole number that is not bigger.', Math.floor, INTEGER),
  define({
    name: 'Power',
    syntax: 'function',
    parameters: 'numeric numeric',
    description: 'One number to the power of another.',
    build: (_, left, right) => {
      const [a, b] = [numberOf(left), numberOf(right)];
      return numericCalc([left, right], (evaluator) => num(a(evaluator)) ** num(b(evaluator)));
    },
  }),
  define({
    name: 'Round',
    syntax: 'function',
    parameters: 'numeric numeric?',
    description: 'A number rounded to so many digits, halves to the even neighbour.',
    build: (_, arg, digits) => {
      const number = numberOf(arg);
      const places = isSupplied(digits) ? numberOf(digits) : () => 0;
      return numericCalc([arg, digits], (evaluator) => {
        const found = number(evaluator);
        return found === null ? null : roundEven(found, places(evaluator) ?? 0);
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
    description: 'A number.',
    build: (_, arg) => {
      const value = scalarOf(arg);
      return scalarCalc(NUMERIC, [arg], (evaluator) => {
        const found = value(evaluator);
        return found === null ? null : Number(found);
      });
    },
  }),
  text('Len', 'string', INTEGER, 'The number of characters.', (evaluator, of) => str(of?.(evaluator) ?? null).length),
  text('LCase', 'string', STRING, 'In small letters.', (evaluator, of) => str(of?.(evaluator) ?? null).toLowerCase()),
  text('UCase', 'string', STRING, 'In capitals.', (evaluator, of) => str(of?.(evaluator) ?? null).toUpperCase()),
  text('Trim', 'string', STRING, 'Without spaces at both ends.', (evaluator, of) =>
    str(of?.(evaluator) ?? null).trim(),
  ),
  text('LTrim', 'string', STRING, 'Without spaces at the start.', (evaluator, of) =>
    str(of?.(evaluator) ?? null).trimStart(),
  ),
  text('RTrim', 'string', STRING, 'Without spaces at the end.', (evaluator, of) =>
    str(of?.(evaluator) ?? null).trimEnd(),
  ),
  text('Left', 'string numeric', STRING, 'The first characters.', (evaluator, of, count) =>
    str(of?.(evaluator) ?? null).slice(0, Math.max(0, num(count?.(evaluator)))),
  ),
  text('Right', 'string numeric', STRING, 'The last characters.', (evaluator, of, count) => {
    const [value, length] = [str(of?.(evaluator) ?? null), Math.max(0, num(count?.(evaluator)))];
    return length === 0 ? '' : value.slice(-length);
  }),
  text(
    'Mid',
    'string numeric numeric?',
    STRING,
    'Characters from a place (from 1) on.',
    (evaluator, of, start, length) =>
      mid(
        str(of?.(evaluator) ?? null),
        num(start?.(evaluator)),
        length === undefined ? undefined : num(length(evaluator)),
      ),
  ),
  text(
    'InStr',
    'string string',
    INTEGER,
    'The place (from 1) of a text in another; 0: not in it.',
    (evaluator, where, what) => instr(1, str(where?.(evaluator) ?? null), str(what?.(evaluator) ?? null)),
  ),
  text('InStr', 'numeric string string', INTEGER, 'The same, from a place on.', (evaluator, start, where, what) =>
    instr(num(start?.(evaluator), 1), str(where?.(evaluator) ?? null), str(what?.(evaluator) ?? null)),
  ),
  text(
    'InStrRev',
    'string string',
    INTEGER,
    'The last place of a text in another.',
    (evaluator, where, what) => str(where?.(evaluator) ?? null).lastIndexOf(str(what?.(evaluator) ?? null)) + 1,
  ),
  define({
    name: 'Replace',
    syntax: 'function',
    parameters: 'string string string numeric? numeric? numeric?',
    description:
      'A text with another in it replaced, from a place (from 1) on and so many times; what is before the place stays.',
    build: replace,
  }),
  text('StrReverse', 'string', STRING, 'Backwards.', (evaluator, of) =>
    [...str(of?.(evaluator) ?? null)].reverse().join(''),
  ),
  text('Space', 'numeric', STRING, 'So many spaces.', (evaluator, count) => repeated(' ', num(count?.(evaluator)))),
  text('String', 'numeric string', STRING, 'The first character so many times.', (evaluator, count, of) =>
    repeated(str(of?.(evaluator) ?? null).slice(0, 1), num(count?.(evaluator))),
  ),
  text('Chr', 'numeric', STRING, 'The character of a code.', (evaluator, code) => character(num(code?.(evaluator)))),
  text(
    'Asc',
    'string',
    INTEGER,
    'The code of the first character.',
    (evaluator, of) => str(of?.(evaluator) ?? null).codePointAt(0) ?? null,
  ),
  text('CStr', 'value', STRING, 'A value as text.', (evaluator, of) => str(of?.(evaluator) ?? null)),
  text(
    'Val',
    'string',
    NUMERIC,
    'The number a text begins with.',
    (evaluator, of) => Number.parseFloat(str(of?.(evaluator) ?? null)) || 0,
  ),
  text('StrComp', 'string string', INTEGER, 'How two texts compare: -1, 0 or 1.', (evaluator, left, right) => {
    const [a, b] = [str(left?.(evaluator) ?? null), str(right?.(evaluator) ?? null)];
    return a < b ? -1 : a > b ? 1 : 0;
  }),
  define({ name: 'Now', syntax: 'function', parameters: '', description: 'The present.', build: now }),
  datePart('Year', 'The year of a date.', (of) => of.getUTCFullYear()),
  datePart('Month', 'The month of a date.', (of) => of.getUTCMonth() + 1),
  datePart('Day', 'The day of a date.', (of) => of.getUTCDate()),
  datePart('Hour', 'The hour of a date.', (of) => of.getUTCHours()),
  datePart('Minute', 'The minute of a date.', (of) => of.getUTCMinutes()),
  datePart('Second', 'The second of a date.', (of) => of.getUTCSeconds()),
  define({
    name: 'Date',
    syntax: 'function',
    parameters: '',
    description: 'Today.',
    build: ({ scope }) => scalarCalc(DATETIME, [], () => new Date(new Date(scope.clock()).toISOString().slice(0, 10))),
  }),
  define({
    name: 'Cache',
    syntax: 'function',
    parameters: 'any',
    description: 'The expression; all are remembered as they need to be.',
    build: (_, arg) => arg,
  }),
  define({
    name: 'Error',
    syntax: 'function',
    parameters: 'string',
    description: 'Fails with a message.',
    build: (_, arg) => {
      const message = stringOf(arg);
      return scalarCalc(VALUE, [arg], (evaluator) => {
        throw new MdxEvaluationError(message(evaluator) ?? '');
      });
    },
  }),
];
