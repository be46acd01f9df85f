import { type Calc, type SetCalc, setCalc, withoutElements } from '../compile/calc.ts';
import { setOf } from '../compile/conversions.ts';
import type { Tuple, TupleSet } from '../metadata/member.ts';
import { setTypeOf } from './supplied-args.ts';

/** Sets as lists of tuples: what makes tuples the same, and what an iteration over them depends on. */

/** Functions that put sets together, take parts of them, or choose among their tuples. */

/** Returns the key that equal tuples share; a visual total equals the member that it is shown in the place of. */
export function tupleKey(tuple: Tuple): string {
  const [only] = tuple;
  return tuple.length === 1 && only !== undefined
    ? String(only.identity)
    : tuple.map(({ identity }) => identity).join();
}

/** Returns each tuple once, where it first comes. */
export function distinct(tuples: TupleSet): TupleSet {
  const byKey = new Map<string, Tuple>();
  for (const tuple of tuples) {
    const key = tupleKey(tuple);
    if (!byKey.has(key)) byKey.set(key, tuple);
  }
  return [...byKey.values()];
}

/** Returns a set-valued part to iterate over; a member or tuple counts as a set of one. */
export function asSetCalc(arg: Calc): SetCalc {
  return arg.kind === 'set' ? arg : setCalc(setTypeOf(arg), [arg], setOf(arg));
}

/** Returns the dependencies of something computed at each tuple of a set. */
export function iterated(set: Calc, at: readonly (Calc | undefined)[]): bigint {
  const inner = at.reduce((all, calc) => all | (calc?.dependsOn ?? 0n), 0n);
  return set.dependsOn | withoutElements(inner, setTypeOf(set));
}
