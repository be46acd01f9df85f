import { CancelledError, InternalError } from '../../../router/errors.ts';
import type { RuntimeCube } from './catalog/cube.ts';
import type { Tuple, TupleSet, Value } from './catalog/member.ts';
import { MdxError, MdxEvaluationError } from './errors.ts';
import { Evaluation } from './evaluate/evaluation.ts';
import type { Limits } from './evaluate/evaluator.ts';
import { Pending } from './evaluate/pending.ts';
import { Slicer } from './evaluate/slicer.ts';
import type { Expression, Select } from './parser/ast.ts';
import { asMembers, type Calc, type SetCalc, setCalc, setOf } from './resolve/calc.ts';
import { Compiler } from './resolve/compiler.ts';
import { compileMember, declareMember, declareSet } from './resolve/formula.ts';
import { declareSchemaFormulas } from './resolve/schema-formulas.ts';
import { type NamedSet, Scope } from './resolve/scope.ts';
import { elementOf, type MemberType, typeName } from './resolve/types.ts';
import { formatValue } from './value-format.ts';

export interface ExecuteOptions {
  readonly limits: Limits;
  readonly signal?: AbortSignal | undefined;
  /** Values of parameters, as MDX expressions, by name in lower case. */
  readonly parameters?: ReadonlyMap<string, Expression> | undefined;
  readonly clock: () => number;
  readonly locale: string;
}

export interface Cell {
  readonly value: Value;
  readonly formatted: string;
  /** What went wrong when it was computed. */
  readonly error?: string | undefined;
}

export interface ResultAxis {
  /** The hierarchies of its tuples, known also where there are none. */
  readonly hierarchies: readonly string[];
  readonly tuples: TupleSet;
}

export interface CellSet {
  /** The slicer's tuples; `undefined` without WHERE. */
  readonly slicer: TupleSet | undefined;
  readonly axes: readonly ResultAxis[];
  /** The first axis runs fastest. */
  readonly cells: readonly Cell[];
}

interface Compiled {
  readonly scope: Scope;
  readonly axes: readonly { readonly calc: SetCalc; readonly nonEmpty: boolean }[];
  readonly slicer: SetCalc | undefined;
}

/** Runs a query on a cube: names, slicer, axes and cells, each repeated until nothing it needs is missing. */
export async function execute(cube: RuntimeCube, query: Select, options: ExecuteOptions): Promise<CellSet> {
  const run = new Run(cube, options);
  try {
    const compiled = await run.settle(() => compile(cube, query, options));
    const evaluator = await run.settle(() => new Evaluation(cube, cube.cells, options.limits, options.signal));
    run.evaluator = evaluator;
    const slicer = compiled.slicer;
    const slicerTuples = slicer === undefined ? undefined : await run.settle(() => slicer.evaluate(evaluator));
    if (slicerTuples !== undefined) evaluator.slice(new Slicer(slicerTuples));
    const axes = await run.settle(() =>
      collect(evaluator, compiled.axes, ({ calc }) => withoutNull(calc.evaluate(evaluator))),
    );
    const size = axes.reduce((all, tuples) => all * tuples.length, 1);
    evaluator.checkSize(size);
    const cells = await run.settle(() => computeCells(evaluator, compiled, axes, options.locale));
    return shape(compiled, slicerTuples, axes, cells);
  } finally {
    cube.cells.abandon();
  }
}

/** Repeats a computation, loading between what it lacked. */
class Run {
  readonly #cube: RuntimeCube;
  readonly #options: ExecuteOptions;
  evaluator: Evaluation | undefined;

  constructor(cube: RuntimeCube, options: ExecuteOptions) {
    this.#cube = cube;
    this.#options = options;
  }

