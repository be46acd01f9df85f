import type { RuntimeCube } from '../cube/cube.ts';
import { withoutContained } from '../evaluate/contained-tuples.ts';
import { storedParts } from '../evaluate/parent-child.ts';
import { MAX_SUBSELECT_TUPLES } from '../limits.ts';
import type { Member, Tuple, TupleSet } from '../metadata/member.ts';
import type { Select, Subselect } from '../syntax/ast.ts';
import { MdxError, MdxLimitError, type Position } from '../syntax/errors.ts';

/** Queries in the place of a cube's name: `SELECT … FROM (SELECT … FROM [Sales])`. */

/** Returns the query that yields the tuples of a subselect: its axes and its slicer, asked of what is inside of it. */
export function queryOf(query: Select, { axes, slicer }: Subselect): Select {
  return { ...query, formulas: [], axes, slicer, subselects: [], cellProperties: [] };
}

/** The tuples of an axis of a subselect, or of its slicer. */
export interface SubselectSet {
  readonly tuples: TupleSet;
  readonly position: Position;
}

/**
 * Returns the part of a cube that the sets of a subselect leave: rows in one tuple of each, and their members with those above and below.
 *
 * @throws MdxError where a set has a calculated member: of no row it can be said whether it is in there
 */
export function subcubeOf(cube: RuntimeCube, sets: readonly SubselectSet[]): RuntimeCube {
  const members = new Map<number, readonly Member[]>();
  const rows: TupleSet[] = [];
  for (const { tuples, position } of sets) {
    checkTuples(tuples, position);
    for (const set of factorsOf(tuples)) {
      for (const projected of projectionsOf(set)) {
        const [first] = projected;
        if (first !== undefined) members.set(first.hierarchy.ordinal, projected);
      }
      rows.push(storedTuples(set));
    }
  }
  const key = sets.map(({ tuples }) => tuples.map((tuple) => tuple.map(({ id }) => id).join()).join(' ')).join('|');
  return cube.within({ rows: rows.filter(restricts), members }, key);
}

function checkTuples(tuples: TupleSet, position: Position): void {
  if (tuples.length > MAX_SUBSELECT_TUPLES) {
    throw new MdxLimitError(
      `A query in FROM names ${tuples.length} tuples; the limit is ${MAX_SUBSELECT_TUPLES}.`,
      position,
    );
  }
  for (const tuple of tuples) {
    const calculated = tuple.find(({ kind }) => kind === 'calculated');
    if (calculated !== undefined) {
      throw new MdxError(
        `'${calculated.uniqueName}' is a calculated member; a query in FROM takes stored members.`,
        position,
      );
    }
  }
}

/** Takes a set that is a whole product apart into one set for each hierarchy: as conditions these are far shorter. */
function factorsOf(tuples: TupleSet): readonly TupleSet[] {
  const projections = projectionsOf(tuples);
  const size = projections.reduce((product, { length }) => product * length, 1);
  const distinct = new Set(tuples.map((tuple) => tuple.map(({ id }) => id).join())).size;
  return projections.length > 1 && size === distinct
    ? projections.map((members) => members.map((member) => [member]))
    : [tuples];
}

/** Returns the members of each place of the tuples, each once. */
function projectionsOf(tuples: TupleSet): readonly (readonly Member[])[] {
  return (tuples[0] ?? []).map((_, place) => [...new Set(tuples.flatMap((tuple) => tuple.slice(place, place + 1)))]);
}

/** Returns the tuples as the warehouse knows their rows: without measures, and with own data in the place of totals made here. */
function storedTuples(tuples: TupleSet): TupleSet {
  const stored = tuples.map((tuple) => tuple.filter(({ hierarchy }) => !hierarchy.isMeasures));
  return withoutContained(stored).flatMap((tuple) =>
    tuple.reduce<readonly Tuple[]>(
      (rows, member) => rows.flatMap((row) => storedParts(member).map((part) => [...row, part])),
      [[]],
    ),
  );
}

/** Returns whether a set of tuples leaves any row out: no tuples do, one that is everything does not. */
function restricts(tuples: TupleSet): boolean {
  return !tuples.some((tuple) => tuple.every(({ kind }) => kind === 'all'));
}
