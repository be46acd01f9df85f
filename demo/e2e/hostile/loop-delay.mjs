/**
 * Loaded into the product's process by the suite of hostile requests (`NODE_OPTIONS=--import`), and no part of it: tells
 * on a socket for how long the event loop was held since it was last asked, and how much memory the process has.
 *
 * A loop that waits for a processor holds nobody up by its own doing, so where the system tells how long the thread
 * stood in the queue for one (Linux), that is taken off: the figure is about the same on a busy machine as on a quiet one.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 5;
const socket = process.env.LOOP_DELAY_SOCKET;
// Processes that the product starts are not meant.
delete process.env.LOOP_DELAY_SOCKET;
delete process.env.NODE_OPTIONS;

/** Returns the milliseconds that the main thread has waited for a processor so far; 0 where the system does not tell. */
function queuedMillis() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

if (socket !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let longestMillis = 0;
  let last = { at: performance.now(), queued: queuedMillis() };
  const look = () => {
    const now = { at: performance.now(), queued: queuedMillis() };
    longestMillis = Math.max(longestMillis, now.at - last.at - (now.queued - last.queued));
    last = now;
  };
  setInterval(look, RESOLUTION_MS).unref();
  createServer((connection) => {
    look();
    const heldMillis = Math.max(0, Math.min(delay.max / 1e6, longestMillis) - RESOLUTION_MS);
    delay.reset();
    longestMillis = 0;
    connection.end(JSON.stringify({ heldMillis, residentBytes: process.memoryUsage.rss() }));
  })
    .listen(socket)
    .unref();
}
