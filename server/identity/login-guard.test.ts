import { expect, it } from 'vitest';
import { RateLimitedError } from '../../router/errors.ts';
import { onEveryEngine } from '../state/testing/engines.ts';
import { LoginGuard, type LoginLimit } from './login-guard.ts';
import type { IdentityTables } from './tables.ts';
import { MINUTE, node } from './testing/fixture.ts';

const wrong = async (): Promise<undefined> => undefined;
const right = async (): Promise<string> => 'in';

onEveryEngine((state) => {
  async function guard(clock = { now: 1_790_000_000_000 }, limit?: LoginLimit) {
    const { store, log } = await node(state, { clock });
    return { clock, store, guard: new LoginGuard({ state: store, clock: () => clock.now, log }, limit) };
  }

  async function fail(guarded: LoginGuard, times: number, name = 'ann', address = '192.0.2.1'): Promise<void> {
    for (let i = 0; i < times; i++) await guarded.attempt(name, address, wrong);
  }

  it('allows five failed attempts, and refuses the sixth without a check', async () => {
    const { guard: guarded } = await guard();
    await fail(guarded, 5);
    let looked = false;
    const sixth = guarded.attempt('ann', '192.0.2.1', async () => {
      looked = true;
      return 'in';
    });
    await expect(sixth).rejects.toThrow(RateLimitedError);
    expect(looked).toBe(false);
  });

  it('counts across two nodes on one database', async () => {
    const one = await guard();
    const two = await guard(one.clock);
    await fail(one.guard, 3);
    await fail(two.guard, 2);
    await expect(one.guard.attempt('ann', '192.0.2.1', right)).rejects.toThrow(RateLimitedError);
    await expect(two.guard.attempt('ann', '192.0.2.1', right)).rejects.toThrow(RateLimitedError);
  });

  it('allows attempts again when the oldest failure is fifteen minutes old, and returns the time to wait', async () => {
    const { guard: guarded, clock } = await guard();
    const began = clock.now;
    for (let minute = 0; minute < 5; minute++) {
      clock.now = began + minute * MINUTE;
      await guarded.attempt('ann', '192.0.2.1', wrong);
    }
    await expect(guarded.attempt('ann', '192.0.2.1', right)).rejects.toMatchObject({ retryAfterSeconds: 11 * 60 });
    clock.now = began + 15 * MINUTE - 1;
    await expect(guarded.attempt('ann', '192.0.2.1', right)).rejects.toMatchObject({ retryAfterSeconds: 1 });
    clock.now = began + 15 * MINUTE;
    expect(await guarded.attempt('ann', '192.0.2.1', wrong)).toBeUndefined();
    await expect(guarded.attempt('ann', '192.0.2.1', right)).rejects.toThrow(RateLimitedError);
  });

  it('refused attempts do not lengthen the wait', async () => {
    const { guard: guarded, clock } = await guard();
    await fail(guarded, 5);
    clock.now += 14 * MINUTE;
    for (let i = 0; i < 3; i++) await expect(guarded.attempt('ann', '192.0.2.1', right)).rejects.toThrow();
    clock.now += MINUTE;
    expect(await guarded.attempt('ann', '192.0.2.1', right)).toBe('in');
  });

  it('counts each user and each address separately', async () => {
    const { guard: guarded } = await guard();
    await fail(guarded, 5);
    expect(await guarded.attempt('bob', '192.0.2.1', right)).toBe('in');
    expect(await guarded.attempt('ann', '192.0.2.2', right)).toBe('in');
    await expect(guarded.attempt('ann', '192.0.2.1', right)).rejects.toThrow(RateLimitedError);
  });

  it('counts the addresses of one IPv6 /64 network as one, and a mapped IPv4 address as itself', async () => {
    const { guard: guarded } = await guard();
    for (let i = 1; i <= 5; i++) await guarded.attempt('ann', `2001:db8:0:7::${i}`, wrong);
    await expect(guarded.attempt('ann', '2001:db8:0:7:ffff::1', right)).rejects.toThrow(RateLimitedError);
    expect(await guarded.attempt('ann', '2001:db8:0:8::1', right)).toBe('in');
    await fail(guarded, 5, 'bob', '::ffff:192.0.2.1');
    await expect(guarded.attempt('bob', '192.0.2.1', right)).rejects.toThrow(RateLimitedError);
  });

  it('starts counting again after a success', async () => {
    const { guard: guarded } = await guard();
    await fail(guarded, 4);
    expect(await guarded.attempt('ann', '192.0.2.1', right)).toBe('in');
    await fail(guarded, 5);
    await expect(guarded.attempt('ann', '192.0.2.1', right)).rejects.toThrow(RateLimitedError);
  });

  it('allows no more than five guesses when fifty arrive at once on two nodes', async () => {
    const [one, two] = [await guard(), await guard()];
    let verified = 0;
    let refused = 0;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const verify = async (): Promise<undefined> => {
      verified++;
      return released.then(() => undefined);
    };
    const attempts = Array.from({ length: 50 }, (_, i) =>
      (i % 2 === 0 ? one : two).guard.attempt('ann', '192.0.2.1', verify),
    );
    for (const attempt of attempts) attempt.catch(() => refused++);
    await expect.poll(() => verified + refused).toBe(50);
    release();
    await Promise.allSettled(attempts);
    expect(verified).toBeLessThanOrEqual(5);
    expect(refused).toBe(50 - verified);
  });

  it('does not count an internal error as a failure', async () => {
    const { guard: guarded } = await guard();
    for (let i = 0; i < 10; i++) {
      const attempt = guarded.attempt('ann', '192.0.2.1', async () => {
        throw new Error('the disk is full');
      });
      await expect(attempt).rejects.toThrow('the disk is full');
    }
    expect(await guarded.attempt('ann', '192.0.2.1', right)).toBe('in');
  });

  it('counts the attempts on any name, also on hostile names', async () => {
    const { guard: guarded } = await guard();
    for (const name of ["'; drop table login_failures; --", 'a\u0000b', '\ud800', 'x'.repeat(100_000), 'é', '']) {
      await fail(guarded, 5, name);
      const sixth = guarded.attempt(name, '192.0.2.1', right);
      await expect(sixth, JSON.stringify(name).slice(0, 40)).rejects.toThrow(RateLimitedError);
    }
  });

  it('deletes failures that no longer count', async () => {
    const { guard: guarded, clock, store } = await guard();
    for (let i = 0; i < 10; i++) await guarded.attempt(`nobody-${i}`, '192.0.2.1', wrong);
    clock.now += 15 * MINUTE;
    await guarded.attempt('ann', '192.0.2.1', right);
    expect(await store.tables<IdentityTables>().selectFrom('login_failures').selectAll().execute()).toEqual([]);
  });

  it('sets no limit when the limit is 0, and uses another limit from the settings', async () => {
    const open = await guard(undefined, { failures: 0, windowMs: MINUTE });
    await fail(open.guard, 20);
    expect(await open.guard.attempt('ann', '192.0.2.1', right)).toBe('in');
    const strict = await guard(undefined, { failures: 1, windowMs: MINUTE });
    await fail(strict.guard, 1);
    await expect(strict.guard.attempt('ann', '192.0.2.1', right)).rejects.toMatchObject({ retryAfterSeconds: 60 });
  });
});
