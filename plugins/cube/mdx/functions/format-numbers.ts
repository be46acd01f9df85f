import { scalarCalc } from '../compile/calc.ts';
import { numberOf, scalarOf, stringOf } from '../compile/conversions.ts';
import { define } from '../compile/define.ts';
import { STRING } from '../compile/expression-types.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import { formatValue } from '../metadata/value-format.ts';
import { MdxEvaluationError } from '../syntax/errors.ts';
import { isSupplied } from './supplied-args.ts';

/** The number of decimals if a call gives none. */
const DEFAULT_DIGITS = 2;
const MAX_DIGITS = 99;

/** Defines a function that formats a number with a given number of decimals, between a prefix and a suffix. */
function numberFormat(name: string, what: string, before: string, behind: string): FunctionDefinition {
  return define({
    name,
    syntax: 'function',
    parameters: 'numeric numeric?',
    description: what,
    build: (_, arg, places) => {
      const value = numberOf(arg);
      const digits = isSupplied(places) ? numberOf(places) : () => DEFAULT_DIGITS;
      return scalarCalc(STRING, [arg, places], (evaluator) => {
        const number = value(evaluator);
        const digitCount = Math.trunc(digits(evaluator) ?? DEFAULT_DIGITS);
        const count = digitCount < 0 ? DEFAULT_DIGITS : Math.min(digitCount, MAX_DIGITS);
        const pattern = `${before}#,##0${count === 0 ? '' : `.${'0'.repeat(count)}`}${behind}`;
        return number === null ? null : formatValue(number, pattern);
      });
    },
  });
}

/** The formats of `FormatDateTime` by number. */
const DATE_FORMATS = ['General Date', 'Long Date', 'Short Date', 'Long Time', 'Short Time'] as const;

export const FORMAT_FUNCTIONS: readonly FunctionDefinition[] = [
  define({
    name: 'Format',
    syntax: 'function',
    parameters: 'value string',
    description: 'A value as text in a format.',
    build: (_, arg, format) => {
      const value = scalarOf(arg);
      const pattern = stringOf(format);
      return scalarCalc(STRING, [arg, format], (evaluator) => formatValue(value(evaluator), pattern(evaluator) ?? ''));
    },
  }),
  numberFormat('FormatCurrency', 'An amount as text, with two or a given number of decimals.', '$', ''),
  numberFormat('FormatNumber', 'A number as text, with two or a given number of decimals.', '', ''),
  numberFormat('FormatPercent', 'A number as text in percent, with two or a given number of decimals.', '', '%'),
  define({
    name: 'FormatDateTime',
    syntax: 'function',
    parameters: 'value numeric?',
    description: 'A date as text: general (0), long (1) or short (2) date, long (3) or short (4) time.',
    build: (_, arg, which) => {
      const value = scalarOf(arg);
      const number = isSupplied(which) ? numberOf(which) : () => 0;
      return scalarCalc(STRING, [arg, which], (evaluator) => {
        const dateValue = value(evaluator);
        const format = DATE_FORMATS[number(evaluator) ?? 0];
        if (format === undefined) throw new MdxEvaluationError('FormatDateTime takes a format of 0 to 4.');
        return dateValue === null ? null : formatValue(dateValue, format);
      });
    },
  }),
];
