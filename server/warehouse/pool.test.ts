import { describe, expect, it, vi } from 'vitest';
import { WarehouseUnreachableError } from '../../router/errors.ts';
import { Pool } from './pool.ts';

const never = new AbortController().signal;

/** A pool of numbered connections that open in the next turn of the loop. */
function numbered(size: number, open: (id: number) => Promise<number> = async (id) => id) {
  let last = 0;
  const closed: number[] = [];
  const pool = new Pool<number>({ size, open: () => open(++last), close: (id) => closed.push(id) });
  return { pool, closed, opened: () => last };
}

describe('a pool', () => {
  it('opens no more connections than its size, and hands them on in the order of asking', async () => {
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

  it('lets a caller stop waiting without disturbing the next one', async () => {
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

  it('keeps a connection whose caller left while it was being opened', async () => {
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

  it('tells one caller of a connection that cannot be opened, and tries again for the next', async () => {
    const { pool } = numbered(1, async (id) => {
      if (id === 1) throw new Error('no answer');
      return id;
    });
    const [first, second] = await Promise.allSettled([pool.acquire(never), pool.acquire(never)]);
    expect(first).toMatchObject({ status: 'rejected', reason: new Error('no answer') });
    expect(second).toMatchObject({ status: 'fulfilled', value: { connection: 2 } });
  });

  it('closes after everybody who asked before has been served', async () => {
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

  it('closes a connection that nobody has used for a while', async () => {
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
