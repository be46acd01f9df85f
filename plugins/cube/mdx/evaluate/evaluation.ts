import { CancelledError, InternalError, TimeoutError } from '../../../../router/errors.ts';
import type { RuntimeCube } from '../cube/cube.ts';
import { CELLS_MISSING, Pending, TURN_OVER } from '../loading/data-not-loaded.ts';
import type { Hierarchy, Member, Tuple, TupleSet } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import type { CellReader } from '../storage/cell-reader.ts';
import { MdxEvaluationError, MdxLimitError } from '../syntax/errors.ts';
import { addUp, aggregateTuples, isAnyMember, unconstrained } from './aggregate.ts';
import type { CellOverlay, Cursor, Evaluator, Limits, SetCursor } from './evaluator.ts';
import { Iterations } from './iteration-checkpoints.ts';
import { isRolledUpHere, ownDataBelow, storedParts } from './parent-child.ts';
import type { Slicer } from './slicer.ts';

/** Results that are remembered of one expression at most. */
const REMEMBERED = 10_000;
/** How long an evaluation keeps the process to itself. */
const TURN_MS = 12;
/** An iteration that took longer is not gone through again after a turn. */
const WORTH_KEEPING_MS = 2;

/**
 * The context in which expressions are evaluated: the current member of every hierarchy. A value that is not in memory
 * counts as empty and is noted (`misses`); a result that was computed while something was missing must not be used, so
 * whatever shapes a set by values calls `settled`.
 */
export class Evaluation implements Evaluator {
  readonly cube: RuntimeCube;
  readonly cells: CellReader;
  readonly limits: Limits;
  readonly signal: AbortSignal | undefined;
  /** Values and members that were not in memory so far. */
  misses = 0;
  /** What a scenario changes; set before anything is evaluated. */
  overlay: CellOverlay | undefined;
  /** What has to be loaded, besides cells. */
  readonly pending = new Map<string, Pending>();
  readonly #members: Member[];
  #root: readonly Member[];
  #slicer: Slicer | undefined;
  readonly #predicates: TupleSet[] = [];
  readonly #expanding: { readonly member: Member; readonly context: readonly Member[] }[] = [];
  readonly #cursors = new Map<SetCursor, Cursor>();
  readonly #sets = new Map<object, TupleSet>();
  readonly #restrictions = new Map<TupleSet, TupleSet>();
  readonly #seenRows = new WeakMap<TupleSet, TupleSet>();
  readonly #iterations = new Iterations();
  #steps = 0;
  #turnEnds = Number.POSITIVE_INFINITY;

  constructor(cube: RuntimeCube, cells: CellReader, limits: Limits, signal: AbortSignal | undefined) {
    this.cube = cube;
    this.cells = cells;
    this.limits = limits;
    this.signal = signal;
    this.#members = cube.hierarchies.map(({ defaultMember }) => defaultMember);
    this.#root = [...this.#members];
  }

  // ── context ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The current member as the context has it: under a slicer of several tuples it may be the slicer's stand-in. */
  get context(): readonly Member[] {
    return this.#members;
  }

  get predicates(): readonly TupleSet[] {
    return this.#predicates;
  }

  /** Cells may differ from the facts: nothing about them may be decided by the warehouse. */
  get overlaid(): boolean {
    return this.overlay !== undefined;
  }

  get slicer(): Slicer | undefined {
    return this.#slicer;
  }

  /** The current member of a hierarchy, as expressions ask for it. */
  current(hierarchy: Hierarchy): Member {
    const member = this.#members[hierarchy.ordinal];
    if (member === undefined) throw new InternalError(`${hierarchy.uniqueName} is not in the cube.`);
    if (this.#slicer?.standsIn(member)) {
      throw new MdxEvaluationError(
        `The current member of ${hierarchy.uniqueName} is ambiguous: the slicer holds several members of it.`,
      );
    }
    return member;
  }

  /** Evaluates with other current members. */
  at<T>(tuple: Tuple, evaluate: (evaluator: Evaluator) => T): T {
    const members = this.#members;
    const before: Member[] = [];
    for (const member of tuple) {
      const { ordinal } = member.hierarchy;
      before.push(members[ordinal] ?? member);
      members[ordinal] = member;
    }
    try {
      return evaluate(this);
    } finally {
      for (let index = tuple.length - 1; index >= 0; index--) {
        const member = before[index];
        if (member !== undefined) members[member.hierarchy.ordinal] = member;
      }
    }
  }

