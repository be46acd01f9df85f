import { type Calc, scalarCalc } from '../compile/calc.ts';
import { memberOf } from '../compile/conversions.ts';
import { define } from '../compile/define.ts';
import { VALUE } from '../compile/expression-types.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import type { Member } from '../metadata/member.ts';
import { compareKeys } from '../metadata/navigate.ts';

/** `member.OrderKey` sorts members as their hierarchy does, by comparing keys. */

/** Compares members by their order keys. */
export function memberKeyOrder(left: Member, right: Member): number {
  if (left.isNull || right.isNull) return left.isNull === right.isNull ? 0 : left.isNull ? -1 : 1;
  const [a, b] = [left.kind === 'calculated', right.kind === 'calculated'];
  if (a || b) return a && b ? left.id - right.id : a ? 1 : -1;
  if (left.kind === 'measure') return left.order - right.order;
  return compareKeys(left.key, right.key);
}

/** Returns the member of an order key expression; `undefined` for any other expression. */
export function orderKeyMember(calc: Calc): ((evaluator: Evaluator) => Member) | undefined {
  const [of] = calc.parts;
  return calc.call?.shape === 'order key' && of !== undefined ? memberOf(of) : undefined;
}

export const ORDER_KEY: readonly FunctionDefinition[] = [
  define({
    name: 'OrderKey',
    syntax: 'property',
    parameters: 'member',
    description: 'The key that sorts a member among its siblings.',
    shape: 'order key',
    build: (_, arg) => {
      const member = memberOf(arg);
      return scalarCalc(VALUE, [arg], (evaluator) => {
        const { key, name } = member(evaluator);
        return key ?? name;
      });
    },
  }),
];
