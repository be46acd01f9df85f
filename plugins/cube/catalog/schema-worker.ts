/** The entry of a worker thread that reads cube schemas. */
import { parentPort } from 'node:worker_threads';
import { readServable } from './servable-schema.ts';

parentPort?.on('message', (text: string) => parentPort?.postMessage(readServable(text)));
