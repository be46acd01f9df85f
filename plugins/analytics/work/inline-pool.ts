import { type AnalyticsPool, runAnalyticsTask } from './task.ts';

/** Runs tasks in the calling thread: for commands, which serve no one else, and for tests. */
export const inlinePool: AnalyticsPool = {
  size: 1,
  async run(task, signal) {
    signal?.throwIfAborted();
    return runAnalyticsTask(task);
  },
};
