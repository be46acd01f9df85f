/** The entry of a worker thread: answers one task after the other. */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type AnalyticsTask, runAnalyticsTask } from './task.ts';

/** Behind the thread that serves. Linux has priorities by thread; elsewhere this would be the whole process's. */
const NICENESS = 10;
if (process.platform === 'linux') setPriority(NICENESS);

parentPort?.on('message', (task: AnalyticsTask) => parentPort?.postMessage(runAnalyticsTask(task)));
