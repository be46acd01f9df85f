import { scalarCalc, scalarOf, stringOf } from '../compile/calc.ts';
import { define } from '../compile/define.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import { STRING } from '../compile/types.ts';
import { formatValue } from '../metadata/value-format.ts';

export const FORMAT_FUNCTIONS: readonly FunctionDefinition[] = [
  define({
    name: 'Format',
    syntax: 'function',
    parameters: 'value string',
    description: 'A value as text, written by a format string.',
    build: (_, arg, format) => {
      const value = scalarOf(arg);
      const pattern = stringOf(format);
      return scalarCalc(STRING, [arg, format], (evaluator) => formatValue(value(evaluator), pattern(evaluator) ?? ''));
    },
  }),
];
