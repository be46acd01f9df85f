import { scalarCalc, scalarOf, stringOf } from '../compile/calc.ts';
import { define } from '../compile/define.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import { STRING } from '../compile/types.ts';
import { formatValue } from '../metadata/value-format.ts';
import { requireArg } from './required.ts';

export const FORMAT_FUNCTIONS: readonly FunctionDefinition[] = [
  define('Format', 'function', 'value string', 'A value as text, written by a format string.', (_, arg, format) => {
    const value = scalarOf(requireArg(arg));
    const pattern = stringOf(requireArg(format));
    return scalarCalc(STRING, [arg, format], (evaluator) => formatValue(value(evaluator), pattern(evaluator) ?? ''));
  }),
];
