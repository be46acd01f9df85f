import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work may hold the event loop in one go, in milliseconds. */
const HOLD_MS = 10;

/**
 * Makes a function that long work calls now and then: it lets others have the event loop once the work has held it for
 * a while, and does nothing before that.
 *
 * @example
 * const breathe = breather();
 * for (const [at, row] of rows.entries()) {
 *   if (at % 100 === 0) await breathe();
 *   …
 * }
 */
export function breather(holdMs: number = HOLD_MS): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < holdMs) return;
    await nextTurn();
    since = performance.now();
  };
}
