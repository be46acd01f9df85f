import { afterEach, expect, it } from 'vitest';
import { isHeld, longestHold } from '../../../router/testing/loop-delay.ts';
import { entryPoint } from '../../../server/entry-points.ts';
import { ThreadPool } from '../../../server/workers/thread-pool.ts';
import { MAX_CALLS_PER_TASK } from './limits.ts';
import { pooledScripts } from './runner.ts';
import type { ScriptCall, ScriptOutcome, ScriptTask } from './script.ts';

let pool: ThreadPool<ScriptTask, readonly ScriptOutcome[]> | undefined;
const open = () => (pool = new ThreadPool({ module: entryPoint('cube-script-worker').module, size: 1 }));
afterEach(() => pool?.close());

const calls = (count: number): readonly ScriptCall[] =>
  Array.from({ length: count }, (_, index) => ({ name: 'execute', args: [index] }));
const formatter = (source: string, count: number): ScriptTask => ({
  kind: 'cell formatter',
  source,
  calls: calls(count),
});

it('scripts run in a thread, in parts, and the answers are in order', async () => {
  const count = 2 * MAX_CALLS_PER_TASK + 3;
  const outcomes = await pooledScripts(open()).run(formatter('return "#" + value', count), undefined);
  expect(outcomes).toEqual(Array.from({ length: count }, (_, index) => ({ ok: true, value: `#${index}` })));
});

it('a script that never ends does not hold the event loop, and the next one runs', async () => {
  const scripts = pooledScripts(open());
  let outcomes: readonly ScriptOutcome[] = [];
  const hold = await longestHold(async () => {
    outcomes = await scripts.run(formatter('if (value < 3) for (;;); return value', 4), undefined);
  });
  expect(isHeld(hold)).toBe(false);
  const tooLong = { ok: false, message: 'it takes too long' };
  expect(outcomes).toEqual([tooLong, tooLong, tooLong, { ok: true, value: '3' }]);
});

it('a task that takes too long is stopped with its thread, and another thread takes the next', async () => {
  const running = open();
  expect(await pooledScripts(running, 5).run(formatter('for (;;);', 1), undefined)).toEqual([
    { ok: false, message: 'it takes too long' },
  ]);
  expect(await pooledScripts(running).run(formatter('return value', 1), undefined)).toEqual([{ ok: true, value: '0' }]);
});
