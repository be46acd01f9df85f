/** The entry of a worker thread: reads one cube schema after the other. */
import { parentPort } from 'node:worker_threads';
import { readServable } from './schema-reader.ts';

parentPort?.on('message', (text: string) => parentPort?.postMessage(readServable(text)));
