import { measuresIndependentOf, measuresOn } from '../compile/independent-measures.ts';
import type { MemberPropertyColumn } from '../compile/member-properties.ts';
import type { RuntimeCube } from '../cube/cube.ts';
import { Evaluation } from '../evaluate/evaluation.ts';
import type { Limits } from '../evaluate/evaluator.ts';
import { QueryExecution } from '../evaluate/query-execution.ts';
import { Slicer } from '../evaluate/slicer.ts';
import { MAX_ROW_AT_ONCE } from '../limits.ts';
import { DataNotLoaded } from '../loading/data-not-loaded.ts';
import type { Tuple, TupleSet } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import { onAxis } from '../pushdown/pushdown-rules.ts';
import { isOfStoredMembers } from '../storage/ordered-combinations.ts';
import { ScriptCalls } from '../storage/script-calls.ts';
import type { Expression, Select } from '../syntax/ast.ts';
import { MdxEvaluationError, withPosition } from '../syntax/errors.ts';
import { type CellPropertyReader, cellPropertyReaders } from './cell-properties.ts';
import { type Cell, CellColumns, type CellSet, cellSetOf, NO_PROPERTIES } from './cell-set.ts';
import { type CompiledQuery, compileQuery } from './compiled-query.ts';
import { type CellText, cellText } from './formatted-cell.ts';
import { filledPositions, itemsAt, type KeptPositions, keptCells } from './kept-cells.ts';
import { Overlay } from './scenario/overlay.ts';
import type { Scenario } from './scenario/scenario.ts';
import { storedCells } from './stored-cells.ts';
import { queryOf, subcubeOf } from './subselect.ts';

export interface ExecuteOptions {
  readonly limits: Limits;
  readonly signal?: AbortSignal | undefined;
  /** Values of parameters as MDX expressions, by name in lower case. */
  readonly parameters?: ReadonlyMap<string, Expression> | undefined;
  readonly clock: () => number;
  readonly locale: string;
  readonly user?: string | undefined;
  readonly scenario?: Scenario | undefined;
}

/** A query whose axes and slicer are evaluated, ready to compute cells. */
export interface PreparedQuery {
  readonly run: QueryExecution;
  readonly compiled: CompiledQuery;
  readonly evaluator: Evaluation;
  readonly slicer: TupleSet | undefined;
  readonly axes: readonly TupleSet[];
}

/** Runs a query on a cube: names, slicer, axes and cells. Each step repeats until its data is loaded. */
export async function execute(cube: RuntimeCube, query: Select, options: ExecuteOptions): Promise<CellSet> {
  return withPreparedQuery(cube, query, options, async (open) => {
    const shaped = await readCells(open, query, options);
    const memberValues = await open.run.runUntilLoaded(() =>
      open.compiled.axes.map(({ properties }, axis) =>
        valuesOf(open.evaluator, properties, shaped.axes[axis]?.tuples ?? []),
      ),
    );
    const axes = shaped.axes.map((axis, at) => ({ ...axis, memberValues: memberValues[at] ?? [] }));
    // A spread would make the cells.
    return shaped.columns === undefined
      ? { ...shaped, axes }
      : cellSetOf({ slicer: shaped.slicer, axes, cellProperties: shaped.cellProperties, columns: shaped.columns });
  });
}

/** Returns the cells of a prepared query, without the empty positions of NON EMPTY axes. */
export async function readCells(
  { run, compiled, evaluator, slicer, axes }: PreparedQuery,
  query: Select,
  options: ExecuteOptions,
): Promise<CellSet> {
  evaluator.checkSize(axes.reduce((all, tuples) => all * tuples.length, 1));
  const readers = cellPropertyReaders(query.cellProperties);
  const stored = readers.length === 0 ? storedCells(evaluator, compiled, axes, options.locale) : undefined;
  const cells: readonly Cell[] | CellColumns = await run.runUntilLoaded(
    () => stored?.read() ?? computeCells(evaluator, compiled, axes, readers, cellText(compiled, options.locale)),
  );
  return shape(evaluator.cube, compiled, slicer, axes, cells, readers);
}

/** Evaluates queries in FROM, slicer and axes, and passes the prepared query to `use`. */
export async function withPreparedQuery<T>(
  cube: RuntimeCube,
  query: Select,
  options: ExecuteOptions,
  use: (query: PreparedQuery) => Promise<T>,
): Promise<T> {
  let part = cube;
  for (const subselect of query.subselects) {
    const inner = queryOf(query, subselect);
    const quiet = { ...options, scenario: undefined };
    part = await prepareOn(part, inner, quiet, async (open) => {
      const shrinks = inner.axes.some(({ nonEmpty }) => nonEmpty);
      const axes = shrinks ? (await readCells(open, inner, quiet)).axes.map(({ tuples }) => tuples) : open.axes;
      const sets = axes.map((tuples, at) => ({
        tuples,
        position: inner.axes[at]?.value.position ?? query.cubePosition,
      }));
      const where = { tuples: open.slicer ?? [], position: inner.slicer?.position ?? query.cubePosition };
      return subcubeOf(open.evaluator.cube, open.slicer === undefined ? sets : [...sets, where]);
    });
  }
  return prepareOn(part, query, options, use);
}

