import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { CancelledError } from '../../router/errors.ts';
import { openCache } from './cache.ts';

const setup = (maxBytes = 1_000_000) => {
  const time = { now: 1_000 };
  const cache = openCache({ maxBytes, clock: () => time.now });
  let computed = 0;
  const ask = (over: { key?: string[]; ttlMs?: number; refresh?: boolean; signal?: AbortSignal; size?: number } = {}) =>
    cache.through({
      key: over.key ?? ['a'],
      ttlMs: over.ttlMs ?? 100,
      refresh: over.refresh,
      signal: over.signal,
      sizeOf: () => over.size ?? 10,
      compute: async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        computed += 1;
        return computed;
      },
    });
  return { cache, time, ask, count: () => computed };
};

describe('cache', () => {
  test('a hundred callers of one key cost one computation', async () => {
    const { ask, count } = setup();
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask()));
    expect(count()).toBe(1);
    expect(answers.map((answer) => answer.value)).toEqual(Array(100).fill(1));
    expect(answers.filter((answer) => !answer.cached)).toHaveLength(1);
  });

  test('an answer is served until it expires, with the time of its computation', async () => {
    const { ask, time } = setup();
    await ask();
    time.now = 1_099;
    expect(await ask()).toEqual({ value: 1, computedAtMillis: 1_000, cached: true });
    time.now = 1_100;
    expect(await ask()).toEqual({ value: 2, computedAtMillis: 1_100, cached: false });
  });

  test('holds an answer until it expires, is computed anew, or is dropped', async () => {
    const { cache, ask, time } = setup();
    const first = await ask();
    expect(cache.holds(first)).toBe(true);
    expect(cache.use.hits).toBe(1);
    const again = await ask();
    const newer = await ask({ refresh: true });
    expect([first, again, newer].map((each) => cache.holds(each))).toEqual([false, false, true]);
    cache.drop(['a']);
    expect(cache.holds(newer)).toBe(false);
    const last = await ask();
    time.now += 99;
    expect(cache.holds(last)).toBe(true);
    time.now += 1;
    expect(cache.holds(last)).toBe(false);
    expect(cache.holds(await ask({ key: ['b'], ttlMs: 0 }))).toBe(false);
  });

  test('a refresh computes again, and the new answer is cached', async () => {
    const { ask } = setup();
    await ask();
    expect((await ask({ refresh: true })).value).toBe(2);
    expect((await ask()).value).toBe(2);
  });

  test('with a lifetime of 0 nothing is cached', async () => {
    const { ask } = setup();
    await ask({ ttlMs: 0 });
    expect((await ask({ ttlMs: 0 })).value).toBe(2);
  });

  test('the bytes are bounded: the least recently used answer is dropped first', async () => {
    const { ask, count } = setup(100);
    await ask({ key: ['a'], size: 40 });
    await ask({ key: ['b'], size: 40 });
    await ask({ key: ['c'], size: 40 });
    await ask({ key: ['a'], size: 40 });
    expect(count()).toBe(4);
  });

  test('the computation continues when one caller leaves, and stops when the last one leaves', async () => {
    const { cache } = setup();
    const aborted: boolean[] = [];
    const request = (signal: AbortSignal) =>
      cache.through({
        key: ['slow'],
        ttlMs: 10,
        signal,
        sizeOf: () => 1,
        compute: (inner) =>
          new Promise<string>((resolve, reject) => {
            const timer = setTimeout(() => resolve('done'), 40);
            inner.addEventListener('abort', () => {
              clearTimeout(timer);
              aborted.push(true);
              reject(new CancelledError('stopped'));
            });
          }),
      });
    const [first, second] = [new AbortController(), new AbortController()];
    const [one, two] = [request(first.signal), request(second.signal)];
    first.abort();
    await expect(one).rejects.toThrow(CancelledError);
    expect((await two).value).toBe('done');
    expect(aborted).toEqual([]);

    const third = new AbortController();
    const alone = cache.through({
      key: ['other'],
      ttlMs: 10,
      signal: third.signal,
      sizeOf: () => 1,
      compute: (inner) =>
        new Promise<string>((_, reject) => {
          inner.addEventListener('abort', () => {
            aborted.push(true);
            reject(new CancelledError('stopped'));
          });
        }),
    });
    third.abort();
    await expect(alone).rejects.toThrow(CancelledError);
    expect(aborted).toEqual([true]);
  });

  test('a failure is not cached', async () => {
    const { cache, ask } = setup();
    await expect(
      cache.through({ key: ['a'], ttlMs: 100, sizeOf: () => 1, compute: () => Promise.reject(new Error('no')) }),
    ).rejects.toThrow('no');
    expect((await ask()).value).toBe(1);
  });

  test('dropping a prefix removes its keys and no others', async () => {
    const { cache, ask, count } = setup();
    await ask({ key: ['a', '1'] });
    await ask({ key: ['ab', '1'] });
    cache.drop(['a']);
    await ask({ key: ['ab', '1'] });
    expect(count()).toBe(2);
    await ask({ key: ['a', '1'] });
    expect(count()).toBe(3);
  });
});

test('a request that waits for fifty answers at once causes no leak warning, and removes its listeners', async () => {
  const { ask } = setup();
  const warnings: Error[] = [];
  const warned = (warning: Error): void => void warnings.push(warning);
  process.on('warning', warned);
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 50 }, (_, i) => ask({ key: [`k${i}`], signal })));
  // Node emits a warning before the next turn of the event loop.
  await setImmediate();
  process.off('warning', warned);
  expect(warnings).toEqual([]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
