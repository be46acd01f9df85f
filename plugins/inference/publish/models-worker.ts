/** The entry of a worker thread that makes the datasources of proposals. */
import { parentPort } from 'node:worker_threads';
import { type ModelsToMake, makeModels } from './make-models.ts';

parentPort?.on('message', async (task: ModelsToMake) => parentPort?.postMessage(await makeModels(task)));
