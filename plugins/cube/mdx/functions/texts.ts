import { type ScalarCalc, scalarCalc } from '../compile/calc.ts';
import { numberOf, scalarOf, stringOf } from '../compile/conversions.ts';
import { type Build, define } from '../compile/define.ts';
import { INTEGER, NUMERIC, STRING } from '../compile/expression-types.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import { MAX_MADE_TEXT_LENGTH } from '../limits.ts';
import type { Value } from '../metadata/value.ts';
import { MdxError, MdxEvaluationError } from '../syntax/errors.ts';
import { isSupplied } from './supplied-args.ts';

/** Functions of texts, as in Visual Basic where the standard refers to it. */

type Texts = (evaluator: Evaluator, ...args: readonly ((evaluator: Evaluator) => Value)[]) => Value;

/** Defines a function of texts and numbers. */
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

/** Returns a value as text. An empty value becomes an empty text. */
function str(value: Value): string {
  return value === null ? '' : String(value);
}

/** Returns a value as a number. An empty value becomes `otherwise`. */
function num(value: Value | undefined, otherwise = 0): number {
  return value === null || value === undefined ? otherwise : Number(value);
}

function tooLong(length: number): MdxEvaluationError {
  return new MdxEvaluationError(`A text of ${length} characters is more than the limit of ${MAX_MADE_TEXT_LENGTH}.`);
}

/** @throws MdxEvaluationError if the text would exceed the limit */
function repeated(what: string, count: number): string {
  if (Number.isNaN(count) || count > MAX_MADE_TEXT_LENGTH) throw tooLong(count);
  return what.repeat(Math.max(0, Math.trunc(count)));
}

/** @throws MdxEvaluationError if no character has the code */
function character(code: number): string {
  if (!Number.isInteger(code) || code < 0 || code > 0x10ffff) {
    throw new MdxEvaluationError(`There is no character with the code ${code}.`);
  }
  return String.fromCodePoint(code);
}

/** Returns the position of a text in another, from 1; 0 if it does not occur. */
function instr(start: number, where: string, what: string): number {
  return where.indexOf(what, start - 1) + 1;
}

/**
 * Compiles `Replace`. The last argument, the mode of comparison, is accepted and ignored: texts are compared exactly.
 */
const replace: Build<'string string string numeric? numeric? numeric?'> = (_, of, what, by, from, times, mode) => {
  const [text, search, other] = [of, what, by].map((arg) => stringOf(arg));
  const start = isSupplied(from) ? numberOf(from) : undefined;
  const count = isSupplied(times) ? numberOf(times) : undefined;
  return scalarCalc(STRING, [of, what, by, from, times, mode], (evaluator) => {
    const at = (start?.(evaluator) ?? 1) - 1;
    if (at < 0) throw new MdxEvaluationError('Replace: the place to begin at is counted from 1.');
    const most = count?.(evaluator) ?? -1;
    return replaced(
      text?.(evaluator) ?? '',
      search?.(evaluator) ?? '',
      other?.(evaluator) ?? '',
      Math.trunc(at),
      most < 0 ? Number.POSITIVE_INFINITY : Math.trunc(most),
    );
  });
};

/** Replaces the first `times` occurrences of a text after an index. */
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

/** Returns `length` characters from a position, which is counted from 1. */
function mid(of: string, start: number, length: number | undefined): string {
  if (start <= 0) throw new MdxError('Invalid parameter. Start parameter of Mid function must be positive');
  if (length !== undefined && length < 0)
    throw new MdxError('Invalid parameter. Length parameter of Mid function must be non-negative');
  return of.slice(start - 1, length === undefined ? undefined : start - 1 + length);
}

export const TEXT_FUNCTIONS: readonly FunctionDefinition[] = [
  text('Len', 'string', NUMERIC, 'The number of characters.', (evaluator, of) => str(of?.(evaluator) ?? null).length),
  text('LCase', 'string', STRING, 'The text in lower case.', (evaluator, of) =>
    str(of?.(evaluator) ?? null).toLowerCase(),
  ),
  text('UCase', 'string', STRING, 'The text in upper case.', (evaluator, of) =>
    str(of?.(evaluator) ?? null).toUpperCase(),
  ),
  text('Trim', 'string', STRING, 'The text without spaces at both ends.', (evaluator, of) =>
    str(of?.(evaluator) ?? null).trim(),
  ),
  text('LTrim', 'string', STRING, 'The text without spaces at the start.', (evaluator, of) =>
    str(of?.(evaluator) ?? null).trimStart(),
  ),
  text('RTrim', 'string', STRING, 'The text without spaces at the end.', (evaluator, of) =>
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
    'The characters from a position, which is counted from 1.',
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
    'The position of a text in another, from 1; 0 if it does not occur.',
    (evaluator, where, what) => instr(1, str(where?.(evaluator) ?? null), str(what?.(evaluator) ?? null)),
  ),
  text(
    'InStr',
    'numeric string string',
    INTEGER,
    'The position of a text in another, from 1, searched from a start position; 0 if it does not occur.',
    (evaluator, start, where, what) =>
      instr(num(start?.(evaluator), 1), str(where?.(evaluator) ?? null), str(what?.(evaluator) ?? null)),
  ),
  text(
    'InStrRev',
    'string string',
    INTEGER,
    'The last position of a text in another, from 1; 0 if it does not occur.',
    (evaluator, where, what) => str(where?.(evaluator) ?? null).lastIndexOf(str(what?.(evaluator) ?? null)) + 1,
  ),
  define({
    name: 'Replace',
    syntax: 'function',
    parameters: 'string string string numeric? numeric? numeric?',
    description:
      'A text in which another text is replaced, from a position (from 1) and up to a number of times. The part before the position stays.',
    build: replace,
  }),
  text('StrReverse', 'string', STRING, 'The characters in reverse order.', (evaluator, of) =>
    [...str(of?.(evaluator) ?? null)].reverse().join(''),
  ),
  text('Space', 'numeric', STRING, 'A number of spaces.', (evaluator, count) => repeated(' ', num(count?.(evaluator)))),
  text('String', 'numeric string', STRING, 'The first character of a text, repeated.', (evaluator, count, of) =>
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
    'The number at the start of a text; 0 if there is none.',
    (evaluator, of) => Number.parseFloat(str(of?.(evaluator) ?? null)) || 0,
  ),
  text(
    'StrComp',
    'string string',
    INTEGER,
    '-1, 0 or 1, as the first text precedes, equals or follows the second.',
    (evaluator, left, right) => {
      const [a, b] = [str(left?.(evaluator) ?? null), str(right?.(evaluator) ?? null)];
      return a < b ? -1 : a > b ? 1 : 0;
    },
  ),
];
