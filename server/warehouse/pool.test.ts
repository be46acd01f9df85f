import { describe, expect, it, vi } from 'vitest';
import { WarehouseUnreachableError } from '../../router/errors.ts';
import { sharedBy } from '../fair-share/counted-user.ts';
import { type Lease, Pool } from './pool.ts';

const never = new AbortController().signal;

/** Makes a pool of numbered connections that open in the next turn of the event loop. */
function numbered(size: number, open: (id: number) => Promise<number> = async (id) => id) {
  let last = 0;
  const closed: number[] = [];
  const pool = new Pool<number>({ size, open: () => open(++last), close: (id) => closed.push(id) });
  return { pool, closed, opened: () => last };
}

describe('a pool', () => {
  it('opens no more connections than its size, and serves waiting callers in their order', async () => {
    const { pool, opened } = numbered(2);
    const [first, second] = await Promise.all([pool.acquire(never), pool.acquire(never)]);
    const order: string[] = [];
    const third = pool.acquire(never);
    const fourth = pool.acquire(never);
    third.then(() => order.push('third'));
    fourth.then(() => order.push('fourth'));
    first.release();
    expect((await third).connection).toBe(first.connection);
    second.release();
    expect((await fourth).connection).toBe(second.connection);
    expect(order).toEqual(['third', 'fourth']);
    expect(opened()).toBe(2);
  });

  it('lets a caller stop waiting without affecting the next one', async () => {
    const { pool } = numbered(1);
    const lease = await pool.acquire(never);
    const cancel = new AbortController();
    const gone = pool.acquire(cancel.signal);
    const patient = pool.acquire(never);
    cancel.abort(new Error('enough'));
    await expect(gone).rejects.toThrow('enough');
    lease.release();
    expect((await patient).connection).toBe(1);
  });

  it('keeps a connection when its caller left while it was being opened', async () => {
    const { pool, opened } = numbered(1);
    const cancel = new AbortController();
    const gone = pool.acquire(cancel.signal);
    cancel.abort(new Error('enough'));
    await expect(gone).rejects.toThrow('enough');
    expect((await pool.acquire(never)).connection).toBe(1);
    expect(opened()).toBe(1);
  });

  it('closes a connection that is released as broken, and opens another for the next caller', async () => {
    const { pool, closed } = numbered(1);
    const lease = await pool.acquire(never);
    const next = pool.acquire(never);
    lease.release('broken');
    lease.release();
    expect((await next).connection).toBe(2);
    expect(closed).toEqual([1]);
  });

  it('reports a connection that cannot be opened to one caller, and tries again for the next', async () => {
    const { pool } = numbered(1, async (id) => {
      if (id === 1) throw new Error('no answer');
      return id;
    });
    const [first, second] = await Promise.allSettled([pool.acquire(never), pool.acquire(never)]);
    expect(first).toMatchObject({ status: 'rejected', reason: new Error('no answer') });
    expect(second).toMatchObject({ status: 'fulfilled', value: { connection: 2 } });
  });

  it('closes after every waiting caller was served', async () => {
    const { pool, closed } = numbered(1);
    const lease = await pool.acquire(never);
    const waiting = pool.acquire(never);
    let isClosed = false;
    const closing = pool.close().then(() => {
      isClosed = true;
    });
    await expect(pool.acquire(never)).rejects.toThrow(WarehouseUnreachableError);
    lease.release();
    const last = await waiting;
    await Promise.resolve();
    expect(isClosed).toBe(false);
    last.release();
    await closing;
    expect(closed).toEqual([1]);
  });

  it('closes a connection that is unused for a while', async () => {
    vi.useFakeTimers();
    try {
      const closed: number[] = [];
      const pool = new Pool<number>({ size: 1, idleMs: 1000, open: async () => 1, close: (id) => closed.push(id) });
      (await pool.acquire(never)).release();
      vi.advanceTimersByTime(999);
      expect(closed).toEqual([]);
      vi.advanceTimersByTime(1);
      expect(closed).toEqual([1]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a shared pool', () => {
  const opened = (size: number, perSharer: number) =>
    new Pool<number>({
      size,
      perSharer,
      ready: Array.from({ length: size }, (_, id) => id),
      open: async () => -1,
      close: () => undefined,
    });
  /** Queues statements of a user; each records itself when it starts. */
  function queue(pool: Pool<number>, sharer: string, count: number, started: string[], signal = never) {
    return Array.from({ length: count }, () =>
      sharedBy(sharer, () => pool.acquire(signal)).then((lease) => {
        started.push(sharer);
        return lease;
      }),
    );
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it("starts another user's single statement next, however many statements of one user wait", async () => {
    const pool = opened(1, 0);
    const started: string[] = [];
    const heavy = queue(pool, 'ana', 12, started);
    const light = queue(pool, 'bob', 1, started);
    await settled();
    expect(started).toEqual(['ana']);
    (await heavy[0])?.release();
    await settled();
    expect(started).toEqual(['ana', 'bob']);
    (await light[0])?.release();
    await settled();
    expect(started).toEqual(['ana', 'bob', 'ana']);
  });

  it('limits the statements of one user, and keeps connections free for others', async () => {
    const pool = opened(4, 2);
    const started: string[] = [];
    const heavy = queue(pool, 'ana', 12, started);
    await settled();
    expect(started).toEqual(['ana', 'ana']);
    queue(pool, 'bob', 1, started);
    await settled();
    expect(started).toEqual(['ana', 'ana', 'bob']);
    (await heavy[0])?.release();
    await settled();
    expect(started).toEqual(['ana', 'ana', 'bob', 'ana']);
  });

  it('serves all waiting users in turn', async () => {
    const pool = opened(1, 0);
    const started: string[] = [];
    // Each statement releases its connection immediately.
    const one = (lease: Lease<number>) => settled().then(() => lease.release());
    await Promise.all(
      ['ana', 'bob', 'eve'].flatMap((sharer) => queue(pool, sharer, 3, started).map((each) => each.then(one))),
    );
    expect(started).toEqual(['ana', 'bob', 'eve', 'ana', 'bob', 'eve', 'ana', 'bob', 'eve']);
  });

  it('forgets callers who stopped waiting: their turns and their counts', async () => {
    const pool = opened(1, 1);
    const started: string[] = [];
    const stop = new AbortController();
    const [first] = queue(pool, 'ana', 1, started);
    const gone = queue(pool, 'eve', 5, started, stop.signal);
    const mine = queue(pool, 'ana', 1, started);
    stop.abort(new Error('enough'));
    expect((await Promise.allSettled(gone)).map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    (await first)?.release();
    await settled();
    expect(started).toEqual(['ana', 'ana']);
    (await mine[0])?.release();
    const [again] = queue(pool, 'eve', 1, started);
    (await again)?.release();
    await pool.close();
  });

  it('gives the next user the turn of a connection that cannot be opened', async () => {
    let tries = 0;
    const pool = new Pool<number>({
      size: 1,
      perSharer: 1,
      open: async () => {
        if (++tries === 1) throw new Error('no answer');
        return tries;
      },
      close: () => undefined,
    });
    const started: string[] = [];
    const statements = [...queue(pool, 'ana', 1, started), ...queue(pool, 'ana', 1, started)];
    expect((await Promise.allSettled(statements)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });
});
