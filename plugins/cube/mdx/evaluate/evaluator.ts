import type { RuntimeCube } from '../cube/cube.ts';
import type { Evaluator, Member, Tuple, TupleSet } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import type { CellReader } from '../storage/cell-reader.ts';
import type { Slicer } from './slicer.ts';

export interface Limits {
  /** Calculated members inside each other at most. */
  readonly depth: number;
  /** Cells of a result, and tuples of a set, at most. */
  readonly cells: number;
  /** Instant after which evaluation stops, epoch milliseconds. */
  readonly deadline: number;
}

/** Where an iteration over a named set has come to; found again by identity. */
export interface SetCursor {
  readonly name: string;
}

export interface Cursor {
  readonly index: number;
  readonly tuple: Tuple;
}

/** Stored cells as a scenario changes them. */
export interface CellOverlay {
  /** Returns whether values of the measure may differ from the facts. */
  changes(measure: Member['measure']): boolean;
  /** Returns the value of the cell at the context, restricted to rows in each of the predicates. */
  valueAt(context: readonly Member[], predicates: readonly TupleSet[]): Value;
}

export type { Evaluator };

declare module '../metadata/member.ts' {
  /**
   * The context in which expressions are evaluated: the current member of every hierarchy. A value that is not in
   * memory counts as empty and is noted; a result that was computed while something was missing must not be used, so
   * whatever shapes a set by values calls `requireComplete`.
   */
  interface Evaluator {
    readonly cube: RuntimeCube;
    readonly cells: CellReader;
    readonly limits: Limits;
    /** Rows count only where they are in one tuple of each; see `restrictedTo`. */
    readonly predicates: readonly TupleSet[];
    readonly slicer: Slicer | undefined;
    /** A scenario is in force, so that cells differ from the facts: nothing about them may be decided by the warehouse. */
    readonly overlaid: boolean;
    /** The measure that the query itself gives: that of the slicer, or the default one. */
    readonly rootMeasure: Member | undefined;
    /** True when the context is the query's own: sets that are made once a query are made in it. */
    readonly isAtRoot: boolean;
    /** Returns the current member of a hierarchy, as expressions ask for it. */
    current(hierarchy: Hierarchy): Member;
    /** Evaluates with other current members. */
    at<T>(tuple: Tuple, evaluate: (evaluator: Evaluator) => T): T;
    /**
     * Evaluates with what the slicer brings and without what else the context holds: where a hierarchy is not at the member
     * that the query gives it, it is at its default member.
     */
    inSlicerOnly<T>(evaluate: (evaluator: Evaluator) => T): T;
    /** Returns the rows of these tuples that the role may see. */
    seenRows(tuples: TupleSet): TupleSet;
    /** Evaluates with rows restricted to those in any of the tuples; for measures that cannot be added up. */
    restrictedTo<T>(tuples: TupleSet, unconstrained: Tuple, evaluate: (evaluator: Evaluator) => T): T;
    /** Returns the value of the cell at the context. */
    value(): Value;
    /** Returns the aggregate over tuples of what the current measure measures: sums are added, distinct counts counted anew. */
    aggregate(tuples: TupleSet): Value;
    /** Returns whether the member is being computed further up. */
    isExpanding(member: Member): boolean;
    /** Calls `visit` at each tuple of the set, with the tuple as context. What one visit lacks does not stop the others. */
    iterate(
      calc: { readonly cursor?: SetCursor | undefined } | undefined,
      tuples: TupleSet,
      visit: (tuple: Tuple, index: number) => void,
    ): void;
    /**
     * Iterates into what `begin` makes. It may be left in the middle, so that other work of the process has its turn: it then
     * goes on, with the same tuples, when its owner (the expression that iterates) comes back to it in the same context.
     */
    iterateResumable<S>(
      owner: object,
      calc: { readonly cursor?: SetCursor | undefined } | undefined,
      made: () => TupleSet,
      begin: () => S,
      visit: (gathered: S, tuple: Tuple, index: number) => void,
    ): { readonly tuples: TupleSet; readonly gathered: S };
    cursor(of: SetCursor): Cursor | undefined;
    /** Runs to the end or to something that is missing, which is noted. */
    attempt(run: () => void): void;
    /** Returns the result of `run`, unless something was missing while it was computed. */
    requireComplete<T>(run: () => T): T;
    /** Returns a set that is the same for the whole query, computed once in the context of the query. */
    queryWide(key: object, isDefinedBy: (member: Member) => boolean, compute: () => TupleSet): TupleSet;
    /** Returns what `compute` yields, remembered in `memo` for contexts that agree in the hierarchies it depends on. */
    remember<T>(memo: Map<string, T>, dependsOn: bigint, compute: () => T): T;
    /** Counts work, and stops when the caller or the time limit says so. */
    step(): void;
    /** Throws when a set would have more tuples than the limit allows. */
    checkSize(tuples: number): void;
  }
}
