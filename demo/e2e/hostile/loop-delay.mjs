/**
 * Loaded into the product's process by the suite of hostile requests (`NODE_OPTIONS=--import`), and no part of it: tells
 * on a socket for how long the event loop was held since it was last asked, and how much memory the process has.
 */
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 5;
const socket = process.env.LOOP_DELAY_SOCKET;
// Processes that the product starts are not meant.
delete process.env.LOOP_DELAY_SOCKET;
delete process.env.NODE_OPTIONS;

if (socket !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  createServer((connection) => {
    const heldMillis = Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
    delay.reset();
    connection.end(JSON.stringify({ heldMillis, residentBytes: process.memoryUsage.rss() }));
  })
    .listen(socket)
    .unref();
}