async function prepareOn<T>(
  cube: RuntimeCube,
  query: Select,
  options: ExecuteOptions,
  use: (query: PreparedQuery) => Promise<T>,
): Promise<T> {
  const run = new QueryExecution(cube, options.signal, options.limits.deadline);
  const scripts = new ScriptCalls(cube.scripts);
  const compiled = await run.runUntilLoaded(() => compileQuery(cube, query, { ...options, scripts }));
  const evaluator = await run.runUntilLoaded(
    () => new Evaluation(cube, run.cells, options.limits, compiled.scope.defaultMeasure, options.signal),
  );
  run.evaluator = evaluator;
  const { scenario } = options;
  if (scenario !== undefined && scenario.changes.length > 0) {
    evaluator.overlay = await run.runUntilLoaded(() => new Overlay(evaluator, scenario));
  }
  const { slicer } = compiled;
  const slicerTuples =
    slicer === undefined
      ? undefined
      : await run.runUntilLoaded(() =>
          withPosition(query.slicer?.position ?? query.cubePosition, () => slicer.evaluate(evaluator)),
        );
  if (slicerTuples !== undefined) evaluator.slice(new Slicer(slicerTuples));
  const sets = compiled.axes.map(({ calc }) => calc);
  const axes = await run.runUntilLoaded(() =>
    collect(evaluator, [...compiled.axes.entries()], ([index, { calc, position, nonEmpty }]) =>
      withPosition(position, () => {
        const some = nonEmpty ? onAxis(evaluator, sets, index) : undefined;
        return withoutNull(some ?? calc.evaluate(evaluator));
      }),
    ),
  );
  return await use({ run, compiled, evaluator, slicer: slicerTuples, axes });
}

function withoutNull(tuples: TupleSet): TupleSet {
  return isOfStoredMembers(tuples) || tuples.every((tuple) => tuple.every((member) => !member.isNull))
    ? tuples
    : tuples.filter((tuple) => tuple.every((member) => !member.isNull));
}

/** Computes a result for each item. Data that one item misses does not keep the others from noting theirs. */
function collect<T, R>(evaluator: Evaluation, items: readonly T[], compute: (item: T) => R): R[] {
  const results: R[] = [];
  evaluator.requireComplete(() => {
    for (const item of items) evaluator.attempt(() => results.push(compute(item)));
  });
  return results;
}

function computeCells(
  evaluator: Evaluation,
  { axes }: CompiledQuery,
  tuples: readonly TupleSet[],
  readers: readonly CellPropertyReader[],
  formatCell: CellText,
): readonly Cell[] {
  const compute = (axis: number): readonly Cell[] => {
    const calc = axes[axis]?.calc;
    const set = tuples[axis];
    if (calc === undefined || set === undefined) return [computeCell(evaluator, readers, formatCell)];
    if (axis === 0 && set.length < MAX_ROW_AT_ONCE && tuples.length > 1) {
      const row: Cell[] = [];
      evaluator.iterate(calc, set, () => row.push(computeCell(evaluator, readers, formatCell)));
      return row;
    }
    return evaluator.iterateResumable(
      calc,
      calc,
      () => set,
      (): Cell[] => [],
      (cells) => {
        for (const cell of compute(axis - 1)) cells.push(cell);
      },
    ).gathered;
  };
  return compute(tuples.length - 1);
}

function computeCell(evaluator: Evaluation, readers: readonly CellPropertyReader[], formatCell: CellText): Cell {
  const cell = computeValue(evaluator, formatCell);
  if (readers.length === 0 && cell.error === undefined)
    return { value: cell.value, formatted: cell.formatted, properties: NO_PROPERTIES };
  return { ...cell, properties: readers.map(({ read }) => read(evaluator, cell)) };
}

function computeValue(evaluator: Evaluation, formatCell: CellText): Omit<Cell, 'properties'> {
  try {
    const value = evaluator.value();
    return { value, formatted: value === null ? emptyCellText(evaluator, formatCell) : formatCell(evaluator, value) };
  } catch (error) {
    if (error instanceof DataNotLoaded) {
      evaluator.note(error);
      return { value: null, formatted: '' };
    }
    if (!(error instanceof MdxEvaluationError)) throw error;
    return { value: null, formatted: `#ERR: ${error.name}: ${error.message}`, error: error.message };
  }
}

