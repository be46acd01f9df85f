import { setImmediate as nextTurn } from 'node:timers/promises';
import { cooperativeSort } from '../../../../router/cooperative-sort.ts';
import { InternalError } from '../../../../router/errors.ts';
import type * as model from '../../schema/model.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import { isRolledUpHere } from '../evaluate/parent-child.ts';
import { MAX_LISTED_TUPLES, RESULT_ROWS_BATCH, ROWS_SORTED_BATCH } from '../limits.ts';
import { DataNotLoaded, whenLoaded } from '../loading/data-not-loaded.ts';
import type { FactGroup } from '../metadata/fact-group.ts';
import type { MeasureArithmetic } from '../metadata/measure-arithmetic.ts';
import type { Grain, Hierarchy, Member, Tuple, TupleSet } from '../metadata/member.ts';
import { compareInHierarchy } from '../metadata/navigate.ts';
import type { Top } from '../sql/arithmetic-ranking.ts';
import { type CombinationQuery, combinationStatement, type Having } from '../sql/combination-statement.ts';
import type { CellReader } from '../storage/cell-reader.ts';
import { type Combinations, measureColumns, readCombinations, unionOf } from '../storage/combinations.ts';
import { noteCombinations } from '../storage/ordered-combinations.ts';
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
  const found =
    results.length === 1 && only !== undefined
      ? only.combinations
      : unionOf(results.map(({ combinations }) => combinations));
  const levels = parts.flatMap((part) => (part.kind === 'level' ? [part] : []));
  return levels.length === parts.length && found.length > RESULT_ROWS_BATCH
    ? tuplesInTurns(evaluator, results.map(({ key }) => key).join(' '), levels, found)
    : tuplesOf(parts, found);
}

