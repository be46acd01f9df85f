import {
  type Calculation,
  type Evaluator,
  type Hierarchy,
  Member,
  type Tuple,
  type TupleSet,
} from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import { MdxError, MdxEvaluationError } from '../syntax/errors.ts';
import { aggregatedFromFacts, countable, isStored, needsFacts, rollUpOf } from './aggregate-tuples.ts';
import { mayOverlap, withoutContained } from './contained-tuples.ts';

/** Solved after everything else: a calculated member sees the slicer's tuples one by one only below it. */
const SOLVE_ORDER = -99999;

/**
 * The WHERE clause. A single tuple is context like any other. Of several tuples, each hierarchy in which they differ gets
 * a placeholder; what reaches a stored cell is aggregated over the tuples, over the part of them that is still in the
 * context: a hierarchy that an expression has set to a member of its own no longer counts.
 */
export class Slicer {
  readonly tuples: TupleSet;
  /** Current members that the slicer brings. */
  readonly context: readonly Member[];
  readonly #placeholders = new Map<Hierarchy, Member>();

  constructor(tuples: TupleSet) {
    this.tuples = tuples;
    const [first = []] = tuples;
    this.context = first.map((member, index) => {
      if (tuples.every((tuple) => tuple[index] === member)) return member;
      const slicerPlaceholder = new Member(member.hierarchy, 'calculated', undefined, member.hierarchy.name, {
        level: member.level,
        calculation: this.#calculation(),
      });
      this.#placeholders.set(member.hierarchy, slicerPlaceholder);
      return slicerPlaceholder;
    });
  }

  /** Returns whether there are no tuples. Nothing is in an empty set: all cells are empty. */
  get isEmpty(): boolean {
    return this.tuples.length === 0;
  }

  /** Returns whether a member only represents the slicer's members of its hierarchy. */
  isPlaceholder(member: Member): boolean {
    return this.#placeholders.get(member.hierarchy) === member;
  }

  /** Returns the members of a hierarchy that the slicer holds, each once. */
  membersOf(hierarchy: Hierarchy): readonly Member[] {
    const index = this.tuples[0]?.findIndex((member) => member.hierarchy === hierarchy) ?? -1;
    return [...new Set(this.tuples.flatMap((tuple) => tuple.slice(index, index + 1)))];
  }

  /** Returns the tuples, cut down to the hierarchies in which the context still has the placeholder; each once. */
  remaining(context: readonly Member[]): TupleSet {
    const [first = []] = this.tuples;
    const kept = first.flatMap(({ hierarchy }, index) => {
      const current = context[hierarchy.ordinal];
      return current !== undefined && this.isPlaceholder(current) ? [index] : [];
    });
    const found = new Map<string, Tuple>();
    for (const tuple of this.tuples) {
      const part = kept.flatMap((index) => tuple.slice(index, index + 1));
      found.set(part.map(({ id }) => id).join(), part);
    }
    return withoutContained([...found.values()]);
  }

  /** Aggregates over the remaining tuples. What cannot be counted over the slicer can be counted in no cell: the query fails. */
  #total(evaluator: Evaluator): Value {
    const tuples = this.remaining(evaluator.context);
    const measure = evaluator.context[0]?.measure;
    if (
      measure !== undefined &&
      rollUpOf(measure) === 'sum' &&
      !evaluator.overlaid &&
      mayOverlap(tuples) &&
      tuples.every(isOfStored)
    )
      return aggregatedFromFacts(evaluator, measure, tuples);
    if (!needsFacts(measure)) return evaluator.aggregate(tuples);
    try {
      return evaluator.aggregate(countable(evaluator, measure, tuples));
    } catch (error) {
      if (!(error instanceof MdxEvaluationError)) throw error;
      throw new MdxError(error.message);
    }
  }

  #calculation(): Calculation {
    return {
      solveOrder: SOLVE_ORDER,
      declared: false,
      evaluate: (evaluator: Evaluator): Value => this.#total(evaluator),
      formatString: () => undefined,
      property: () => undefined,
    };
  }
}

function isOfStored(tuple: Tuple): boolean {
  return tuple.every(isStored);
}
