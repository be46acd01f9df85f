import { setTimeout as delay } from 'node:timers/promises';
import type { Connector } from './connect.ts';

const REPEAT_MS = 100;

/**
 * Stops the statement of a server process, from another connection, until it has `ended`: a cancel that arrives before
 * the statement is lost. The caller must not use the cancelled connection before this resolves, or the cancel would
 * hit the next statement.
 */
export async function cancelUntil(ended: AbortSignal, processId: number, connector: Connector): Promise<void> {
  const client = await connector.connect();
  const end = new Promise<void>((resolve) => ended.addEventListener('abort', () => resolve(), { once: true }));
  try {
    while (!ended.aborted) {
      await client.query('SELECT pg_cancel_backend($1::int)', [processId]);
      if (!ended.aborted) await Promise.race([end, delay(REPEAT_MS)]);
    }
  } finally {
    client.end().catch(() => undefined); // The end of the connection is not awaited: the statement has ended, or the error above reports more.
  }
}
