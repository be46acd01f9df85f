import type { TupleSet } from '../metadata/member.ts';
import type { Combinations } from './combinations.ts';

/** Combinations in the order of a set: the tuple at an index is the combination of the row at that index. */
export interface OrderedCombinations {
  readonly combinations: Combinations;
  readonly rows: Int32Array;
}

const COMBINATIONS_OF_TUPLES = new WeakMap<TupleSet, OrderedCombinations>();

/** Notes the combinations that a large set is made of. Their cells may be kept in columns, which are read by row. */
export function noteCombinations(tuples: TupleSet, ordered: OrderedCombinations): void {
  COMBINATIONS_OF_TUPLES.set(tuples, ordered);
}

/** Returns the combinations that a large set is made of. */
export function combinationsOf(tuples: TupleSet): OrderedCombinations | undefined {
  return COMBINATIONS_OF_TUPLES.get(tuples);
}

/** Says whether a set is known to have only stored members, because the warehouse found them. */
export function isOfStoredMembers(tuples: TupleSet): boolean {
  return COMBINATIONS_OF_TUPLES.has(tuples);
}

/** Returns the first tuples of a set, with their combinations. */
export function firstTuples(tuples: TupleSet, count: number): TupleSet {
  if (count >= tuples.length) return tuples;
  const first = tuples.slice(0, count);
  const ordered = combinationsOf(tuples);
  if (ordered !== undefined)
    noteCombinations(first, { combinations: ordered.combinations, rows: ordered.rows.subarray(0, count) });
  return first;
}