  async settle<T>(compute: () => T): Promise<T> {
    for (let pass = 0; pass < 10_000; pass++) {
      if (this.#options.signal?.aborted) throw new CancelledError('The query was cancelled.');
      const attempt = this.#attempt(compute);
      if (attempt.done) return attempt.result;
      await this.#load();
    }
    throw new InternalError('The query never has all it needs.');
  }

  readonly #pending = new Map<string, Pending>();

  #attempt<T>(compute: () => T): { readonly done: true; readonly result: T } | { readonly done: false } {
    const before = this.evaluator?.misses ?? 0;
    try {
      const result = compute();
      if ((this.evaluator?.misses ?? 0) === before) return { done: true, result };
    } catch (error) {
      if (error instanceof Pending) this.#note(error);
      // What goes wrong while values are missing says nothing about the query.
      else if ((this.evaluator?.misses ?? 0) === before) throw error;
    }
    for (const pending of this.evaluator?.pending.values() ?? []) this.#note(pending);
    this.evaluator?.pending.clear();
    return { done: false };
  }

  #note(pending: Pending): void {
    if (pending.load !== undefined) this.#pending.set(pending.key, pending);
  }

  async #load(): Promise<void> {
    const { signal } = this.#options;
    const loads = [...this.#pending.values()].map(({ load }) => load?.(signal));
    this.#pending.clear();
    await Promise.all([...loads, this.#cube.cells.load(signal)]);
  }
}

function compile(cube: RuntimeCube, query: Select, options: ExecuteOptions): Compiled {
  const scope = new Scope(cube, options.parameters ?? new Map(), options.clock);
  declareSchemaFormulas(scope);
  const sets: NamedSet[] = [];
  for (const formula of query.formulas) {
    if (formula.kind === 'set') {
      const name = formula.name.segments.map((segment) => (segment.kind === 'name' ? segment.name : '')).join('.');
      sets.push(declareSet(scope, name, formula.value));
    }
  }
  const members = query.formulas.flatMap((formula) =>
    formula.kind === 'member' ? [declareMember(scope, formula)] : [],
  );
  for (const member of members) compileMember(member);
  for (const set of sets) set.calc();
  const compiler = new Compiler(scope);
  const axes = query.axes.map(({ value, nonEmpty }, index) => ({
    calc: axisSet(compiler.compile(value), `axis ${index}`),
    nonEmpty,
  }));
  const slicer = query.slicer === undefined ? undefined : slicerSet(compiler.compile(query.slicer));
  checkHierarchies([...axes.map(({ calc }) => calc), ...(slicer === undefined ? [] : [slicer])]);
  for (const calc of [...axes.map((axis): Calc => axis.calc), ...(slicer === undefined ? [] : [slicer])])
    noteMeasures(scope, calc);
  return { scope, axes, slicer };
}

function axisSet(calc: Calc, where: string): SetCalc {
  if (calc.kind === 'set') return calc;
  const element = elementOf(calc.type);
  if (element === undefined || calc.type.kind === 'level') {
    throw new MdxError(`No function matches signature '{${typeName(calc.type)}}' (on ${where})`);
  }
  const members = asMembers(calc);
  return setCalc({ kind: 'set', element }, [members], setOf(members));
}

function slicerSet(calc: Calc): SetCalc {
  if (calc.type.kind === 'null') throw new MdxError('Function does not support NULL member parameter');
  return axisSet(calc, 'the slicer');
}

/** A hierarchy belongs to one axis or to the slicer. */
function checkHierarchies(sets: readonly SetCalc[]): void {
  const seen = new Set<unknown>();
  for (const { type } of sets) {
    const own = new Set(
      (type.element ?? []).map(({ hierarchy }: MemberType) => hierarchy).filter((each) => each !== undefined),
    );
    for (const hierarchy of own) {
      if (seen.has(hierarchy)) {
        throw new MdxError(`Hierarchy '${hierarchy.uniqueName}' appears in more than one independent axis.`);
      }
      seen.add(hierarchy);
    }
  }
}

/** The measures that axes and slicer name, themselves or by named sets. */
function noteMeasures(scope: Scope, calc: Calc, seen = new Set<Calc>()): void {
  if (seen.has(calc)) return;
  seen.add(calc);
  if (calc.kind === 'member' && calc.constant?.hierarchy.isMeasures) scope.queryMeasures.add(calc.constant);
  // Conditions and sort keys are values; they do not put a measure on the axis.
  const parts = calc.name === 'ORDER' ? calc.parts.slice(0, 1) : calc.parts;
  for (const part of parts) if (part.kind !== 'scalar') noteMeasures(scope, part, seen);
}

function withoutNull(tuples: TupleSet): TupleSet {
  return tuples.every((tuple) => tuple.every((member) => !member.isNull))
    ? tuples
    : tuples.filter((tuple) => tuple.every((member) => !member.isNull));
}

/** What one item lacks does not keep the others from noting what they lack. */
function collect<T, R>(evaluator: Evaluation, items: readonly T[], compute: (item: T) => R): R[] {
  const results: R[] = [];
  evaluator.settled(() => {
    for (const item of items) evaluator.attempt(() => results.push(compute(item)));
  });
  return results;
}

function computeCells(
  evaluator: Evaluation,
  { axes }: Compiled,
  tuples: readonly TupleSet[],
  locale: string,
): readonly Cell[] {
  const cells: Cell[] = [];
  const visit = (axis: number): void => {
    const set = tuples[axis];
    if (set === undefined) {
      cells.push(computeCell(evaluator, locale));
      return;
    }
    evaluator.each(axes[axis]?.calc, set, () => visit(axis - 1));
  };
  visit(tuples.length - 1);
  return cells;
}

function computeCell(evaluator: Evaluation, locale: string): Cell {
  try {
    const value = evaluator.value();
    return { value, formatted: value === null ? '' : formatValue(value, formatOf(evaluator), locale) };
  } catch (error) {
    if (error instanceof Pending) {
      evaluator.note(error);
      return { value: null, formatted: '' };
    }
    if (!(error instanceof MdxEvaluationError)) throw error;
    return { value: null, formatted: `#ERR: ${error.name}: ${error.message}`, error: error.message };
  }
}

/** The format of the member that is solved last among those that have one. */
function formatOf(evaluator: Evaluation): string {
  let format: string | undefined;
  let order = Number.NEGATIVE_INFINITY;
  for (const { measure, calculation } of [...evaluator.context]) {
    const own = measure !== undefined ? -1 : calculation?.solveOrder;
    if (own === undefined || own <= order) continue;
    const found = measure !== undefined ? (measure.formatString ?? '') : calculation?.formatString(evaluator);
    if (found === undefined) continue;
    format = found;
    order = own;
  }
  return format ?? 'Standard';
}

/** Takes tuples without a value from the axes that are NON EMPTY. */
function shape(
  { axes }: Compiled,
  slicer: TupleSet | undefined,
  tuples: readonly TupleSet[],
  cells: readonly Cell[],
): CellSet {
  const sizes = tuples.map(({ length }) => length);
  const kept: readonly (readonly number[])[] = tuples.map((set, axis) => {
    const all = [...set.keys()];
    if (axes[axis]?.nonEmpty !== true) return all;
    const before = sizes.slice(0, axis).reduce((size, length) => size * length, 1);
    const filled = new Set<number>();
    for (const [index, { value, error }] of cells.entries()) {
      if (value !== null || error !== undefined) filled.add(Math.floor(index / before) % Math.max(set.length, 1));
    }
    return all.filter((position) => filled.has(position));
  });
  const result: Cell[] = [];
  const visit = (axis: number, offset: number): void => {
    if (axis < 0) {
      const cell = cells[offset];
      if (cell !== undefined) result.push(cell);
      return;
    }
    const stride = sizes.slice(0, axis).reduce((size, length) => size * length, 1);
    for (const position of kept[axis] ?? []) visit(axis - 1, offset + position * stride);
  };
  visit(tuples.length - 1, 0);
  return {
    slicer,
    axes: tuples.map((set, axis) => ({
      hierarchies: (axes[axis]?.calc.type.element ?? []).flatMap(({ hierarchy }) => hierarchy?.uniqueName ?? []),
      tuples: (kept[axis] ?? []).flatMap((position): readonly Tuple[] => set.slice(position, position + 1)),
    })),
    cells: result,
  };
}