/**
 * Formats an empty cell, for which a format may have a section. If the format cannot be computed, the text is empty.
 */
function emptyCellText(evaluator: Evaluation, formatCell: CellText): string {
  try {
    return formatCell(evaluator, null);
  } catch (error) {
    if (!(error instanceof MdxEvaluationError)) throw error;
    return '';
  }
}

function valuesOf(
  evaluator: Evaluation,
  properties: readonly MemberPropertyColumn[],
  tuples: TupleSet,
): readonly (readonly (readonly Value[])[])[] {
  if (properties.length === 0) return [];
  return tuples.map((tuple) =>
    evaluator.at(tuple, () => tuple.map((member) => properties.map(({ read }) => read(member, evaluator)))),
  );
}

/** Removes tuples without a value from NON EMPTY axes, and numbers the cells. */
async function shape(
  cube: RuntimeCube,
  { axes }: CompiledQuery,
  slicer: TupleSet | undefined,
  tuples: readonly TupleSet[],
  cells: readonly Cell[] | CellColumns,
  readers: readonly CellPropertyReader[],
): Promise<CellSet> {
  const ordinals = readers.flatMap(({ name }, index) => (name === 'CELL_ORDINAL' ? [index] : []));
  const sizes = tuples.map(({ length }) => length);
  const before = (axis: number) => sizes.slice(0, axis).reduce((size, length) => size * length, 1);
  const isFilled = contentOf(cells);
  const kept: KeptPositions[] = [];
  for (const [axis, { length }] of tuples.entries()) {
    const counts = axes[axis]?.nonEmpty === true ? counting(cube, axis, tuples, before) : undefined;
    kept.push(
      counts &&
        (await filledPositions(cells.length, before(axis), length, (index) => isFilled(index) && counts(index))),
    );
  }
  const shaped = {
    slicer,
    axes: tuples.map((set, axis) => ({
      hierarchies: (axes[axis]?.calc.type.element ?? []).flatMap(({ hierarchy }) => hierarchy?.uniqueName ?? []),
      tuples: tuplesAt(set, kept[axis]),
      memberProperties: (axes[axis]?.properties ?? []).map(({ name }) => name),
      memberValues: [],
    })),
    cellProperties: readers.map(({ name }) => name),
  };
  const indices = keptCells(sizes, kept);
  if (cells instanceof CellColumns && ordinals.length === 0) {
    const [values, formatted] = [await itemsAt(cells.values, indices), await itemsAt(cells.formatted, indices)];
    return cellSetOf({ ...shaped, columns: new CellColumns(values, formatted) });
  }
  const result = await itemsAt(cells instanceof CellColumns ? cells.cells() : cells, indices);
  return {
    ...shaped,
    cells: ordinals.length === 0 ? result : result.map((cell, ordinal) => numbered(cell, ordinals, ordinal)),
  };
}

/** Returns the test whether a cell has a value or an error. */
function contentOf(cells: readonly Cell[] | CellColumns): (index: number) => boolean {
  if (cells instanceof CellColumns) return (index) => cells.values[index] !== null;
  return (index) => {
    const cell = cells[index];
    return cell !== undefined && (cell.value !== null || cell.error !== undefined);
  };
}

function tuplesAt(set: TupleSet, positions: KeptPositions): TupleSet {
  return positions === undefined ? set : Array.from(positions, (position): Tuple => set[position] ?? []);
}

/** Returns the test whether a cell keeps its position on a NON EMPTY axis; see `measuresIndependentOf`. */
function counting(
  cube: RuntimeCube,
  axis: number,
  tuples: readonly TupleSet[],
  before: (axis: number) => number,
): (index: number) => boolean {
  const hierarchies = tuples[axis]?.[0]?.map(({ hierarchy }) => hierarchy) ?? [];
  const other = tuples.findIndex((set) => measuresOn(set) !== undefined);
  const measures = measuresOn(tuples[other] ?? []);
  if (measures === undefined || other === axis) return () => true;
  const nothing = measuresIndependentOf(hierarchies, measures, cube);
  if (nothing.size === 0) return () => true;
  const stride = before(other);
  return (index) => {
    const measure = measures[Math.floor(index / stride) % measures.length];
    return measure === undefined || !nothing.has(measure);
  };
}

/** Sets the ordinal of a cell, its index in the result. */
function numbered(cell: Cell, ordinals: readonly number[], ordinal: number): Cell {
  return { ...cell, properties: cell.properties.map((value, index) => (ordinals.includes(index) ? ordinal : value)) };
}
