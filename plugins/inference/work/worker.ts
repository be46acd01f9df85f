/** The entry of a worker thread: does one task after the other. */
import { parentPort } from 'node:worker_threads';
import { type InferenceTask, workOn } from './tasks.ts';

parentPort?.on('message', (task: InferenceTask) => parentPort?.postMessage(workOn(task)));
