/** The entry of a worker thread, which applies the edits of one document after another. */
import { parentPort } from 'node:worker_threads';
import { type EditTask, editResult } from './edit-documents.ts';

parentPort?.on('message', async (task: EditTask) => parentPort?.postMessage(await editResult(task)));
