/** Measures how long work blocks the event loop, for tests of work that must not block it. */
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const RESOLUTION_MS = 5;
const ATTEMPTS = 4;

/** Maximum milliseconds that work may block the loop: 50 on a quiet machine, 200 where other processes use the cores too. */
const MAX_HELD_MS = 200;

/** Maximum share of the work's time that one block may take. On a busy machine a garbage collection exceeds `MAX_HELD_MS`, but never this share. */
const MAX_HELD_SHARE = 0.1;

export interface Hold {
  /** The longest time that the loop was blocked at once, in milliseconds. */
  readonly heldMillis: number;
  /** Milliseconds that the work took, which is the block of work that never lets the loop run. */
  readonly totalMillis: number;
}

/**
 * Measures the longest time that `work` blocks the event loop at once. Returns the best of some attempts, because a busy machine sometimes blocks the
 * loop, too. The thread's waits for a processor are subtracted where the system reports them (Linux).
 */
export async function longestHold(work: () => Promise<unknown>): Promise<Hold> {
  let least = await holdOf(work);
  for (let attempt = 1; attempt < ATTEMPTS && isHeld(least); attempt++) {
    const next = await holdOf(work);
    if (next.heldMillis / next.totalMillis < least.heldMillis / least.totalMillis) least = next;
  }
  return least;
}

/** Returns true if work blocked the loop for longer than allowed. */
export function isHeld({ heldMillis, totalMillis }: Hold): boolean {
  return heldMillis > Math.max(MAX_HELD_MS, totalMillis * MAX_HELD_SHARE);
}

/** Measures once the longest time that `work` blocks the event loop, without the thread's waits for a processor. */
export async function holdOf(work: () => Promise<unknown>): Promise<Hold> {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let longest = 0;
  let last = { at: performance.now(), queued: queuedMillis() };
  const look = (): void => {
    const now = { at: performance.now(), queued: queuedMillis() };
    longest = Math.max(longest, now.at - last.at - (now.queued - last.queued));
    last = now;
  };
  delay.enable();
  const timer = setInterval(look, RESOLUTION_MS);
  // The histogram counts from its second turn, also after a reset.
  await sleep(4 * RESOLUTION_MS);
  delay.reset();
  await sleep(4 * RESOLUTION_MS);
  look();
  longest = 0;
  const started = performance.now();
  let totalMillis = 0;
  try {
    await work();
    totalMillis = performance.now() - started;
    await sleep(2 * RESOLUTION_MS);
  } finally {
    look();
    clearInterval(timer);
    delay.disable();
  }
  return { heldMillis: Math.max(0, Math.min(delay.max / 1e6, longest) - RESOLUTION_MS), totalMillis };
}

/** Returns the milliseconds that the calling thread has waited for a processor so far; 0 where the system does not report it. */
function queuedMillis(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
