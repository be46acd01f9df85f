/** The entry of a worker thread, which runs one task after another. */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type AnalyticsTask, runAnalyticsTask } from './task.ts';

/**
 * A lower priority than the serving thread has. Only Linux has priorities of threads; elsewhere it would apply to the whole
 * process.
 */
const NICENESS = 10;
if (process.platform === 'linux') setPriority(NICENESS);

parentPort?.on('message', (task: AnalyticsTask) => parentPort?.postMessage(runAnalyticsTask(task)));