  /** Evaluates in the context of the whole query: default members and the slicer. */
  atRoot<T>(evaluate: (evaluator: Evaluator) => T): T {
    const before = [...this.#members];
    const predicates = this.#predicates.splice(0);
    this.#members.splice(0, before.length, ...this.#root);
    try {
      return evaluate(this);
    } finally {
      this.#members.splice(0, before.length, ...before);
      this.#predicates.splice(0, this.#predicates.length, ...predicates);
    }
  }

  /**
   * Evaluates with what the slicer brings and without what else the context holds: where a hierarchy is not at the
   * member the query gives it, it is at its default member.
   */
  inSlicerOnly<T>(evaluate: (evaluator: Evaluator) => T): T {
    const strayed = this.#members.filter((member, ordinal) => ordinal > 0 && member !== this.#root[ordinal]);
    return this.at(
      strayed.map(({ hierarchy }) => hierarchy.defaultMember),
      evaluate,
    );
  }

  /** The measure that the query itself gives: that of the slicer, or the default one. */
  get rootMeasure(): Member | undefined {
    return this.#root[0];
  }

  get isAtRoot(): boolean {
    return this.#predicates.length === 0 && this.#members.every((member, ordinal) => member === this.#root[ordinal]);
  }

  /** Whether the member is being computed further up. */
  isExpanding(member: Member): boolean {
    return this.#expanding.some((each) => each.member === member);
  }

  /** Makes the slicer part of the context from here on. */
  slice(slicer: Slicer): void {
    this.#slicer = slicer;
    for (const member of slicer.context) this.#members[member.hierarchy.ordinal] = member;
    this.#root = [...this.#members];
  }

  // ── values ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The value of the cell at the context. */
  value(): Value {
    this.step();
    if (this.#slicer?.isEmpty) return null;
    let best: Member | undefined;
    let order = Number.NEGATIVE_INFINITY;
    for (const member of this.#members) {
      if (member.isNull) return null;
      const { calculation } = member;
      if (calculation !== undefined && calculation.solveOrder > order) {
        best = member;
        order = calculation.solveOrder;
      }
    }
    return best === undefined ? this.#stored() : this.#calculate(best);
  }

  #calculate(member: Member): Value {
    const { calculation } = member;
    if (calculation === undefined) throw new InternalError(`${member.uniqueName} is not calculated.`);
    this.#checkDepth(member);
    this.#expanding.push({ member, context: [...this.#members] });
    const { ordinal } = member.hierarchy;
    try {
      if (calculation.declared) this.#members[ordinal] = member.hierarchy.defaultMember;
      return calculation.evaluate(this);
    } finally {
      this.#members[ordinal] = member;
      this.#expanding.pop();
    }
  }

  #checkDepth(member: Member): void {
    if (this.#expanding.length >= this.limits.depth) {
      throw new MdxLimitError(
        `Calculated members call each other more than ${this.limits.depth} deep, last ${member.uniqueName}.`,
      );
    }
    for (const earlier of this.#expanding) {
      if (earlier.member !== member) continue;
      if (earlier.context.every((other, index) => other === this.#members[index])) {
        throw new MdxEvaluationError(`Infinite loop while evaluating calculated member '${member.uniqueName}'.`);
      }
    }
  }

  #stored(): Value {
    for (const member of this.#members) {
      if (member.kind !== 'all' && member.kind !== 'stored' && member.kind !== 'data') continue;
      const restriction = this.#restrictionOf(member);
      if (restriction === 'hidden') return null;
      if (restriction === undefined) continue;
      if (restriction.length === 0) return null;
      return this.restrictedTo(this.#inStoredParts(restriction), [unconstrained(member)], () => this.value());
    }
    const parts = this.#members.find(isRolledUpHere);
    if (parts !== undefined) return this.aggregate(ownDataBelow(parts));
    if (this.overlay?.changes(this.#members[0]?.measure)) {
      return this.overlay.valueAt(this.#members, this.#predicates);
    }
    return this.#read(this.#members, this.#predicates);
  }

  readStored(context: readonly Member[]): Value {
    return this.#read(context, []);
  }

  #read(context: readonly Member[], predicates: readonly TupleSet[]): Value {
    const found = this.cells.read(context, predicates);
    if (found !== undefined) return found;
    this.misses++;
    return null;
  }

  /** A total of which the role may see only a part. */
  #restrictionOf(member: Member): TupleSet | 'hidden' | undefined {
    return this.cube.restricted &&
      !member.hierarchy.isMeasures &&
      member.level.kind !== 'measures' &&
      !isAnyMember(member)
      ? member.hierarchy.members.restriction(member)
      : undefined;
  }

  /** A restriction by members as the warehouse knows them. */
  #inStoredParts(restriction: TupleSet): TupleSet {
    let parts = this.#restrictions.get(restriction);
    if (parts === undefined) {
      parts = restriction.flatMap((tuple) => tuple.flatMap(storedParts).map((member) => [member]));
      this.#restrictions.set(restriction, parts);
    }
    return parts;
  }

