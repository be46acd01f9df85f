/**
 * Reports over a socket how long the event loop was blocked since the last question, and the memory of the process. The
 * suite of hostile requests loads it into the product's process (`NODE_OPTIONS=--import`); it is no part of the
 * product.
 *
 * A loop that waits for a processor is not blocked by its own work. Where the system reports how long the thread waited
 * for
 * one (Linux), that time is subtracted, so the figure is about the same on a busy and on a quiet machine.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 5;
const socket = process.env.LOOP_DELAY_SOCKET;
// Processes that the product starts are not measured.
delete process.env.LOOP_DELAY_SOCKET;
delete process.env.NODE_OPTIONS;

/**
 * Returns the milliseconds that the main thread has waited for a processor so far; 0 where the system does not report
 * them.
 */
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
