import type { RuntimeCube } from '../cube/cube.ts';
import type { Evaluator, Member, Tuple, TupleSet } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import type { CellReader } from '../storage/cell-reader.ts';
import type { Combinations } from '../storage/combinations.ts';
import type { Slicer } from './slicer.ts';

export interface Limits {
  /** The maximum nesting of calculated members. */
  readonly depth: number;
  /** The maximum number of cells of a result, and of tuples of a set. */
  readonly cells: number;
  /** The instant at which evaluation stops, in epoch milliseconds. */
  readonly deadline: number;
}

/** Identifies an iteration over a named set. Compared by identity. */
export interface SetCursor {
  readonly name: string;
}

export interface Cursor {
  readonly index: number;
  readonly tuple: Tuple;
}

/** The stored cells with the changes of a scenario. */
export interface CellOverlay {
  /** Returns whether values of the measure may differ from the facts. */
  changes(measure: Member['measure']): boolean;
  /** Returns the value of the cell at the context, restricted to rows in each of the predicates. */
  valueAt(context: readonly Member[], predicates: readonly TupleSet[]): Value;
}

export type { Evaluator };

declare module '../metadata/member.ts' {
  /**
   * The context of an evaluation: the current member of every hierarchy. A value that is not in memory counts as empty
   * and is noted. A result that was computed while something was missing must not be used. So every computation of a
   * set that depends on values calls `requireComplete`.
   */
  interface Evaluator {
    readonly cube: RuntimeCube;
    readonly cells: CellReader;
    readonly limits: Limits;
    /** Restricts the facts: a row counts only if it is in at least one tuple of every set; see `restrictedTo`. */
    readonly predicates: readonly TupleSet[];
    readonly slicer: Slicer | undefined;
    /**
     * True if a scenario changes cells. Cells then differ from the facts, so the warehouse must not decide anything
     * about them.
     */
    readonly overlaid: boolean;
    /** The query's own measure: the slicer's measure, or the default one. */
    readonly rootMeasure: Member | undefined;
    /** True if the context is the query's own. Sets that are computed once for a query are computed in this context. */
    readonly isAtRoot: boolean;
    /**
     * Returns the current member of a hierarchy.
     *
     * @throws MdxEvaluationError if the slicer has several members of the hierarchy
     */
    current(hierarchy: Hierarchy): Member;
    /** Evaluates with the members of a tuple as current members. */
    at<T>(tuple: Tuple, evaluate: (evaluator: Evaluator) => T): T;
    /**
     * Evaluates with the slicer, but without the rest of the context: a hierarchy whose current member differs from the
     * query's own is at its default member.
     */
    inSlicerOnly<T>(evaluate: (evaluator: Evaluator) => T): T;
    /** Returns the tuples restricted to the rows that the role may see. */
    seenRows(tuples: TupleSet): TupleSet;
    /** Evaluates over the rows that are in any of the tuples. For measures whose values cannot be added up. */
    restrictedTo<T>(tuples: TupleSet, unconstrained: Tuple, evaluate: (evaluator: Evaluator) => T): T;
    /** Returns the value of the cell at the context. */
    value(): Value;
    /**
     * Returns the cells at the context for each of some combinations, which replace the members of their hierarchies, where they are kept together and
     * where nothing but the facts decides them.
     */
    storedColumn(combinations: Combinations): readonly Value[] | undefined;
    /** Aggregates the current measure over tuples: sums are added up, distinct counts are counted from the facts. */
    aggregate(tuples: TupleSet): Value;
    /** Returns whether the member's value is already being computed in an outer call. */
    isExpanding(member: Member): boolean;
    /**
     * Calls `visit` at each tuple of the set, with the tuple as context. Data that one visit misses does not stop the
     * others.
     */
    iterate(
      calc: { readonly cursor?: SetCursor | undefined } | undefined,
      tuples: TupleSet,
      visit: (tuple: Tuple, index: number) => void,
    ): void;
    /**
     * Iterates over a set and collects into the value that `begin` returns. The iteration may stop in the middle, so
     * that other work of the process can run. It continues with the same tuples when its owner, the iterating
     * expression, runs again in the same context.
     */
    iterateResumable<S>(
      owner: object,
      calc: { readonly cursor?: SetCursor | undefined } | undefined,
      makeTuples: () => TupleSet,
      begin: () => S,
      visit: (gathered: S, tuple: Tuple, index: number) => void,
    ): { readonly tuples: TupleSet; readonly gathered: S };
    cursor(of: SetCursor): Cursor | undefined;
    /** Runs a computation to its end, or until data is missing, which is noted. */
    attempt(run: () => void): void;
    /** Returns the result of `run`. Throws if data was missing. */
    requireComplete<T>(run: () => T): T;
    /** Returns a set that is the same in the whole query. Computed once, in the context of the query. */
    queryWide(key: object, isDefinedBy: (member: Member) => boolean, compute: () => TupleSet): TupleSet;
    /**
     * Returns the result of `compute`, which `memo` keeps for contexts that agree in the hierarchies of `dependsOn`.
     */
    remember<T>(memo: Map<string, T>, dependsOn: bigint, compute: () => T): T;
    /**
     * Counts a step of work.
     *
     * @throws CancelledError, TimeoutError
     */
    step(): void;
    /**
     * Checks the number of tuples of a set.
     *
     * @throws MdxLimitError if the set is too large
     */
    checkSize(tuples: number): void;
  }
}
