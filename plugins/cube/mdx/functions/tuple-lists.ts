import { type Calc, type SetCalc, setCalc, withoutElements } from '../compile/calc.ts';
import { setOf } from '../compile/conversions.ts';
import type { Tuple, TupleSet } from '../metadata/member.ts';
import { setTypeOf } from './supplied-args.ts';

/** Keys and types of tuples, and dependencies of iterations over sets. */

/** Returns the key of a tuple. A visual total has the key of its member. */
export function tupleKey(tuple: Tuple): string {
  const [only] = tuple;
  return tuple.length === 1 && only !== undefined
    ? String(only.identity)
    : tuple.map(({ identity }) => identity).join();
}

/** Returns each tuple once, at its first position. */
export function distinct(tuples: TupleSet): TupleSet {
  const byKey = new Map<string, Tuple>();
  for (const tuple of tuples) {
    const key = tupleKey(tuple);
    if (!byKey.has(key)) byKey.set(key, tuple);
  }
  return [...byKey.values()];
}

/** Returns an argument as a set. A member or tuple becomes a set with one tuple. */
export function asSetCalc(arg: Calc): SetCalc {
  return arg.kind === 'set' ? arg : setCalc(setTypeOf(arg), [arg], setOf(arg));
}

/** Returns the dependencies of expressions that are evaluated at each tuple of a set. */
export function iterated(set: Calc, at: readonly (Calc | undefined)[]): bigint {
  const inner = at.reduce((all, calc) => all | (calc?.dependsOn ?? 0n), 0n);
  return set.dependsOn | withoutElements(inner, setTypeOf(set));
}
