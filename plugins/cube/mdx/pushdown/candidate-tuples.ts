import { setImmediate as nextTurn } from 'node:timers/promises';
import { cooperativeSort } from '../../../../router/cooperative-sort.ts';
import type * as model from '../../schema/model.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import { isRolledUpHere } from '../evaluate/parent-child.ts';
import { CANDIDATE_ROWS_BATCH, MAX_LISTED_TUPLES } from '../limits.ts';
import { DataNotLoaded, whenLoaded } from '../loading/data-not-loaded.ts';
import type { FactGroup } from '../metadata/fact-group.ts';
import type { MeasureArithmetic } from '../metadata/measure-arithmetic.ts';
import type { Hierarchy, Member, Tuple, TupleSet } from '../metadata/member.ts';
import { compareInHierarchy } from '../metadata/navigate.ts';
import type { Top } from '../sql/arithmetic-ranking.ts';
import { type CombinationQuery, combinationStatement, type Having } from '../sql/combination-statement.ts';
import type { Grain } from '../sql/fact-from-clause.ts';
import { keyText, pathKey } from '../sql/key-text.ts';
import type { CellReader } from '../storage/cell-reader.ts';
import { MdxLimitError } from '../syntax/errors.ts';
import { type LevelPart, levelsOf, type SetPart } from './set-shape.ts';

/**
 * A request for the tuples of a large set that a function may choose. The warehouse returns at least all of these
 * tuples, in the order of the set. The caller then tests each tuple itself, so the result is the same as for the whole
 * set. By then the values that decide are in memory.
 */
export interface PushdownRequest {
  /** A tuple at which all of these measures are empty is not needed. */
  readonly measures: readonly model.Measure[];
  readonly having?: readonly Having[] | undefined;
  readonly top?: Top | undefined;
  /** Hierarchies in which the current member is ignored. */
  readonly free?: ReadonlySet<Hierarchy> | undefined;
}

const MEMBERS = '\u0002';

/**
 * Returns the tuples that the warehouse finds, or `undefined` if its answer would not be exact.
 *
 * @throws DataNotLoaded until the warehouse has answered
 */
export function candidateTuples(
  evaluator: Evaluator,
  parts: readonly SetPart[],
  request: PushdownRequest,
): TupleSet | undefined {
  const { cube } = evaluator;
  if (!cube.pushdown || evaluator.overlaid || evaluator.predicates.length > 0) return undefined;
  const groups = new Set(request.measures.map(({ group }) => cube.groups.get(group)));
  if (groups.size === 0 || (request.top !== undefined && groups.size > 1)) return undefined;
  const results: PushdownResult[] = [];
  for (const group of groups) {
    const context = group === undefined ? undefined : contextFor(evaluator, group, parts, request.free ?? new Set());
    if (group === undefined || context === undefined) return undefined;
    results.push(candidateRows(evaluator, group, parts, context, request));
  }
  const [only] = results;
  const rows =
    results.length === 1 && only !== undefined ? only.rows : [...new Set(results.flatMap((each) => each.rows))];
  const levels = parts.flatMap((part) => (part.kind === 'level' ? [part] : []));
  return levels.length === parts.length && rows.length > CANDIDATE_ROWS_BATCH
    ? tuplesInTurns(evaluator, results.map(({ key }) => key).join(' '), levels, rows)
    : tuplesOf(parts, rows);
}

/** Combinations of cell keys, with the key of their query. */
interface PushdownResult {
  readonly key: string;
  readonly rows: readonly string[];
}

/** Returns the current members that restrict the facts; `undefined` if a member does more than restrict rows. */
function contextFor(
  evaluator: Evaluator,
  group: FactGroup,
  parts: readonly SetPart[],
  free: ReadonlySet<Hierarchy>,
): readonly Member[] | undefined {
  const levels = levelsOf(parts);
  const partHierarchies = new Set(levels.map(({ hierarchy }) => hierarchy));
  if (partHierarchies.size < levels.length || levels.some((level) => !group.reachesLevel(level))) return undefined;
  const restricting: Member[] = [];
  for (const member of evaluator.context) {
    const { hierarchy } = member;
    if (hierarchy.isMeasures || partHierarchies.has(hierarchy) || free.has(hierarchy)) {
      if (free.has(hierarchy) && evaluator.cube.restricted && !hierarchy.isMeasures && !hierarchy.members.isPlain)
        return undefined;
      continue;
    }
    if (member.kind !== 'all' && member.kind !== 'stored') return undefined;
    if (isRolledUpHere(member)) return undefined;
    if (evaluator.cube.restricted && hierarchy.members.rollupMembers(member) !== undefined) return undefined;
    if (member.kind === 'all') continue;
    if (group.reachesLevel(member.level)) restricting.push(member);
    else if (group.reaches(hierarchy)) return undefined;
    else if (member !== hierarchy.defaultMember && !group.model.ignoreUnrelatedDimensions) return undefined;
  }
  return restricting;
}

