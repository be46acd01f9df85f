import { CancelledError, InternalError, TimeoutError } from '../../../../router/errors.ts';
import type { RuntimeCube } from '../cube/cube.ts';
import { CHECKPOINT_THRESHOLD_MS, MAX_REMEMBERED_RESULTS } from '../limits.ts';
import { CELLS_MISSING, DataNotLoaded, YIELD } from '../loading/data-not-loaded.ts';
import type { Hierarchy, Member, Tuple, TupleSet } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import type { CellReader } from '../storage/cell-reader.ts';
import type { Combinations } from '../storage/combinations.ts';
import { MdxEvaluationError, MdxLimitError } from '../syntax/errors.ts';
import { aggregateTuples, unconstrained } from './aggregate-tuples.ts';
import type { CellOverlay, Cursor, Evaluator, Limits, SetCursor } from './evaluator.ts';
import { IterationCheckpoints } from './iteration-checkpoints.ts';
import { isRolledUpHere, ownDataBelow, rollsUpHere } from './parent-child.ts';
import type { Slicer } from './slicer.ts';
import { TurnClock } from './turn-clock.ts';
import { SeenRows } from './visible-rows.ts';

/**
 * Evaluates expressions and reads cells for one query. It counts missing data in `missCount` and notes it for loading.
 * `Evaluator` declares the members that expressions may use.
 */
export class Evaluation implements Evaluator {
  readonly cube: RuntimeCube;
  readonly cells: CellReader;
  readonly limits: Limits;
  readonly signal: AbortSignal | undefined;
  /** The number of values and members that were not in memory so far. */
  missCount = 0;
  /** The changes of a scenario. Set before any evaluation. */
  overlay: CellOverlay | undefined;
  /** Data to load, besides cells. */
  readonly pending = new Map<string, DataNotLoaded>();
  readonly #members: Member[];
  #root: readonly Member[];
  #slicer: Slicer | undefined;
  readonly #predicates: TupleSet[] = [];
  readonly #expanding: { readonly member: Member; readonly context: readonly Member[] }[] = [];
  /** The contexts that `inSlicerOnly` has left. Sets that were computed in them may be part of the result. */
  readonly #leftContexts: string[] = [];
  readonly #cursors = new Map<SetCursor, Cursor>();
  readonly #sets = new Map<object, TupleSet>();
  readonly #seenRows: SeenRows;
  /** Says whether the engine computes the totals of some hierarchy. */
  readonly #rollsUp: boolean;
  readonly #iterations = new IterationCheckpoints();
  readonly #turn = new TurnClock();
  #steps = 0;

  constructor(cube: RuntimeCube, cells: CellReader, limits: Limits, measure: Member, signal?: AbortSignal) {
    this.cube = cube;
    this.cells = cells;
    this.limits = limits;
    this.signal = signal;
    this.#members = cube.hierarchies.map((each) => (each.isMeasures ? measure : each.defaultMember));
    this.#root = [...this.#members];
    this.#seenRows = new SeenRows(cube.restricted);
    this.#rollsUp = cube.hierarchies.some(({ levels }) => levels.some(rollsUpHere));
  }

  // ── context ────────────────────────────────────────────────────────────────────────────────────────────────────

  get context(): readonly Member[] {
    return this.#members;
  }

  get predicates(): readonly TupleSet[] {
    return this.#predicates;
  }

  get overlaid(): boolean {
    return this.overlay !== undefined;
  }

  get slicer(): Slicer | undefined {
    return this.#slicer;
  }

