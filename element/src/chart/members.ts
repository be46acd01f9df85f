import { memberKey } from '../api/member-key.ts';
import type { Answer } from '../api/parse-answer.ts';

const membersByRows = new WeakMap<Answer['rows'], Map<number, ReadonlyMap<string, number>>>();

/** Returns the members of a dimension, each with its first row, in a stable order: parts and periods by value, others as they appear. */
export function listMembers({ rows, columns }: Answer, position: number): ReadonlyMap<string, number> {
  const byPosition = membersByRows.get(rows) ?? new Map<number, ReadonlyMap<string, number>>();
  membersByRows.set(rows, byPosition);
  const known = byPosition.get(position);
  if (known !== undefined) return known;
  const members = new Map<string, number>();
  rows.forEach((row, index) => {
    const key = memberKey(row[position]);
    if (!members.has(key)) members.set(key, index);
  });
  const column = columns[position];
  const isOrdered = column?.labels !== undefined || /^(date|timestamp|integer)/.test(column?.dataType ?? '');
  const sorted = isOrdered ? new Map([...members].sort(([a, x], [b, y]) => compare(a, b, x, y))) : members;
  byPosition.set(position, sorted);
  return sorted;

  function compare(a: string, b: string, x: number, y: number): number {
    const [left, right] = [rows[x]?.[position]?.number, rows[y]?.[position]?.number];
    return left !== undefined && right !== undefined ? left - right : a < b ? -1 : a > b ? 1 : 0;
  }
}

/** Returns some rows of an answer, in this order. */
export function pickRows({ rows }: Answer, places: readonly number[]): Answer['rows'] {
  return places.flatMap((place) => {
    const row = rows[place];
    return row === undefined ? [] : [row];
  });
}
