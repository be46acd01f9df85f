import type { Calc } from '../compile/calc.ts';
import { storedMeasureMemberOf } from '../compile/stored-measures.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import type { Member, Tuple, TupleSet } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import { combinationsOf, noteCombinations } from '../storage/ordered-combinations.ts';

/**
 * Returns the tuples at which one of the measures has a value, in a loop over the columns of their cells; `undefined` where these cells are not kept in
 * columns, or where more than the facts decides them.
 */
export function filledTuples(evaluator: Evaluator, tuples: TupleSet, measures: Iterable<Member>): TupleSet | undefined {
  const ordered = combinationsOf(tuples);
  const [first] = tuples;
  if (ordered === undefined || first === undefined) return undefined;
  const columns: (readonly Value[])[] = [];
  for (const measure of measures) {
    const column = evaluator.at([...first, measure], () => evaluator.storedColumn(ordered.combinations));
    if (column === undefined) return undefined;
    columns.push(column);
  }
  const filled: Tuple[] = [];
  const rows = new Int32Array(tuples.length);
  for (const [index, tuple] of tuples.entries()) {
    const row = ordered.rows[index] ?? -1;
    if (columns.every((column) => (column[row] ?? null) === null)) continue;
    rows[filled.length] = row;
    filled.push(tuple);
  }
  if (filled.length === tuples.length) return tuples;
  noteCombinations(filled, { combinations: ordered.combinations, rows: rows.subarray(0, filled.length) });
  return filled;
}

/** Returns the stored measures of a condition that is true where one of them has a value: `NOT IsEmpty(A) OR NOT IsEmpty(B)`. */
export function filledMeasuresOf(condition: Calc): readonly Member[] | undefined {
  const [left, right] = condition.parts;
  if (condition.call === undefined)
    return left !== undefined && right === undefined ? filledMeasuresOf(left) : undefined;
  if (condition.call.shape === 'or' && left !== undefined && right !== undefined) {
    const [one, other] = [filledMeasuresOf(left), filledMeasuresOf(right)];
    return one === undefined || other === undefined ? undefined : [...one, ...other];
  }
  const measure = condition.call.shape === 'not' ? emptyMeasureOf(left) : undefined;
  return measure && [measure];
}

/** Returns the stored measure of `IsEmpty(Measure)`. */
function emptyMeasureOf(condition: Calc | undefined): Member | undefined {
  const [only] = condition?.parts ?? [];
  if (condition?.call === undefined) return only && emptyMeasureOf(only);
  return condition.call.shape === 'is empty' ? storedMeasureMemberOf(only) : undefined;
}