/** Combinations of cell keys, with the key of their query. */
interface PushdownResult {
  readonly key: string;
  readonly combinations: Combinations;
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
  const kept = cells.nonEmptyTuples(key);
  if (kept !== undefined) return { key, combinations: kept };
  // A statement that ignores some current members has not computed the cells at the context. It has a column for each measure.
  const ignoresMembers = [...(request.free ?? [])].some(({ isMeasures }) => !isMeasures);
  const seeds = ignoresMembers ? undefined : [...evaluator.context];
  throw new DataNotLoaded(`combinations ${key}`, async (signal) => {
    const aggregate = cube.facts.read(group, { grains, measures, predicates: query.restrictions });
    const { statement, widths } = combinationStatement(cube.warehouse.dialect, query, aggregate);
    const load = async (inner: AbortSignal) => {
      cells.store.statements++;
      const result = await cube.warehouse.query(statement, { signal: inner, maxRows: evaluator.limits.cells });
      if (result.truncated) throw new MdxLimitError(`A set has more than ${evaluator.limits.cells} tuples with data.`);
      const combinations = await readCombinations(result, widths);
      if (seeds !== undefined)
        await cells.prefetch(group, seeds, grains).store(combinations, measureColumns(result, widths, measures));
      cells.keepNonEmptyTuples(key, combinations);
    };
    await cells.store.flights.run(key, signal, load);
    // Another query may have loaded them.
    const shared = cells.store.nonEmptyTuples(key);
    if (shared !== undefined) cells.keepNonEmptyTuples(key, shared);
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

/**
 * Returns the combinations of whole levels in the order of their product. Builds them in turns, so that other work of the process can
 * run: each level is sorted once, and the combinations by the places of their members, in linear time.
 */
function tuplesInTurns(
  { cells }: Evaluator,
  key: string,
  parts: readonly LevelPart[],
  combinations: Combinations,
): TupleSet {
  const tuplesByQuery = TUPLES_BY_QUERY.get(cells) ?? new Map<string, TupleSet>();
  TUPLES_BY_QUERY.set(cells, tuplesByQuery);
  const keptTuples = tuplesByQuery.get(key);
  if (keptTuples !== undefined) return keptTuples;
  throw new DataNotLoaded(`tuples ${key}`, async (signal) => {
    const places: (readonly Member[])[] = [];
    for (const [place, { level }] of parts.entries()) {
      const keys = combinations.columns[place]?.keys ?? [];
      const found = await whenLoaded(() => level.hierarchy.members.byCellKeys(level, keys), signal);
      await nextTurn();
      places.push(await cooperativeSort(found, compareInHierarchy));
      await nextTurn();
    }
    tuplesByQuery.set(key, await orderedTuples(combinations, places));
  });
}

/** The tuples of combinations, and the members of each place of which they are made. */
const TUPLES = new WeakMap<
  Combinations,
  { readonly places: readonly (readonly Member[])[]; readonly tuples: TupleSet }
>();

/**
 * Returns the tuples of combinations in the order of the product. The last ones are kept with the combinations, as long as their members stay.
 *
 * @param places the members of each place, in their order
 */
async function orderedTuples(combinations: Combinations, places: readonly (readonly Member[])[]): Promise<TupleSet> {
  const kept = TUPLES.get(combinations);
  if (kept?.places.every((members, place) => areSame(members, places[place] ?? [])) === true) return kept.tuples;
  const columns: PlacedColumn[] = [];
  for (const [place, members] of places.entries()) {
    const { keys = [], indices = new Int32Array() } = combinations.columns[place] ?? {};
    const placeByKey = new Map(members.map(({ cellKey }, at) => [cellKey, at]));
    const placeOfKey = Int32Array.from(keys, (each) => placeByKey.get(each) ?? -1);
    columns.push({ members, places: indices.map((index) => placeOfKey[index] ?? -1) });
    await nextTurn();
  }
  let rows = await rowsOfMembers(combinations.length, columns);
  for (const column of columns.toReversed()) rows = await sortedBy(rows, column);
  const tuples = new Array<Tuple>(rows.length);
  for (let index = 0; index < rows.length; index++) {
    tuples[index] = tupleAt(columns, rows[index] ?? -1);
    if (index % RESULT_ROWS_BATCH === RESULT_ROWS_BATCH - 1) await nextTurn();
  }
  noteCombinations(tuples, { combinations, rows });
  TUPLES.set(combinations, { places, tuples });
  return tuples;
}

function areSame(left: readonly Member[], right: readonly Member[]): boolean {
  return left.length === right.length && left.every((member, index) => member === right[index]);
}

/** One place of combinations: its members in their order, and for each row the place of its member in them, or -1. */
interface PlacedColumn {
  readonly members: readonly Member[];
  readonly places: Int32Array;
}

function tupleAt(columns: readonly PlacedColumn[], row: number): Tuple {
  // An array of its final length: one that grows by one takes room for sixteen first.
  const tuple = new Array<Member>(columns.length);
  let place = 0;
  for (const { members, places } of columns) {
    const member = members[places[row] ?? -1];
    if (member === undefined) throw new InternalError('A combination has no member.');
    tuple[place++] = member;
  }
  return tuple;
}

/** Returns the rows that have a member in each place. */
async function rowsOfMembers(length: number, columns: readonly PlacedColumn[]): Promise<Int32Array> {
  const rows = new Int32Array(length);
  let count = 0;
  for (let row = 0; row < length; row++) {
    if (columns.every(({ places }) => (places[row] ?? -1) >= 0)) rows[count++] = row;
    if (row % ROWS_SORTED_BATCH === ROWS_SORTED_BATCH - 1) await nextTurn();
  }
  return rows.subarray(0, count);
}

/** Sorts rows by the members of one place, and keeps the order of rows with the same member (counting sort). */
async function sortedBy(rows: Int32Array, { members, places }: PlacedColumn): Promise<Int32Array> {
  const next = new Int32Array(members.length + 1);
  for (const row of rows) {
    const place = (places[row] ?? 0) + 1;
    next[place] = (next[place] ?? 0) + 1;
  }
  for (let place = 1; place < next.length; place++) next[place] = (next[place] ?? 0) + (next[place - 1] ?? 0);
  await nextTurn();
  const sorted = new Int32Array(rows.length);
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] ?? 0;
    const place = places[row] ?? 0;
    const at = next[place] ?? 0;
    sorted[at] = row;
    next[place] = at + 1;
    if (index % ROWS_SORTED_BATCH === ROWS_SORTED_BATCH - 1) await nextTurn();
  }
  return sorted;
}

/** Returns the rows as tuples in the order of the product. Rows that are not tuples of the product are left out. */
function tuplesOf(parts: readonly SetPart[], combinations: Combinations): TupleSet {
  const [only] = parts;
  if (parts.length === 1 && only?.kind === 'level') {
    const members = only.level.hierarchy.members.byCellKeys(only.level, combinations.columns[0]?.keys ?? []);
    return members.toSorted(compareInHierarchy).map((member) => [member]);
  }
  const keys = combinations.rows();
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
