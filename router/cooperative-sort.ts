import { setImmediate as nextTurn } from 'node:timers/promises';

/** Items sorted or merged between two yields. */
const SORT_BATCH = 4_000;

/** Sorts items, keeps the order of equal ones, and yields to the event loop between batches. */
export async function cooperativeSort<T extends object>(
  items: readonly T[],
  compare: (left: T, right: T) => number,
): Promise<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let from = 0; from < items.length; from += SORT_BATCH) {
    runs.push(items.slice(from, from + SORT_BATCH).sort(compare));
    await nextTurn();
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let index = 0; index < runs.length; index += 2)
      merged.push(await mergedOf(runs[index] ?? [], runs[index + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergedOf<T extends object>(
  left: readonly T[],
  right: readonly T[],
  compare: (left: T, right: T) => number,
): Promise<readonly T[]> {
  if (right.length === 0) return left;
  const merged: T[] = [];
  let [at, other] = [0, 0];
  while (at < left.length || other < right.length) {
    if (merged.length % SORT_BATCH === SORT_BATCH - 1) await nextTurn();
    const [one, two] = [left[at], right[other]];
    // The left one of two equal items goes first, which keeps their order.
    if (one !== undefined && (two === undefined || compare(one, two) <= 0)) {
      merged.push(one);
      at++;
    } else if (two !== undefined) {
      merged.push(two);
      other++;
    }
  }
  return merged;
}
