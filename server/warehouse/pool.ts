import { onAbort } from '../../router/abort.ts';
import { WarehouseUnreachableError } from '../../router/errors.ts';
import { FairQueue } from '../fair-share/fair-queue.ts';
import { presentSharer } from '../fair-share/sharer.ts';

export interface PoolOptions<Connection> {
  /** Connections at most. */
  readonly size: number;
  /** Connections that one sharer may hold at a time; 0, or nothing, for no bound. */
  readonly perSharer?: number | undefined;
  /** Connections that are open already. */
  readonly ready?: readonly Connection[] | undefined;
  open(): Promise<Connection>;
  /** Ends a connection, whatever state it is in. Must not throw. */
  close(connection: Connection): void;
  /** Closes a connection that nobody used for so long; without it, connections stay. */
  readonly idleMs?: number | undefined;
  /** Receives the pool, for metrics of its use. */
  readonly onOpen?: ((pool: PoolGauge) => void) | undefined;
}

/** How a pool is used at the moment. */
export interface PoolUse {
  readonly size: number;
  readonly leased: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

export interface PoolGauge {
  /** `undefined` once the pool is being closed. */
  readonly use: PoolUse | undefined;
}

/** A connection that is one caller's until it is released. */
export interface Lease<Connection> {
  readonly connection: Connection;
  /**
   * Gives the connection back. `broken`: it is in no known state and is closed instead of used again. A second call
   * does nothing.
   */
  release(how?: 'broken'): void;
}

interface Waiter<Connection> {
  give(lease: Lease<Connection>): void;
  fail(error: unknown): void;
}

/**
 * Connections opened when needed, kept for the next caller. Sharers (`sharedBy`) take turns at them, each first come,
 * first served; a caller may stop waiting.
 */
export class Pool<Connection> implements PoolGauge {
  readonly #options: PoolOptions<Connection>;
  readonly #idle: { readonly connection: Connection; readonly timer: NodeJS.Timeout | undefined }[] = [];
  readonly #turns: FairQueue<Waiter<Connection>>;
  readonly #closed = deferred();
  #opening = 0;
  #leased = 0;
  #closing = false;

  constructor(options: PoolOptions<Connection>) {
    this.#options = options;
    this.#turns = new FairQueue(options.perSharer ?? 0);
    for (const connection of options.ready ?? []) this.#keep(connection);
    options.onOpen?.(this);
  }

  get use(): PoolUse | undefined {
    if (this.#closing) return undefined;
    const { size } = this.#options;
    return { size, leased: this.#leased, idle: this.#idle.length, waiting: this.#turns.waiting };
  }

  /** Rejects with the reason of `signal`, with what `open` rejects with, or because the pool is closed. */
  acquire(signal: AbortSignal): Promise<Lease<Connection>> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (this.#closing) {
        return reject(
          new WarehouseUnreachableError('The connection to this warehouse was closed. Send the query again.'),
        );
      }
      const sharer = presentSharer();
      const leave = (): void => {
        this.#turns.drop(sharer, waiter);
        reject(signal.reason);
        this.#endWhenDrained();
      };
      const waiter: Waiter<Connection> = {
        give(lease) {
          unwatch();
          resolve(lease);
        },
        fail(error) {
          unwatch();
          reject(error);
        },
      };
      const unwatch = onAbort(signal, leave);
      this.#turns.add(sharer, waiter);
      this.#serve();
    });
  }

  /** Takes an idle connection that broke out of the pool; one in use is its holder's to release as broken. */
  discard(connection: Connection): void {
    const at = this.#idle.findIndex((idle) => idle.connection === connection);
    if (at < 0) return;
    clearTimeout(this.#idle[at]?.timer);
    this.#idle.splice(at, 1);
    this.#options.close(connection);
  }

  /** Refuses new callers, serves those that wait, and ends when the last connection is closed. */
  close(): Promise<void> {
    this.#closing = true;
    this.#endWhenDrained();
    return this.#closed.promise;
  }

  #serve(): void {
    while (this.#idle.length > 0) {
      const next = this.#turns.next();
      const idle = next === undefined ? undefined : this.#idle.pop();
      if (next === undefined || idle === undefined) break;
      clearTimeout(idle.timer);
      this.#leased++;
      next.waiter.give(this.#lease(idle.connection, next.sharer));
    }
    while (this.#turns.ready > this.#opening && this.#opening + this.#leased + this.#idle.length < this.#options.size) {
      this.#opening++;
      this.#options.open().then(
        (connection) => {
          this.#opening--;
          this.#keep(connection);
        },
        (error: unknown) => {
          // No call waits, so the error needs no report: the next call opens a connection and gets its error.
          this.#opening--;
          const next = this.#turns.next();
          if (next !== undefined) this.#turns.ended(next.sharer);
          next?.waiter.fail(error);
          this.#serve();
          this.#endWhenDrained();
        },
      );
    }
  }

  #lease(connection: Connection, sharer: string): Lease<Connection> {
    let released = false;
    return {
      connection,
      release: (how) => {
        if (released) return;
        released = true;
        this.#leased--;
        this.#turns.ended(sharer);
        if (how !== 'broken') return this.#keep(connection);
        this.#options.close(connection);
        this.#serve();
        this.#endWhenDrained();
      },
    };
  }

  #keep(connection: Connection): void {
    const { idleMs } = this.#options;
    const timer = idleMs === undefined ? undefined : setTimeout(() => this.discard(connection), idleMs).unref();
    this.#idle.push({ connection, timer });
    this.#serve();
    this.#endWhenDrained();
  }

  #endWhenDrained(): void {
    if (!this.#closing || this.#opening + this.#leased + this.#turns.waiting > 0) return;
    for (const { connection } of [...this.#idle]) this.discard(connection);
    this.#closed.resolve();
  }
}

function deferred(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
