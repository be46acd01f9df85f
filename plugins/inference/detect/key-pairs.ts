/** The pairs of columns that are worth looking up, as places in a profile: plain data that can be handed from thread to thread. Pure. */
import { MAX_REFERENCED_ROWS, MAX_REFERENCES } from '../limits.ts';
import type { Table } from '../schemas.ts';
import { type ColumnView, viewOf } from './columns.ts';
import { candidates, compositeCandidates } from './key-candidates.ts';

/** Places of columns: of the table in the profile, and of each column in the table. */
export interface KeySide {
  readonly table: number;
  readonly columns: readonly number[];
}

export interface KeyPair {
  readonly from: KeySide;
  readonly to: KeySide;
}

/** Returns what is looked up of a profile: what names speak for first, as of a large schema not everything is. */
export function keyPairsOf(tables: readonly Table[]): readonly KeyPair[] {
  const views = viewOf({ tables });
  const places = new Map(views.map((view, place) => [view, place] as const));
  const sideOf = (columns: readonly ColumnView[]): KeySide => ({
    table: columns[0] === undefined ? -1 : (places.get(columns[0].table) ?? -1),
    columns: columns.map(({ position }) => position),
  });
  return [
    ...compositeCandidates(views),
    ...candidates(views, true)
      .toSorted((left, right) => right.nameEvidence - left.nameEvidence)
      .map(({ from, to }) => ({ from: [from], to: [to] })),
  ]
    .filter(({ to }) => (to[0]?.table.rows ?? 0) <= MAX_REFERENCED_ROWS)
    .slice(0, MAX_REFERENCES)
    .map(({ from, to }) => ({ from: sideOf(from), to: sideOf(to) }));
}
