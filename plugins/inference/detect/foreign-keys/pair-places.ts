/** The pairs of columns that are worth looking up, as places in a profile: plain data that can be handed from thread to thread. Pure. */
import { MAX_REFERENCED_ROWS, MAX_REFERENCES } from '../../limits.ts';
import type { Table } from '../../schemas.ts';
import { type ColumnView, viewTables } from '../column-views.ts';
import { candidates, compositeCandidates } from './column-pairs.ts';
import { FULL_COVERAGE, pairConfidence, settlingCoverage } from './confidence.ts';

/** Places of columns: of the table in the profile, and of each column in the table. */
export interface KeySide {
  readonly table: number;
  readonly columns: readonly number[];
}

export interface KeyPair {
  readonly from: KeySide;
  readonly to: KeySide;
  /** The coverage from which nothing else need be looked up for its column; `undefined` where it is looked up only if nothing settled it. */
  readonly settles: number | undefined;
  /** True where the table declares it as a foreign key. */
  readonly isDeclared?: true;
}

/**
 * Returns the pairs to look up, pairs with similar names first, as a large schema has more than can be looked up.
 * Leaves out pairs that would be no key even if all values were found.
 */
export function findKeyPairs(tables: readonly Table[]): readonly KeyPair[] {
  const views = viewTables({ tables });
  const places = new Map(views.map((view, place) => [view, place] as const));
  const sideOf = (columns: readonly ColumnView[]): KeySide => ({
    table: columns[0] === undefined ? -1 : (places.get(columns[0].table) ?? -1),
    columns: columns.map(({ position }) => position),
  });
  const single = candidates(views, true)
    .filter(({ from, to, nameEvidence }) => pairConfidence(from, to, nameEvidence, 1) !== undefined)
    .toSorted((left, right) => right.nameEvidence - left.nameEvidence)
    .map(({ from, to, nameEvidence }) => ({
      from: [from],
      to: [to],
      settles: settlingCoverage(from, to, nameEvidence),
    }));
  return [
    ...compositeCandidates(views).map(({ from, to }) => ({ from, to, settles: FULL_COVERAGE })),
    ...single.filter(({ settles }) => settles !== undefined),
    ...single.filter(({ settles }) => settles === undefined),
  ]
    .filter(({ to }) => (to[0]?.table.rows ?? 0) <= MAX_REFERENCED_ROWS)
    .slice(0, MAX_REFERENCES)
    .map(({ from, to, settles }) => ({ from: sideOf(from), to: sideOf(to), settles }));
}
