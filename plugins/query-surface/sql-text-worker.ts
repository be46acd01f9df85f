/** The entry of a worker thread that reads SQL texts. */
import { parentPort } from 'node:worker_threads';
import { readSqlTexts, type SqlTextTask } from './sql-texts.ts';

parentPort?.on('message', async (task: SqlTextTask) => parentPort?.postMessage(await readSqlTexts(task)));
