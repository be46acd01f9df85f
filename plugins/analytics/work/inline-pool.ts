import { type AnalyticsPool, runAnalyticsTask } from './task.ts';

/** Runs tasks in the calling thread: for commands, which have no other work, and for tests. */
export const inlinePool: AnalyticsPool = {
  size: 1,
  async run(task, signal) {
    signal?.throwIfAborted();
    return runAnalyticsTask(task);
  },
};
