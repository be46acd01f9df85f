import { InternalError } from '../../../../router/errors.ts';
import type { Calc } from '../compile/calc.ts';

/** An argument that the chosen definition says is there. */
export function requireArg(arg: Calc | undefined): Calc {
  if (arg === undefined) throw new InternalError('An argument is missing that the definition requires.');
  return arg;
}
