import type { DuckDBConnection } from '@duckdb/node-api';

const REPEAT_MS = 10;

/**
 * Runs `work` on a connection that is interrupted when the signal is aborted. DuckDB forgets an interrupt that comes before the statement has
 * begun (it may wait for a thread of Node's pool), so it is repeated until the work has ended.
 */
export async function interruptible<T>(
  connection: DuckDBConnection,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  let repeating: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    connection.interrupt();
    repeating = setInterval(() => connection.interrupt(), REPEAT_MS);
  };
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener('abort', interrupt);
    clearInterval(repeating);
  }
}
