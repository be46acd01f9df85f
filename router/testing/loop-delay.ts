/** How long work holds the event loop, for tests of what must not. */
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const RESOLUTION_MS = 5;
const ATTEMPTS = 4;

/** Milliseconds that the loop may be held by any work: 50 on a quiet machine, 200 where other work has the cores too. */
const MAX_HELD_MS = 200;

/** Of work that a busy machine stretches, a garbage collection holds more than that; this part of the whole it never is. */
const MAX_HELD_SHARE = 0.1;

export interface Hold {
  /** Milliseconds that the loop was held in one go at most. */
  readonly heldMillis: number;
  /** Milliseconds that the work took: what it would hold the loop for if it let nobody in between. */
  readonly totalMillis: number;
}

/**
 * Returns for how long `work` held the event loop in one go: the least of some attempts, because a busy machine holds it
 * up too, though not every time. What the thread waited for a processor is taken off where the system tells it (Linux).
 */
export async function longestHold(work: () => Promise<unknown>): Promise<Hold> {
  let least = await holdOf(work);
  for (let attempt = 1; attempt < ATTEMPTS && isHeld(least); attempt++) {
    const next = await holdOf(work);
    if (next.heldMillis / next.totalMillis < least.heldMillis / least.totalMillis) least = next;
  }
  return least;
}

/** Tells whether work held the loop for longer than it may. */
export function isHeld({ heldMillis, totalMillis }: Hold): boolean {
  return heldMillis > Math.max(MAX_HELD_MS, totalMillis * MAX_HELD_SHARE);
}

/** Returns for how long `work` held the event loop in one go, waits for a processor taken off. */
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

/**
 * Returns the milliseconds that the calling thread has waited for a processor so far; 0 where the system does not
 * tell.
 */
function queuedMillis(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
