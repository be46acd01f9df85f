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

/**
 * The lowest solve order: the formula of a calculated member is computed from cells that are aggregated over the
 * slicer.
 */
const SOLVE_ORDER = -99999;

/**
 * The WHERE clause. A single tuple is part of the context. If several tuples differ in a hierarchy, the hierarchy gets
 * a placeholder member. A cell with a placeholder aggregates over the tuples, restricted to the hierarchies that still
 * have their placeholder. An expression that sets another member of a hierarchy removes its placeholder.
 */
export class Slicer {
  readonly tuples: TupleSet;
  /** The current members that the slicer sets. */
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

  /** Returns whether the slicer has no tuples. All cells of an empty slicer are empty. */
  get isEmpty(): boolean {
    return this.tuples.length === 0;
  }

  /** Returns whether a member represents several members of the slicer. */
  isPlaceholder(member: Member): boolean {
    return this.#placeholders.get(member.hierarchy) === member;
  }

  /** Returns the slicer's members of a hierarchy, each once. */
  membersOf(hierarchy: Hierarchy): readonly Member[] {
    const index = this.tuples[0]?.findIndex((member) => member.hierarchy === hierarchy) ?? -1;
    return [...new Set(this.tuples.flatMap((tuple) => tuple.slice(index, index + 1)))];
  }

  /** Returns the tuples, each once, reduced to the hierarchies that still have their placeholder in the context. */
  remaining(context: readonly Member[]): TupleSet {
    const [first = []] = this.tuples;
    const kept = first.flatMap(({ hierarchy }, index) => {
      const current = context[hierarchy.ordinal];
      return current !== undefined && this.isPlaceholder(current) ? [index] : [];
    });
    const partsByKey = new Map<string, Tuple>();
    for (const tuple of this.tuples) {
      const part = kept.flatMap((index) => tuple.slice(index, index + 1));
      partsByKey.set(part.map(({ id }) => id).join(), part);
    }
    return withoutContained([...partsByKey.values()]);
  }

  /**
   * Aggregates over the remaining tuples. If a measure cannot be aggregated over the slicer, no cell has a value, and
   * the query fails.
   */
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
