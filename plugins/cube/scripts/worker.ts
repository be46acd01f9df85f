/** The entry of a worker thread that runs tasks of scripts. */
import { parentPort } from 'node:worker_threads';
import { runScriptTask } from './run-task.ts';
import type { ScriptTask } from './script.ts';

parentPort?.on('message', async (task: ScriptTask) => parentPort?.postMessage(await runScriptTask(task)));
