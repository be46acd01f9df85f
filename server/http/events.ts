import { once } from 'node:events';
import type { Response } from 'express';
import type { ServerEvent } from '../../router/operation.ts';

/** How long nothing may be sent before a comment is, so that no proxy takes the connection for dead. */
const KEEP_ALIVE_MS = 15_000;

/** Sends server-sent events as they arrive, until they end or the caller leaves. */
export async function sendEvents(response: Response, events: AsyncIterable<ServerEvent>): Promise<void> {
  // Compression and proxies would hold events back until enough of them have come.
  response.set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store, no-transform',
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
  const keepAlive = setInterval(() => response.write(':\n\n'), KEEP_ALIVE_MS);
  try {
    for await (const { event, data } of events) {
      if (response.destroyed) return;
      keepAlive.refresh();
      if (!response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)) {
        // A caller that has left drains no more.
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
      }
    }
    response.end();
  } finally {
    clearInterval(keepAlive);
  }
}
