import type { RuntimeCube } from '../cube/cube.ts';
import { withoutContained } from '../evaluate/contained-tuples.ts';
import { storedParts } from '../evaluate/parent-child.ts';
import { MAX_SUBSELECT_TUPLES } from '../limits.ts';
import type { Member, Tuple, TupleSet } from '../metadata/member.ts';
import type { Select, Subselect } from '../syntax/ast.ts';
import { MdxError, MdxLimitError, type Position } from '../syntax/errors.ts';

/** Queries in FROM: `SELECT … FROM (SELECT … FROM [Sales])`. */

/** Returns the query that computes a subselect: its axes and its slicer, over the cube that its inner queries leave. */
export function queryOf(query: Select, { axes, slicer }: Subselect): Select {
  return { ...query, formulas: [], axes, slicer, subselects: [], cellProperties: [] };
}

/** The tuples of a subselect's axis or slicer. */
export interface SubselectSet {
  readonly tuples: TupleSet;
  readonly position: Position;
}

/**
 * Returns the part of a cube that a subselect leaves: the rows that are in a tuple of every set, and the members of
 * these tuples with their ancestors and descendants.
 *
 * @throws MdxError if a set has a calculated member, because no rows belong to it
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
        `'${calculated.uniqueName}' is a calculated member; a query in FROM takes stored members only.`,
        position,
      );
    }
  }
}

/** Splits a set that is a whole product into a set for each hierarchy, which gives far shorter conditions. */
function factorsOf(tuples: TupleSet): readonly TupleSet[] {
  const projections = projectionsOf(tuples);
  const size = projections.reduce((product, { length }) => product * length, 1);
  const distinct = new Set(tuples.map((tuple) => tuple.map(({ id }) => id).join())).size;
  return projections.length > 1 && size === distinct
    ? projections.map((members) => members.map((member) => [member]))
    : [tuples];
}

/** Returns the members at each index of the tuples, each once. */
function projectionsOf(tuples: TupleSet): readonly (readonly Member[])[] {
  return (tuples[0] ?? []).map((_, place) => [...new Set(tuples.flatMap((tuple) => tuple.slice(place, place + 1)))]);
}

/**
 * Returns the tuples as members that rows of the warehouse belong to: without measures, and with own data in place of
 * totals that the engine computes.
 */
function storedTuples(tuples: TupleSet): TupleSet {
  const stored = tuples.map((tuple) => tuple.filter(({ hierarchy }) => !hierarchy.isMeasures));
  return withoutContained(stored).flatMap((tuple) =>
    tuple.reduce<readonly Tuple[]>(
      (rows, member) => rows.flatMap((row) => storedParts(member).map((part) => [...row, part])),
      [[]],
    ),
  );
}

/** Returns whether a set of tuples leaves out any row. A tuple of all members leaves out none. */
function restricts(tuples: TupleSet): boolean {
  return !tuples.some((tuple) => tuple.every(({ kind }) => kind === 'all'));
}
