import { type ScalarCalc, scalarCalc } from '../compile/calc.ts';
import { numberOf } from '../compile/conversions.ts';
import { define } from '../compile/define.ts';
import { NUMERIC } from '../compile/expression-types.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import type { Value } from '../metadata/value.ts';

/** Defines a function of one number. The result is empty if the number is. */
export function ofNumber(
  name: string,
  what: string,
  compute: (value: number) => Value,
  type: ScalarCalc['type'] = NUMERIC,
): FunctionDefinition {
  return define({
    name,
    syntax: 'function',
    parameters: 'numeric',
    description: what,
    build: (_, arg) => {
      const number = numberOf(arg);
      return scalarCalc(type, [arg], (evaluator) => {
        const operand = number(evaluator);
        return operand === null ? null : compute(operand);
      });
    },
  });
}