function candidateRows(
  evaluator: Evaluator,
  group: FactGroup,
  parts: readonly SetPart[],
  context: readonly Member[],
  request: PushdownRequest,
): PushdownResult {
  const { cube, cells } = evaluator;
  const grains: readonly Grain[] = levelsOf(parts).map((level) => ({ level, data: false }));
  const measures = request.measures.filter((measure) => measure.group === group.name);
  const query: CombinationQuery = {
    group,
    grains,
    measures,
    restrictions: [...(context.length === 0 ? [] : [[context]]), ...parts.flatMap(restrictionOf)],
    having: request.having ?? [],
    top: request.top,
  };
  const key = combinationQueryKey(cells.scope, query);
  const keptRows = cells.nonEmptyTuples(key);
  if (keptRows !== undefined) return { key, rows: keptRows };
  // A statement that ignores some current members has not computed the cells at the context.
  const seeds = request.free === undefined || request.free.size === 0 ? [...evaluator.context] : undefined;
  throw new DataNotLoaded(`combinations ${key}`, async (signal) => {
    const { statement, widths } = combinationStatement(cube.warehouse.dialect, query);
    const rows: string[] = [];
    const load = async (inner: AbortSignal) => {
      cells.store.statements++;
      const result = await cube.warehouse.query(statement, { signal: inner, maxRows: evaluator.limits.cells });
      if (result.truncated) throw new MdxLimitError(`A set has more than ${evaluator.limits.cells} tuples with data.`);
      const seed = seeds === undefined ? undefined : cells.prefetch(group, seeds, grains);
      const first = widths.reduce((sum, width) => sum + width, 0);
      for (let row = 0; row < result.rowCount; row++) {
        if (row > 0 && row % CANDIDATE_ROWS_BATCH === 0) await nextTurn();
        let column = 0;
        const members = widths.map((width) =>
          pathKey(Array.from({ length: width }, () => keyText(result.values[column++]?.[row] ?? null))),
        );
        rows.push(members.join(MEMBERS));
        for (const [index, measure] of measures.entries())
          seed?.set(members, measure, result.values[first + index]?.[row] ?? null);
      }
      seed?.keep();
      cells.keepNonEmptyTuples(key, rows);
    };
    await cells.store.flights.run(key, signal, load);
    const shared = cells.store.nonEmptyTuples(key);
    if (rows.length === 0 && shared !== undefined) cells.keepNonEmptyTuples(key, shared);
  });
}

function restrictionOf(part: SetPart): readonly TupleSet[] {
  if (part.kind === 'level') return part.within === undefined ? [] : [[[part.within]]];
  return part.tuples.length > MAX_LISTED_TUPLES ? [] : [part.tuples];
}

function combinationQueryKey(
  scope: string,
  { group, grains, measures, restrictions, having, top }: CombinationQuery,
): string {
  return JSON.stringify([
    'combinations',
    scope,
    group.name,
    grains.map(({ level }) => level.uniqueName),
    measures.map(({ name }) => name),
    restrictions.map((tuples) => tuples.map((tuple) => tuple.map(({ id }) => id))),
    having.map(({ measure, op, value }) => [measure.name, op, value]),
    top === undefined ? null : [arithmeticKey(top.by), top.count, top.direction],
  ]);
}

function arithmeticKey(value: MeasureArithmetic): unknown {
  if (value.kind === 'measure') return value.measure.name;
  if (value.kind === 'number') return value.value;
  return [value.operator, arithmeticKey(value.left), arithmeticKey(value.right)];
}

/** Large sets by query, so that a repeated evaluation finds them. */
const TUPLES_BY_QUERY = new WeakMap<CellReader, Map<string, TupleSet>>();

