import { WarehouseUnreachableError } from '../../router/errors.ts';

export interface PoolOptions<Connection> {
  /** Connections at most. */
  readonly size: number;
  /** Connections that are open already. */
  readonly ready?: readonly Connection[] | undefined;
  open(): Promise<Connection>;
  /** Ends a connection, whatever state it is in. Must not throw. */
  close(connection: Connection): void;
  /** Closes a connection that nobody used for so long; without it, connections stay. */
  readonly idleMs?: number | undefined;
}

/** A connection that is one caller's until it is released. */
export interface Lease<Connection> {
  readonly connection: Connection;
  /** `broken`: the connection is in no known state and is closed instead of used again. A second call does nothing. */
  release(how?: 'broken'): void;
}

interface Waiter<Connection> {
  give(lease: Lease<Connection>): void;
  fail(error: unknown): void;
}

/** Connections opened when needed, kept for the next caller, handed out first come, first served; a caller may stop waiting. */
export class Pool<Connection> {
  readonly #options: PoolOptions<Connection>;
  readonly #idle: { readonly connection: Connection; readonly timer: NodeJS.Timeout | undefined }[] = [];
  readonly #waiters: Waiter<Connection>[] = [];
  readonly #closed = deferred();
  #opening = 0;
  #leased = 0;
  #closing = false;

  constructor(options: PoolOptions<Connection>) {
    this.#options = options;
    for (const connection of options.ready ?? []) this.#keep(connection);
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
      const leave = (): void => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        reject(signal.reason);
        this.#endWhenDrained();
      };
      const waiter: Waiter<Connection> = {
        give(lease) {
          signal.removeEventListener('abort', leave);
          resolve(lease);
        },
        fail(error) {
          signal.removeEventListener('abort', leave);
          reject(error);
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiters.push(waiter);
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
    while (this.#waiters.length > 0) {
      const idle = this.#idle.pop();
      if (idle === undefined) break;
      clearTimeout(idle.timer);
      this.#leased++;
      this.#waiters.shift()?.give(this.#lease(idle.connection));
    }
    while (
      this.#waiters.length > this.#opening &&
      this.#opening + this.#leased + this.#idle.length < this.#options.size
    ) {
      this.#opening++;
      this.#options.open().then(
        (connection) => {
          this.#opening--;
          this.#keep(connection);
        },
        (error: unknown) => {
          // With nobody left waiting nobody needs to know: whoever comes next opens again and is told.
          this.#opening--;
          this.#waiters.shift()?.fail(error);
          this.#serve();
          this.#endWhenDrained();
        },
      );
    }
  }

  #lease(connection: Connection): Lease<Connection> {
    let released = false;
    return {
      connection,
      release: (how) => {
        if (released) return;
        released = true;
        this.#leased--;
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
    if (!this.#closing || this.#opening + this.#leased + this.#waiters.length > 0) return;
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
