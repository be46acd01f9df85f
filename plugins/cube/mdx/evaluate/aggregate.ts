import type { Value } from '../catalog/member.ts';
import { Member, type TupleSet } from '../catalog/member.ts';
import { asNumber } from '../resolve/calc.ts';
import type { Evaluator } from './evaluator.ts';

/** The sum of what is not empty; `null` when all is. */
export function addUp(values: Iterable<Value>): number | null {
  let sum: number | null = null;
  for (const value of values) {
    const number = asNumber(value);
    if (number !== null) sum = (sum ?? 0) + number;
  }
  return sum;
}

/** See `Evaluator.aggregate`. */
export function aggregateTuples(evaluator: Evaluator, tuples: TupleSet): Value {
  const measure = evaluator.context[0]?.measure;
  const recount = measure?.aggregator === 'distinct-count' || measure?.aggregator === 'avg';
  if (recount && tuples.length > 0 && tuples.every(isStored)) {
    const [first = []] = tuples;
    const seen = evaluator.seenRows(tuples);
    return seen.length === 0 ? null : evaluator.restrictedTo(seen, first.map(unconstrained), () => evaluator.value());
  }
  const values: Value[] = [];
  evaluator.each(undefined, tuples, () => values.push(evaluator.value()));
  if (measure?.aggregator === 'min' || measure?.aggregator === 'max') return extreme(values, measure.aggregator);
  return addUp(values);
}

function extreme(values: readonly Value[], which: 'min' | 'max'): number | null {
  const numbers = values.map(asNumber).filter((value) => value !== null);
  return numbers.length === 0 ? null : numbers.reduce((best, value) => Math[which](best, value));
}

/** Whether rows can be told to be in the tuple or not: no calculated member, no measure. */
function isStored(tuple: readonly Member[]): boolean {
  return tuple.every(({ kind }) => kind === 'stored' || kind === 'all' || kind === 'data');
}

export function isAnyMember(member: Member): boolean {
  return ANY.get(member.hierarchy) === member;
}

const ANY = new WeakMap<object, Member>();

/** A member that all rows are in, also of a hierarchy that has no such member of its own. */
export function unconstrained({ hierarchy }: Member): Member {
  const known = ANY.get(hierarchy);
  if (known !== undefined) return known;
  const any = new Member(hierarchy, 'all', undefined, '(any)', { level: undefined });
  ANY.set(hierarchy, any);
  return any;
}
