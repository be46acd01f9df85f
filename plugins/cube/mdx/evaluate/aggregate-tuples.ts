import { InternalError } from '../../../../router/errors.ts';
import { type RollUp, traitsOf } from '../../schema/aggregators.ts';
import type { Measure } from '../../schema/model.ts';
import { MAX_AGGREGATE_DEPTH } from '../limits.ts';
import { compareExact, type Exact, plus } from '../metadata/exact-numbers.ts';
import { type Evaluator, Member, type Tuple, type TupleSet } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import { asExact } from '../metadata/value.ts';
import { MdxEvaluationError } from '../syntax/errors.ts';
import { withoutContained } from './contained-tuples.ts';
import { isRolledUpHere, ownDataBelow } from './parent-child.ts';

/** Returns the sum of the values that are not empty; `null` if all are empty. */
export function addUp(values: Iterable<Value>): Exact | null {
  let sum: Exact | null = null;
  for (const value of values) {
    const number = asExact(value);
    if (number !== null) sum = plus(sum ?? 0, number);
  }
  return sum;
}

/** Aggregates over tuples; see `Evaluator.aggregate`. */
export function aggregateTuples(evaluator: Evaluator, all: TupleSet): Value {
  const measure = evaluator.context[0]?.measure;
  const tuples = measure === undefined ? all : withoutIgnored(evaluator, measure, all);
  if (tuples.length === 0) return null;
  if (needsFacts(measure)) return aggregatedFromFacts(evaluator, measure, tuples);
  const values: Value[] = [];
  evaluator.iterate(undefined, tuples, () => values.push(evaluator.value()));
  return rolledUp(values, measure === undefined ? 'sum' : rollUpOf(measure));
}

/** Combines the values of parts. A calculated measure has no aggregator, so its values are added up. */
function rolledUp(values: readonly Value[], rollUp: RollUp): Exact | null {
  switch (rollUp) {
    case 'sum':
      return addUp(values);
    case 'min':
    case 'max':
      return extreme(values, rollUp);
    case 'facts':
      throw new InternalError('values of parts were combined where only the facts give the total');
  }
}

/** Returns how values of a stored measure are combined. */
export function rollUpOf({ aggregator }: Measure): RollUp {
  return traitsOf(aggregator).rollUp;
}

/** Returns the value of a measure over the facts of all tuples. Each fact counts once. */
export function aggregatedFromFacts(evaluator: Evaluator, measure: Measure, tuples: TupleSet): Value {
  const parts = withoutContained(countable(evaluator, measure, tuples));
  const [first = []] = parts;
  const seen = evaluator.seenRows(parts);
  return seen.length === 0 ? null : evaluator.restrictedTo(seen, first.map(unconstrained), () => evaluator.value());
}

/**
 * Replaces members of hierarchies that the measure group ignores by default members, and returns each tuple once. The
 * facts are the same at all these members, so they count once in a total.
 */
function withoutIgnored(evaluator: Evaluator, measure: Measure, tuples: TupleSet): TupleSet {
  const group = evaluator.cube.groups.get(measure.group);
  if (group?.model.ignoreUnrelatedDimensions !== true) return tuples;
  if ((tuples[0] ?? []).every(({ hierarchy }) => hierarchy.isMeasures || group.reaches(hierarchy))) return tuples;
  const kept = new Map<string, Tuple>();
  for (const tuple of tuples) {
    const part = tuple.map((member) =>
      member.hierarchy.isMeasures || group.reaches(member.hierarchy) ? member : member.hierarchy.defaultMember,
    );
    kept.set(part.map(({ id }) => id).join(), part);
  }
  return [...kept.values()];
}

/**
 * Returns whether a measure's total cannot be computed from the values of parts, but only from the facts of all tuples.
 */
export function needsFacts(measure: Measure | undefined): measure is Measure {
  return measure !== undefined && rollUpOf(measure) === 'facts';
}

/**
 * Replaces members by members that rows of the warehouse belong to: a visual total by its parts, an aggregate by its
 * set, and a total of a parent-child hierarchy without a closure table by the own data below it.
 *
 * @throws MdxEvaluationError for any other calculated member, because no rows belong to it
 */
export function countable(evaluator: Evaluator, measure: Measure, tuples: TupleSet, depth = 0): TupleSet {
  // Returns the same set if possible, because remembered results are found by its identity.
  if (tuples.every((tuple) => tuple.every((member) => isStored(member) && !isRolledUpHere(member)))) return tuples;
  return tuples.flatMap((tuple) =>
    tuple.reduce<TupleSet>(
      (before, member) => {
        const parts = storedMemberParts(evaluator, measure, member, depth);
        return before.flatMap((start) => parts.map((part) => [...start, ...part]));
      },
      [[]],
    ),
  );
}

function storedMemberParts(evaluator: Evaluator, measure: Measure, member: Member, depth: number): TupleSet {
  if (isStored(member)) return isRolledUpHere(member) ? ownDataBelow(member) : [[member]];
  const { calculation, totalOf } = member;
  const parts = totalOf?.map((part) => [part]) ?? calculation?.aggregated?.(evaluator);
  if (parts === undefined || depth >= MAX_AGGREGATE_DEPTH) {
    const { name, aggregator } = measure;
    throw new MdxEvaluationError(
      `The calculated member ${member.uniqueName} cannot be in a set over which '${name}' (${aggregator}) is aggregated.`,
    );
  }
  return countable(evaluator, measure, parts, depth + 1);
}

/** Returns whether rows of the warehouse belong to a member. */
export function isStored({ kind }: Member): boolean {
  return kind === 'stored' || kind === 'all' || kind === 'data';
}

/** Returns the smallest or largest of the numbers; `null` if all values are empty. */
export function extreme(values: readonly Value[], which: 'min' | 'max'): Exact | null {
  const numbers = values.map(asExact).filter((value) => value !== null);
  const [first] = numbers;
  if (first === undefined) return null;
  return numbers.reduce((best, value) => {
    if (typeof best === 'number' && typeof value === 'number') return Math[which](best, value);
    return compareExact(value, best) < 0 === (which === 'min') ? value : best;
  });
}

/** Returns whether a member is the unconstrained member of its hierarchy; see `unconstrained`. */
export function isAnyMember(member: Member): boolean {
  return ANY_MEMBERS.get(member.hierarchy) === member;
}

const ANY_MEMBERS = new WeakMap<object, Member>();

/** Returns a member that all rows belong to, even in a hierarchy without an all member. */
export function unconstrained({ hierarchy }: Member): Member {
  const existing = ANY_MEMBERS.get(hierarchy);
  if (existing !== undefined) return existing;
  const any = new Member(hierarchy, 'all', undefined, '(any)', { level: undefined });
  ANY_MEMBERS.set(hierarchy, any);
  return any;
}
