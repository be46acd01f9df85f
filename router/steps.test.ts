import { expect, test } from 'vitest';
import { type Awaitable, run, type Steps, settled } from './steps.ts';

function* sum(...values: readonly Awaitable<number>[]): Steps<number> {
  let total = 0;
  for (const value of values) total += yield* settled(value);
  return total;
}

test('steps that wait for nothing give their result at once', () => {
  expect(run(sum(1, 2, 3))).toBe(6);
});

test('steps that wait for one value give a promise', async () => {
  const result = run(sum(1, Promise.resolve(2), 3, Promise.resolve(4)));
  expect(result).toBeInstanceOf(Promise);
  expect(await result).toBe(10);
});

test('a failure reaches the step that waits, which may go on after it', async () => {
  function* patient(): Steps<number> {
    try {
      return yield* settled(Promise.reject(new Error('no')));
    } catch {
      return yield* settled(Promise.resolve(7));
    }
  }
  expect(await run(patient())).toBe(7);
  await expect(run(sum(1, Promise.reject(new Error('no'))))).rejects.toThrow('no');
});

test('a failure before the first wait is thrown at once', () => {
  function* failing(of: number): Steps<number> {
    if (of > 1) throw new Error('at once');
    return yield* settled(of);
  }
  expect(() => run(failing(2))).toThrow('at once');
});
