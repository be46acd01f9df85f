/** The entry of a worker thread, which writes one workbook after another. */
import { parentPort } from 'node:worker_threads';
import type { WorkbookTask } from '../../router/capabilities/answer-files.ts';
import { writeWorkbook } from './workbook.ts';

parentPort?.on('message', (task: WorkbookTask) => {
  // A rejection ends the thread, which the pool reports.
  void writeWorkbook(task).then((bytes) => parentPort?.postMessage(bytes));
});
