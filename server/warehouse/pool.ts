import { onAbort } from '../../router/abort.ts';
import { CancelledError, TimeoutError, WarehouseUnreachableError } from '../../router/errors.ts';
import { presentSharer } from '../fair-share/counted-user.ts';
import { FairQueue } from '../fair-share/fair-queue.ts';

export interface PoolOptions<Connection> {
  /** Maximum number of connections. */
  readonly size: number;
  /** Maximum number of one sharer's connections in use; 0 or undefined for no limit. */
  readonly perSharer?: number | undefined;
  /** Connections that are already open. */
  readonly ready?: readonly Connection[] | undefined;
  open(): Promise<Connection>;
  /** Ends a connection in any state. Must not throw. */
  close(connection: Connection): void;
  /** Time after which an unused connection is closed; without it, connections stay. */
  readonly idleMs?: number | undefined;
  /** Receives the pool, for metrics of its use. */
  readonly onOpen?: ((pool: PoolGauge) => void) | undefined;
}

/** The current use of a pool. */
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

/** A connection for one caller until it is released. */
export interface Lease<Connection> {
  readonly connection: Connection;
  /** Returns the connection. `broken`: its state is unknown, so it is closed and not used again. A second call does nothing. */
  release(how?: 'broken'): void;
}

interface Waiter<Connection> {
  give(lease: Lease<Connection>): void;
  fail(error: unknown): void;
}

/**
 * Connections that are opened on demand and kept for the next caller. Sharers (`sharedBy`) take turns, each first come, first served; a caller may
 * stop waiting.
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

  /** Rejects with the reason of `signal`, with the error of `open`, or because the pool is closed. */
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
        const reason = this.#describeWait(sharer, waiter);
        this.#turns.drop(sharer, waiter);
        reject(stoppedWhileWaiting(signal.reason, reason));
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

  /** Removes a broken idle connection from the pool; the user of a connection releases it as broken. */
  discard(connection: Connection): void {
    const at = this.#idle.findIndex((idle) => idle.connection === connection);
    if (at < 0) return;
    clearTimeout(this.#idle[at]?.timer);
    this.#idle.splice(at, 1);
    this.#options.close(connection);
  }

  /** Refuses new callers, serves the waiting ones, and ends when the last connection is closed. */
  close(): Promise<void> {
    this.#closing = true;
    this.#endWhenDrained();
    return this.#closed.promise;
  }

  /** Describes in one sentence what a waiter waits for. */
  #describeWait(sharer: string, waiter: Waiter<Connection>): string {
    const { running, waiting, isAtLimit } = this.#turns.before(sharer, waiter);
    const ahead = waiting === 0 ? '' : `, and ${waiting} more waited before it`;
    if (isAtLimit)
      return `It waited for its turn: ${running} of your statements ran on this warehouse, as many as one user may at a time${ahead}. Ask again when they have ended, or cancel some of them.`;
    const { size } = this.#options;
    return `It waited for a connection: all ${size} connections to this warehouse were in use, ${running} by your statements${ahead}. Ask again later.`;
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

/** Returns the reason of a stop, with what the statement waited for. It never began. */
function stoppedWhileWaiting(reason: unknown, waitedFor: string): unknown {
  if (reason instanceof TimeoutError) return new TimeoutError(`${reason.message} ${waitedFor}`, { cause: reason });
  if (reason instanceof CancelledError) return new CancelledError(reason.message, { cause: reason, waitedFor });
  return reason;
}

function deferred(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