/** Returns the combinations of whole levels. Builds them in turns, so that other work of the process can run. */
function tuplesInTurns(
  { cells }: Evaluator,
  key: string,
  parts: readonly LevelPart[],
  rows: readonly string[],
): TupleSet {
  const tuplesByQuery = TUPLES_BY_QUERY.get(cells) ?? new Map<string, TupleSet>();
  TUPLES_BY_QUERY.set(cells, tuplesByQuery);
  const keptTuples = tuplesByQuery.get(key);
  if (keptTuples !== undefined) return keptTuples;
  throw new DataNotLoaded(`tuples ${key}`, async (signal) => {
    const [single] = parts;
    if (parts.length === 1 && single !== undefined) {
      const members = await whenLoaded(() => single.level.hierarchy.members.byCellKeys(single.level, rows), signal);
      await nextTurn();
      const sorted = await cooperativeSort(members, compareInHierarchy);
      tuplesByQuery.set(
        key,
        sorted.map((member) => [member]),
      );
      return;
    }
    const columns: string[][] = parts.map(() => []);
    for (const [index, row] of rows.entries()) {
      if (index % CANDIDATE_ROWS_BATCH === CANDIDATE_ROWS_BATCH - 1) await nextTurn();
      for (const [place, part] of row.split(MEMBERS).entries()) columns[place]?.push(part);
    }
    const members: ReadonlyMap<string, Member>[] = [];
    for (const [place, { level }] of parts.entries()) {
      const keys = [...new Set(columns[place])];
      const levelMembers = await whenLoaded(() => level.hierarchy.members.byCellKeys(level, keys), signal);
      members.push(new Map(levelMembers.map((member) => [member.cellKey, member])));
      await nextTurn();
    }
    const tuples: Tuple[] = [];
    for (let index = 0; index < rows.length; index++) {
      if (index % CANDIDATE_ROWS_BATCH === CANDIDATE_ROWS_BATCH - 1) await nextTurn();
      const tuple = members.flatMap((byCellKey, place) => byCellKey.get(columns[place]?.[index] ?? '') ?? []);
      if (tuple.length === parts.length) tuples.push(tuple);
    }
    tuplesByQuery.set(key, await cooperativeSort(tuples, compareTuples));
  });
}

function compareTuples(left: Tuple, right: Tuple): number {
  for (const [place, member] of left.entries()) {
    const other = right[place];
    const order = other === undefined ? 1 : compareInHierarchy(member, other);
    if (order !== 0) return order;
  }
  return 0;
}

/** Returns the rows as tuples in the order of the product. Rows that are not tuples of the product are left out. */
function tuplesOf(parts: readonly SetPart[], rows: readonly string[]): TupleSet {
  const [only] = parts;
  if (parts.length === 1 && only?.kind === 'level') {
    const members = only.level.hierarchy.members.byCellKeys(only.level, rows);
    return members.toSorted(compareInHierarchy).map((member) => [member]);
  }
  const keys = rows.map((row) => row.split(MEMBERS));
  const choices: ((key: readonly string[]) => readonly TupleCandidate[])[] = [];
  let place = 0;
  for (const part of parts) {
    const at = place;
    if (part.kind === 'level') {
      const cellKeys = new Set(keys.map((key) => key[at] ?? ''));
      const members = new Map(
        part.level.hierarchy.members.byCellKeys(part.level, [...cellKeys]).map((member) => [member.cellKey, member]),
      );
      choices.push((key) => {
        const member = members.get(key[at] ?? '');
        return member === undefined ? [] : [{ tuple: [member], order: 0 }];
      });
      place += 1;
    } else {
      const index = new Map<string, TupleCandidate[]>();
      for (const [order, tuple] of part.tuples.entries()) {
        const key = tuple.map(({ cellKey }) => cellKey).join(MEMBERS);
        const same = index.get(key);
        if (same === undefined) index.set(key, [{ tuple, order }]);
        else same.push({ tuple, order });
      }
      const width = part.levels.length;
      choices.push((key) => index.get(key.slice(at, at + width).join(MEMBERS)) ?? []);
      place += width;
    }
  }
  const combinationsOfRows: (readonly TupleCandidate[])[] = [];
  for (const key of keys) {
    let combinations: readonly (readonly TupleCandidate[])[] = [[]];
    for (const choose of choices) {
      const chosen = choose(key);
      combinations = combinations.flatMap((left) => chosen.map((right) => [...left, right]));
    }
    for (const combination of combinations) combinationsOfRows.push(combination);
  }
  combinationsOfRows.sort((left, right) => {
    for (const [index, one] of left.entries()) {
      const other = right[index];
      if (other === undefined) return 1;
      const order =
        parts[index]?.kind === 'listed' ? one.order - other.order : compareSingleMembers(one.tuple, other.tuple);
      if (order !== 0) return order;
    }
    return 0;
  });
  return combinationsOfRows.map((combination) => combination.flatMap(({ tuple }) => tuple));
}

interface TupleCandidate {
  readonly tuple: Tuple;
  /** The index in a listed part. */
  readonly order: number;
}

function compareSingleMembers([left]: Tuple, [right]: Tuple): number {
  return left === undefined || right === undefined ? 0 : compareInHierarchy(left, right);
}
