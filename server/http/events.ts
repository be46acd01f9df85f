import { once } from 'node:events';
import type { Response } from 'express';
import type { ServerEvent } from '../../router/operation.ts';

/** Time without data after which a comment is sent, so that no proxy closes the connection. */
const KEEP_ALIVE_MS = 15_000;

/** Sends server-sent events as they arrive, until they end or the caller leaves. */
export async function sendEvents(response: Response, events: AsyncIterable<ServerEvent>): Promise<void> {
  // Compression and proxies would buffer events.
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
        // A disconnected caller reads no more.
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
      }
    }
    response.end();
  } finally {
    clearInterval(keepAlive);
  }
}
