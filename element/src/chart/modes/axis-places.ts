import { memberKey } from '../../api/member-key.ts';
import type { Answer } from '../../api/parse-answer.ts';
import type { Formats } from '../../formats.ts';
import { listMembers, pickRows } from '../members.ts';
import { locatePoints } from '../points.ts';

/** The places of an axis of members. */
export interface AxisPlaces {
  readonly labels: readonly string[];
  /** Returns the place of a row; undefined for none. */
  readonly placeOf: (row: number) => number | undefined;
}

/**
 * Places the members of a dimension on an axis, in their stable order. `keys` has the key of each row: rows of one key share a
 * place, so two members of one name may have a place each.
 */
export function placeMembers(answer: Answer, position: number, keys: readonly string[], formats: Formats): AxisPlaces {
  const ranks = new Map([...listMembers(answer, position).keys()].map((key, rank) => [key, rank]));
  const rankOf = (row: number) => ranks.get(memberKey(answer.rows[row]?.[position])) ?? 0;
  const firsts = new Map<string, number>();
  keys.forEach((key, row) => {
    if (!firsts.has(key)) firsts.set(key, row);
  });
  const rows = [...firsts.values()].sort((a, b) => rankOf(a) - rankOf(b));
  const located = locatePoints({ ...answer, rows: pickRows(answer, rows) }, position, [], formats);
  const places = new Map(located.rows.map((row, place) => [keys[rows[row] ?? -1] ?? '', place]));
  return {
    labels: located.rows.map((_, place) => located.labels[place] ?? ''),
    placeOf: (row) => places.get(keys[row] ?? ''),
  };
}