  current(hierarchy: Hierarchy): Member {
    const member = this.#members[hierarchy.ordinal];
    if (member === undefined) throw new InternalError(`${hierarchy.uniqueName} is not in the cube.`);
    if (this.#slicer?.isPlaceholder(member)) {
      throw new MdxEvaluationError(
        `The current member of ${hierarchy.uniqueName} is ambiguous: the slicer has several of its members.`,
      );
    }
    return member;
  }

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
    const left = this.#leftContexts.splice(0);
    this.#members.splice(0, before.length, ...this.#root);
    try {
      return evaluate(this);
    } finally {
      this.#leftContexts.splice(0, this.#leftContexts.length, ...left);
      this.#members.splice(0, before.length, ...before);
      this.#predicates.splice(0, this.#predicates.length, ...predicates);
    }
  }

  inSlicerOnly<T>(evaluate: (evaluator: Evaluator) => T): T {
    const strayed = this.#members.filter((member, ordinal) => ordinal > 0 && member !== this.#root[ordinal]);
    this.#leftContexts.push(this.#members.map(({ id }) => id).join());
    try {
      return this.at(
        strayed.map(({ hierarchy }) => hierarchy.defaultMember),
        evaluate,
      );
    } finally {
      this.#leftContexts.pop();
    }
  }

  get rootMeasure(): Member | undefined {
    return this.#root[0];
  }

  get isAtRoot(): boolean {
    return this.#predicates.length === 0 && this.#members.every((member, ordinal) => member === this.#root[ordinal]);
  }

  isExpanding(member: Member): boolean {
    return this.#expanding.some((each) => each.member === member);
  }

  /** Adds the slicer to the context from now on. */
  slice(slicer: Slicer): void {
    this.#slicer = slicer;
    for (const member of slicer.context) this.#members[member.hierarchy.ordinal] = member;
    this.#root = [...this.#members];
  }

  // ── values ─────────────────────────────────────────────────────────────────────────────────────────────────────

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
    return best === undefined ? this.#storedValue() : this.#calculate(best);
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

  #storedValue(): Value {
    if (this.#seenRows.isRestricted) {
      for (const member of this.#members) {
        const parts = this.#seenRows.partsOf(member);
        if (parts === undefined) continue;
        if (parts === 'hidden' || parts.length === 0) return null;
        return this.restrictedTo(parts, [unconstrained(member)], () => this.value());
      }
    }
    const parts = this.#rollsUp ? this.#members.find(isRolledUpHere) : undefined;
    if (parts !== undefined) return this.aggregate(ownDataBelow(parts));
    if (this.overlay?.changes(this.#members[0]?.measure)) {
      return this.overlay.valueAt(this.#members, this.restrictions());
    }
    return this.#read(this.#members, this.restrictions());
  }

  storedColumn(combinations: Combinations): readonly Value[] | undefined {
    return this.readsAsStored ? this.cells.column(this.#members, this.restrictions(), combinations) : undefined;
  }

  /** Returns the restrictions of rows: the cube's own, and the restrictions of the evaluation. */
  restrictions(): readonly TupleSet[] {
    const { rows } = this.cube;
    return rows.length === 0 ? this.#predicates : [...rows, ...this.#predicates];
  }

  /** Says whether a cell is read as it is stored at a context without calculated members: nothing but its members decides its value. */
  get readsAsStored(): boolean {
    const isPlain = this.#members.every(({ isOfFacts }) => isOfFacts);
    return (
      isPlain && !this.#seenRows.isRestricted && !this.#rollsUp && !this.overlaid && this.#slicer?.isEmpty !== true
    );
  }

  readStored(context: readonly Member[]): Value {
    return this.#read(context, []);
  }

  #read(context: readonly Member[], predicates: readonly TupleSet[]): Value {
    const cell = this.cells.read(context, predicates);
    if (cell !== undefined) return cell;
    this.missCount++;
    return null;
  }

  seenRows(tuples: TupleSet): TupleSet {
    return this.#seenRows.of(tuples);
  }

  aggregate(tuples: TupleSet): Value {
    return aggregateTuples(this, tuples);
  }

  restrictedTo<T>(tuples: TupleSet, unconstrained: Tuple, evaluate: (evaluator: Evaluator) => T): T {
    this.#predicates.push(tuples);
    try {
      return this.at(unconstrained, evaluate);
    } finally {
      this.#predicates.pop();
    }
  }

  // ── sets ───────────────────────────────────────────────────────────────────────────────────────────────────────

  iterate(
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
    if (cursor !== undefined) this.#resetCursor(cursor, before);
  }

  iterateResumable<S>(
    owner: object,
    calc: { readonly cursor?: SetCursor | undefined } | undefined,
    makeTuples: () => TupleSet,
    begin: () => S,
    visit: (gathered: S, tuple: Tuple, index: number) => void,
  ): { readonly tuples: TupleSet; readonly gathered: S } {
    const earlier = this.#iterations.has(owner) ? this.#iterations.get(owner, this.#contextKey()) : undefined;
    const tuples = earlier?.tuples ?? makeTuples();
    // A checkpoint has the type that `begin` returned, because each owner finds only its own checkpoints.
    const gathered = earlier === undefined ? begin() : (earlier.gathered as S);
    const misses = this.missCount;
    const started = performance.now();
    const cursor = calc?.cursor;
    const before = cursor === undefined ? undefined : this.#cursors.get(cursor);
    const outside = cursor === undefined ? undefined : () => this.#resetCursor(cursor, before);
    const leave = (next: number): void => {
      outside?.();
      const missed = earlier?.missed === true || this.missCount !== misses;
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
          if (error === YIELD) leave(index);
          throw error;
        }
        if (index + 1 < tuples.length && this.#turn.isOver(started)) {
          leave(index + 1);
          throw YIELD;
        }
      }
      // A result of a resumed iteration has changed since the checkpoint was made. The next evaluation must not
      // continue from that checkpoint.
      const isOver =
        earlier === undefined ? performance.now() - started > CHECKPOINT_THRESHOLD_MS : earlier.next < tuples.length;
      if (isOver) leave(tuples.length);
    } finally {
      outside?.();
    }
    if (earlier?.missed === true) this.missCount++;
    return { tuples, gathered };
  }

  #resetCursor(cursor: SetCursor, before: Cursor | undefined): void {
    if (before === undefined) this.#cursors.delete(cursor);
    else this.#cursors.set(cursor, before);
  }

  /** Returns as text what the result of an iteration may depend on. */
  #contextKey(): string {
    const predicates = this.#predicates.map((set) => this.cells.predicateKey(set)).join('|');
    const places = [...this.#cursors].map(([{ name }, { index }]) => `${name} ${index}`).join('|');
    return `${this.#members.map(({ id }) => id).join()}|${predicates}|${places}|${this.#leftContexts.join(';')}`;
  }

  /** Forgets the checkpoints of iterations. Missing data has been loaded, so they start again. */
  forgetIterations(): void {
    this.#iterations.clear();
  }

  cursor(of: SetCursor): Cursor | undefined {
    return this.#cursors.get(of);
  }

  attempt(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.note(error);
    }
  }

  /** Notes missing data. Throws any other error again. */
  note(error: unknown): void {
    if (!(error instanceof DataNotLoaded) || error === YIELD) throw error;
    this.missCount++;
    if (error.load !== undefined) this.pending.set(error.key, error);
  }

  requireComplete<T>(run: () => T): T {
    const before = this.missCount;
    const result = run();
    if (this.missCount !== before) throw CELLS_MISSING;
    return result;
  }

  queryWide(key: object, isDefinedBy: (member: Member) => boolean, compute: () => TupleSet): TupleSet {
    const remembered = this.#sets.get(key);
    if (remembered !== undefined) return remembered;
    // A slicer member that is defined by the set cannot be part of the context in which the set is computed.
    const without = this.#root.filter((member) => member.calculation?.declared && isDefinedBy(member));
    const defaults = without.map(({ hierarchy }) => hierarchy.defaultMember);
    const tuples = this.atRoot(() => this.at(defaults, () => this.requireComplete(compute)));
    this.#sets.set(key, tuples);
    return tuples;
  }

  remember<T>(memo: Map<string, T>, dependsOn: bigint, compute: () => T): T {
    let context = [...this.#predicates.map((set) => this.cells.predicateKey(set)), ...this.#leftContexts].join('|');
    for (const [ordinal, member] of this.#members.entries()) {
      if ((dependsOn >> BigInt(ordinal)) & 1n) context += `,${member.id}`;
    }
    const remembered = memo.get(context);
    if (remembered !== undefined) return remembered;
    const result = this.requireComplete(compute);
    if (memo.size > MAX_REMEMBERED_RESULTS) memo.clear();
    memo.set(context, result);
    return result;
  }

  // ── limits ─────────────────────────────────────────────────────────────────────────────────────────────────────

  beginTurn(): void {
    this.#turn.begin();
  }

  /** Says whether other work of the process should run now; see `TurnClock.isOver`. */
  isTurnOver(started: number): boolean {
    return this.#turn.isOver(started);
  }

  step(): void {
    if ((++this.#steps & 0xfff) !== 0) return;
    if (this.signal?.aborted) throw new CancelledError('The query was cancelled.');
    if (Date.now() > this.limits.deadline) throw new TimeoutError('The query took longer than its time limit.');
  }

  checkSize(tuples: number): void {
    if (tuples > this.limits.cells) {
      throw new MdxLimitError(`A set of ${tuples} tuples is more than the limit of ${this.limits.cells}.`);
    }
  }
}
