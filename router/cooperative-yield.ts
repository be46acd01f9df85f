import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest time that work may block the event loop at once, in milliseconds. */
const HOLD_MS = 5;

/**
 * Makes a function that long work calls now and then: it lets others have the event loop once the work has held it for
 * a while, and does nothing before that.
 *
 * @example
 * const yieldTurn = cooperativeYield();
 * for (const [at, row] of rows.entries()) {
 *   if (at % 100 === 0) await yieldTurn();
 *   …
 * }
 */
export function cooperativeYield(holdMs: number = HOLD_MS): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < holdMs) return;
    await nextTurn();
    since = performance.now();
  };
}

/** Number of cheap items between two checks of the clock. */
const ITEMS_BETWEEN_CHECKS = 256;

/**
 * Makes a function that a loop over cheap items calls with the number of each step's items. Returns true once there were enough to look at the
 * clock: a promise for each step would cost more than its items.
 *
 * @example
 * const yieldTurn = cooperativeYield();
 * const isDue = itemCounter();
 * for (const row of rows) {
 *   if (isDue(row.length)) await yieldTurn();
 *   …
 * }
 */
export function itemCounter(itemsBetweenChecks: number = ITEMS_BETWEEN_CHECKS): (items: number) => boolean {
  let waiting = 0;
  return (items) => {
    waiting += items;
    if (waiting < itemsBetweenChecks) return false;
    waiting = 0;
    return true;
  };
}

/**
 * Returns the result of `of` for each item, in their order. Yields to the event loop between items.
 *
 * @param yieldTurn of the work that this is a part of, from `cooperativeYield()`
 * @param itemsBetweenChecks number of items between two checks of the clock: 1 where one may take a millisecond
 */
export async function cooperativeMap<Item, Result>(
  items: readonly Item[],
  yieldTurn: () => Promise<void>,
  of: (item: Item, index: number) => Result,
  itemsBetweenChecks: number = ITEMS_BETWEEN_CHECKS,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += itemsBetweenChecks) {
    if (from > 0) await yieldTurn();
    for (const [offset, item] of items.slice(from, from + itemsBetweenChecks).entries())
      results.push(of(item, from + offset));
  }
  return results;
}
