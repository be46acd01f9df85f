/** Merges lists that each show a part of the members of a level into one order. */
import { cooperativeYield } from '../../../router/cooperative-yield.ts';
import { HOLD_MS, ROWS_BETWEEN_YIELDS } from '../limits.ts';

/**
 * Returns the position of each member in one order that agrees with all lists. Each list has its members in the order of
 * their level, but not every list has all members (a shop that opened in March is missing in January). Members that no list
 * compares keep the order of their appearance. Uses Kahn's algorithm on neighbours in the lists, in linear time.
 */
export async function mergedOrder(lists: Iterable<readonly string[]>): Promise<ReadonlyMap<string, number>> {
  const yieldTurn = cooperativeYield(HOLD_MS);
  const followers = new Map<string, Set<string>>();
  const before = new Map<string, number>();
  let seen = 0;
  for (const list of lists) {
    for (const [at, member] of list.entries()) {
      if (seen++ % ROWS_BETWEEN_YIELDS === 0) await yieldTurn();
      if (!followers.has(member)) followers.set(member, new Set());
      const nextMembers = followers.get(list[at - 1] ?? '');
      if (at === 0 || nextMembers === undefined || nextMembers.has(member) || list[at - 1] === member) continue;
      nextMembers.add(member);
      before.set(member, (before.get(member) ?? 0) + 1);
    }
  }
  const order = new Map<string, number>();
  // The member that became free last is next, so that a list continues where it stopped.
  const free = [...followers.keys()].filter((member) => !before.has(member)).reverse();
  for (let member = free.pop(); member !== undefined; member = free.pop()) {
    order.set(member, order.size);
    for (const follower of [...(followers.get(member) ?? [])].reverse()) {
      const left = (before.get(follower) ?? 0) - 1;
      before.set(follower, left);
      if (left === 0) free.push(follower);
    }
  }
  // Contradictory lists have no such order: the remaining members keep the order of their appearance.
  for (const member of followers.keys()) if (!order.has(member)) order.set(member, order.size);
  return order;
}
