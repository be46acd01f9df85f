import type { AnalyticsPool } from './analytics.ts';
import { runAnalyticsTask } from './task.ts';

/** Works in the thread that asks: for commands, which serve nobody else, and for tests. */
export const inlinePool: AnalyticsPool = {
  size: 1,
  async run(task, signal) {
    signal?.throwIfAborted();
    return runAnalyticsTask(task);
  },
};
