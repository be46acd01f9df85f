import type pg from 'pg';
import type { Log } from '../../../router/capabilities/log.ts';
import type { Run } from '../driver.ts';
import type { Lease } from '../pool.ts';
import { cancelUntil } from './cancel.ts';
import type { Connector } from './connect.ts';
import { beginReading, endReading, type Session } from './session.ts';

/** Time by which the server's own limit exceeds the product's, because the product's error is better. */
const SERVER_LIMIT_AFTER_MS = 1000;

/** The transaction of one statement, on a leased connection. */
export interface Transaction {
  readonly client: pg.Client;
  /** Runs a step on the server; an abort of the statement's signal cancels it there. */
  step<T>(work: () => Promise<T>): Promise<T>;
  /** Returns the connection in a clean state, or closes it. May be called again. Never rejects. */
  end(): Promise<void>;
}

export async function beginStatement(
  lease: Lease<Session>,
  connector: Connector,
  searchPath: readonly string[],
  run: Run,
  log: Log,
): Promise<Transaction> {
  const { signal } = run;
  const { client } = lease.connection;
  let processId: number;
  try {
    processId = await beginReading(lease.connection, searchPath, run.timeoutMs + SERVER_LIMIT_AFTER_MS);
  } catch (error) {
    lease.release('broken');
    throw error;
  }

  let cancelling: Promise<void> | undefined;
  let ended: Promise<void> | undefined;

  async function step<T>(work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const done = new AbortController();
    const cancel = (): void => {
      cancelling = cancelUntil(done.signal, processId, connector).catch((error: unknown) => {
        log.warn({ err: error }, 'A PostgreSQL statement could not be cancelled; its connection is closed');
        lease.release('broken');
      });
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await work();
    } finally {
      done.abort();
      signal.removeEventListener('abort', cancel);
    }
  }

  async function finish(): Promise<void> {
    // A cancel that is still under way would hit the next statement of this connection.
    await cancelling;
    try {
      await endReading(lease.connection);
      lease.release();
    } catch (error) {
      log.debug({ err: error }, 'A PostgreSQL connection is closed because its transaction could not be ended');
      lease.release('broken');
    }
  }

  return {
    client,
    step,
    end() {
      ended ??= finish();
      return ended;
    },
  };
}
