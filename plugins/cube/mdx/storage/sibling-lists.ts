import { setImmediate as nextTurn } from 'node:timers/promises';
import { SIBLINGS_BATCH } from '../limits.ts';
import type { Member } from '../metadata/member.ts';
import { compareSortKeys } from '../metadata/navigate.ts';

/**
 * Returns the key under which a parent's children are kept. The roots are kept under `undefined`, with or without an
 * all member.
 */
export function parentKey(parent: Member | undefined): Member | undefined {
  return parent?.kind === 'all' ? undefined : parent;
}

/**
 * Groups members by parent and sorts the siblings. Sets the `order` of each member to its position among its siblings.
 */
export async function siblingListsInTurns(members: Iterable<Member>): Promise<Map<Member | undefined, Member[]>> {
  const lists = new Map<Member | undefined, Member[]>();
  for (const member of members) {
    const parent = parentKey(member.treeParent);
    const siblings = lists.get(parent);
    if (siblings === undefined) lists.set(parent, [member]);
    else siblings.push(member);
  }
  let sorted = 0;
  for (const siblings of lists.values()) {
    sortSiblings(siblings);
    sorted += siblings.length;
    if (sorted < SIBLINGS_BATCH) continue;
    sorted = 0;
    await nextTurn();
  }
  return lists;
}

/** Sorts members of one parent in place by their sort keys. */
export function sortSiblings(siblings: Member[]): void {
  siblings.sort((left, right) => compareSortKeys(left, right) || left.id - right.id);
  for (const [place, member] of siblings.entries()) member.order = place;
}
