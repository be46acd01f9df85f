/** The entry of a worker thread: answers one task after the other. */
import { parentPort } from 'node:worker_threads';
import { type AnalyticsTask, runAnalyticsTask } from './task.ts';

parentPort?.on('message', (task: AnalyticsTask) => parentPort?.postMessage(runAnalyticsTask(task)));