  /** Puts that part in the place of a total of which the role sees a part, and drops totals that are hidden from it. */
  seenRows(tuples: TupleSet): TupleSet {
    if (!this.cube.restricted) return tuples;
    let known = this.#seenRows.get(tuples);
    if (known === undefined) {
      known = tuples.flatMap((tuple) => this.#seenOf(tuple));
      this.#seenRows.set(tuples, known);
    }
    return known;
  }

  #seenOf(tuple: Tuple): TupleSet {
    return tuple.reduce<TupleSet>(
      (rows, member) => {
        const restriction = this.#restrictionOf(member);
        if (restriction === 'hidden') return [];
        const parts = restriction === undefined ? [[member]] : this.#inStoredParts(restriction);
        return rows.flatMap((row) => parts.map((part) => [...row, ...part]));
      },
      [[]],
    );
  }

  /** The aggregate over tuples of what the current measure measures: sums are added, distinct counts counted anew. */
  aggregate(tuples: TupleSet): Value {
    return aggregateTuples(this, tuples);
  }

  /** Evaluates with rows restricted to those in any of the tuples; for measures that cannot be added up. */
  restrictedTo<T>(tuples: TupleSet, unconstrained: Tuple, evaluate: (evaluator: Evaluator) => T): T {
    this.#predicates.push(tuples);
    try {
      return this.at(unconstrained, evaluate);
    } finally {
      this.#predicates.pop();
    }
  }

  sum(values: Iterable<Value>): number | null {
    return addUp(values);
  }

  // ── sets ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Calls `visit` at each tuple of the set, with the tuple as context. What one visit lacks does not stop the others. */
  each(
    calc: { readonly cursor?: SetCursor | undefined } | undefined,
    tuples: TupleSet,
    visit: (tuple: Tuple, index: number) => void,
  ): void {
    const cursor = calc?.cursor;
    const before = cursor === undefined ? undefined : this.#cursors.get(cursor);
    for (const [index, tuple] of tuples.entries()) {
      this.step();
      if (cursor !== undefined) this.#cursors.set(cursor, { index, tuple });
      this.attempt(() => this.at(tuple, () => visit(tuple, index)));
    }
    if (cursor === undefined) return;
    if (before === undefined) this.#cursors.delete(cursor);
    else this.#cursors.set(cursor, before);
  }

  gather<S>(
    owner: object,
    calc: { readonly cursor?: SetCursor | undefined } | undefined,
    made: () => TupleSet,
    begin: () => S,
    visit: (gathered: S, tuple: Tuple, index: number) => void,
  ): { readonly tuples: TupleSet; readonly gathered: S } {
    const earlier = this.#iterations.has(owner) ? this.#iterations.get(owner, this.#contextKey()) : undefined;
    const tuples = earlier?.tuples ?? made();
    // What an owner leaves under a context is what it began there.
    const gathered = earlier === undefined ? begin() : (earlier.gathered as S);
    const misses = this.misses;
    const started = performance.now();
    const cursor = calc?.cursor;
    const before = cursor === undefined ? undefined : this.#cursors.get(cursor);
    const outside = cursor === undefined ? undefined : () => this.#resetCursor(cursor, before);
    const leave = (next: number): void => {
      outside?.();
      const missed = earlier?.missed === true || this.misses !== misses;
      this.#iterations.put(owner, this.#contextKey(), { tuples, gathered, next, missed });
    };
    try {
      for (let index = earlier?.next ?? 0; index < tuples.length; index++) {
        const tuple = tuples[index] ?? [];
        this.step();
        if (cursor !== undefined) this.#cursors.set(cursor, { index, tuple });
        try {
          this.attempt(() => this.at(tuple, () => visit(gathered, tuple, index)));
        } catch (error) {
          if (error === TURN_OVER) leave(index);
          throw error;
        }
        if (index + 1 < tuples.length && this.#isTurnOver(started)) {
          leave(index + 1);
          throw TURN_OVER;
        }
      }
      // What was left in the middle has been added to: whoever comes back must not go on from there once more.
      const isOver =
        earlier === undefined ? performance.now() - started > WORTH_KEEPING_MS : earlier.next < tuples.length;
      if (isOver) leave(tuples.length);
    } finally {
      outside?.();
    }
    if (earlier?.missed === true) this.misses++;
    return { tuples, gathered };
  }

