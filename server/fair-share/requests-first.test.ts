import { constants, getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { putRequestsFirst, threads } from './requests-first.ts';

it.skipIf(process.platform !== 'linux')('later threads have a lower priority than those before', async () => {
  const before = threads();
  const own = getPriority();
  const end = putRequestsFirst(before);
  const worker = new Worker('setInterval(() => undefined, 1_000)', { eval: true });
  try {
    await new Promise((resolve) => worker.once('online', resolve));
    await expect
      .poll(() => threads().filter((thread) => !before.includes(thread) && priorityOf(thread) === lowered))
      .not.toEqual([]);
    for (const thread of before) expect([own, undefined]).toContain(priorityOf(thread));
  } finally {
    end();
    await worker.terminate();
  }
});

const lowered = constants.priority.PRIORITY_BELOW_NORMAL;

/** Returns the priority of a thread; `undefined` where it has ended. */
function priorityOf(thread: string): number | undefined {
  try {
    return getPriority(Number(thread));
  } catch {
    return undefined;
  }
}
