/** The entry of a worker thread that parses the SQL of one document after another. */
import { parentPort } from 'node:worker_threads';
import { readSql, type SqlTask } from './model/sql-task.ts';

parentPort?.on('message', async (task: SqlTask) => parentPort?.postMessage(await readSql(task)));