  #resetCursor(cursor: SetCursor, before: Cursor | undefined): void {
    if (before === undefined) this.#cursors.delete(cursor);
    else this.#cursors.set(cursor, before);
  }

  /** What the result of an iteration may depend on. */
  #contextKey(): string {
    const predicates = this.#predicates.map((set) => this.cells.predicateKey(set)).join('|');
    const places = [...this.#cursors].map(([{ name }, { index }]) => `${name} ${index}`).join('|');
    return `${this.#members.map(({ id }) => id).join()}|${predicates}|${places}`;
  }

  /** Forgets how far iterations have come: what was missing is there, and they begin anew. */
  forgetIterations(): void {
    this.#iterations.clear();
  }

  cursor(of: SetCursor): Cursor | undefined {
    return this.#cursors.get(of);
  }

  /** Runs to the end or to something that is missing, which is noted. */
  attempt(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.note(error);
    }
  }

  /** Notes what is missing; anything else is thrown on. */
  note(error: unknown): void {
    if (!(error instanceof Pending) || error === TURN_OVER) throw error;
    this.misses++;
    if (error.load !== undefined) this.pending.set(error.key, error);
  }

  /** The result of `run`, unless something was missing while it was computed. */
  settled<T>(run: () => T): T {
    const before = this.misses;
    const result = run();
    if (this.misses !== before) throw CELLS_MISSING;
    return result;
  }

  /** A set that is the same for the whole query, computed once in the context of the query. */
  queryWide(key: object, isDefinedBy: (member: Member) => boolean, compute: () => TupleSet): TupleSet {
    const known = this.#sets.get(key);
    if (known !== undefined) return known;
    // A slicer member that is made of the set cannot be part of the context in which the set is made.
    const without = this.#root.filter((member) => member.calculation?.declared && isDefinedBy(member));
    const defaults = without.map(({ hierarchy }) => hierarchy.defaultMember);
    const tuples = this.atRoot(() => this.at(defaults, () => this.settled(compute)));
    this.#sets.set(key, tuples);
    return tuples;
  }

  /** What `compute` yields, remembered for contexts that agree in the hierarchies it depends on. */
  remember<T>(memo: Map<string, T>, dependsOn: bigint, compute: () => T): T {
    let context = this.#predicates.map((set) => this.cells.predicateKey(set)).join('|');
    for (const [ordinal, member] of this.#members.entries()) {
      if ((dependsOn >> BigInt(ordinal)) & 1n) context += `,${member.id}`;
    }
    const known = memo.get(context);
    if (known !== undefined) return known;
    const result = this.settled(compute);
    if (memo.size > REMEMBERED) memo.clear();
    memo.set(context, result);
    return result;
  }

  // ── limits ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The computation begins again, or goes on, with the time of a turn before it. */
  beginTurn(): void {
    this.#turnEnds = performance.now() + TURN_MS;
  }

  /**
   * Whether other work of the process should have its turn now. Who began late in the turn goes on until it has had a good
   * part of it: what was computed before may have to be computed again.
   */
  #isTurnOver(started: number): boolean {
    const now = performance.now();
    return now > this.#turnEnds && 3 * (now - started) > now - this.#turnEnds + TURN_MS;
  }

  /** Counts work, and stops when the caller or the time limit says so. */
  step(): void {
    if ((++this.#steps & 0xfff) !== 0) return;
    if (this.signal?.aborted) throw new CancelledError('The query was cancelled.');
    if (Date.now() > this.limits.deadline) throw new TimeoutError('The query took longer than its time limit.');
  }

  /** Throws when a set would have more tuples than the limit allows. */
  checkSize(tuples: number): void {
    if (tuples > this.limits.cells) {
      throw new MdxLimitError(`A set of ${tuples} tuples is more than the limit of ${this.limits.cells}.`);
    }
  }
}
